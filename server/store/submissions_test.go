package store

import (
	"fmt"
	"sync"
	"testing"
)

func submission(learner string, minutes int) Submission {
	return Submission{
		ID: NewID(), Learner: learner, Lesson: "03-the-ring", Exercise: "owner",
		Source: "package exercise\n", At: after(minutes),
	}
}

func add(tb testing.TB, s *Store, sub Submission) Submission {
	tb.Helper()
	must(tb, s.AddSubmission(tb.Context(), sub, 0))
	return sub
}

const threeTests = `{"verdict":"failed","tests":[{"name":"A","status":"passed","subtests":[{"status":"passed"}]},{"name":"B","status":"failed"},{"name":"C","status":"passed"}]}`

func TestSubmissionComesBackWhole(t *testing.T) {
	s := open(t)
	sub := submission(guest(t, s).ID, 0)
	sub.Source = "package exercise // \x00 ✓ \r\n"
	sub.Recheck = true
	add(t, s, sub)
	wantSame(t, "unjudged", get(s.Submission(t.Context(), sub.ID))(t), sub)

	if first := get(s.Record(t.Context(), sub.ID, "failed", []byte(threeTests), after(1)))(t); !first {
		t.Error("the first verdict is not the first")
	}
	sub.Verdict, sub.Result, sub.JudgedAt = "failed", []byte(threeTests), after(1)
	wantSame(t, "judged", get(s.Submission(t.Context(), sub.ID))(t), sub)

	_, err := s.Submission(t.Context(), "nobody's")
	wantError(t, err, ErrNotFound)
}

func TestFirstVerdictStays(t *testing.T) {
	s := open(t)
	sub := add(t, s, submission(guest(t, s).ID, 0))
	get(s.Record(t.Context(), sub.ID, "failed", []byte(threeTests), after(1)))(t)
	if first := get(s.Record(t.Context(), sub.ID, "passed", []byte(`{}`), after(2)))(t); first {
		t.Error("the second verdict is the first too")
	}
	if got := get(s.Submission(t.Context(), sub.ID))(t); got.Verdict != "failed" || string(got.Result) != threeTests {
		t.Errorf("the verdict is now %q, %s", got.Verdict, got.Result)
	}
	_, err := s.Record(t.Context(), "gone", "passed", []byte(`{}`), noon())
	wantError(t, err, ErrNotFound)
}

// Of many that record a verdict at once, exactly one is first, and its verdict is the one kept.
func TestOneOfManyVerdictsIsFirst(t *testing.T) {
	s := open(t)
	learner := guest(t, s)
	for range 5 {
		sub := add(t, s, submission(learner.ID, 0))
		winners := make(chan string, 16)
		var group sync.WaitGroup
		for i := range cap(winners) {
			group.Go(func() {
				word := fmt.Sprintf("verdict %d", i)
				first, err := s.Record(t.Context(), sub.ID, word, fmt.Appendf(nil, `{"n":%d}`, i), after(i))
				if err != nil {
					t.Error(err)
				}
				if first {
					winners <- word
				}
			})
		}
		group.Wait()
		close(winners)
		winner := <-winners
		if second, more := <-winners; more {
			t.Errorf("%s was first, and %s too", winner, second)
		}
		if got := get(s.Submission(t.Context(), sub.ID))(t); got.Verdict != winner {
			t.Errorf("%s was first, but %s is kept", winner, got.Verdict)
		}
	}
}

func TestRecordRefusesWhatIsNoVerdict(t *testing.T) {
	s := open(t)
	sub := add(t, s, submission(guest(t, s).ID, 0))
	for _, c := range []struct{ verdict, result string }{
		{"", `{}`}, {"passed", ``}, {"passed", `{`}, {"passed", `{"tests":7}`},
	} {
		if first, err := s.Record(t.Context(), sub.ID, c.verdict, []byte(c.result), noon()); first || err == nil {
			t.Errorf("Record(%q, %q) = %v, %v; want an error", c.verdict, c.result, first, err)
		}
	}
	if get(s.Submission(t.Context(), sub.ID))(t).Judged() {
		t.Error("a refused verdict is kept")
	}
}

func TestShareCountsOnlyWhatALearnerWaitsFor(t *testing.T) {
	s := open(t)
	ada, bob := guest(t, s), guest(t, s)
	recheck := submission(ada.ID, 0)
	recheck.Recheck = true
	first := submission(ada.ID, 1)
	for _, sub := range []Submission{recheck, first, submission(ada.ID, 2), submission(bob.ID, 3)} {
		must(t, s.AddSubmission(t.Context(), sub, 2))
	}
	wantError(t, s.AddSubmission(t.Context(), submission(ada.ID, 4), 2), ErrShare)
	again := submission(ada.ID, 4)
	again.Recheck = true
	must(t, s.AddSubmission(t.Context(), again, 2))
	must(t, s.AddSubmission(t.Context(), submission(bob.ID, 4), 2))
	get(s.Record(t.Context(), first.ID, "passed", []byte(`{}`), after(5)))(t)
	must(t, s.AddSubmission(t.Context(), submission(ada.ID, 6), 2))
	must(t, s.AddSubmission(t.Context(), submission(ada.ID, 7), 0))

	wantError(t, s.AddSubmission(t.Context(), submission("nobody", 8), 2), ErrNotFound)
	if err := s.AddSubmission(t.Context(), first, 0); err == nil {
		t.Error("two submissions have one ID")
	}
}

func TestUnjudgedIsOldestFirstWithoutSource(t *testing.T) {
	s := open(t)
	learner := guest(t, s).ID
	late, early := add(t, s, submission(learner, 5)), add(t, s, submission(learner, 1))
	judged, same := add(t, s, submission(learner, 2)), add(t, s, submission(learner, 5))
	get(s.Record(t.Context(), judged.ID, "passed", []byte(`{}`), after(6)))(t)
	for want := 1; want <= 2; want++ {
		if got := get(s.CountAttempt(t.Context(), late.ID))(t); got != want {
			t.Errorf("attempt %d is counted as %d", want, got)
		}
	}
	_, err := s.CountAttempt(t.Context(), "gone")
	wantError(t, err, ErrNotFound)

	late.Attempts = 2
	want := []Submission{early, late, same}
	for i := range want {
		want[i].Source = ""
	}
	wantSame(t, "unjudged", get(s.Unjudged(t.Context()))(t), want)
}

func TestTriesAreNewestFirst(t *testing.T) {
	s := open(t)
	learner := guest(t, s).ID
	old, waiting := add(t, s, submission(learner, 1)), add(t, s, submission(learner, 3))
	middle := add(t, s, submission(learner, 2))
	other := submission(learner, 4)
	other.Exercise = "spread"
	add(t, s, other)
	add(t, s, submission(guest(t, s).ID, 5))
	get(s.Record(t.Context(), old.ID, "failed", []byte(threeTests), after(6)))(t)
	get(s.Record(t.Context(), middle.ID, "build_error", []byte(`{"tests":null}`), after(6)))(t)

	want := []Try{
		{ID: waiting.ID, At: after(3)},
		{ID: middle.ID, At: after(2), Verdict: "build_error"},
		{ID: old.ID, At: after(1), Verdict: "failed", Passed: 2, Tests: 3},
	}
	for _, limit := range []int{-1, 0, 2, 3, 100} {
		want := want
		if limit == 2 {
			want = want[:2]
		}
		wantSame(t, fmt.Sprint("tries, limit ", limit), get(s.Tries(t.Context(), learner, "03-the-ring", "owner", limit))(t), want)
	}
	again := submission(learner, 7)
	again.Recheck = true
	add(t, s, again)
	for most, want := range map[int]int{1: 1, 3: 3, 100: 3} {
		wantSame(t, fmt.Sprint("counted up to ", most), get(s.CountTries(t.Context(), learner, "03-the-ring", "owner", most))(t), want)
	}
}

// Checking again adds one line to a learner's list, however often it is done.
func TestTriesHaveTheLastRecheck(t *testing.T) {
	s := open(t)
	learner := guest(t, s).ID
	own := add(t, s, submission(learner, 1))
	var last Submission
	for i := range 3 {
		last = submission(learner, 2+i)
		last.Recheck = true
		add(t, s, last)
	}
	newest := add(t, s, submission(learner, 9))
	another := submission(guest(t, s).ID, 10)
	another.Recheck = true
	add(t, s, another)
	want := []Try{{ID: newest.ID, At: after(9)}, {ID: last.ID, At: after(4), Recheck: true}, {ID: own.ID, At: after(1)}}
	wantSame(t, "tries", get(s.Tries(t.Context(), learner, "03-the-ring", "owner", 0))(t), want)
}

func TestLastTriesAreEachLearnersNewestJudged(t *testing.T) {
	s := open(t)
	ada, bob, eve := guest(t, s).ID, guest(t, s).ID, guest(t, s).ID
	judge := func(sub Submission) Submission {
		add(t, s, sub)
		get(s.Record(t.Context(), sub.ID, "failed", []byte(`{}`), after(9)))(t)
		sub.Verdict, sub.JudgedAt = "failed", after(9)
		return sub
	}
	newest := judge(submission(ada, 5))
	judge(submission(ada, 4))
	add(t, s, submission(ada, 6))
	judge(submission(bob, 3))
	sameTime := judge(submission(bob, 3))
	add(t, s, submission(eve, 1))
	wantSame(t, "last tries", get(s.LastTries(t.Context(), "03-the-ring", "owner"))(t), []Submission{sameTime, newest})
	wantSame(t, "of another exercise", get(s.LastTries(t.Context(), "03-the-ring", "spread"))(t), nil)
}
