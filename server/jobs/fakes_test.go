package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ringoftowers/towers/server/check"
	"github.com/ringoftowers/towers/server/store"
)

// fakeLedger is a store in memory. It remembers how often each verdict was recorded first.
type fakeLedger struct {
	mu     sync.Mutex
	rows   map[string]*store.Submission
	order  []string // in which they came
	judged []string // in which they were judged
	broken error    // what every change answers, unless nil
	blind  error    // what every question answers, unless nil
}

func newLedger() *fakeLedger { return &fakeLedger{rows: make(map[string]*store.Submission)} }

func (f *fakeLedger) breakDown(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.broken = err
}

func (f *fakeLedger) goBlind(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.blind = err
}

func (f *fakeLedger) AddSubmission(_ context.Context, s store.Submission, share int) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.broken != nil {
		return f.broken
	}
	if f.rows[s.ID] != nil {
		return fmt.Errorf("submission %s is there already", s.ID)
	}
	waiting := 0
	for _, r := range f.rows {
		if r.Learner == s.Learner && !r.Judged() && !r.Recheck {
			waiting++
		}
	}
	if share > 0 && waiting >= share {
		return fmt.Errorf("learner %s: %w", s.Learner, store.ErrShare)
	}
	f.rows[s.ID] = &s
	f.order = append(f.order, s.ID)
	return nil
}

func (f *fakeLedger) Submission(_ context.Context, id string) (store.Submission, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.blind != nil {
		return store.Submission{}, f.blind
	}
	if r := f.rows[id]; r != nil {
		return *r, nil
	}
	return store.Submission{}, fmt.Errorf("submission %s: %w", id, store.ErrNotFound)
}

func (f *fakeLedger) Unjudged(context.Context) ([]store.Submission, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.blind != nil {
		return nil, f.blind
	}
	var all []store.Submission
	for _, id := range f.order {
		if r := f.rows[id]; r != nil && !r.Judged() {
			row := *r
			row.Source = ""
			all = append(all, row)
		}
	}
	return all, nil
}

func (f *fakeLedger) Record(_ context.Context, id, verdict string, result []byte, at time.Time) (bool, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.broken != nil {
		return false, f.broken
	}
	r := f.rows[id]
	if r == nil {
		return false, fmt.Errorf("submission %s: %w", id, store.ErrNotFound)
	}
	if r.Judged() {
		return false, nil
	}
	r.Verdict, r.Result, r.JudgedAt = verdict, slices.Clone(result), at
	f.judged = append(f.judged, id)
	return true, nil
}

func (f *fakeLedger) CountAttempt(_ context.Context, id string) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.broken != nil {
		return 0, f.broken
	}
	r := f.rows[id]
	if r == nil {
		return 0, store.ErrNotFound
	}
	r.Attempts++
	return r.Attempts, nil
}

// delete removes a row, as when a learner's account goes.
func (f *fakeLedger) delete(id string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.rows, id)
}

func (f *fakeLedger) row(id string) store.Submission {
	f.mu.Lock()
	defer f.mu.Unlock()
	if r := f.rows[id]; r != nil {
		return *r
	}
	return store.Submission{}
}

// open gives how many rows have no verdict.
func (f *fakeLedger) open() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := 0
	for _, r := range f.rows {
		if !r.Judged() {
			n++
		}
	}
	return n
}

// fakeChecker judges by what a source says: "pass", "fail", or "broken n", which fails for a
// reason of ours n times and passes then. "wait" does not end before release or its context, "slow"
// takes 30 ms, and "panic" panics.
type fakeChecker struct {
	mu       sync.Mutex
	broken   map[string]int // by id
	begun    []string
	released chan struct{}
}

func newChecker() *fakeChecker {
	return &fakeChecker{broken: make(map[string]int), released: make(chan struct{})}
}

var errBroken = errors.New("the sandbox is broken")

func (f *fakeChecker) Check(ctx context.Context, s check.Submission) (check.Verdict, error) {
	v := check.Verdict{ID: s.ID, Lesson: s.Exercise.Lesson, Exercise: s.Exercise.Name, State: check.Running,
		Diagnostics: []check.Diagnostic{}, Tests: []check.Test{}}
	f.mu.Lock()
	f.begun = append(f.begun, s.ID)
	f.broken[s.ID]++
	times := f.broken[s.ID]
	released := f.released
	f.mu.Unlock()
	word, rest, _ := strings.Cut(string(s.Source), " ")
	v.Tests = []check.Test{{Name: "TestOne", Status: check.Passed, Output: rest}}
	s.Notify(v)
	outcome := check.Passed
	switch word {
	case "fail":
		outcome = check.Failed
	case "broken":
		var n int
		if _, err := fmt.Sscan(rest, &n); err != nil || times <= n {
			return check.Verdict{ID: s.ID, State: check.Done, Verdict: check.Internal, Message: "ours"}, errBroken
		}
	case "panic":
		panic("a bug")
	case "slow":
		pause(ctx, 30*time.Millisecond)
		if err := context.Cause(ctx); err != nil {
			return check.Verdict{State: check.Done, Verdict: check.Internal}, err
		}
	case "wait":
		select {
		case <-released:
		case <-ctx.Done():
			return check.Verdict{State: check.Done, Verdict: check.Internal}, context.Cause(ctx)
		}
	}
	v.State, v.Verdict = check.Done, outcome
	return v, nil
}

// release lets everything go on that waits, now and later.
func (f *fakeChecker) release() {
	f.mu.Lock()
	defer f.mu.Unlock()
	close(f.released)
}

func (f *fakeChecker) has(id string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Contains(f.begun, id)
}

func (f *fakeChecker) checks() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.begun)
}

// waitFor returns when the condition holds, and fails the test if that takes longer than most.
func waitFor(t testing.TB, most time.Duration, what string, holds func() bool) {
	t.Helper()
	late := time.NewTimer(most)
	defer late.Stop()
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for !holds() {
		select {
		case <-tick.C:
		case <-late.C:
			t.Fatalf("after %v still not: %s", most, what)
		}
	}
}

// hasty is a pace for tests.
func hasty() pace {
	return pace{sweep: 300 * time.Millisecond, pause: 20 * time.Millisecond, ack: usual().ack}
}

// testConfig is what the tests' queues have in common.
func testConfig(t testing.TB, ledger Ledger) Config {
	return Config{
		Ledger:   ledger,
		Exercise: someExercise,
		Dir:      t.TempDir(),
		Backoff:  []time.Duration{time.Millisecond, 2 * time.Millisecond, 3 * time.Millisecond},
		Log:      testLog(t),
		pace:     hasty(),
	}
}

func someExercise(_ context.Context, lesson, exercise string) (check.Exercise, error) {
	if exercise == "gone" {
		return check.Exercise{}, fmt.Errorf("%s/%s: %w", lesson, exercise, ErrNoExercise)
	}
	return check.Exercise{Lesson: lesson, Name: exercise, Tests: []byte("tests"), Limits: check.DefaultLimits()}, nil
}

// testLog shows the log when the test fails, or is asked to be verbose.
func testLog(t testing.TB) *slog.Logger {
	return slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelDebug}))
}

// mustOpen opens a queue that the test closes, if it has not been by then.
func mustOpen(t testing.TB, config Config) *Queue {
	t.Helper()
	q, err := Open(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { mustClose(t, q) })
	return q
}

func mustClose(t testing.TB, q *Queue) {
	t.Helper()
	if err := q.Close(); err != nil {
		t.Error(err)
	}
}

// startWork has a worker in this process until the test ends or the function is called.
func startWork(t testing.TB, q *Queue, c Checker, slots int) (stop func()) {
	t.Helper()
	return run(t, func(ctx context.Context) error { return q.Work(ctx, c, slots) })
}

// run runs something until the test ends or the function is called, which waits for its end.
func run(t testing.TB, work func(context.Context) error) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- work(ctx) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("a worker ended with %v", err)
		}
	})
	t.Cleanup(stop)
	return stop
}

func submission(id, learner, source string) store.Submission {
	return store.Submission{ID: id, Learner: learner, Lesson: "03-the-ring", Exercise: "owner", Source: source}
}

func mustSubmit(t testing.TB, q *Queue, s store.Submission) Event {
	t.Helper()
	e, err := q.Submit(t.Context(), s)
	if err != nil {
		t.Fatalf("submit %s: %v", s.ID, err)
	}
	return e
}

// verdictOf reads the recorded verdict of a row.
func verdictOf(t testing.TB, row store.Submission) check.Verdict {
	t.Helper()
	var v check.Verdict
	if err := json.Unmarshal(row.Result, &v); err != nil {
		t.Fatalf("verdict of %s: %v", row.ID, err)
	}
	return v
}
