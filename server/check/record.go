package check

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"github.com/tetratelabs/wazero/sys"
)

// floodFactor times the output limit is how much a test may print and log before it is stopped. Up
// to that, what does not fit is left out and the test goes on.
const floodFactor = 16

// recorder keeps the head and the tail of a text in at most limit bytes.
type recorder struct {
	limit int
	head  []byte
	tail  []byte // the last bytes, up to twice as many as are kept
	total int
}

func newRecorder(limit int) *recorder { return &recorder{limit: limit} }

func (r *recorder) add(p []byte) {
	r.total += len(p)
	half := r.limit / 2
	n := min(len(p), half-len(r.head))
	r.head = append(r.head, p[:n]...)
	r.tail = append(r.tail, p[n:]...)
	// Cutting only at twice the size keeps the cost of many small writes linear.
	if len(r.tail) > 2*half {
		r.tail = append(r.tail[:0], r.tail[len(r.tail)-half:]...)
	}
}

func (r *recorder) cut() bool { return r.total > r.limit }

// text is what was kept, with a line where something is missing.
func (r *recorder) text() (text string, cut bool) {
	tail := r.tail[max(0, len(r.tail)-r.limit/2):]
	missing := r.total - len(r.head) - len(tail)
	if missing == 0 {
		return string(r.head) + string(tail), false
	}
	return fmt.Sprintf("%s\n[… %d bytes left out …]\n%s", r.head, missing, tail), true
}

// within is what was kept, in at most limit bytes and a line that says how many are missing.
func (r *recorder) within(limit int) (text string, cut bool) {
	if text, cut = r.text(); len(text) <= limit {
		return text, cut
	}
	less := newRecorder(limit)
	less.add([]byte(text))
	return less.text()
}

// flood is the amount that a test may still print and log, by whatever way.
type flood struct {
	left int
	over bool
}

// pass counts a text and gives as much of it as there is room for.
func (f *flood) pass(text []byte) []byte {
	kept := text[:min(len(text), max(0, f.left))]
	f.left -= len(text)
	f.over = f.left < 0
	return kept
}

// printer is standard output or standard error of one test.
type printer struct {
	to    *recorder
	flood *flood
}

// Write records, and ends the program when it has printed far too much: an error alone would
// not stop one that ignores it. wazero hands the panic to the program's caller as its exit.
func (p printer) Write(text []byte) (int, error) {
	p.to.add(p.flood.pass(text))
	if p.flood.over {
		panic(sys.NewExitError(exitFlood))
	}
	return len(text), nil
}

const exitFlood = 200

// splitTrace parts what a program printed on standard error from the last words of the runtime,
// which begin at the last line that looks like them.
func splitTrace(err *recorder) (printed, trace string) {
	text, _ := err.text()
	last := -1
	for _, mark := range []string{"panic: ", "fatal error: ", "runtime: out of memory"} {
		if strings.HasPrefix(text, mark) {
			last = max(last, 0)
		}
		if n := strings.LastIndex(text, "\n"+mark); n >= 0 {
			last = max(last, n+1)
		}
	}
	if last < 0 {
		return text, ""
	}
	// "runtime: out of memory" is followed by a "fatal error"; the trace begins with the first.
	if before, ok := bytes.CutSuffix([]byte(text[:last]), []byte("\n")); ok {
		start := bytes.LastIndexByte(before, '\n') + 1
		if bytes.HasPrefix(before[start:], []byte("runtime: ")) {
			last = start
		}
	}
	return text[:last], text[last:]
}

// join puts one text after the other, the second on a line of its own.
func join(a, b string) string {
	if a == "" || b == "" || strings.HasSuffix(a, "\n") {
		return a + b
	}
	return a + "\n" + b
}

// clock is the program's own: it stands still but for a tick at each look, so that a loop that
// waits for time to pass ends, and it jumps when the program sleeps. Every run of a test sees
// the same times.
type clock struct{ now *int64 }

// tick is how far the clock moves when it is read.
const tick = int64(time.Microsecond)

func newClock() clock {
	start := time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC).UnixNano()
	return clock{&start}
}

func (c clock) nanotime() int64 {
	*c.now += tick
	return *c.now
}

func (c clock) walltime() (sec int64, nsec int32) {
	*c.now += tick
	return *c.now / 1e9, int32(*c.now % 1e9)
}

func (c clock) sleep(ns int64) { *c.now += max(0, ns) }
