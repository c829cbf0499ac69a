package jobs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ringoftowers/towers/server/check"
	"github.com/ringoftowers/towers/server/store"
)

// What becomes free is used at once, and not when everything is looked at again, which by the
// usual pace is half a minute later.
func TestNothingWaitsForTheNextLook(t *testing.T) {
	for _, c := range []struct {
		name    string
		prepare func(*fakeLedger, *Config)
	}{
		{"a course that cannot be read at first", func(_ *fakeLedger, config *Config) {
			faults := 3
			config.Exercise = func(ctx context.Context, lesson, exercise string) (check.Exercise, error) {
				if faults--; faults >= 0 {
					return check.Exercise{}, errors.New("the lesson is being written")
				}
				return someExercise(ctx, lesson, exercise)
			}
		}},
		{"exercises that are gone", func(_ *fakeLedger, config *Config) {
			config.Exercise = func(ctx context.Context, lesson, _ string) (check.Exercise, error) {
				return someExercise(ctx, lesson, "gone")
			}
		}},
		{"learners who go while their submissions wait", func(ledger *fakeLedger, config *Config) {
			config.Exercise = func(ctx context.Context, lesson, exercise string) (check.Exercise, error) {
				for n := range 8 {
					ledger.delete(fmt.Sprint("s", n))
				}
				return someExercise(ctx, lesson, exercise)
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			ledger := newLedger()
			for n := range 9 {
				if err := ledger.AddSubmission(t.Context(), submission(fmt.Sprint("s", n), "ada", "pass"), 0); err != nil {
					t.Fatal(err)
				}
			}
			config := testConfig(t, ledger)
			config.pace = usual()
			c.prepare(ledger, &config)
			q := mustOpen(t, config)
			startWork(t, q, newChecker(), 1)
			waitFor(t, 10*time.Second, "all are judged", func() bool { s := q.Stats(); return s.Waiting+s.UnderWay == 0 })
		})
	}
}

// A hesitantLedger has written a row long before it says so.
type hesitantLedger struct {
	*fakeLedger
	written, say chan struct{}
	looks        atomic.Int64 // how often the unjudged were asked for
}

func (h *hesitantLedger) AddSubmission(ctx context.Context, s store.Submission, share int) error {
	err := h.fakeLedger.AddSubmission(ctx, s, share)
	close(h.written)
	<-h.say
	return err
}

func (h *hesitantLedger) Unjudged(ctx context.Context) ([]store.Submission, error) {
	h.looks.Add(1)
	return h.fakeLedger.Unjudged(ctx)
}

// wait waits until the board was compared with the rows, from the beginning to the end.
func (h *hesitantLedger) wait(t *testing.T) {
	t.Helper()
	looks := h.looks.Load()
	waitFor(t, 5*time.Second, "the rows are read twice", func() bool { return h.looks.Load() >= looks+2 })
}

// A row that was found before its Submit goes on is not judged twice, nor is anything told of it
// after its verdict.
func TestRowThatIsFoundBeforeSubmitReturns(t *testing.T) {
	ledger := &hesitantLedger{fakeLedger: newLedger(), written: make(chan struct{}), say: make(chan struct{})}
	checker := newChecker()
	q := mustOpen(t, testConfig(t, ledger))
	startWork(t, q, checker, 1)
	w := q.Watch("one")
	heard := make(chan []Event)
	go func() {
		var events []Event
		for e := range w.C() {
			events = append(events, e)
		}
		heard <- events
	}()
	submitted := make(chan error, 1)
	go func() {
		_, err := q.Submit(context.Background(), submission("one", "ada", "pass"))
		submitted <- err
	}()
	<-ledger.written
	ledger.wait(t)
	close(ledger.say)
	if err := <-submitted; err != nil {
		t.Fatal(err)
	}
	waitFor(t, 5*time.Second, "it is judged", func() bool { return ledger.row("one").Judged() })
	ledger.wait(t)
	w.Close()
	events := <-heard
	if final := slices.IndexFunc(events, Event.Final); final < 0 || final != len(events)-1 {
		t.Errorf("told was %+v, want one verdict, and that last", events)
	}
	if n := checker.checks(); n != 1 {
		t.Errorf("%d checks, want one", n)
	}
}
