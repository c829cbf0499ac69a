package check

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"time"
)

// ErrTooSlow is matched by the error of Types when the type checker came to no answer, in time or
// within its memory. It says nothing against the file: whoever shows remarks while somebody types
// shows none.
var ErrTooSlow = errors.New("the types could not be checked in time")

// typesPatience is how long a file may keep its types child. Ordinary files take a few
// milliseconds, and a few small ones would take for ever.
const typesPatience = 1500 * time.Millisecond

// Types tells what the compiler would say of a learner's file, at most ten remarks in the file's
// order: mistakes in syntax and types, unused variables and imports, and imports that the exercise
// does not allow. No remark means that the file would compile, by itself: whether the exercise's
// tests would compile with it is not looked at. Where learners write the tests, these are checked
// against what the exercise's solution exports.
//
// It takes a few milliseconds and waits while Config.Parallel others are under way; cancelling ctx
// ends the waiting. The error matches [ErrTooSlow] when a file took more than 1.5 s, and
// [ErrExercise] when the fault is the solution's.
func (c *Checker) Types(ctx context.Context, s Submission) ([]Diagnostic, error) {
	if err := c.enter(); err != nil {
		return nil, err
	}
	defer c.checks.Done()
	limits := s.Exercise.Limits.within(c.config.Ceiling)
	file, _, found := vetSyntax(s.Source, s.Exercise, limits.Source)
	if len(found) > 0 {
		return remarks(found), nil
	}
	var job typesJob
	if s.Exercise.Kind == KindTests {
		job = typesJob{Tests: true, Solution: s.Exercise.Solution}
	}
	child, err := c.typists.take(ctx)
	if err != nil {
		return nil, fmt.Errorf("check types: %w", err)
	}
	reply, err := child.types(job, file.source)
	c.typists.giveBack(child, err == nil && !reply.Last)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w: %w", ErrTooSlow, err)
	case reply.Beyond != "":
		return nil, fmt.Errorf("%w: %s", ErrTooSlow, reply.Beyond)
	case reply.Fault != "":
		return nil, fmt.Errorf("%w: solution.go: %s", ErrExercise, reply.Fault)
	}
	return reply.Found, nil
}

// types asks a types child about one file. A child that does not answer in time is killed.
func (c *child) types(job typesJob, source []byte) (reply typesReply, err error) {
	alarm := time.AfterFunc(typesPatience, c.stop)
	defer func() {
		// It may ring just as the answer comes; the child is lost then, and the answer is good.
		reply.Last = !alarm.Stop() || reply.Last
	}()
	if err := writeFrame(c.in, job, source); err != nil {
		return reply, c.died(err)
	}
	if _, err := readFrame(c.out, &reply); err != nil {
		return reply, c.died(err)
	}
	return reply, nil
}

// startTypist starts a types child and waits until it has loaded the standard library.
func (c *Checker) startTypist() (*child, error) {
	child, err := startChild(c.config.Executable, roleTypes)
	if err != nil {
		return nil, err
	}
	alarm := time.AfterFunc(patience, child.stop)
	setup := typesSetup{Packages: make(map[string]string), Language: c.tools.language(), Data: typesData, CPU: typesCPU}
	for path, file := range c.tools.std {
		setup.Packages[path] = filepath.Join(c.tools.dir, file)
	}
	if err := writeFrame(child.in, setup, nil); err != nil {
		return nil, child.died(err)
	}
	var ready typesReady
	if _, err := readFrame(child.out, &ready); err != nil {
		return nil, child.died(err)
	}
	if ready.Problem != "" || !alarm.Stop() {
		child.stop()
		return nil, fmt.Errorf("start %s child: %s", roleTypes, cmp.Or(ready.Problem, "it took too long"))
	}
	return child, nil
}

// typists are the types children of a checker: a fixed number of seats, each with a child that is
// used again and again, or with the reason why there is none.
type typists struct {
	start   func() (*child, error)
	ready   chan seat // every seat that is neither taken nor being filled
	filling sync.WaitGroup
}

type seat struct {
	child *child
	err   error
}

// newTypists starts as many children as there are seats, and does not wait for them.
func newTypists(seats int, start func() (*child, error)) *typists {
	t := &typists{start: start, ready: make(chan seat, seats)}
	for range seats {
		t.fill()
	}
	return t
}

// fill starts the child for a seat that has none.
func (t *typists) fill() {
	t.filling.Go(func() {
		c, err := t.start()
		t.ready <- seat{c, err}
	})
}

// take gives a child that waits for work. The caller must give it back.
func (t *typists) take(ctx context.Context) (*child, error) {
	if err := ctx.Err(); err != nil {
		return nil, context.Cause(ctx)
	}
	select {
	case s := <-t.ready:
		if s.err != nil {
			t.fill() // the next may have more luck
		}
		return s.child, s.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// giveBack takes a child back to its seat, or has it replaced where it is of no more use.
func (t *typists) giveBack(c *child, useful bool) {
	if useful {
		t.ready <- seat{child: c}
		return
	}
	c.stop()
	t.fill()
}

// close stops every child and waits for them. All that were taken must have been given back.
func (t *typists) close() {
	t.filling.Wait()
	for range cap(t.ready) {
		if s := <-t.ready; s.child != nil {
			s.child.stop()
		}
	}
}
