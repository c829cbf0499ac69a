package check

import (
	"fmt"
	"strings"
)

// assemble makes the tests of a verdict from their results, whole and unredacted. The file is the
// learner's: tests of their own are not hidden from them, whatever they are called.
func assemble(names []string, results map[int]result, file string, l Limits) (tests []Test, cut bool) {
	tests = []Test{}
	for n, name := range names {
		t := Test{Name: name, Status: NotRun, Hidden: file != learnersTests && isHidden(name)}
		r, ok := results[n]
		if ok {
			fill(&t, r, file, l)
			cut = cut || r.report.Cut
		}
		tests = append(tests, t)
	}
	tests, less := fit(tests, max(verdictRoom, l.Output))
	return tests, cut || less
}

func fill(t *Test, r result, file string, l Limits) {
	t.Status = r.outcome
	t.ElapsedMS = int64(r.report.Wall)
	if r.outcome == Crashed || r.outcome == Deadlock {
		t.Line = lineIn(r.report.Trace, file)
	}
	t.Message = testSentence(r.outcome, r.report, t.Line, l)
	if t.Status == Failed {
		t.Message = failure(r.report)
	}
	t.Output = inert(join(r.report.Logs, r.report.Printed))
	// A piece of a long log would keep all of it in memory for as long as the verdict is kept.
	t.Message = strings.Clone(inert(t.Message))
	t.Subtests = subtests(r.report.Subtests, -1, r.outcome)
}

// failure is the first message of a failed test, which says got and want. Its further lines are
// those that are indented.
func failure(r testReport) string {
	const most = 8
	for _, logs := range append([]string{r.Logs}, subLogs(r.Subtests)...) {
		lines := strings.Split(logs, "\n")
		_, message, ok := strings.Cut(lines[0], ": ")
		if !ok {
			continue
		}
		for _, line := range lines[1:min(len(lines), most)] {
			more, indented := strings.CutPrefix(line, "    ")
			if !indented {
				break
			}
			message += "\n" + more
		}
		return message
	}
	return "the test failed without a message"
}

func subLogs(subs []subReport) []string {
	var logs []string
	for _, s := range subs {
		if s.End == endFailed {
			logs = append(logs, s.Logs)
		}
	}
	return logs
}

// subtests builds the tree under one parent. A subtest that had not ended when its test did
// ended the way that the test did.
func subtests(all []subReport, parent int, outcome Outcome) []Test {
	var tests []Test
	for n, s := range all {
		if s.Parent != parent {
			continue
		}
		t := Test{Name: inert(s.Name), Status: outcome, ElapsedMS: int64(s.Wall), Output: inert(s.Logs)}
		if s.End != "" {
			t.Status = outcomeOf(s.End)
		}
		t.Subtests = subtests(all, n, outcome)
		tests = append(tests, t)
	}
	return tests
}

// redact leaves of the hidden tests only what a learner may know: that there is such a test, how
// it ended and, after a crash, the line of the learner's own file.
func redact(tests []Test) []Test {
	shown := make([]Test, len(tests))
	for n, t := range tests {
		shown[n] = t
		if !t.Hidden {
			continue
		}
		shown[n].Output, shown[n].Subtests = "", nil
		switch {
		case t.Status == Failed:
			shown[n].Message = "a hidden test failed: it tries other inputs than the tests that you see"
		case t.Status == Crashed && t.Line > 0:
			shown[n].Message = fmt.Sprintf("the program crashed at line %d", t.Line)
		case t.Status == Crashed:
			shown[n].Message = "the program crashed"
		}
	}
	return shown
}
