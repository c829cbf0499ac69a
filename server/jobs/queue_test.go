package jobs

import (
	"context"
	"errors"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/ringoftowers/towers/server/check"
	"github.com/ringoftowers/towers/server/store"
)

func TestSubmittedIsJudged(t *testing.T) {
	ledger, checker := newLedger(), newChecker()
	q := mustOpen(t, testConfig(t, ledger))
	startWork(t, q, checker, 2)

	e := mustSubmit(t, q, submission("one", "ada", "pass"))
	if e.Place != 1 || e.Verdict.State != check.Queued || e.Verdict.ID != "one" {
		t.Errorf("event of the submission is %+v, want queued at place 1", e)
	}
	waitFor(t, 5*time.Second, "judged", func() bool { return ledger.row("one").Verdict == "passed" })
	if v := verdictOf(t, ledger.row("one")); v.State != check.Done || len(v.Tests) != 1 {
		t.Errorf("recorded verdict is %+v", v)
	}
	waitFor(t, time.Second, "forgotten", func() bool { _, ok := q.Latest("one"); return !ok })
	waitFor(t, 5*time.Second, "the worker says that it is there", func() bool { return q.Stats().Workers == 1 })
	if s, want := q.Stats(), (Stats{Judged: 1, Workers: 1, Slots: 2, Connected: true}); s != want {
		t.Errorf("stats are %+v, want %+v", s, want)
	}
}

func TestWatchEndsWithTheWholeVerdict(t *testing.T) {
	ledger, checker := newLedger(), newChecker()
	q := mustOpen(t, testConfig(t, ledger))
	long := strings.Repeat("learner output ", 5000)
	first := mustSubmit(t, q, submission("one", "ada", "wait "+long))
	w := q.Watch("one")
	defer w.Close()
	startWork(t, q, checker, 1)

	last := first.Seq - 1
	for e := range w.C() {
		if e.Seq <= last {
			t.Fatalf("event %d came after %d", e.Seq, last)
		}
		last = e.Seq
		if e.Final() {
			if e.Verdict.Verdict != check.Passed || e.Verdict.Tests[0].Output != long {
				t.Errorf("the final event is not whole: %s, %d bytes of output", e.Verdict.Verdict, len(e.Verdict.Tests[0].Output))
			}
			if at := ledger.row("one").JudgedAt.UnixMicro(); e.Seq != at {
				t.Errorf("final event is %d, the row says %d", e.Seq, at)
			}
			return
		}
		if len(e.Verdict.Tests) > 0 {
			if n := len(e.Verdict.Tests[0].Output); n > eventOutput+100 || !e.Verdict.OutputCut {
				t.Errorf("an unfinished event has %d bytes of output, cut: %v", n, e.Verdict.OutputCut)
			}
			checker.release()
		}
	}
	t.Error("the watch ended without a final event")
}

func TestExerciseThatIsGoneIsOurFault(t *testing.T) {
	ledger := newLedger()
	q := mustOpen(t, testConfig(t, ledger))
	s := submission("one", "ada", "pass")
	s.Exercise = "gone"
	mustSubmit(t, q, s)
	waitFor(t, 5*time.Second, "recorded", func() bool { return ledger.row("one").Verdict == "internal" })
	if v := verdictOf(t, ledger.row("one")); !strings.Contains(v.Message, "does not have this exercise") {
		t.Errorf("the verdict says %q", v.Message)
	}
}

func TestFaultsAreRetriedThreeTimes(t *testing.T) {
	for _, c := range []struct {
		source, verdict  string
		checks, attempts int
	}{
		{"broken 0", "passed", 1, 0},
		{"broken 1", "passed", 2, 1},
		{"broken 3", "passed", 4, 3},
		{"broken 4", "internal", 4, 4},
		{"broken always", "internal", 4, 4},
		{"panic", "internal", 4, 4},
	} {
		t.Run(c.source, func(t *testing.T) {
			ledger, checker := newLedger(), newChecker()
			q := mustOpen(t, testConfig(t, ledger))
			startWork(t, q, checker, 1)
			mustSubmit(t, q, submission("one", "ada", c.source))
			waitFor(t, 10*time.Second, "recorded", func() bool { return ledger.row("one").Judged() })
			if row := ledger.row("one"); row.Verdict != c.verdict || row.Attempts != c.attempts || checker.checks() != c.checks {
				t.Errorf("verdict %s after %d attempts and %d checks, want %s, %d, %d",
					row.Verdict, row.Attempts, checker.checks(), c.verdict, c.attempts, c.checks)
			}
			if got := q.Stats().Retried; got != uint64(c.checks-1) {
				t.Errorf("retried %d times, want %d", got, c.checks-1)
			}
		})
	}
}

// A course that cannot be read just now is a fault like any other: it may pass.
func TestExerciseThatCannotBeRead(t *testing.T) {
	for faults, want := range map[int]string{2: "passed", 4: "internal"} {
		ledger, checker := newLedger(), newChecker()
		config := testConfig(t, ledger)
		config.Exercise = func(ctx context.Context, lesson, exercise string) (check.Exercise, error) {
			if faults--; faults >= 0 {
				return check.Exercise{}, errors.New("the lesson is being written")
			}
			return someExercise(ctx, lesson, exercise)
		}
		q := mustOpen(t, config)
		startWork(t, q, checker, 1)
		mustSubmit(t, q, submission("one", "ada", "pass"))
		waitFor(t, 10*time.Second, "recorded", func() bool { return ledger.row("one").Judged() })
		if got := ledger.row("one").Verdict; got != want {
			t.Errorf("verdict is %s, want %s", got, want)
		}
	}
}

func TestTooManyAreRefused(t *testing.T) {
	config := testConfig(t, newLedger())
	config.Share, config.Most = 2, 3
	q := mustOpen(t, config)
	mustSubmit(t, q, submission("a1", "ada", "pass"))
	mustSubmit(t, q, submission("a2", "ada", "pass"))
	_, err := q.Submit(t.Context(), submission("a3", "ada", "pass"))
	wantBusy(t, err, store.ErrShare)
	mustSubmit(t, q, submission("b1", "bob", "pass"))
	_, err = q.Submit(t.Context(), submission("c1", "cyd", "pass"))
	wantBusy(t, err, ErrBusy)

	recheck := submission("r1", "ada", "pass")
	recheck.Recheck = true
	if e := mustSubmit(t, q, recheck); e.Place != 4 {
		t.Errorf("the re-check has place %d, want 4", e.Place)
	}
}

func wantBusy(t *testing.T, err, cause error) {
	t.Helper()
	var busy *BusyError
	if !errors.As(err, &busy) || !errors.Is(err, cause) {
		t.Fatalf("error is %v, want one that says %v", err, cause)
	}
	if s := busy.RetryAfter; s < time.Second || s > time.Minute || s%time.Second != 0 {
		t.Errorf("try again after %v, want whole seconds from 1 to 60", s)
	}
}

func TestSubmitTellsWhatTheLedgerSays(t *testing.T) {
	ledger := newLedger()
	q := mustOpen(t, testConfig(t, ledger))
	ledger.breakDown(store.ErrFull)
	if _, err := q.Submit(t.Context(), submission("one", "ada", "pass")); !errors.Is(err, store.ErrFull) {
		t.Errorf("error is %v, want %v", err, store.ErrFull)
	}
	if _, ok := q.Latest("one"); ok {
		t.Error("what was not written is in the queue")
	}
	if _, err := q.Submit(t.Context(), submission("a.b", "ada", "pass")); err == nil {
		t.Error("an id with a dot was taken")
	}
}

func TestFullDiskDelaysVerdictsOnly(t *testing.T) {
	ledger, checker := newLedger(), newChecker()
	q := mustOpen(t, testConfig(t, ledger))
	mustSubmit(t, q, submission("good", "ada", "pass"))
	mustSubmit(t, q, submission("bad", "bob", "broken 1"))
	ledger.breakDown(store.ErrFull)
	startWork(t, q, checker, 2)
	waitFor(t, 5*time.Second, "both are checked", func() bool { return checker.has("good") && checker.has("bad") })
	waitFor(t, 5*time.Second, "recording fails", q.unrecorded.Load)
	ledger.breakDown(nil)
	waitFor(t, 5*time.Second, "both are recorded", func() bool { return ledger.open() == 0 })
	if good, bad := ledger.row("good"), ledger.row("bad"); good.Verdict != "passed" || bad.Verdict != "passed" {
		t.Errorf("verdicts are %s and %s, want passed twice", good.Verdict, bad.Verdict)
	}
}

func TestStartingAgainWithoutTheStreams(t *testing.T) {
	ledger, checker := newLedger(), newChecker()
	config := testConfig(t, ledger)
	q := mustOpen(t, config)
	stop := startWork(t, q, checker, 2)
	for _, id := range []string{"a", "b", "c", "d", "e"} {
		mustSubmit(t, q, submission(id, "ada", "wait"))
	}
	waitFor(t, 5*time.Second, "two are under way", func() bool { return checker.checks() == 2 })
	stop()
	mustClose(t, q)
	if err := os.RemoveAll(config.Dir); err != nil {
		t.Fatal(err)
	}
	checker.release()
	q = mustOpen(t, config)
	startWork(t, q, checker, 2)
	waitFor(t, 10*time.Second, "all are judged", func() bool { return ledger.open() == 0 })
}

func TestVerdictFromElsewhereIsTold(t *testing.T) {
	ledger := newLedger()
	q := mustOpen(t, testConfig(t, ledger))
	e := mustSubmit(t, q, submission("one", "ada", "pass"))
	w := q.Watch("one")
	defer w.Close()
	if _, err := ledger.Record(t.Context(), "one", "failed", []byte(`{"id":"one","state":"done","verdict":"failed"}`), time.Now()); err != nil {
		t.Fatal(err)
	}
	for !e.Final() {
		e = <-w.C()
	}
	if e.Verdict.Verdict != check.Failed {
		t.Errorf("told %+v, want failed", e)
	}
	if _, ok := q.Latest("one"); ok {
		t.Error("it is still in the queue")
	}
}

func TestDeletedSubmissionIsForgotten(t *testing.T) {
	ledger, checker := newLedger(), newChecker()
	q := mustOpen(t, testConfig(t, ledger))
	startWork(t, q, checker, 1)
	mustSubmit(t, q, submission("under-way", "ada", "wait"))
	mustSubmit(t, q, submission("sent", "ada", "pass"))
	mustSubmit(t, q, submission("waiting", "ada", "pass"))
	waitFor(t, 5*time.Second, "it is under way", func() bool { return checker.has("under-way") })
	for _, id := range []string{"under-way", "sent", "waiting"} {
		ledger.delete(id)
	}
	checker.release()
	waitFor(t, 5*time.Second, "all are forgotten", func() bool { s := q.Stats(); return s.Waiting+s.UnderWay == 0 })
}

func TestStoppingWorkerGivesBack(t *testing.T) {
	ledger, checker := newLedger(), newChecker()
	q := mustOpen(t, testConfig(t, ledger))
	stop := startWork(t, q, checker, 1)
	mustSubmit(t, q, submission("one", "ada", "wait"))
	waitFor(t, 5*time.Second, "it is under way", func() bool { return checker.has("one") })
	other := newChecker()
	other.release()
	startWork(t, q, other, 1)
	began := time.Now()
	stop()
	waitFor(t, 5*time.Second, "the other judges it", func() bool { return ledger.row("one").Judged() })
	if took := time.Since(began); took > 2*time.Second {
		t.Errorf("the other had it after %v, want at once", took)
	}
	if n := ledger.row("one").Attempts; n != 0 {
		t.Errorf("%d attempts counted, want none", n)
	}
}

func TestNothingRunsAfterClose(t *testing.T) {
	before := runtime.NumGoroutine()
	ledger, checker := newLedger(), newChecker()
	config := testConfig(t, ledger)
	q, err := Open(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	w := q.Watch("one")
	ended := make(chan error, 1)
	go func() { ended <- q.Work(context.Background(), checker, 3) }()
	mustSubmit(t, q, submission("one", "ada", "wait"))
	waitFor(t, 5*time.Second, "it is under way", func() bool { return checker.has("one") })
	mustClose(t, q)
	if err := <-ended; err != nil {
		t.Errorf("Work ended with %v", err)
	}
	for range w.C() { // ends, because Close ends the watch
	}
	if _, err := q.Submit(t.Context(), submission("two", "ada", "pass")); !errors.Is(err, ErrClosed) {
		t.Errorf("Submit after Close: %v", err)
	}
	if err := q.Work(t.Context(), checker, 1); !errors.Is(err, ErrClosed) {
		t.Errorf("Work after Close: %v", err)
	}
	waitFor(t, 10*time.Second, "every goroutine has ended", func() bool { return runtime.NumGoroutine() <= before })
	mustClose(t, q)
}
