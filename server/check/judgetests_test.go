package check

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

const learnersHead = "package exercise_test\n\nimport (\n\t\"testing\"\n\n\t\"exercise\"\n)\n\n"

// Whatever ends a test on a wrong program is a catch, but for its time limit where the solution
// needs about as much.
func TestCatch(t *testing.T) {
	limits := DefaultLimits()
	for _, c := range []struct {
		outcome Outcome
		right   time.Duration
		want    bool
	}{
		{Passed, 0, false}, {NotRun, 0, false},
		{Failed, limits.Test, true}, {Crashed, 0, true}, {Deadlock, 0, true}, {MemoryLimit, 0, true}, {OutputLimit, 0, true},
		{TimeLimit, 0, true}, {TimeLimit, limits.Test/2 - 1, true}, {TimeLimit, limits.Test / 2, false}, {TimeLimit, limits.Test, false},
	} {
		if got := catch(result{outcome: c.outcome}, result{outcome: Passed, used: c.right}, limits); got != c.want {
			t.Errorf("%s after %v on the solution: a catch = %v, want %v", c.outcome, c.right, got, c.want)
		}
	}
}

// What is told of a wrong program, from how its run ended.
func TestCaught(t *testing.T) {
	quick, slow := result{outcome: Passed}, result{outcome: Passed, used: 4 * time.Second}
	for _, c := range []struct {
		name    string
		results []Outcome
		right   result
		late    bool
		want    Outcome
		words   string
	}{
		{"all pass", []Outcome{Passed, Passed}, quick, false, Failed, "pass on a program that is wrong"},
		{"one fails", []Outcome{Passed, Failed}, slow, false, Passed, ""},
		{"one never ends", []Outcome{Passed, TimeLimit}, quick, false, Passed, ""},
		{"a slow one is stopped", []Outcome{Passed, TimeLimit}, slow, false, TimeLimit, "less than half of 5 s"},
		{"the deadline stops one", []Outcome{Passed, TimeLimit, NotRun}, quick, true, TimeLimit, "the time for all tests"},
		{"the deadline stops the loading", []Outcome{NotRun, NotRun}, quick, true, TimeLimit, "the time for all tests"},
	} {
		x := &execution{results: make(map[int]result), late: c.late}
		right := make(map[int]result)
		for n, o := range c.results {
			x.results[n], right[n] = result{outcome: o}, c.right
		}
		got := caught(x, right, DefaultLimits())
		if got.Status != c.want || !strings.Contains(got.Message, c.words) || (got.Message == "") != (c.words == "") {
			t.Errorf("%s: got %s %q, want %s %q", c.name, got.Status, got.Message, c.want, c.words)
		}
	}
}

// The time that tests take with the solution is known, or none of them could be too slow.
func TestTimeOfAPassedTestIsKnown(t *testing.T) {
	c := newChecker(t, nil)
	results := runParts(t, c, parts{
		Program: read(t, "testdata/exercise/solution.txt"), Tests: []byte(learnersHead + "var _ = exercise.Owner\n" + slowTest + "func TestQuick(t *testing.T) {}\n"),
		TestsFile: learnersTests, Names: []string{"TestSlow", "TestQuick"},
	})
	if used := results[0].used; used <= 0 || used > DefaultLimits().Test {
		t.Errorf("the slow test used %v", used)
	}
	if used := results[1].used; used > 100*time.Millisecond {
		t.Errorf("the quick test used %v", used)
	}
}

// Tests that are too much for the compiler are so with every program. Where they just come through
// with the solution and not with a wrong program, nothing is wrong with that one.
func TestCompilerTiresOfTests(t *testing.T) {
	c := newChecker(t, nil)
	bomb := strings.Replace(string(read(t, "testdata/bomb/doubled-string/source.txt")), "package exercise\n", "package exercise_test\n", 1)
	wrong := read(t, "testdata/exercise/wrong-empty.txt")
	j := &judgement{checker: c, limits: DefaultLimits(), left: DefaultLimits().Run}
	j.limits.Build = 2 * time.Second
	got, err := j.catches(t.Context(), parts{Program: wrong, Tests: []byte(bomb), TestsFile: learnersTests, Names: []string{"TestX"}}, nil)
	if err != nil || got.Status != CompileLimit {
		t.Errorf("got %s, %v, want %s", got.Status, err, CompileLimit)
	}
	_, err = j.catches(t.Context(), parts{Program: []byte("package exercise\n\nvar a = b\n"), TestsFile: learnersTests}, nil)
	if !errors.Is(err, ErrExercise) {
		t.Errorf("with a wrong program that does not compile: %v", err)
	}
}

// endless never comes back for the empty letter.
const endless = "package exercise\n\nfunc Owner(letter string, towers []string) string {\n\tfor letter == \"\" {\n\t}\n\treturn \"T-%d\"\n}\n"

// However many wrong programs there are, the submission has one Limits.Run for all of them.
func TestWrongProgramsShareTheTime(t *testing.T) {
	c := newChecker(t, nil)
	e := Exercise{Kind: KindTests, Solution: read(t, "testdata/exercise/solution.txt"), Wrong: make(map[string][]byte)}
	e.Limits.Test, e.Limits.Run = time.Second/2, 4*time.Second
	for n := range 9 {
		e.Wrong[fmt.Sprintf("endless%d.go", n)] = fmt.Appendf(nil, endless, n)
	}
	source := learnersHead + "func TestOwner(t *testing.T) {\n\tif got := exercise.Owner(\"\", nil); got != \"\" {\n\t\tt.Errorf(\"got %q, want none\", got)\n\t}\n}\n"
	v := mustCheck(t, c, Submission{Source: []byte(source), Exercise: e})
	if v.Verdict != TimeLimit || len(v.Tests) != 10 || v.Tests[1].Status != Passed || v.Tests[9].Status != TimeLimit || v.Tests[9].Message != tooLate {
		t.Errorf("got %s with %+v", v.Verdict, v.Tests)
	}
	// The deadline is checked while the last program runs, and ending it takes a moment.
	if took := time.Duration(v.Parts.Load+v.Parts.Tests) * time.Millisecond; took > e.Limits.Run+time.Second {
		t.Errorf("the tests ran for %v, and %v are allowed", took, e.Limits.Run)
	}
}

// One catch is enough: what the other tests would do with a wrong program is nobody's question.
func TestARunEndsWithTheFirstCatch(t *testing.T) {
	c := newChecker(t, nil)
	tests := learnersHead + "var _ = exercise.Owner\n" +
		"func TestA(t *testing.T) {}\nfunc TestB(t *testing.T) { t.Error(\"got b\") }\nfunc TestC(t *testing.T) { for {} }\n"
	b, err := c.build(t.Context(), parts{
		Program: read(t, "testdata/exercise/solution.txt"), Tests: []byte(tests), TestsFile: learnersTests, Names: []string{"TestA", "TestB", "TestC"},
	}, DefaultLimits())
	if err != nil || b.Failure != nil {
		t.Fatal(err, b.Failure)
	}
	x, err := c.run(t.Context(), program{
		wasm: b.Wasm, tests: 3, limits: DefaultLimits(), notify: func([]int, result) {},
		enough: func(_ int, r result) bool { return r.outcome != Passed },
	})
	if err != nil || len(x.results) != 2 || x.results[1].outcome != Failed {
		t.Errorf("got %+v, %v, want the results of two tests", x.results, err)
	}
}
