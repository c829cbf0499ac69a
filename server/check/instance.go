package check

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
	"github.com/tetratelabs/wazero/sys"
)

// The module and the kinds of event by which the harness in guest/host reports.
const (
	hostModule = "towers"

	kindBegin    = 1
	kindEnd      = 2
	kindLog      = 3
	kindPanic    = 4
	kindDeadlock = 5
)

const (
	maxSubtests = 500 // of one test that are kept; the others still count for its outcome
	longestName = 200 // bytes that are kept of a subtest's name
	// subtestsShare times the output limit is what the logs of all subtests may have between them.
	subtestsShare = 4
)

// longestTrace is how many bytes are kept of a crash's or a deadlock's trace.
const longestTrace = 16 << 10

// instance is one test's run: what the program asks of the world and what it reports.
type instance struct {
	test   int
	inside func() // called when the harness takes over
	memory int
	clock  clock
	out    *recorder
	err    *recorder
	logs   *recorder
	flood  *flood
	began  bool
	end    ending // set by the harness's own report, or by the host when it stops the program
	trace  string
	subs   []subReport
	since  []time.Time   // when each subtest began
	texts  []*recorder   // each subtest's log
	byID   map[int32]int // the harness's number of a subtest → its index
}

type instanceKey struct{}

// of finds the instance that a host function was called by.
func of(ctx context.Context) *instance { return ctx.Value(instanceKey{}).(*instance) }

// exportHost gives programs the functions of guest/host.
func exportHost(ctx context.Context, r wazero.Runtime) error {
	b := r.NewHostModuleBuilder(hostModule)
	b.NewFunctionBuilder().WithFunc(func(ctx context.Context) int32 {
		i := of(ctx)
		i.began = true
		i.inside()
		return int32(i.test)
	}).Export("which")
	b.NewFunctionBuilder().WithFunc(func(ctx context.Context) int32 {
		return int32(of(ctx).memory / 8)
	}).Export("stack")
	b.NewFunctionBuilder().WithFunc(func(ctx context.Context) int32 {
		return int32(of(ctx).memory / 4 * 3)
	}).Export("heap")
	b.NewFunctionBuilder().WithFunc(func(ctx context.Context, m api.Module, kind, id, arg int32, at, size uint32) {
		text, ok := m.Memory().Read(at, size)
		if !ok && size > 0 {
			return
		}
		if of(ctx).event(kind, id, arg, text) {
			stop(ctx, m)
		}
	}).Export("report")
	if _, err := b.Instantiate(ctx); err != nil {
		return fmt.Errorf("export the host functions: %w", err)
	}
	return nil
}

// stop ends the calling program at once, whatever its other goroutines are doing.
func stop(ctx context.Context, m api.Module) {
	_ = m.CloseWithExitCode(ctx, 0)
	panic(sys.NewExitError(0))
}

// event takes one report of the harness and says whether the test is over. The text is the
// program's memory, and only what is kept of it is copied: a test may log without end.
func (i *instance) event(kind, id, arg int32, text []byte) (over bool) {
	switch kind {
	case kindBegin:
		i.beginSub(id, arg, i.flood.pass(text))
	case kindLog:
		log := i.logOf(id)
		log.add(i.flood.pass(text))
		log.add(i.flood.pass([]byte("\n")))
	case kindPanic:
		i.end, i.trace = endCrashed, "panic: "+string(text[:min(len(text), longestTrace)])
	case kindDeadlock:
		i.end, i.trace = endDeadlock, string(text[:min(len(text), longestTrace)])
	case kindEnd:
		i.ended(id, arg)
	}
	if i.flood.over {
		i.end = endOutput
	}
	return i.end != ""
}

// ended notes how a test or subtest ended.
func (i *instance) ended(id, outcome int32) {
	end := map[int32]ending{0: endPassed, 1: endFailed, 2: endSkipped}[outcome]
	if id == 0 {
		i.end = end
		return
	}
	if n, ok := i.byID[id]; ok {
		i.subs[n].End = end
		i.subs[n].Wall = int(time.Since(i.since[n]).Milliseconds())
	}
}

func (i *instance) beginSub(id, parent int32, name []byte) {
	if len(i.subs) == maxSubtests {
		return
	}
	under := -1
	if n, ok := i.byID[parent]; ok {
		under = n
	}
	i.byID[id] = len(i.subs)
	i.subs = append(i.subs, subReport{Name: shortened(name), Parent: under})
	i.since = append(i.since, time.Now())
	i.texts = append(i.texts, newRecorder(i.logs.limit/8))
}

// shortened is a subtest's name, or the beginning of one that is too long.
func shortened(name []byte) string {
	if len(name) <= longestName {
		return string(name)
	}
	return strings.ToValidUTF8(string(name[:longestName]), "") + "…"
}

// logOf is where a test's or subtest's messages go.
func (i *instance) logOf(id int32) *recorder {
	if n, ok := i.byID[id]; ok {
		return i.texts[n]
	}
	return i.logs
}

// run runs one test in a new instance and says what happened.
func (m *machine) run(test int, inside func()) testReport {
	flood := &flood{left: floodFactor * m.job.Output}
	i := &instance{
		test: test, inside: inside, memory: m.job.Memory, clock: newClock(), byID: make(map[int32]int),
		out: newRecorder(m.job.Output), err: newRecorder(m.job.Output), logs: newRecorder(m.job.Output), flood: flood,
	}
	random := rand.NewChaCha8(seedOf(m.job.Seed, test))
	config := wazero.NewModuleConfig().WithName("").WithArgs(learnerPackage).
		WithStdout(printer{i.out, flood}).WithStderr(printer{i.err, flood}).
		WithWalltime(i.clock.walltime, 1).WithNanotime(i.clock.nanotime, 1).
		WithNanosleep(i.clock.sleep).WithOsyield(func() {}).
		WithRandSource(random)
	ctx := context.WithValue(context.Background(), instanceKey{}, i)
	ctx = experimental.WithMemoryAllocator(ctx, m.memory)

	began := time.Now()
	module, err := m.runtime.InstantiateModule(ctx, m.program, config)
	if module != nil {
		_ = module.Close(ctx)
	}
	return i.report(err, m.memory.refused, flood.over, time.Since(began))
}

func seedOf(seed uint64, test int) (s [32]byte) {
	for n := range 8 {
		s[n], s[8+n] = byte(seed>>(8*n)), byte(test>>(8*n))
	}
	return s
}

// report turns the way an instance ended into a testReport. What the harness said comes first;
// then what the host itself decided; the text that the dying program printed only chooses
// between one failing outcome and another.
func (i *instance) report(err error, refused, flooded bool, wall time.Duration) testReport {
	printed, trace := splitTrace(i.err)
	if i.end == "" {
		i.trace = trace
		i.end = endOf(err, trace, refused, flooded)
	}
	r := testReport{End: i.end, Began: i.began, Trace: i.trace, Wall: int(wall.Milliseconds())}
	r.Logs, r.Cut = i.logs.text()
	out, cut := i.out.text()
	r.Printed, r.Cut = join(out, printed), r.Cut || cut || i.err.cut()
	spare := subtestsShare * i.logs.limit
	for n := range i.subs {
		var cut bool
		i.subs[n].Logs, cut = i.texts[n].within(spare)
		spare -= min(spare, len(i.subs[n].Logs))
		r.Cut = r.Cut || cut
		if i.subs[n].End == "" {
			i.subs[n].Wall = int(time.Since(i.since[n]).Milliseconds())
		}
	}
	r.Subtests = i.subs
	r.Trace = r.Trace[:min(len(r.Trace), longestTrace)]
	return r
}

// endOf judges an instance whose harness never reported an end.
func endOf(err error, trace string, refused, flooded bool) ending {
	var exit *sys.ExitError
	switch {
	case refused && (flooded || strings.Contains(trace, "out of memory") || strings.Contains(trace, "cannot allocate")):
		return endMemory
	case trace != "" && strings.Contains(trace, "all goroutines are asleep - deadlock!"):
		return endDeadlock
	case flooded && strings.Contains(trace, "\ngoroutine "):
		// Dying, it listed its goroutines, and there were very many.
		return endCrashed
	case flooded:
		return endOutput
	case err == nil, errors.As(err, &exit) && exit.ExitCode() == 0:
		return endQuit
	case exit == nil && strings.Contains(err.Error(), "stack overflow"):
		return endTooDeep
	}
	return endCrashed
}
