package jobs

import (
	"cmp"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestOrder(t *testing.T) {
	at := func(id, learner string, second int) candidate {
		return candidate{id: id, learner: learner, at: time.Unix(int64(second), 0)}
	}
	again := func(c candidate) candidate {
		c.recheck = true
		return c
	}
	for _, c := range []struct {
		name              string
		waiting, underWay []candidate
		want              string
	}{
		{"nobody", nil, nil, "[]"},
		{"the oldest first", []candidate{at("b", "ada", 2), at("a", "ada", 1)}, nil, "[a b]"},
		{"by id if of one age", []candidate{at("b", "ada", 1), at("a", "bob", 1)}, nil, "[a b]"},
		{"in turns", []candidate{at("a1", "ada", 1), at("a2", "ada", 2), at("a3", "ada", 3), at("b1", "bob", 4), at("b2", "bob", 5)}, nil,
			"[a1 b1 a2 b2 a3]"},
		{"who has none under way comes first", []candidate{at("a2", "ada", 2), at("b1", "bob", 3)}, []candidate{at("a1", "ada", 1)},
			"[b1 a2]"},
		{"re-checks last, however old", []candidate{again(at("a", "ada", 1)), at("b", "bob", 9)}, nil, "[b a]"},
		{"a re-check under way does not hold its learner up",
			[]candidate{at("a2", "ada", 2), at("b1", "bob", 3)}, []candidate{again(at("a1", "ada", 1))}, "[a2 b1]"},
		{"re-checks in turns too", []candidate{again(at("a1", "ada", 1)), again(at("a2", "ada", 2)), again(at("b1", "bob", 3))}, nil,
			"[a1 b1 a2]"},
	} {
		if got := fmt.Sprint(order(c.waiting, c.underWay)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// The order is what choosing anew at each step would give, and does not depend on the order of
// the arguments, which stay as they are.
func TestOrderIsChoosingAgainAndAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		waiting, underWay := drawCandidates(t, "w"), drawCandidates(t, "u")
		given := slices.Clone(waiting)
		got := order(waiting, underWay)
		if !slices.Equal(waiting, given) {
			t.Fatal("the argument was changed")
		}
		if want := slowOrder(waiting, underWay); !slices.Equal(got, want) {
			t.Fatalf("order is %v, want %v", got, want)
		}
		if again := order(rapid.Permutation(waiting).Draw(t, "shuffled"), underWay); !slices.Equal(got, again) {
			t.Fatalf("shuffled: %v, before: %v", again, got)
		}
	})
}

func drawCandidates(t *rapid.T, prefix string) []candidate {
	n := rapid.IntRange(0, 12).Draw(t, "number")
	all := make([]candidate, n)
	for i := range all {
		all[i] = candidate{
			id:      fmt.Sprint(prefix, i),
			learner: rapid.SampledFrom([]string{"ada", "bob", "cyd"}).Draw(t, "learner"),
			recheck: rapid.Bool().Draw(t, "recheck"),
			at:      time.Unix(rapid.Int64Range(0, 5).Draw(t, "at"), 0),
		}
	}
	return all
}

// slowOrder is the rule as one would say it.
func slowOrder(waiting, underWay []candidate) []string {
	left, under := slices.Clone(waiting), slices.Clone(underWay)
	var ids []string
	for len(left) > 0 {
		busy := func(c candidate) int {
			n := 0
			for _, u := range under {
				if u.learner == c.learner && u.recheck == c.recheck {
					n++
				}
			}
			return n
		}
		kind := func(c candidate) int {
			if c.recheck {
				return 1
			}
			return 0
		}
		next := slices.MinFunc(left, func(a, b candidate) int {
			return cmp.Or(cmp.Compare(kind(a), kind(b)), cmp.Compare(busy(a), busy(b)), older(a, b))
		})
		ids = append(ids, next.id)
		under = append(under, next)
		left = slices.DeleteFunc(left, func(c candidate) bool { return c.id == next.id })
	}
	return ids
}

// judgedOrder has one worker with one hand judge everything, and gives the order.
func judgedOrder(t *testing.T, q *Queue, ledger *fakeLedger) []string {
	t.Helper()
	startWork(t, q, newChecker(), 1)
	waitFor(t, 20*time.Second, "all are judged", func() bool { return ledger.open() == 0 })
	ledger.mu.Lock()
	defer ledger.mu.Unlock()
	return slices.Clone(ledger.judged)
}

func TestOneLearnerDoesNotHoldUpTheOthers(t *testing.T) {
	ledger := newLedger()
	q := mustOpen(t, testConfig(t, ledger))
	for n := range 50 {
		mustSubmit(t, q, submission(fmt.Sprint("ada", n), "ada", "pass"))
	}
	if e := mustSubmit(t, q, submission("bob", "bob", "pass")); e.Place > leastWindow+1 {
		t.Errorf("bob's only one has place %d", e.Place)
	}
	judged := judgedOrder(t, q, ledger)
	if n := slices.Index(judged, "bob"); n > leastWindow {
		t.Errorf("bob's was judged after %d others, want at most a window of %d", n, leastWindow)
	}
}

func TestLearnersComeBeforeRechecks(t *testing.T) {
	ledger := newLedger()
	q := mustOpen(t, testConfig(t, ledger))
	for n := range 20 {
		s := submission(fmt.Sprint("again", n), fmt.Sprint("learner", n), "pass")
		s.Recheck = true
		mustSubmit(t, q, s)
	}
	for n := range 5 {
		mustSubmit(t, q, submission(fmt.Sprint("new", n), "ada", "pass"))
	}
	judged := judgedOrder(t, q, ledger)
	for n := range 5 {
		if at := slices.Index(judged, fmt.Sprint("new", n)); at >= leastWindow+5 {
			t.Errorf("new%d was judged after %d others: %v", n, at, judged)
		}
	}
}
