//go:build wasip1

package host

import (
	"runtime"
	"runtime/debug"
	"time"
)

// Test is one top-level test of the instructor's file.
type Test struct {
	Name string
	F    func(*T)
}

// patience is how long, on the program's own clock, nothing may happen before the test counts
// as deadlocked. The clock jumps when everything sleeps, so waiting costs nothing: a sleep of
// years ends at once, and only what waits for ever meets this timer. The clock begins in 2026 and
// can count to 2262.
const patience = 100 * 365 * 24 * time.Hour

// Main runs the one test that the host asks for. Each test has an instance of its own, so
// nothing that a test leaves behind reaches the next.
func Main(tests []Test) {
	// Both limits stand well inside the host's own: endless recursion then ends as an
	// overflow of the stack rather than of memory, and a program that makes much garbage is
	// collected sooner instead of being stopped. Until then collections are rare, because a
	// collection has no second thread to run on here.
	debug.SetGCPercent(400)
	debug.SetMaxStack(int(stackLimit()))
	debug.SetMemoryLimit(int64(heapLimit()))

	test := tests[which()]
	over := make(chan struct{})
	t := newT(test.Name, nil)
	go t.run(test.F, over)

	alarm := time.NewTimer(patience)
	select {
	case <-over:
	case <-alarm.C:
		tell(kindDeadlock, 0, 0, everyStack())
	}
}

// everyStack is the trace of every goroutine, cut at 64 KiB.
func everyStack() string {
	buf := make([]byte, 64<<10)
	return string(buf[:runtime.Stack(buf, true)])
}
