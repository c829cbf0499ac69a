package check

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// judgement is one submission on its way to a verdict.
type judgement struct {
	checker *Checker
	s       Submission
	limits  Limits
	left    time.Duration // of Limits.Run, for all programs that the submission still needs run
	v       Verdict
	names   []string
	enough  func(test int, r result) bool // whether a result makes the others needless; nil for never
}

// refuse is the verdict on a file that vet does not let pass: that of its gravest finding.
func (j *judgement) refuse(found []finding) Verdict {
	gravity := []Outcome{TooLarge, Forbidden, BuildError}
	slices.SortStableFunc(found, func(a, b finding) int {
		return slices.Index(gravity, a.outcome) - slices.Index(gravity, b.outcome)
	})
	j.v.Verdict = found[0].outcome
	for _, f := range found {
		if f.outcome == j.v.Verdict {
			j.v.Diagnostics = append(j.v.Diagnostics, f.Diagnostic)
		}
	}
	j.v.Message = sentence(j.v, j.limits)
	return j.v
}

// decide builds and runs what the exercise's kind asks for.
func (j *judgement) decide(ctx context.Context, file vetted) (Verdict, error) {
	if j.s.Exercise.Kind == KindTests {
		return j.decideTests(ctx, file)
	}
	names, err := TestNames(j.s.Exercise.Tests)
	if err != nil {
		return Verdict{}, err
	}
	j.names = names
	p := parts{Program: file.source, Tests: j.s.Exercise.Tests, TestsFile: testFile, Names: names}
	b, err := j.build(ctx, p)
	if err != nil {
		return Verdict{}, err
	}
	if b.Failure != nil {
		return j.notBuilt(b.Failure, file)
	}
	x, err := j.run(ctx, b.Wasm, learnerFile)
	if err != nil {
		return Verdict{}, err
	}
	j.v.Tests, j.v.OutputCut = assemble(names, x.results, learnerFile, j.limits)
	return j.finish(judge(j.v.Tests)), nil
}

// finish puts the outcome and the words that go with it.
func (j *judgement) finish(o Outcome) Verdict {
	j.v.Verdict = o
	j.v.Message = sentence(j.v, j.limits)
	switch o {
	case Passed:
	case BuildError, CompileLimit:
		j.v.Command = "go test ."
	default:
		j.v.Command = command(j.v.Tests)
	}
	return j.v
}

// build builds one program and keeps account of the time.
func (j *judgement) build(ctx context.Context, p parts) (built, error) {
	j.notify(Building, nil)
	b, err := j.checker.build(ctx, p, j.limits)
	j.v.Parts.Compile += milliseconds(b.Compile)
	j.v.Parts.Link += milliseconds(b.Link)
	return b, err
}

// run runs the tests of a built program, telling the learner's page of each.
func (j *judgement) run(ctx context.Context, wasm []byte, file string) (*execution, error) {
	j.notify(Running, nil)
	began := time.Now()
	limits := j.limits
	limits.Run = j.left
	x, err := j.checker.run(ctx, program{
		wasm: wasm, tests: len(j.names), limits: limits, exercise: j.s.Exercise, enough: j.enough,
		notify: j.progress(file),
	})
	if err != nil {
		return nil, err
	}
	j.left -= time.Since(began)
	j.v.Parts.Load += milliseconds(x.load)
	j.v.Parts.Tests += milliseconds(time.Since(began) - x.load)
	return x, nil
}

// progress gives a function that tells of the tests that have come to an end so far. Each is put
// into words once, when it ends.
func (j *judgement) progress(file string) func(tests []int, r result) {
	ended := make([]*Test, len(j.names))
	return func(tests []int, r result) {
		if j.s.Notify == nil {
			return
		}
		for _, n := range tests {
			one, _ := assemble(j.names[n:n+1], map[int]result{0: r}, file, j.limits)
			ended[n] = &one[0]
		}
		var sofar []Test
		for _, t := range ended {
			if t != nil {
				sofar = append(sofar, *t)
			}
		}
		sofar, _ = fit(sofar, max(verdictRoom, j.limits.Output))
		j.notify(Running, sofar)
	}
}

// notify tells how far the submission has come.
func (j *judgement) notify(state State, tests []Test) {
	if j.s.Notify == nil {
		return
	}
	if !j.s.Reveal {
		tests = redact(tests)
	}
	j.s.Notify(Verdict{
		ID: j.s.ID, Lesson: j.s.Exercise.Lesson, Exercise: j.s.Exercise.Name, State: state, Tests: tests,
	}.whole())
}

// notBuilt is the verdict on sources that the toolchain refused. Remarks on the learner's file
// are kept; remarks on the tests become remarks on what the learner declared otherwise than they
// need.
func (j *judgement) notBuilt(f *buildFailure, file vetted) (Verdict, error) {
	for _, name := range j.names {
		j.v.Tests = append(j.v.Tests, Test{Name: name, Status: NotRun, Hidden: isHidden(name)})
	}
	if f.Outcome == CompileLimit {
		return j.finish(CompileLimit), nil
	}
	switch f.Step {
	case stepProgram:
		return j.refusedBy(f, learnerFile)
	case stepTests:
		if j.s.Reveal {
			j.v.Diagnostics = f.Found
		} else {
			j.v.Diagnostics = misfit(f.Found, j.s.Exercise.Tests, file.declare, declarationsOf(j.s.Exercise.Start))
		}
	default:
		return Verdict{}, fmt.Errorf("%s failed: %s", f.Step, f.Said)
	}
	if len(j.v.Diagnostics) == 0 {
		return Verdict{}, fmt.Errorf("%s failed without a message that we understand: %s", f.Step, f.Said)
	}
	return j.finish(BuildError), nil
}

// refusedBy is the verdict on the learner's own file when the compiler does not take it. A remark
// that is on no line of the file is on the file all the same: the compiler was given nothing else
// of which it could speak so.
func (j *judgement) refusedBy(f *buildFailure, file string) (Verdict, error) {
	j.v.Diagnostics = ownRemarks(f.Found, file)
	if len(j.v.Diagnostics) == 0 {
		if !somewhere.MatchString(f.Said) {
			return Verdict{}, fmt.Errorf("%s failed without a message that we understand: %s", f.Step, f.Said)
		}
		j.v.Diagnostics = []Diagnostic{{Line: 1, Column: 1, Message: "the compiler refuses this file and names no line of it; " +
			"take out what you changed last and try again"}}
	}
	return j.finish(BuildError), nil
}

// ownRemarks keeps the remarks on one file, which is then not named any more: it is the learner's.
func ownRemarks(found []Diagnostic, file string) []Diagnostic {
	var own []Diagnostic
	for _, d := range found {
		if d.File == file {
			d.File = ""
			own = append(own, d)
		}
	}
	return own
}
