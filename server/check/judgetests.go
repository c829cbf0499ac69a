package check

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// decideTests judges a learner's tests: they must pass on the solution and at least one of them
// must fail on every wrong program. The verdict's tests are the learner's own on the solution,
// then one named "catches <file>" for each wrong program.
func (j *judgement) decideTests(ctx context.Context, file vetted) (Verdict, error) {
	e := j.s.Exercise
	if len(e.Solution) == 0 || len(e.Wrong) == 0 {
		return Verdict{}, fmt.Errorf("%w: an exercise whose learner writes tests needs a solution and wrong programs", ErrExercise)
	}
	j.names = file.tests
	p := parts{Program: e.Solution, Tests: file.source, TestsFile: learnersTests, Names: file.tests}
	b, err := j.build(ctx, p)
	if err != nil {
		return Verdict{}, err
	}
	if f := b.Failure; f != nil {
		return j.testsNotBuilt(f)
	}
	results, err := j.run(ctx, b.Wasm, learnersTests)
	if err != nil {
		return Verdict{}, err
	}
	j.v.Tests, j.v.OutputCut = assemble(file.tests, results, learnersTests, j.limits)
	if o := judge(j.v.Tests); o != Passed {
		// Tests that refuse a right program prove nothing by refusing a wrong one.
		return j.finish(o), nil
	}
	for n, name := range slices.Sorted(maps.Keys(e.Wrong)) {
		t, err := j.catches(ctx, p, e.Wrong[name])
		if err != nil {
			return Verdict{}, fmt.Errorf("wrong/%s: %w", name, err)
		}
		t.Name = fmt.Sprintf("catches wrong program %d", n+1)
		if j.s.Reveal {
			t.Name = "catches " + name
		}
		j.v.Tests = append(j.v.Tests, t)
	}
	return j.finish(judge(j.v.Tests)), nil
}

// testsNotBuilt is the verdict on tests that do not compile with the solution.
func (j *judgement) testsNotBuilt(f *buildFailure) (Verdict, error) {
	switch {
	case f.Step == stepProgram:
		return Verdict{}, fmt.Errorf("%w: solution.go does not compile: %s", ErrExercise, f.Said)
	case f.Outcome == CompileLimit:
		return j.finish(CompileLimit), nil
	}
	if f.Step != stepTests {
		return Verdict{}, fmt.Errorf("%s failed: %s", f.Step, f.Said)
	}
	return j.refusedBy(f, learnersTests)
}

// catches runs the learner's tests on a wrong program. Any test that does not pass has caught
// it, whatever way it ended: a wrong program may well crash or never end.
func (j *judgement) catches(ctx context.Context, p parts, wrong []byte) (Test, error) {
	p.Program = wrong
	b, err := j.build(ctx, p)
	if err != nil {
		return Test{}, err
	}
	if b.Failure != nil {
		return Test{}, fmt.Errorf("%w: it does not compile with the tests: %s", ErrExercise, strings.TrimSpace(b.Failure.Said))
	}
	// The page is not told of these runs' single tests.
	quiet := *j
	quiet.s.Notify = nil
	results, err := quiet.run(ctx, b.Wasm, learnersTests)
	if err != nil {
		return Test{}, err
	}
	j.v.Parts = quiet.v.Parts
	for _, r := range results {
		if r.outcome != Passed && r.outcome != NotRun {
			return Test{Status: Passed}, nil
		}
	}
	return Test{Status: Failed, Message: "your tests pass on a program that is wrong; test what it could get wrong"}, nil
}
