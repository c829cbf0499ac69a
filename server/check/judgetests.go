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
	b, err := j.build(ctx, j.with("solution", e.Solution, file))
	if err != nil {
		return Verdict{}, err
	}
	if f := b.Failure; f != nil {
		return j.testsNotBuilt(f)
	}
	right, err := j.run(ctx, b.Wasm, learnersTests)
	if err != nil {
		return Verdict{}, err
	}
	j.v.Tests, j.v.OutputCut = assemble(file.tests, right.results, learnersTests, j.limits)
	if o := judge(j.v.Tests); o != Passed {
		// Tests that refuse a right program prove nothing by refusing a wrong one.
		return j.finish(o), nil
	}
	for n, name := range slices.Sorted(maps.Keys(e.Wrong)) {
		t, err := j.catches(ctx, j.with(name, e.Wrong[name], file), right.results)
		if err != nil {
			return Verdict{}, fmt.Errorf("wrong/%s: %w", name, err)
		}
		if t.Status == CompileLimit {
			return j.finish(CompileLimit), nil
		}
		t.Name = fmt.Sprintf("catches wrong program %d", n+1)
		if j.s.Reveal {
			t.Name = "catches " + name
		}
		j.v.Tests = append(j.v.Tests, t)
	}
	return j.finish(judge(j.v.Tests)), nil
}

// with is one of the exercise's programs with the learner's tests.
func (j *judgement) with(name string, program []byte, file vetted) parts {
	return parts{
		Program: ballasted(program, file.source, []byte(name)),
		Tests:   file.source, TestsFile: learnersTests, Names: file.tests,
	}
}

// testsNotBuilt is the verdict on tests that do not compile with the solution.
func (j *judgement) testsNotBuilt(f *buildFailure) (Verdict, error) {
	switch {
	case f.Step == stepProgram:
		return Verdict{}, fmt.Errorf("%w: solution.go does not compile: %s", ErrExercise, f.Said)
	case f.Outcome == CompileLimit:
		return j.finish(CompileLimit), nil
	case f.Step == stepTests:
		return j.refusedBy(f, learnersTests)
	}
	return Verdict{}, fmt.Errorf("%s failed: %s", f.Step, f.Said)
}

// tooLate is said of a program that the learner's tests may yet have caught.
const tooLate = "stopped: the time for all tests was used up before one of yours caught this program"

// catches runs the learner's tests on a wrong program until one of them catches it, given what
// became of each on the solution. The result's status is CompileLimit if the compiler was not
// equal to the tests, which it may just have been with the solution.
func (j *judgement) catches(ctx context.Context, p parts, right map[int]result) (Test, error) {
	if j.left < j.limits.Run/20 {
		// In so little time nothing could be told of a program, not even whether the machine is busy.
		return Test{Status: TimeLimit, Message: tooLate}, nil
	}
	b, err := j.build(ctx, p)
	if err != nil {
		return Test{}, err
	}
	switch f := b.Failure; {
	case f == nil:
	case f.Step != stepProgram && f.Outcome == CompileLimit:
		return Test{Status: CompileLimit}, nil
	case f.Step == stepProgram, f.Step == stepTests:
		// Tests that compile with the solution use nothing that it does not export.
		return Test{}, fmt.Errorf("%w: %s: %s", ErrExercise, f.Step, strings.TrimSpace(f.Said))
	default:
		return Test{}, fmt.Errorf("%s failed: %s", f.Step, f.Said)
	}
	// The page is not told of these runs' single tests.
	quiet := *j
	quiet.s.Notify = nil
	quiet.enough = func(test int, r result) bool { return catch(r, right[test], j.limits) }
	x, err := quiet.run(ctx, b.Wasm, learnersTests)
	if err != nil {
		return Test{}, err
	}
	j.v.Parts, j.left = quiet.v.Parts, quiet.left
	return caught(x, right, j.limits), nil
}

// caught is the result that the tests' run on a wrong program deserves.
func caught(x *execution, right map[int]result, limits Limits) Test {
	stopped := false
	for test, r := range x.results {
		if r.outcome == TimeLimit {
			stopped = true
			if x.late {
				continue // it had less than its time
			}
		}
		if catch(r, right[test], limits) {
			return Test{Status: Passed}
		}
	}
	switch {
	case x.late:
		return Test{Status: TimeLimit, Message: tooLate}
	case stopped: // another time, on another machine, they might not be
		return Test{Status: TimeLimit, Message: "your tests take so long on a right program that their being stopped here shows nothing; " +
			"let each take less than half of " + plain(limits.Test)}
	}
	return Test{Status: Failed, Message: "your tests pass on a program that is wrong; test what it could get wrong"}
}

// catch reports whether a test's result on a wrong program shows that it tells that program from
// the solution. It may end in whatever way, for a wrong program may well crash or never end; but
// a test that needs about all its time for the solution is stopped by chance.
func catch(r, right result, limits Limits) bool {
	switch r.outcome {
	case Passed, NotRun:
		return false
	case TimeLimit:
		return right.used < limits.Test/2
	}
	return true
}
