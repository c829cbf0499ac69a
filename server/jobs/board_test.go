package jobs

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/ringoftowers/towers/server/check"
	"github.com/ringoftowers/towers/server/store"
)

// stopped is a clock that stands still, as clocks of computers do at times.
func stopped() time.Time { return time.Unix(1_700_000_000, 0) }

func building(id string, round int64, delivery uint64) snapshot {
	return snapshot{ID: id, Round: round, Delivery: delivery, Verdict: check.Verdict{ID: id, State: check.Building}}
}

// take empties a mailbox.
func take(w *Watch) (Event, bool) {
	select {
	case e, ok := <-w.C():
		return e, ok
	default:
		return Event{}, false
	}
}

func TestPlacesAreToldWhereTheyChange(t *testing.T) {
	b := newBoard(stopped, 10, func() {})
	b.add(submission("a1", "ada", ""))
	b.add(submission("a2", "ada", ""))
	first, second := b.watch("a1"), b.watch("a2")
	take(first)
	take(second)
	if e := b.add(submission("b1", "bob", "")); e.Place != 2 {
		t.Errorf("bob's first has place %d, want 2", e.Place)
	}
	if e, ok := take(first); ok {
		t.Errorf("a1 stayed where it was, and was told %+v", e)
	}
	if e, ok := take(second); !ok || e.Place != 3 {
		t.Errorf("a2 was told %+v, want place 3", e)
	}
	picked, _ := b.pick(1)
	b.progress(building("a1", picked[0].round, 1))
	if e, ok := take(first); !ok || e.Place != 0 || e.Verdict.State != check.Building {
		t.Errorf("a1 was told %+v, want building without a place", e)
	}
	b.pick(1)
	if e, ok := take(second); !ok || e.Place != 2 {
		t.Errorf("a2 was told %+v, want place 2", e)
	}
}

func TestSlowWatcherSeesTheNewest(t *testing.T) {
	b := newBoard(stopped, 10, func() {})
	b.add(submission("a", "ada", ""))
	slow, gone := b.watch("a"), b.watch("a")
	take(gone)
	gone.Close()
	picked, _ := b.pick(1)
	for n := range uint64(1000) {
		b.progress(building("a", picked[0].round, n+1))
	}
	b.settle("a", Event{Seq: b.seal("a").UnixMicro(), Verdict: check.Verdict{ID: "a", State: check.Done, Verdict: check.Passed}})
	if e, ok := take(slow); !ok || !e.Final() {
		t.Errorf("the slow watcher sees %+v, want the final event", e)
	}
	if _, ok := take(slow); ok {
		t.Error("something came after the final event")
	}
	if _, open := <-gone.C(); open {
		t.Error("a closed watch was told something")
	}
	slow.Close()
	slow.Close()
	if len(b.watches) != 0 || len(b.tickets) != 0 {
		t.Errorf("%d watches and %d tickets are kept for nothing", len(b.watches), len(b.tickets))
	}
	b.close()
	if _, open := <-b.watch("a").C(); open {
		t.Error("a closed board lets watch")
	}
}

func TestOnlyThePresentRoundHasNews(t *testing.T) {
	b := newBoard(stopped, 10, func() {})
	b.add(submission("a", "ada", ""))
	picked, _ := b.pick(1)
	round := picked[0].round
	for _, c := range []struct {
		name string
		s    snapshot
		want bool // whether the event changes
	}{
		{"another round", building("a", round+1, 1), false},
		{"another submission", building("b", round, 1), false},
		{"the second delivery", building("a", round, 2), true},
		{"the first delivery, late", building("a", round, 1), false},
		{"the second goes on", building("a", round, 2), true},
		{"a verdict that is not in the ledger", snapshot{"a", round, 3, check.Verdict{ID: "a", State: check.Done}}, false},
	} {
		before, _ := b.latest("a")
		b.progress(c.s)
		if after, _ := b.latest("a"); (after.Seq != before.Seq) != c.want {
			t.Errorf("%s: event went from %+v to %+v", c.name, before, after)
		}
	}
	b.again("a", round, 0)
	b.again("a", round, 0)
	if b.retried != 1 {
		t.Errorf("a round ended %d times in a fault", b.retried)
	}
	if e, _ := b.latest("a"); e.Verdict.State != check.Queued || e.Place != 1 {
		t.Errorf("after a fault it is %+v, want queued at place 1", e)
	}
}

// A clock that was put back between two runs does not put back what is told.
func TestEventsGrowOverAClockPutBack(t *testing.T) {
	s := submission("a", "ada", "")
	s.At = stopped().Add(time.Hour)
	row, err := EventOf(s)
	if err != nil {
		t.Fatal(err)
	}
	b := newBoard(stopped, 10, func() {})
	first := b.add(s)
	at := b.seal("a")
	if first.Seq <= row.Seq || at.UnixMicro() <= first.Seq {
		t.Errorf("the row is event %d, the first of the board %d, the last %d", row.Seq, first.Seq, at.UnixMicro())
	}
}

func TestBackoffHoldsBack(t *testing.T) {
	now := stopped()
	b := newBoard(func() time.Time { return now }, 10, func() {})
	b.add(submission("a", "ada", ""))
	b.add(submission("b", "bob", ""))
	picked, _ := b.pick(1)
	b.again("a", picked[0].round, time.Second)
	picked, next := b.pick(2)
	if len(picked) != 1 || picked[0].id != "b" || next != time.Second {
		t.Errorf("picked %v and look again in %v, want b and 1s", picked, next)
	}
	now = now.Add(time.Second)
	if picked, next = b.pick(2); len(picked) != 1 || picked[0].id != "a" || next != 0 {
		t.Errorf("a second later picked %v and look again in %v, want a and 0", picked, next)
	}
}

func TestCrewForgetsTheSilent(t *testing.T) {
	now := stopped()
	c := newCrew(func() time.Time { return now })
	if c.window() != leastWindow {
		t.Errorf("the window without workers is %d", c.window())
	}
	if !c.greet(greeting{"one", 4}) || c.greet(greeting{"one", 4}) || !c.greet(greeting{"two", 2}) {
		t.Error("only a new worker changes the number of hands")
	}
	if workers, slots := c.count(); workers != 2 || slots != 6 || c.window() != 12 {
		t.Errorf("%d workers with %d slots, window %d", workers, slots, c.window())
	}
	if !c.greet(greeting{Worker: "two"}) || c.slots() != 4 {
		t.Error("who leaves does not count")
	}
	now = now.Add(forgetAfter + 1)
	if workers, _ := c.count(); workers != 0 {
		t.Error("who is silent counts")
	}
}

// Whatever happens on a board in whatever order, even while the clock stands: events of one
// submission grow, places are 1, 2, 3 …, and no more are sent than the window has room for.
func TestBoardLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const window = 3
		b := newBoard(stopped, 100, func() {})
		last := make(map[string]Event)
		rounds := make(map[string][]int64)
		anyID := rapid.SampledFrom([]string{"a", "b", "c", "d", "e", "f"})
		anyRound := func(id string) int64 {
			return rapid.SampledFrom(append([]int64{0}, rounds[id]...)).Draw(t, "round")
		}
		actions := map[string]func(*rapid.T){
			"add": func(t *rapid.T) {
				id := anyID.Draw(t, "id")
				s := submission(id, rapid.SampledFrom([]string{"ada", "bob"}).Draw(t, "learner"), "")
				s.Recheck = rapid.Bool().Draw(t, "recheck")
				if !last[id].Final() {
					b.add(s)
				}
			},
			"pick": func(t *rapid.T) {
				// What was put back after an error, and was in the stream after all, comes on top.
				most := max(window, len(b.away()))
				picked, _ := b.pick(window)
				if n := len(b.away()); n > most {
					t.Fatalf("%d are in the stream, the window is %d", n, window)
				}
				for _, s := range picked {
					rounds[s.id] = append(rounds[s.id], s.round)
				}
			},
			"unsent": func(t *rapid.T) { id := anyID.Draw(t, "id"); b.unsent(sending{id, anyRound(id)}) },
			"progress": func(t *rapid.T) {
				id := anyID.Draw(t, "id")
				b.progress(building(id, anyRound(id), rapid.Uint64Range(1, 3).Draw(t, "delivery")))
			},
			"again": func(t *rapid.T) { id := anyID.Draw(t, "id"); b.again(id, anyRound(id), 0) },
			"lost":  func(t *rapid.T) { id := anyID.Draw(t, "id"); b.lost([]sending{{id, anyRound(id)}}) },
			"settle": func(t *rapid.T) {
				id := anyID.Draw(t, "id")
				at := b.seal(id)
				if rapid.Bool().Draw(t, "recorded") {
					b.settle(id, Event{Seq: at.UnixMicro(), Verdict: check.Verdict{ID: id, State: check.Done}})
				}
				b.unseal(id)
			},
		}
		watches := make(map[string]*Watch)
		for _, id := range []string{"a", "b", "c", "d", "e", "f"} {
			watches[id] = b.watch(id)
		}
		actions[""] = func(t *rapid.T) {
			for id, w := range watches {
				e, ok := take(w)
				if !ok {
					continue
				}
				if e.Seq <= last[id].Seq || last[id].Final() {
					t.Fatalf("%s: %+v came after %+v", id, e, last[id])
				}
				last[id] = e
			}
			checkPlaces(t, b)
		}
		t.Repeat(actions)
	})
}

func checkPlaces(t *rapid.T, b *board) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.arrange()
	var places []int
	for _, ticket := range b.tickets {
		if ticket.stage != begun {
			places = append(places, ticket.place)
		} else if ticket.place != 0 {
			t.Fatalf("%s is under way and has place %d", ticket.row.ID, ticket.place)
		}
	}
	slices.Sort(places)
	for n, p := range places {
		if p != n+1 {
			t.Fatalf("places are %v", places)
		}
	}
}

// A comparison with the rows neither brings back what was settled while they were read, nor lets
// go what came meanwhile.
func TestComparisonWhileThingsHappen(t *testing.T) {
	b := newBoard(stopped, 10, func() {})
	for _, id := range []string{"stays", "settled-meanwhile", "judged-elsewhere"} {
		b.add(submission(id, "ada", ""))
	}
	mark := b.reading()
	rows := []store.Submission{submission("stays", "ada", ""), submission("settled-meanwhile", "ada", ""), submission("unknown", "ada", "")}
	b.settle("settled-meanwhile", Event{})
	b.add(submission("came-meanwhile", "ada", ""))
	if stale := b.merge(mark, rows, true); fmt.Sprint(stale) != "[judged-elsewhere]" {
		t.Errorf("stale are %v, want judged-elsewhere", stale)
	}
	got := slices.Sorted(maps.Keys(b.tickets))
	if want := []string{"came-meanwhile", "judged-elsewhere", "stays", "unknown"}; !slices.Equal(got, want) {
		t.Errorf("on the board are %v, want %v", got, want)
	}
}
