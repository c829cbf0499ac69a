package check

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// However a text is cut into writes, the recorder keeps the same head and tail of it, within its
// limit and a line that says how much is missing.
func TestRecorderKeepsHeadAndTail(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := 2 * rapid.IntRange(1, 40).Draw(t, "half")
		r := newRecorder(limit)
		var all strings.Builder
		for _, s := range rapid.SliceOf(rapid.StringN(0, 30, 60)).Draw(t, "writes") {
			r.add([]byte(s))
			all.WriteString(s)
		}
		text, cut := r.text()
		if cut != (all.Len() > limit) || cut != r.cut() {
			t.Fatalf("cut = %v for %d bytes of %d", cut, all.Len(), limit)
		}
		if !cut {
			if text != all.String() {
				t.Fatalf("got %q, want %q", text, all.String())
			}
			return
		}
		head, tail, ok := strings.Cut(text, "\n[… ")
		_, tail, ok2 := strings.Cut(tail, " bytes left out …]\n")
		if !ok || !ok2 || head != all.String()[:limit/2] || tail != all.String()[all.Len()-limit/2:] {
			t.Fatalf("kept %q of %q", text, all.String())
		}
	})
}

func TestSplitTrace(t *testing.T) {
	for _, c := range []struct{ text, printed, trace string }{
		{"", "", ""},
		{"hello\n", "hello\n", ""},
		{"panic: x\n\ngoroutine 1\n", "", "panic: x\n\ngoroutine 1\n"},
		{"hello\npanic: x\n", "hello\n", "panic: x\n"},
		{"panic: forged\nhello\npanic: x\n", "panic: forged\nhello\n", "panic: x\n"},
		{"don't panic: x\n", "don't panic: x\n", ""},
		{"a\nruntime: out of memory: 1\nfatal error: out of memory\n", "a\n", "runtime: out of memory: 1\nfatal error: out of memory\n"},
	} {
		r := newRecorder(1 << 10)
		r.add([]byte(c.text))
		printed, trace := splitTrace(r)
		if printed != c.printed || trace != c.trace {
			t.Errorf("splitTrace(%q) = %q, %q; want %q, %q", c.text, printed, trace, c.printed, c.trace)
		}
	}
}

// Nothing that a program prints can steer a terminal or break a page's encoding.
func TestInert(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := inert(string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")))
		if !utf8.ValidString(text) {
			t.Fatalf("%q is not UTF-8", text)
		}
		for _, r := range text {
			if r != '\n' && r != '\t' && (r < ' ' || r >= 0x7f && r < 0xa0) {
				t.Fatalf("%q holds a control character", text)
			}
		}
	})
}

func TestLineIn(t *testing.T) {
	trace := "panic: x\ngoroutine 1 [running]:\npanic({0x1, 0x2})\n\truntime/panic.go:783 +0x13\n" +
		"exercise.Owner(...)\n\texercise.go:12 +0x5\nexercise_test.TestX(...)\n\tcheck_test.go:7\n"
	for file, want := range map[string]int{learnerFile: 12, testFile: 7, "other.go": 0} {
		if got := lineIn(trace, file); got != want {
			t.Errorf("lineIn(%s) = %d, want %d", file, got, want)
		}
	}
	// A panic's own text may look like a trace, but not begin a line with a tab: it is quoted.
	if got := lineIn("panic: exercise.go:99\n", learnerFile); got != 0 {
		t.Errorf("a line out of the panic's text: %d", got)
	}
}

// The clock moves when it is read and jumps when the program sleeps.
func TestClock(t *testing.T) {
	c := newClock()
	before := c.nanotime()
	c.sleep(1000)
	c.sleep(-5)
	if got := c.nanotime() - before; got != 1000+tick {
		t.Errorf("got %d ns, want %d", got, 1000+tick)
	}
}
