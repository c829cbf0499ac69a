package web

import (
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ringoftowers/towers/lessons"
)

// exerciseURL is where an exercise is served.
func exerciseURL(l *lessons.Lesson, e *lessons.Exercise) string {
	return lessonURL(l) + "/exercises/" + e.ID
}

// fileName is what a learner's file is called on the page.
func fileName(e *lessons.Exercise) string {
	if e.Kind == lessons.Tests {
		return e.ID + "_test.go"
	}
	return e.ID + ".go"
}

// built is the address of a built file, or nothing where it was not built: the editor comes from
// npm, and the page works without it.
func (a Assets) built(name string) string {
	if _, ok := a.hashed[name]; !ok {
		return ""
	}
	return a.URL(name)
}

// setIn counts the exercises that a lesson's text leads to.
func setIn(l *lessons.Lesson) int {
	n := 0
	for _, e := range l.Exercises {
		if e.Number > 0 {
			n++
		}
	}
	return n
}

// inTask says whether a problem is shown where it stands in the task.
func inTask(e *lessons.Exercise, p lessons.Problem) bool { return within(e.Task, p) }

// limitsSaid says when a test is stopped.
func (p ExercisePage) limitsSaid() string {
	unit := "seconds"
	if p.TestTime == time.Second {
		unit = "second"
	}
	return "A test is stopped after " + strconv.FormatFloat(p.TestTime.Seconds(), 'f', -1, 64) + "\u00a0" + unit +
		" or " + grouped(p.TestMemory>>20) + "\u00a0MiB."
}

// between stands before the item i of a list in prose.
func between(i, of int) string {
	switch {
	case i == 0:
		return ""
	case i == of-1:
		return " and "
	}
	return ", "
}

// closing stands after the last item.
func closing(i, of int) string {
	if i == of-1 {
		return "."
	}
	return ""
}

// goVersion is the language that programs are written in: "Go 1.26". It is the one that built
// the server, and the checker asks for the same.
func goVersion() string {
	parts := strings.SplitN(strings.TrimPrefix(runtime.Version(), "go"), ".", 3)
	if len(parts) < 2 {
		return "Go"
	}
	return "Go " + parts[0] + "." + parts[1]
}

// stampOf writes a time for a script to read; a zero time is nothing.
func stampOf(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// locked says when the solution opens.
func (p ExercisePage) locked() string {
	left := p.SolutionAfter
	for _, t := range p.Tries {
		if t.counts() {
			left--
		}
	}
	switch {
	case left == 1:
		return "after one more try"
	case left > 1 && left < p.SolutionAfter:
		return "after " + inWords(left) + " more tries"
	}
	return "after " + inWords(p.SolutionAfter) + " tries"
}

// ownTry reports whether the try that is shown is one of those listed: an instructor may look at
// anybody's.
func (p ExercisePage) ownTry() bool {
	return slices.ContainsFunc(p.Tries, func(t Try) bool { return t.ID == p.Try })
}

// triesSaid counts a learner's own tries, and says where not all of them are listed.
func triesSaid(tries []Try, tried int) string {
	listed := 0
	for _, t := range tries {
		if !t.Recheck {
			listed++
		}
	}
	switch {
	case tried == 0:
		return "none so far"
	case listed < tried:
		return grouped(tried) + " so far, the last " + grouped(listed) + " listed"
	}
	return grouped(tried) + " so far"
}
