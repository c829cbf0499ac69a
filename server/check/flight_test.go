package check

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
)

// Three calls ask for the same, one after the other, while the first is being judged.
func TestFlights(t *testing.T) {
	away := errors.New("the first went away")
	failed := Verdict{Verdict: Failed, Parts: Parts{Link: 1}}
	for _, c := range []struct {
		name    string
		answers []Verdict // of the judgements, in the order in which they begin
		errs    []error
		fail    int // calls that end with an error
	}{
		{"a lasting verdict is everybody's", []Verdict{failed}, []error{nil}, 0},
		{"a perishable one is its own caller's", []Verdict{{Verdict: TimeLimit}, failed, failed}, []error{nil, nil, nil}, 0},
		{"an error is its own caller's, and the next verdict is shared", []Verdict{{}, failed}, []error{away, nil}, 1},
	} {
		synctest.Test(t, func(t *testing.T) {
			judged, fail := threeFlights(t, c.answers, c.errs)
			if judged != len(c.answers) || fail != c.fail {
				t.Errorf("%s: judged %d times, %d errors; want %d and %d", c.name, judged, fail, len(c.answers), c.fail)
			}
		})
	}
}

// threeFlights makes three calls for the same, lets their judgements answer one after the other,
// and counts the judgements and the calls that failed.
func threeFlights(t *testing.T, answers []Verdict, errs []error) (judgements, failures int) {
	t.Helper()
	var f flights
	var judged, fail atomic.Int32
	var calls sync.WaitGroup
	begin := make(chan struct{})
	for call := range 3 {
		calls.Go(func() {
			v, err := f.judge(t.Context(), "key", func() (Verdict, error) {
				<-begin
				n := judged.Add(1) - 1
				return answers[n], errs[n]
			})
			switch {
			case err != nil:
				fail.Add(1)
			case v.Verdict == "":
				t.Errorf("call %d got no verdict", call)
			}
		})
		synctest.Wait()
	}
	for range answers {
		begin <- struct{}{}
		synctest.Wait()
	}
	calls.Wait()
	if len(f.byKey) > 0 {
		t.Error("a flight never landed")
	}
	return int(judged.Load()), int(fail.Load())
}

func TestFlightsDoNotHoldWhoGoesAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var f flights
		begin := make(chan struct{})
		var both sync.WaitGroup
		both.Go(func() {
			if v, err := f.judge(t.Context(), "key", func() (Verdict, error) { <-begin; return Verdict{Verdict: Passed}, nil }); err != nil || !v.Passed() {
				t.Errorf("the first: %v, %v", v.Verdict, err)
			}
		})
		synctest.Wait()
		ctx, cancel := context.WithCancel(t.Context())
		gone := make(chan error)
		go func() {
			_, err := f.judge(ctx, "key", func() (Verdict, error) { return Verdict{}, errors.New("judged twice") })
			gone <- err
		}()
		cancel()
		if err := <-gone; !errors.Is(err, context.Canceled) {
			t.Errorf("the second: %v", err)
		}
		close(begin)
		both.Wait()
	})
}

// The same submission, sent by several at once, is built and run once.
func TestSameAtTheSameMomentIsJudgedOnce(t *testing.T) {
	c := newChecker(t, func(config *Config) { config.Parallel, config.Cache = 2, 10 })
	s := Submission{Source: read(t, "testdata/exercise/solution.txt"), Exercise: common(t)}
	began := make(chan struct{})
	var once sync.Once
	s.Notify = func(Verdict) { once.Do(func() { close(began) }) }
	var all sync.WaitGroup
	var made atomic.Int32
	ask := func(s Submission) {
		v, err := c.Check(t.Context(), s)
		if err != nil || !v.Passed() || len(v.Tests) != 3 {
			t.Errorf("got %s with %d tests, %v", v.Verdict, len(v.Tests), err)
		}
		if v.Parts.Link > 0 {
			made.Add(1)
		}
	}
	all.Go(func() { ask(s) })
	<-began
	for range 4 {
		all.Go(func() { ask(Submission{Source: s.Source, Exercise: s.Exercise}) })
	}
	all.Wait()
	if made.Load() != 1 {
		t.Errorf("it was judged %d times", made.Load())
	}
}

// Whoever sent a submission first may go away without failing those who sent the same.
func TestCancelledFirstDoesNotFailTheSecond(t *testing.T) {
	c := newChecker(t, nil)
	s := Submission{Source: read(t, "testdata/exercise/solution.txt"), Exercise: common(t)}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	second := make(chan error, 1)
	first := s
	var once sync.Once
	first.Notify = func(Verdict) {
		once.Do(func() {
			go func() {
				v, err := c.Check(t.Context(), s)
				if err == nil && !v.Passed() {
					err = errors.New(v.Message)
				}
				second <- err
			}()
			cancel()
		})
	}
	if _, err := c.Check(ctx, first); !errors.Is(err, context.Canceled) {
		t.Errorf("the first: %v", err)
	}
	if err := <-second; err != nil {
		t.Errorf("the second: %v", err)
	}
}
