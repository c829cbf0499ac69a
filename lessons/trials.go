package lessons

import (
	"path"
	"slices"
	"strings"
)

// trials gives what has to be shown of an exercise: that start.go compiles and does not pass,
// that solution.go passes, and that each wrong program fails just where it says. For an
// exercise of tests the learner's work is check_test.go's, so that has to pass too.
//
// A file that is missing or no Go has been reported, and is left out.
func (e *Exercise) trials(lesson string) []trial {
	if len(e.Checks) == 0 || e.broken("check_test.go") {
		return nil
	}
	var all []trial
	add := func(kind Kind, file, code string, judge func(Outcome) []Problem) {
		if code == "" || e.broken(file) {
			return
		}
		all = append(all, trial{
			Trial: Trial{Lesson: lesson, Exercise: e, Kind: kind, File: file, Source: code},
			judge: judge,
		})
	}
	add(e.Kind, "start.go", e.Start, func(o Outcome) []Problem { return e.judgeStart(o) })
	add(Code, "solution.go", e.Solution, func(o Outcome) []Problem {
		return e.judgePass(o, e.origin.solution, "the solution")
	})
	if e.Kind == Tests {
		add(Tests, "check_test.go", e.Tests, func(o Outcome) []Problem {
			return e.judgePass(o, e.origin.tests, "as a learner's answer, check_test.go")
		})
	}
	for i, w := range e.Wrong {
		add(Code, path.Join("wrong", w.Name+".go"), w.Source, func(o Outcome) []Problem {
			return e.judgeWrong(o, e.origin.wrong[i], e.origin.fails[i])
		})
	}
	return all
}

// broken reports whether loading found a file to be wrong, so that a trial would only say the
// same in other words.
func (e *Exercise) broken(file string) bool {
	return slices.ContainsFunc(e.Problems, func(p Problem) bool { return p.File == path.Join(e.folder, file) })
}

func (e *Exercise) judgeStart(o Outcome) []Problem {
	src := e.origin.start
	switch {
	case !o.ran():
		return e.notRun(o, src, "start.go")
	case o.Verdict == passed:
		return []Problem{src.problem(src.packageAt(), "start.go passes already; expected it to compile and to fail")}
	}
	return nil
}

func (e *Exercise) judgePass(o Outcome, src *source, what string) []Problem {
	switch {
	case !o.ran():
		return e.notRun(o, src, what)
	case o.Verdict == passed:
		return nil
	}
	return []Problem{src.problem(src.packageAt(), "%s does not pass%s; expected it to pass every test", what, reason(o))}
}

// judgeWrong compares the tests that failed with those that the first line names.
func (e *Exercise) judgeWrong(o Outcome, src *source, named []entry) []Problem {
	if !o.ran() {
		return e.notRun(o, src, path.Base(src.file))
	}
	if len(named) == 0 {
		return nil // loading has complained of the first line
	}
	if o.Verdict == passed {
		return []Problem{src.problem(named[0].at, "this passes every test; expected it to fail %s", namesOf(named))}
	}
	status := make(map[string]string)
	for _, t := range o.Tests {
		status[t.Name] = t.Status
	}
	var problems []Problem
	for _, n := range named {
		if s := status[n.text]; s == passed || s == "" {
			problems = append(problems, src.problem(n.at, "%s passes; expected it to fail here", n.text))
		}
	}
	for _, t := range o.Tests {
		if t.Status != passed && !slices.ContainsFunc(named, func(n entry) bool { return n.text == t.Name }) {
			problems = append(problems, src.problem(0, "%s fails here too (%s); expected only %s to fail, or `%s` to name it",
				t.Name, t.Status, namesOf(named), failsPrefix))
		}
	}
	sortProblems(problems)
	return problems
}

// notRun reports a program that could not even be run, in the place where the compiler says.
func (e *Exercise) notRun(o Outcome, src *source, what string) []Problem {
	if o.Verdict == internal {
		return []Problem{src.problem(src.packageAt(), "%s could not be judged%s", what, reason(o))}
	}
	if len(o.Diagnostics) == 0 {
		return []Problem{src.problem(src.packageAt(), "%s is refused (%s)%s; expected it to compile", what, o.Verdict, reason(o))}
	}
	d := o.Diagnostics[0]
	in := src
	switch d.File {
	case "check_test.go":
		in = e.origin.tests
	case "start.go":
		in = e.origin.start
	}
	return []Problem{in.problem(in.byteOffset(d.Line, d.Column), "%s is refused (%s): %s", what, o.Verdict, d.Message)}
}

// reason gives why an outcome is no better, in brackets after a space; it may be empty. Of
// what the tests printed the first line is enough to know which mistake it was.
func reason(o Outcome) string {
	why := strings.TrimSuffix(o.Message, ".")
	var failed []string
	for _, t := range o.Tests {
		if t.Status == passed {
			continue
		}
		text := t.Name + " " + t.Status
		if line, _, _ := strings.Cut(strings.TrimSpace(t.Output), "\n"); line != "" && len(failed) == 0 {
			text += ": " + line
		}
		failed = append(failed, text)
	}
	if len(failed) > 0 {
		why = strings.Join(failed, ", ")
	}
	if why == "" {
		return ""
	}
	return " (" + why + ")"
}

func namesOf(named []entry) string {
	names := make([]string, len(named))
	for i, n := range named {
		names[i] = n.text
	}
	return strings.Join(names, ", ")
}

// packageAt gives where a Go file says its package: the place for what concerns all of it.
func (s *source) packageAt() int {
	for line := range s.lines {
		if strings.HasPrefix(s.line(line), "package ") {
			return s.lines[line]
		}
	}
	return 0
}

// byteOffset finds a place that is given as compilers do, with columns in bytes.
func (s *source) byteOffset(line, column int) int {
	line = min(max(line, 1), len(s.lines))
	return min(s.lines[line-1]+max(column, 1)-1, s.lineEnd(s.lines[line-1]))
}
