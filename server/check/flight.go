package check

import (
	"context"
	"errors"
	"sync"
)

// errNotDecided is what stands for the error of a judgement that has none yet.
var errNotDecided = errors.New("the judgement did not come to its end")

// flights lets the same submission, sent several times at the same moment, be judged once.
type flights struct {
	mu    sync.Mutex
	byKey map[string]*flight
}

// flight is one judgement under way, for all who want the same.
type flight struct {
	landed  chan struct{} // closed when the rest is set
	verdict Verdict
	err     error
}

// judge returns what decide finds, its own or that of a call with the same key which is under way.
// A verdict that might be another next time is its own caller's only, as in the cache: whoever
// waited for it decides anew, by itself. So is an error: who sent first may have gone away, which
// is no reason to fail the others, and one of them takes its place.
func (f *flights) judge(ctx context.Context, key string, decide func() (Verdict, error)) (Verdict, error) {
	for {
		shared, first := f.join(key)
		if first {
			f.land(key, shared, decide)
			return shared.verdict, shared.err
		}
		select {
		case <-shared.landed:
		case <-ctx.Done():
			return Verdict{}, context.Cause(ctx)
		}
		switch {
		case shared.err != nil:
			continue
		case shared.verdict.cacheable():
			v := shared.verdict
			v.Parts = Parts{}
			return v, nil
		}
		return decide()
	}
}

// join returns the flight for a key, and whether it is the caller's to land.
func (f *flights) join(key string) (shared *flight, first bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.byKey == nil {
		f.byKey = make(map[string]*flight)
	}
	if f.byKey[key] == nil {
		f.byKey[key] = &flight{landed: make(chan struct{})}
		first = true
	}
	return f.byKey[key], first
}

// land decides and lets the others go on, even if decide panics.
func (f *flights) land(key string, shared *flight, decide func() (Verdict, error)) {
	shared.err = errNotDecided
	defer func() {
		f.mu.Lock()
		delete(f.byKey, key)
		f.mu.Unlock()
		close(shared.landed)
	}()
	shared.verdict, shared.err = decide()
}
