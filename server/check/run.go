package check

import (
	"context"
	"slices"
	"time"
)

const (
	// heavyAfter is how much CPU time a test may use in the interpreter, which loads at once and
	// runs slowly, before the program is compiled as well. Compiling takes about half a second. If
	// there is a processor with nothing else to do, half of that time is enough.
	heavyAfter = 150 * time.Millisecond
	// watchEvery is how often a running test's CPU time is looked at.
	watchEvery = 25 * time.Millisecond
	// hostData is what a run child may allocate beside the program's own memory: the loaded
	// program, and the stack of compiled code, which wazero lets grow to 400 MB.
	hostData = 1 << 30
)

// result is what became of one test.
type result struct {
	outcome  Outcome
	report   testReport
	compiled bool          // it was the compiled program's
	used     time.Duration // CPU time, or wall time where that is not known; 0 for a test that was stopped
}

// program is a built program whose tests are to be run.
type program struct {
	wasm     []byte
	tests    int
	limits   Limits
	exercise Exercise
	notify   func(tests []int, r result)   // told of each result, and of all tests that share it at once
	enough   func(test int, r result) bool // whether a result makes the others needless; nil for never
}

// execution is one program's tests being run, by one child after another.
type execution struct {
	program
	checker  *Checker
	seed     uint64
	atOnce   bool // the compiled program is to run from the start
	deadline time.Time

	results map[int]result
	pending []int       // tests without a result that are still wanted, in order
	deaths  map[int]int // how often a child died while it ran a test, or nowhere
	load    time.Duration
	began   time.Time
	spent   time.Duration // CPU time of the children that are gone
	late    bool          // the deadline was reached

	uncompiled error // why only the interpreter can run the program, or nil
}

// run executes a program's tests, by number, and returns a result for each, or for those up to
// the first that is enough. The error is non-nil only when that was not possible.
func (c *Checker) run(ctx context.Context, p program) (*execution, error) {
	// Where learners write the tests, those of one say nothing of the next one's.
	lasting, habit := p.exercise.Kind != KindTests, habitOf(p.exercise)
	x := &execution{
		program: p, checker: c, seed: seedFor(p.exercise), atOnce: lasting && c.habits.isHeavy(habit),
		began: time.Now(), deadline: time.Now().Add(p.limits.Run),
		results: make(map[int]result), deaths: make(map[int]int),
	}
	for test := range p.tests {
		x.pending = append(x.pending, test)
	}
	for len(x.pending) > 0 {
		if err := x.round(ctx); err != nil {
			return nil, err
		}
	}
	if lasting {
		c.habits.learn(habit, p.wasm, x.results)
	}
	return x, nil
}

// settle records the result of a test, or the one that several share; a test keeps its first.
func (x *execution) settle(r result, tests ...int) {
	tests = slices.DeleteFunc(tests, func(t int) bool { return !slices.Contains(x.pending, t) })
	if len(tests) == 0 {
		return
	}
	for _, test := range tests {
		x.results[test] = r
	}
	x.pending = slices.DeleteFunc(x.pending, func(t int) bool { return slices.Contains(tests, t) })
	x.notify(tests, r)
	if x.enough != nil && slices.ContainsFunc(tests, func(t int) bool { return x.enough(t, r) }) {
		x.pending = nil
	}
}

// settleAll gives every test that has no result the same one.
func (x *execution) settleAll(r result) { x.settle(r, slices.Clone(x.pending)...) }

// round runs what is pending, first interpreted and then, if a test proves heavy, compiled; or
// compiled from the start, if it is known that one will. It returns when all is settled, or when a
// child was killed or died in the middle of a test. A round that a child's death ends may settle
// nothing, but no test can end more than one so.
func (x *execution) round(ctx context.Context) error {
	r := &round{execution: x, news: make(chan news), over: make(chan struct{})}
	defer r.end()
	if err := r.begin(ctx); err != nil {
		return err
	}
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	alarm := time.NewTimer(time.Until(x.deadline))
	defer alarm.Stop()
	for !r.finished {
		var err error
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-alarm.C:
			return r.outOfTime()
		case <-tick.C:
			err = r.watch(ctx)
		case n := <-r.news:
			err = r.hear(ctx, n)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// outcomeOf is the outcome that goes with a test's ending.
func outcomeOf(e ending) Outcome {
	switch e {
	case endPassed:
		return Passed
	case endFailed:
		return Failed
	case endSkipped:
		return NotRun
	case endDeadlock:
		return Deadlock
	case endMemory:
		return MemoryLimit
	case endOutput:
		return OutputLimit
	}
	return Crashed
}
