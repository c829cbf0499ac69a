//go:build wasip1

package host

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
)

// T is the test's handle, with the methods of the standard library's *testing.T.
// Its methods may be called from any goroutine of the test.
type T struct {
	id     int32
	name   string
	parent *T
	ctx    context.Context
	cancel context.CancelFunc

	mu       sync.Mutex
	failed   bool
	skipped  bool
	finished bool // FailNow, SkipNow or a plain return: the goroutine ended as it should
	cleaning bool // its cleanups have begun
	over     bool // its outcome has been reported
	cleanups []func()
	helpers  map[string]bool
	names    map[string]int // how often each subtest's name was asked for
}

// lastID numbers the subtests of this instance; WebAssembly runs one goroutine at a time, and
// ids are only taken where no other goroutine can step in.
var lastID int32

func newT(name string, parent *T) *T {
	t := &T{name: name, parent: parent}
	t.ctx, t.cancel = context.WithCancel(context.Background())
	if parent != nil {
		lastID++
		t.id = lastID
		tell(kindBegin, t.id, parent.id, name)
	}
	return t
}

// run calls f as the test's own goroutine and reports how it ended. What follows f is deferred one
// by one, because a cleanup too may end the goroutine, as Fatal does: the rest then still follows.
func (t *T) run(f func(*T), over chan<- struct{}) {
	defer close(over)
	defer t.end()
	defer t.runCleanups()
	defer t.catch()
	f(t)
	t.mu.Lock()
	t.finished = true
	t.mu.Unlock()
}

// catch must be deferred: it tells of a panic, if there is one.
func (t *T) catch() {
	if problem := recover(); problem != nil {
		t.panicked(problem)
	}
}

// panicked tells the host, which stops the instance: as with the standard library, nothing of a
// test goes on after its panic.
func (t *T) panicked(problem any) {
	tell(kindPanic, t.id, 0, describe(problem)+"\n"+string(debug.Stack()))
}

// describe words a panic's value as the runtime would.
func describe(problem any) (text string) {
	defer func() {
		if recover() != nil {
			text = "a value whose own Error or String method panics"
		}
	}()
	switch v := problem.(type) {
	case error:
		return v.Error()
	case fmt.Stringer:
		return v.String()
	case string:
		return v
	}
	return fmt.Sprintf("%#v", problem)
}

// end reports the outcome. A goroutine that ended by runtime.Goexit without FailNow or SkipNow
// has not shown that it passes; a subtest's ends so when it calls those of a test above it.
func (t *T) end() {
	if !t.isFinished() {
		t.Fail()
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	outcome := int32(outcomePassed)
	switch {
	case t.failed:
		outcome = outcomeFailed
	case t.skipped:
		outcome = outcomeSkipped
	}
	t.over = true
	tell(kindEnd, t.id, outcome, "")
}

func (t *T) isFinished() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.finished
}

// runCleanups calls what was registered, the last first. Where a cleanup ends the goroutine, those
// that are left are called from here once more.
func (t *T) runCleanups() {
	t.cancel()
	t.mu.Lock()
	t.cleaning = true
	t.mu.Unlock()
	defer func() {
		t.mu.Lock()
		left := len(t.cleanups)
		t.mu.Unlock()
		if left > 0 {
			t.runCleanups()
		}
	}()
	defer t.catch()
	for {
		t.mu.Lock()
		last := len(t.cleanups) - 1
		if last < 0 {
			t.mu.Unlock()
			return
		}
		f := t.cleanups[last]
		t.cleanups = t.cleanups[:last]
		t.mu.Unlock()
		f()
	}
}

// Run runs f as a subtest and reports whether it passed. It does not return if the subtest called
// the FailNow or SkipNow of a test above it: both end then. A cleanup has no subtests.
func (t *T) Run(name string, f func(t *T)) bool {
	t.mu.Lock()
	cleaning := t.cleaning
	t.mu.Unlock()
	if cleaning {
		panic("testing: t.Run called during t.Cleanup")
	}
	sub := newT(t.name+"/"+t.unique(name), t)
	over := make(chan struct{})
	go sub.run(f, over)
	<-over
	if !sub.isFinished() {
		runtime.Goexit()
	}
	return !sub.Failed()
}

// unique makes a subtest's name as go test does: no spaces, and #01 after a name used before.
func (t *T) unique(name string) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	name = strings.Map(func(r rune) rune {
		if r <= ' ' {
			return '_'
		}
		return r
	}, name)
	if t.names == nil {
		t.names = make(map[string]int)
	}
	n := t.names[name]
	t.names[name]++
	if name != "" && n == 0 {
		return name
	}
	return name + "#" + twoDigits(n)
}

func twoDigits(n int) string {
	if n < 10 {
		return "0" + strconv.Itoa(n)
	}
	return strconv.Itoa(n)
}

// caller is "check_test.go:12" of the innermost frame outside this package and the helpers.
func (t *T) caller() string {
	pcs := make([]uintptr, 32)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs)])
	where := ""
	for {
		f, more := frames.Next()
		if f.File != "" && !strings.Contains(f.Function, "/guest/host.") {
			where = f.File[strings.LastIndexByte(f.File, '/')+1:] + ":" + strconv.Itoa(f.Line)
			if !t.isHelper(f.Function) {
				return where
			}
		}
		if !more {
			return where
		}
	}
}

func (t *T) isHelper(function string) bool {
	for ; t != nil; t = t.parent {
		t.mu.Lock()
		found := t.helpers[function]
		t.mu.Unlock()
		if found {
			return true
		}
	}
	return false
}

// log sends one message with its place, indented as go test indents it.
func (t *T) log(text string) {
	text = strings.TrimSuffix(text, "\n")
	tell(kindLog, t.id, 0, t.caller()+": "+strings.ReplaceAll(text, "\n", "\n    "))
}
