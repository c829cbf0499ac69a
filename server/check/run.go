package check

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

const (
	// heavyAfter is how much CPU time a test may use in the interpreter, which loads at once and
	// runs slowly, before the program is compiled as well. Compiling takes about half a second.
	heavyAfter = 250 * time.Millisecond
	// watchEvery is how often a running test's CPU time is looked at.
	watchEvery = 25 * time.Millisecond
	// hostData is what a run child may allocate beside the program's own memory: the loaded
	// program, and the stack of compiled code, which wazero lets grow to 400 MB.
	hostData = 1 << 30
)

// result is what became of one test.
type result struct {
	outcome Outcome
	report  testReport
}

// execution is one program's tests being run, by one child after another.
type execution struct {
	checker  *Checker
	wasm     []byte
	limits   Limits
	seed     uint64
	deadline time.Time
	notify   func(test int, r result)

	results map[int]result
	pending []int       // tests without a result, in order
	deaths  map[int]int // how often a child died while it ran a test
	load    time.Duration
}

// run executes the tests, by number, and returns a result for each. The error is non-nil only
// when that was not possible.
func (c *Checker) run(ctx context.Context, wasm []byte, tests int, limits Limits, seed uint64, notify func(int, result)) (*execution, error) {
	x := &execution{
		checker: c, wasm: wasm, limits: limits, seed: seed, notify: notify,
		deadline: time.Now().Add(limits.Run),
		results:  make(map[int]result), deaths: make(map[int]int),
	}
	for test := range tests {
		x.pending = append(x.pending, test)
	}
	for len(x.pending) > 0 {
		if err := x.round(ctx); err != nil {
			return nil, err
		}
	}
	return x, nil
}

// settle records a test's result once.
func (x *execution) settle(test int, r result) {
	if _, ok := x.results[test]; ok {
		return
	}
	x.results[test] = r
	x.pending = slices.DeleteFunc(x.pending, func(t int) bool { return t == test })
	x.notify(test, r)
}

// settleAll gives every test that has no result the same one.
func (x *execution) settleAll(r result) {
	for _, test := range slices.Clone(x.pending) {
		x.settle(test, r)
	}
}

// round runs what is pending, first interpreted and then, if a test proves heavy, compiled. It
// returns when all is settled or when a child had to be killed in the middle of a test; each
// round settles at least one test, or fails.
func (x *execution) round(ctx context.Context) error {
	r := &round{execution: x, news: make(chan news), over: make(chan struct{})}
	defer r.end()
	var err error
	if r.light, err = r.start(ctx, false); err != nil {
		return err
	}
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	alarm := time.NewTimer(time.Until(x.deadline))
	defer alarm.Stop()
	for !r.finished {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-alarm.C:
			r.outOfTime()
			return nil
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
	test     int // the test it runs, or -1
	inside   bool
	cpu      time.Duration // the child's CPU time when the test began
	wall     time.Time     // when the test began
}

// news is something that a child said, or its end.
type news struct {
	from   *runner
	loaded *loaded
	event  *testEvent
	err    error
}

// start takes a child and lets it load the program.
func (r *round) start(ctx context.Context, compiled bool) (*runner, error) {
	c, err := r.checker.runners.take(ctx)
	if err != nil {
		return nil, err
	}
	w := &runner{child: c, compiled: compiled, began: time.Now(), test: -1}
	job := runJob{
		Compiled: compiled, Memory: r.limits.Memory, Output: r.limits.Output, Seed: r.seed,
		CPU:  int(2*r.limits.Run/time.Second) + 5, // both cores, and some for loading
		Host: hostData + uint64(r.limits.Memory),
	}
	r.checker.reading.Go(func() { w.talk(job, r.wasm, r.news, r.over) })
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
	for _, w := range []*runner{r.light, r.heavy} {
		if w != nil {
			w.child.stop()
		}
	}
}

// give tells a loaded child which tests to run.
func (r *round) give(w *runner, tests []int) error {
	w.todo = len(tests)
	if err := writeFrame(w.child.in, runTests{Tests: tests}, nil); err != nil {
		return w.child.died(err)
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
		return r.lost(n.from, n.err)
	case n.loaded != nil:
		return r.isLoaded(n.from, *n.loaded)
	}
	return r.hearEvent(ctx, n.from, *n.event)
}

func (r *round) isLoaded(w *runner, l loaded) error {
	if l.TooBig {
		r.settleAll(result{outcome: MemoryLimit})
		r.finished = true
		return nil
	}
	if l.Problem != "" {
		return errors.New(l.Problem)
	}
	w.ready = true
	if r.load == 0 {
		r.load = time.Since(w.began)
	}
	if !w.compiled {
		return r.give(w, slices.Clone(r.pending))
	}
	// The compiled program takes over everything that the interpreter has not finished.
	if r.light != nil {
		r.light.child.stop()
		r.light = nil
	}
	return r.give(w, slices.Clone(r.pending))
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
		w.cpu, _ = cpuTime(w.child.cmd.Process)
		return nil
	}
	w.test = -1
	w.todo--
	if e.Report.End == endTooDeep && !w.compiled {
		r.deep = append(r.deep, e.Test)
		if err := r.compile(ctx); err != nil {
			return err
		}
	} else {
		r.conclude(e.Test, result{outcome: outcomeOf(e.Report.End), report: *e.Report}, e.Report.Began)
	}
	r.finished = len(r.pending) == 0
	return nil
}

// conclude settles a test. A program whose init functions did not get through to the tests
// would end the same way for every other test, so all of them are settled at once.
func (r *round) conclude(test int, res result, inside bool) {
	r.settle(test, res)
	if !inside && res.outcome != Passed {
		r.settleAll(res)
	}
}

// compile starts the child that compiles the program, once.
func (r *round) compile(ctx context.Context) (err error) {
	if r.heavy == nil {
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
	used := time.Since(w.wall)
	if cpu, ok := cpuTime(w.child.cmd.Process); ok {
		used = cpu - w.cpu
	}
	if !w.compiled && used > heavyAfter {
		return r.compile(ctx)
	}
	if w.compiled && used > r.limits.Test {
		r.conclude(w.test, timedOut(r.limits.Test), w.inside)
		r.finished = true
	}
	return nil
}

// timedOut is the result of a test that was stopped.
func timedOut(after time.Duration) result {
	return result{outcome: TimeLimit, report: testReport{Wall: int(after.Milliseconds())}}
}

// outOfTime settles everything at the deadline of the whole run: the test that runs is the one
// that took too long, and what did not begin was not run.
func (r *round) outOfTime() {
	for _, w := range []*runner{r.heavy, r.light} {
		if w != nil && w.test >= 0 {
			r.conclude(w.test, timedOut(time.Since(w.wall)), w.inside)
			break
		}
	}
	r.settleAll(result{outcome: NotRun})
}

// lost deals with a child that died. The kernel may have ended it for what the program did; what
// cannot be explained so is tried once more, and then is our fault.
func (r *round) lost(w *runner, err error) error {
	if w.ready && w.test < 0 && w.todo == 0 {
		return nil // it has done all that it was given
	}
	why := w.child.died(err)
	if w.test < 0 {
		return why
	}
	switch said := w.child.stderr.String(); {
	case strings.Contains(said, "out of memory") || strings.Contains(said, "cannot allocate memory"):
		r.settle(w.test, result{outcome: MemoryLimit})
	case w.child.cmd.ProcessState != nil && w.child.cmd.ProcessState.UserTime() > 2*r.limits.Run:
		r.settle(w.test, timedOut(r.limits.Test))
	default:
		if r.deaths[w.test]++; r.deaths[w.test] > 1 {
			return why
		}
	}
	r.finished = true
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
