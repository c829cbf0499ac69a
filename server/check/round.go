package check

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/ringoftowers/towers/server/check/straighten"
)

// round is one pair of children at work.
type round struct {
	*execution
	light, heavy *runner
	deep         []int // tests that the interpreter's stack was too small for
	news         chan news
	over         chan struct{}
	finished     bool
}

// runner is one run child and the test that it is at.
type runner struct {
	child    *child
	compiled bool
	began    time.Time
	ready    bool
	todo     int // tests given to it that have not ended; 0 before it is given any
	test     int // the test it runs, or nowhere
	inside   bool
	cpu      time.Duration // the child's CPU time when the test began
	wall     time.Time     // when the test began
}

// nowhere is the test of a child that is at none: it loads, or is between two.
const nowhere = -1

// news is something that a child said, or its end.
type news struct {
	from   *runner
	loaded *loaded
	event  *testEvent
	err    error
}

// begin starts the first child.
func (r *round) begin(ctx context.Context) (err error) {
	if r.atOnce && r.uncompiled == nil {
		return r.compile(ctx)
	}
	r.light, err = r.start(ctx, false)
	return err
}

// start takes a child and lets it load the program.
func (r *round) start(ctx context.Context, compiled bool) (*runner, error) {
	c, err := r.checker.runners.take(ctx)
	if err != nil {
		return nil, err
	}
	w := &runner{child: c, compiled: compiled, began: time.Now(), test: nowhere}
	job := runJob{
		Compiled: compiled, Memory: r.limits.Memory, Output: r.limits.Output, Seed: r.seed,
		CPU:    int(2*r.limits.Run/time.Second) + 5, // both cores, and some for loading
		Host:   hostData + uint64(r.limits.Memory),
		Direct: straighten.Knows(r.checker.tools.language()),
	}
	r.checker.behind.Go(func() { w.talk(job, r.wasm, r.news, r.over) })
	return w, nil
}

// talk sends the job and passes on what the child says until it ends or the round is over.
func (w *runner) talk(job runJob, wasm []byte, out chan<- news, over <-chan struct{}) {
	tell := func(n news) bool {
		n.from = w
		select {
		case out <- n:
			return n.err == nil
		case <-over:
			return false
		}
	}
	if err := writeFrame(w.child.in, job, wasm); err != nil {
		tell(news{err: err})
		return
	}
	var first loaded
	if _, err := readFrame(w.child.out, &first); err != nil {
		tell(news{err: err})
		return
	}
	for n := (news{loaded: &first}); tell(n); {
		var e testEvent
		_, err := readFrame(w.child.out, &e)
		n = news{event: &e, err: err}
	}
}

// end stops both children.
func (r *round) end() {
	close(r.over)
	r.letGo(r.light)
	r.letGo(r.heavy)
}

// letGo stops a child, if there is one, and notes what it used.
func (r *round) letGo(w *runner) {
	if w == nil {
		return
	}
	used, _ := w.child.cpuTime()
	r.spent += used
	r.checker.dismiss(w.child)
}

// give tells a loaded child which tests to run.
func (r *round) give(ctx context.Context, w *runner, tests []int) error {
	w.todo = len(tests)
	if err := writeFrame(w.child.in, runTests{Tests: tests}, nil); err != nil {
		return r.lost(ctx, w, err)
	}
	return nil
}

// hear takes one piece of news.
func (r *round) hear(ctx context.Context, n news) error {
	if n.from != r.light && n.from != r.heavy {
		return nil // a child that this round has already let go
	}
	switch {
	case n.err != nil:
		return r.lost(ctx, n.from, n.err)
	case n.loaded != nil:
		return r.isLoaded(ctx, n.from, *n.loaded)
	}
	return r.hearEvent(ctx, n.from, *n.event)
}

func (r *round) isLoaded(ctx context.Context, w *runner, l loaded) error {
	if l.TooBig {
		r.settleAll(result{outcome: MemoryLimit})
		r.finished = true
		return nil
	}
	if l.Problem != "" && w.compiled {
		return r.interpret(ctx, errors.New(l.Problem))
	}
	if l.Problem != "" {
		return errors.New(l.Problem)
	}
	w.ready = true
	if r.load == 0 {
		r.load = time.Since(w.began)
	}
	if !w.compiled {
		return r.give(ctx, w, slices.Clone(r.pending))
	}
	// The compiled program takes over everything that the interpreter has not finished.
	r.letGo(r.light)
	r.light = nil
	return r.give(ctx, w, slices.Clone(r.pending))
}

func (r *round) hearEvent(ctx context.Context, w *runner, e testEvent) error {
	if !slices.Contains(r.pending, e.Test) {
		return fmt.Errorf("the sandbox child reported test %d, which it was not asked for", e.Test)
	}
	switch {
	case e.Report == nil && e.Inside:
		w.inside = true
		return nil
	case e.Report == nil:
		w.test, w.inside, w.wall = e.Test, false, time.Now()
		w.cpu, _ = w.child.cpuTime()
		return nil
	}
	// The child may have begun the next test already, and then its time is in this one's.
	used := min(w.used(), time.Duration(e.Report.Wall+1)*time.Millisecond)
	w.test = nowhere
	w.todo--
	if e.Report.End == endTooDeep && !w.compiled {
		if err := r.tooDeep(ctx, e.Test); err != nil {
			return err
		}
	} else {
		r.conclude(e.Test, result{outcome: outcomeOf(e.Report.End), report: *e.Report, compiled: w.compiled, used: used}, e.Report.Began)
	}
	r.finished = len(r.pending) == 0
	return nil
}

// conclude settles a test. A program whose init functions did not get through to the tests
// would end the same way for every other test, so all of them are settled at once.
func (r *round) conclude(test int, res result, inside bool) {
	r.settle(res, test)
	if !inside && res.outcome != Passed {
		r.settleAll(res)
	}
}

// tooDeep leaves a test to the compiled program, whose stack is large enough for it. Where there
// can be none, this is as far as the memory goes.
func (r *round) tooDeep(ctx context.Context, test int) error {
	switch {
	case r.uncompiled == nil:
		r.deep = append(r.deep, test)
		return r.compile(ctx)
	case errors.Is(r.uncompiled, errMemory):
		r.settle(result{outcome: MemoryLimit}, test)
		return nil
	}
	return r.uncompiled
}

// compile starts the child that compiles the program, once.
func (r *round) compile(ctx context.Context) (err error) {
	if r.heavy == nil && r.uncompiled == nil {
		r.heavy, err = r.start(ctx, true)
	}
	return err
}

// watch looks at how much CPU time the running test has used.
func (r *round) watch(ctx context.Context) error {
	w := r.light
	if r.heavy != nil && r.heavy.ready {
		w = r.heavy
	}
	if w == nil || w.test < 0 {
		return nil
	}
	used := w.used()
	last := w.compiled || r.uncompiled != nil // nothing faster will take over
	if !last && used > r.checker.patienceWithLight() {
		return r.compile(ctx)
	}
	if last && used > r.limits.Test {
		r.conclude(w.test, timedOut(r.limits.Test), w.inside)
		r.finished = true
	}
	return nil
}

// used is how much CPU time the running test has used, or wall time where that is not known.
func (w *runner) used() time.Duration {
	if cpu, ok := w.child.cpuTime(); ok {
		return cpu - w.cpu
	}
	return time.Since(w.wall)
}

// patienceWithLight is how long a test may run in the interpreter alone.
func (c *Checker) patienceWithLight() time.Duration {
	if len(c.slots) < runtime.GOMAXPROCS(0) {
		return heavyAfter / 2
	}
	return heavyAfter
}

// timedOut is the result of a test that was stopped.
func timedOut(after time.Duration) result {
	return result{outcome: TimeLimit, report: testReport{Wall: int(after.Milliseconds())}}
}

// outOfTime settles everything at the deadline of the whole run: the test that runs is the one
// that took too long, and what did not begin was not run. A program never waits for anything, so
// if the children got less than half of the time, the machine was busy with something else.
func (r *round) outOfTime() error {
	spent := r.spent
	for _, w := range []*runner{r.heavy, r.light} {
		if w == nil {
			continue
		}
		used, ok := w.child.cpuTime()
		if !ok {
			used = time.Since(r.began)
		}
		spent += used
	}
	if spent < time.Since(r.began)/2 {
		return errBusy
	}
	r.late = true
	for _, w := range []*runner{r.heavy, r.light} {
		if w != nil && w.test >= 0 {
			r.conclude(w.test, timedOut(time.Since(w.wall)), w.inside)
			break
		}
	}
	r.settleAll(result{outcome: NotRun})
	return nil
}

// lost deals with a child that died. The kernel may have ended it for what the program did, or for
// what loading the program took, which is the program's doing as well; what cannot be explained so
// is tried once more, and then is our fault.
func (r *round) lost(ctx context.Context, w *runner, err error) error {
	if w.ready && w.test < 0 && w.todo == 0 {
		return nil // it has done all that it was given
	}
	why := w.child.died(err)
	memory := w.child.outOfMemory()
	if memory {
		why = fmt.Errorf("%w: %w", errMemory, why)
	}
	if w.compiled && !w.ready {
		return r.interpret(ctx, why)
	}
	r.finished = true
	used, _ := w.child.cpuTime()
	switch {
	case memory && !w.ready:
		r.settleAll(result{outcome: MemoryLimit})
	case memory && w.test >= 0:
		r.settle(result{outcome: MemoryLimit}, w.test)
	case w.test >= 0 && used > 2*r.limits.Run:
		r.settle(timedOut(r.limits.Test), w.test)
	default:
		if r.deaths[w.test]++; r.deaths[w.test] > 1 {
			return why
		}
	}
	return nil
}

// interpret goes on without the compiled program, which takes more to load than the interpreted
// one: whether a program has a verdict must not depend on whether it was thought heavy.
func (r *round) interpret(ctx context.Context, why error) (err error) {
	r.checker.config.Log.WarnContext(ctx, "a program is not compiled for running, only interpreted", "reason", why)
	r.letGo(r.heavy)
	r.heavy, r.uncompiled = nil, why
	for _, test := range r.deep {
		if err := r.tooDeep(ctx, test); err != nil {
			return err
		}
	}
	r.deep = nil
	r.finished = len(r.pending) == 0
	if r.light == nil && !r.finished {
		r.light, err = r.start(ctx, false)
	}
	return err
}
