package check

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// sentence is the verdict in one plain sentence that says what to do next.
func sentence(v Verdict, l Limits) string {
	failed, total := 0, len(v.Tests)
	for _, t := range v.Tests {
		if t.Status != Passed {
			failed++
		}
	}
	switch v.Verdict {
	case Passed:
		return fmt.Sprintf("Every test passed (%d of %d).", total, total)
	case Failed:
		return fmt.Sprintf("%d of %d tests did not pass; each says what it got and what it wanted.", failed, total)
	case BuildError:
		return "The file does not compile; the first message usually explains the others."
	case Forbidden:
		return "The file uses something that exercises may not; take it out and try again."
	case TooLarge:
		return "The file is larger or more deeply nested than an exercise may be; make it smaller."
	case CompileLimit:
		return fmt.Sprintf("The compiler ran out of time, memory or space on this file (%s of CPU time are allowed); look for a type, constant or array that grows without end.", plain(l.Build))
	case TimeLimit:
		return fmt.Sprintf("A test ran for too long and was stopped (%s of CPU time are allowed for one, %s for all); look for a loop that never ends.", plain(l.Test), plain(l.Run))
	case MemoryLimit:
		return fmt.Sprintf("The program asked for more than its %d MiB of memory; look for a slice, map or number of goroutines that grows without end.", l.Memory>>20)
	case OutputLimit:
		return "The program printed far too much and was stopped; look for a Print inside a loop that never ends."
	case Crashed:
		return "The program crashed; the line where it did stands at the test."
	case Deadlock:
		return "Every goroutine waits for another and none can go on; look for a channel or a lock that nobody serves."
	}
	return "Checking failed through no fault of yours; nothing was scored. Please try again."
}

// testSentence says why one test did not pass.
func testSentence(outcome Outcome, r testReport, line int, l Limits) string {
	place := ""
	if line > 0 {
		place = fmt.Sprintf(" at line %d", line)
	}
	switch outcome {
	case Crashed:
		return crashSentence(r, place)
	case Deadlock:
		return "deadlock: every goroutine waits" + place
	case TimeLimit:
		return fmt.Sprintf("stopped after %s", plain(time.Duration(r.Wall)*time.Millisecond))
	case MemoryLimit:
		return fmt.Sprintf("stopped: it asked for more than %d MiB of memory", l.Memory>>20)
	case OutputLimit:
		return fmt.Sprintf("stopped: it printed more than %d KiB", floodFactor*l.Output>>10)
	case NotRun:
		if r.End == endSkipped {
			return "skipped by the test itself"
		}
		return "not run: the time for all tests was used up"
	}
	return ""
}

func crashSentence(r testReport, place string) string {
	switch {
	case strings.Contains(r.Trace, "stack overflow") || r.End == endTooDeep:
		return "stack overflow: a function calls itself without end" + place
	case r.End == endQuit:
		return "the program ended by itself before the test was over"
	case r.Trace == "":
		return "the program crashed"
	}
	first, _, _ := strings.Cut(r.Trace, "\n")
	first = strings.TrimSuffix(strings.TrimSpace(first), " [recovered]")
	return first + place
}

// traceLine finds a file of the learner's in a stack trace.
var traceLine = regexp.MustCompile(`(?m)^\t(?:\S*/)?([a-z_]+\.go):(\d+)`)

// lineIn is the first line of a trace that is in the given file: where the innermost frame of
// the learner's own code was. It is 0 when there is none.
func lineIn(trace, file string) int {
	for _, m := range traceLine.FindAllStringSubmatch(trace, -1) {
		if m[1] == file {
			line, err := strconv.Atoi(m[2])
			if err == nil {
				return line
			}
		}
	}
	return 0
}

// plain words a duration without a fraction that nobody needs.
func plain(d time.Duration) string {
	if d >= time.Second {
		return strconv.FormatFloat(d.Round(100*time.Millisecond).Seconds(), 'f', -1, 64) + " s"
	}
	return strconv.FormatInt(d.Milliseconds(), 10) + " ms"
}

// inert makes a program's output safe to show anywhere: valid UTF-8 without control characters
// but tab and newline, each replaced by the picture that Unicode has for it.
func inert(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r < ' ':
			return '\u2400' + r
		case r == 0x7f:
			return '\u2421'
		case r >= 0x80 && r < 0xa0:
			return '\ufffd'
		}
		return r
	}, strings.ToValidUTF8(text, "\ufffd"))
}

// command is how to run the tests that did not pass at home, in the exercise's own folder.
func command(tests []Test) string {
	var names []string
	for _, t := range tests {
		if t.Status != Passed && !t.Hidden {
			names = append(names, t.Name)
		}
	}
	switch len(names) {
	case 0:
		return "go test ."
	case 1:
		return "go test -run '^" + names[0] + "$' ."
	}
	return "go test -run '^(" + strings.Join(names, "|") + ")$' ."
}
