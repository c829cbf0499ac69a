package check

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"
)

// Submission is one learner's file to be judged.
type Submission struct {
	ID       string // given back in the verdict; not looked at
	Source   []byte // the file as sent
	Exercise Exercise

	// Reveal asks for the whole truth: the text of hidden tests and the compiler's messages about
	// the instructor's own file. It is for those who write exercises, never for learners.
	Reveal bool

	// Notify, unless nil, is called with the verdict as it grows: when the build begins, when the
	// run begins, and after each test. It is called from Check's goroutine and must not block.
	Notify func(Verdict)
}

// Kind says what a learner writes.
type Kind string

const (
	// KindCode is an exercise whose learner writes the program; the zero value means the same.
	KindCode Kind = "code"
	// KindTests is an exercise whose learner writes the tests: they must pass on the solution and
	// catch every wrong program.
	KindTests Kind = "tests"
)

// Exercise is what checking needs to know of one.
type Exercise struct {
	Lesson string // the lesson's folder name, given back in the verdict
	Name   string // the exercise's folder name, given back in the verdict
	Kind   Kind

	Tests    []byte            // check_test.go; unused by KindTests
	Start    []byte            // start.go, or nil: its declarations are quoted when the learner's do not fit
	Solution []byte            // solution.go; used by KindTests only
	Wrong    map[string][]byte // wrong/*.go by file name; used by KindTests only

	Imports []string // allowed beyond DefaultImports
	Limits  Limits
}

// Limits bound one submission. A zero field means the default of the checker, and no field can
// exceed the checker's ceiling.
type Limits struct {
	Source int           // bytes of source; default 64 KiB
	Build  time.Duration // CPU time of the compiler and the linker; default 10 s
	Test   time.Duration // CPU time of one test; default 5 s
	Run    time.Duration // wall time of all tests together, with every program of KindTests; default 20 s
	Memory int           // bytes of the program's memory; default 64 MiB
	Output int           // bytes kept of what a test prints, as head and tail; default 64 KiB
}

// DefaultLimits are those of an exercise that says nothing.
func DefaultLimits() Limits {
	return Limits{
		Source: 64 << 10,
		Build:  10 * time.Second,
		Test:   5 * time.Second,
		Run:    20 * time.Second,
		Memory: 64 << 20,
		Output: 64 << 10,
	}
}

// DefaultCeiling is the most that an exercise may ask for unless Config says otherwise.
func DefaultCeiling() Limits {
	return Limits{
		Source: 256 << 10,
		Build:  30 * time.Second,
		Test:   30 * time.Second,
		Run:    2 * time.Minute,
		Memory: 512 << 20,
		Output: 1 << 20,
	}
}

// within fills what is zero from the defaults and cuts what exceeds the ceiling.
func (l Limits) within(ceiling Limits) Limits {
	d := DefaultLimits()
	return Limits{
		Source: bound(l.Source, d.Source, ceiling.Source),
		Build:  bound(l.Build, d.Build, ceiling.Build),
		Test:   bound(l.Test, d.Test, ceiling.Test),
		Run:    bound(l.Run, d.Run, ceiling.Run),
		Memory: bound(l.Memory, d.Memory, ceiling.Memory),
		Output: bound(l.Output, d.Output, ceiling.Output),
	}
}

func bound[N int | time.Duration](asked, byDefault, most N) N {
	if asked <= 0 {
		asked = byDefault
	}
	return min(asked, most)
}

// key identifies everything that a verdict depends on besides the machine: the source, the
// exercise and the toolchain.
func (s Submission) key(toolchain string) (string, error) {
	exercise, err := json.Marshal(s.Exercise)
	if err != nil {
		return "", fmt.Errorf("describe the exercise: %w", err)
	}
	h := sha256.New()
	for _, part := range [][]byte{[]byte(toolchain), exercise, s.Source} {
		fmt.Fprintf(h, "%d\n", len(part))
		h.Write(part)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
