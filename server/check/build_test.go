package check

import (
	"strings"
	"testing"
)

// Whose fault a failing tool is, by what it said and how it ended.
func TestFailureOf(t *testing.T) {
	p := parts{TestsFile: testFile}
	for _, c := range []struct {
		name  string
		r     stepResult
		want  Outcome // empty: no failure
		ours  bool
		found int
	}{
		{"well", stepResult{}, "", false, 0},
		{"a mistake", stepResult{Exit: 2, Output: "exercise.go:3:4: undefined: x\n"}, BuildError, false, 1},
		{"a mistake in two lines", stepResult{Exit: 2, Output: "exercise.go:3:4: bad\n\thave (int)\n\twant (string)\n"}, BuildError, false, 1},
		{"elsewhere", stepResult{Exit: 2, Output: "/secret/x.go:3:4: bad\n"}, BuildError, false, 0},
		{"killed for its CPU time", stepResult{Exit: -1, Signal: 9, CPULimit: true}, CompileLimit, false, 0},
		{"killed for the machine's memory", stepResult{Exit: -1, Signal: 9}, "", true, 0},
		{"ended by another signal", stepResult{Exit: -1, Signal: 11}, CompileLimit, false, 0},
		{"no memory", stepResult{Exit: 2, Output: "fatal error: runtime: out of memory\n"}, CompileLimit, false, 0},
		{"no memory and no words", stepResult{Exit: 2, Output: "SIGSEGV: segmentation violation\nPC=0x43cefd m=0\n\ngoroutine 0 [idle]:\n"}, CompileLimit, false, 0},
		{"too large a file", stepResult{Exit: 1, Output: "write exercise.a: file too large\n"}, CompileLimit, false, 0},
		{"the compiler's bug", stepResult{Exit: 2, Output: "exercise.go:3:4: internal compiler error: x\n"}, CompileLimit, false, 0},
		{"a word about a disk", stepResult{Exit: 2, Output: "exercise.go:3:13: cannot use \"no space left on device\" (untyped string constant) as int value\n"}, BuildError, false, 1},
		{"words about limits", stepResult{Exit: 2, Output: "exercise.go:3:9: cannot use \"panic: out of memory\" as error value\n\thave (\"signal: file too large\")\n"}, BuildError, false, 1},
		{"words of many lines", stepResult{Exit: 2, Output: "exercise.go:3:13: cannot use `\nfatal error: x\n\ngoroutine 1` as int value\nexercise.go:6:1: bad\n"}, BuildError, false, 2},
		{"words about a bug", stepResult{Exit: 2, Output: "exercise.go:3:4: undefined: internal compiler error\n"}, BuildError, false, 1},
		{"a bug without a place", stepResult{Exit: 2, Output: "<unknown line number>: internal compiler error: x\n"}, CompileLimit, false, 0},
		{"a full disk", stepResult{Exit: 1, Output: "write exercise.a: no space left on device\n"}, "", true, 0},
		{"not started", stepResult{Problem: "no such file"}, "", true, 0},
	} {
		failure, err := failureOf(c.r, p)
		if (err != nil) != c.ours {
			t.Errorf("%s: error %v", c.name, err)
		}
		if failure == nil {
			failure = &buildFailure{}
		}
		if failure.Outcome != c.want || len(failure.Found) != c.found {
			t.Errorf("%s: got %s %v, want %s with %d remarks", c.name, failure.Outcome, failure.Found, c.want, c.found)
		}
	}
}

func TestLanguage(t *testing.T) {
	for version, want := range map[string]string{
		"go1.26.2": "go1.26", "go1.27rc1": "go1.27", "go1.26": "go1.26", "go1.28.1 X:nodwarf5": "go1.28",
	} {
		if got := (&toolchain{version: version}).language(); got != want {
			t.Errorf("language of %s = %s, want %s", version, got, want)
		}
	}
}

func TestMainSourceNamesEveryTest(t *testing.T) {
	src := string(mainSource([]string{"TestA", "TestHiddenB"}))
	for _, want := range []string{`{Name: "TestA", F: tests.TestA}`, `{Name: "TestHiddenB", F: tests.TestHiddenB}`} {
		if !strings.Contains(src, want) {
			t.Errorf("no %s in\n%s", want, src)
		}
	}
}
