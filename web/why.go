package web

import (
	"strconv"
	"strings"

	"github.com/ringoftowers/towers/lessons"
)

// A reason is why a test did not pass.
type reason struct {
	text       string // as it was written, made inert; empty where the comparison says it all
	comparison comparison
	compared   bool
	line       int // the learner's line where it crashed or waits; 0 = none is known
}

// reason gives what a test says for itself; there is none when it passed or has not run.
func (t Test) reason() (reason, bool) {
	if t.Message == "" && t.Line == 0 || t.Status == "passed" {
		return reason{}, false
	}
	message := inert(t.Message)
	if t.Status == "failed" {
		if c, ok := compare(message); ok {
			return reason{comparison: c, compared: true}, true
		}
	}
	return reason{text: sentenceCase(strings.TrimSuffix(message, t.place())), line: t.Line}, true
}

// place is how the checker ends a message with the learner's line. The page makes a link of it.
func (t Test) place() string { return " at line " + strconv.Itoa(t.Line) }

// who is what the editor calls the test under the line where it crashed.
func (t Test) who() string {
	if t.Hidden {
		return "A hidden test"
	}
	return inert(t.Name)
}

// mark is what the editor says there of it.
func (t Test) mark() string {
	what := "crashed here: "
	if t.Status == "deadlock" {
		what = "waits here: "
	}
	message := strings.TrimPrefix(strings.TrimPrefix(inert(t.Message), "panic: "), "runtime error: ")
	return what + strings.TrimSuffix(message, t.place())
}

// onLine names a line of the learner's file.
func onLine(e *lessons.Exercise, line int) string {
	if e == nil {
		return "line " + strconv.Itoa(line)
	}
	return fileName(e) + ", line " + strconv.Itoa(line)
}

// mostSubtests is how many subtests of a test are listed. A loop can make any number of them,
// and those that did not pass come first.
const mostSubtests = 50

// subtests gives those to list, and how many are left out.
func (t Test) subtests() (shown []Test, left int) {
	for _, sub := range t.Subtests {
		if sub.Status != "passed" {
			shown = append(shown, sub)
		}
	}
	for _, sub := range t.Subtests {
		if sub.Status == "passed" {
			shown = append(shown, sub)
		}
	}
	n := min(len(shown), mostSubtests)
	return shown[:n], len(shown) - n
}

// subtestsSaid is the line that the subtests fold out under.
func (t Test) subtestsSaid() string {
	bad := 0
	for _, sub := range t.Subtests {
		if sub.Status != "passed" {
			bad++
		}
	}
	said := plural(len(t.Subtests), "subtest", "subtests")
	if bad > 0 {
		return said + ", " + grouped(bad) + " did not pass"
	}
	return said
}
