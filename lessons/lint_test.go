package lessons

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"
)

// A fakeProver gives outcomes by the file of the trial. Without one it says what a good
// exercise has: start.go fails every test, solution.go passes, a wrong one fails as it says.
type fakeProver struct {
	outcomes map[string]Outcome
	wait     func() // before an answer
	err      error

	mu     sync.Mutex
	trials []Trial
}

func (p *fakeProver) Prove(ctx context.Context, t Trial) (Outcome, error) {
	p.mu.Lock()
	p.trials = append(p.trials, t)
	p.mu.Unlock()
	if p.wait != nil {
		p.wait()
	}
	if p.err != nil {
		return Outcome{}, p.err
	}
	if err := ctx.Err(); err != nil {
		return Outcome{}, err
	}
	if o, ok := p.outcomes[t.File]; ok {
		return o, nil
	}
	return asItShould(t), nil
}

func asItShould(t Trial) Outcome {
	fails := func(string) bool { return false }
	switch {
	case t.File == "start.go":
		fails = func(string) bool { return true }
	case strings.HasPrefix(t.File, "wrong/"):
		line, _, _ := strings.Cut(t.Source, "\n")
		fails = func(name string) bool { return strings.Contains(line, name) }
	}
	o := Outcome{Verdict: "passed"}
	for _, name := range t.Exercise.Checks {
		status := "passed"
		if fails(name) {
			o.Verdict, status = "failed", "failed"
		}
		o.Tests = append(o.Tests, TestOutcome{Name: name, Status: status})
	}
	return o
}

// outcome writes an outcome of the two tests of the exercise owner.
func outcome(verdict, ownerStatus, seamStatus string) Outcome {
	return Outcome{Verdict: verdict, Tests: []TestOutcome{
		{Name: "TestOwner", Status: ownerStatus}, {Name: "TestHiddenSeam", Status: seamStatus}}}
}

func TestLintFindsWhatDoesNotHold(t *testing.T) {
	const wrong = "wrong/no-wrap.go"
	testsKind := files{"task.md": "---\ntitle: T\nkind: tests\n---\nText.\n", "start.go": "package exercise_test\n"}
	for _, c := range []struct {
		name     string
		changed  files
		outcomes map[string]Outcome
		want     string
	}{
		{"all holds", nil, nil, ""},
		{"a start that crashes is as good as one that fails", nil, map[string]Outcome{"start.go": outcome("crashed", "crashed", "passed")}, ""},
		{"a wrong one that runs out of time fails too", nil, map[string]Outcome{wrong: outcome("time_limit", "time_limit", "failed")}, ""},
		{"start passes", nil, map[string]Outcome{"start.go": outcome("passed", "passed", "passed")},
			"start.go:1:1: start.go passes already; expected it to compile and to fail"},
		{"start does not compile", nil, map[string]Outcome{"start.go": {Verdict: "build_error",
			Diagnostics: []Diagnostic{{Line: 3, Column: 6, Message: "missing return"}}}},
			"start.go:3:6: start.go is refused (build_error): missing return"},
		{"start lacks what the tests call", nil, map[string]Outcome{"start.go": {Verdict: "build_error",
			Diagnostics: []Diagnostic{{File: "check_test.go", Line: 9, Column: 32, Message: "undefined: exercise.Owner"}}}},
			"check_test.go:9:32: start.go is refused (build_error): undefined: exercise.Owner"},
		{"columns of the compiler are bytes", files{"solution.go": "package exercise\n\nvar ż = x\n"},
			map[string]Outcome{"solution.go": {Verdict: "build_error", Diagnostics: []Diagnostic{{Line: 3, Column: 10, Message: "undefined: x"}}}},
			"solution.go:3:9: the solution is refused (build_error): undefined: x"},
		{"solution fails", nil, map[string]Outcome{"solution.go": {Verdict: "failed", Tests: []TestOutcome{
			{Name: "TestOwner", Status: "failed", Output: "\ngot T-1, want T-2\nmore\n"}, {Name: "TestHiddenSeam", Status: "crashed"}}}},
			"solution.go:1:1: the solution does not pass (TestOwner failed: got T-1, want T-2, TestHiddenSeam crashed); expected it to pass every test"},
		{"solution is forbidden", files{"solution.go": "// A comment.\npackage exercise\n"},
			map[string]Outcome{"solution.go": {Verdict: "forbidden", Message: "os is not allowed."}},
			"solution.go:2:1: the solution is refused (forbidden) (os is not allowed); expected it to compile"},
		{"wrong passes", nil, map[string]Outcome{wrong: outcome("passed", "passed", "passed")},
			wrong + ":1:11: this passes every test; expected it to fail TestOwner, TestHiddenSeam"},
		{"wrong passes one", nil, map[string]Outcome{wrong: outcome("failed", "failed", "passed")},
			wrong + ":1:22: TestHiddenSeam passes; expected it to fail here"},
		{"wrong fails elsewhere", files{wrong: "// fails: TestOwner\npackage exercise\n"},
			map[string]Outcome{wrong: outcome("failed", "passed", "crashed")},
			wrong + ":1:1: TestHiddenSeam fails here too (crashed); expected only TestOwner to fail, or `// fails:` to name it\n" +
				wrong + ":1:11: TestOwner passes; expected it to fail here"},
		{"wrong does not compile", nil, map[string]Outcome{wrong: {Verdict: "build_error",
			Diagnostics: []Diagnostic{{Line: 99, Column: 99, Message: "unused"}}}},
			wrong + ":5:1: no-wrap.go is refused (build_error): unused"},
		{"the checker's own fault", nil, map[string]Outcome{"start.go": {Verdict: "internal", Message: "The disk is full."}},
			"start.go:1:1: start.go could not be judged (The disk is full)"},
		{"no tests", files{"check_test.go": "package exercise_test\n"}, nil,
			"check_test.go:1:9: no tests; expected functions such as `func TestWrapsAround(t *testing.T)`"},
		{"a file that is missing is said once", files{"solution.go": ""}, map[string]Outcome{"solution.go": {Verdict: "build_error"}},
			"solution.go:1:1: the file is missing; expected the reference, which passes"},
		{"a file that is no Go is said once", files{"start.go": "package"}, map[string]Outcome{"start.go": {Verdict: "build_error"}},
			"start.go:1:8: this is no Go: expected 'IDENT', found 'EOF'"},
		{"unknown import in the task", files{"task.md": "---\ntitle: T\nimports: [sort, srot]\n---\nText.\n"}, nil,
			"task.md:3:17: unknown import `srot` (did you mean `sort`?); expected a package that the checker prepares for exercises"},
		{"unknown import in the tests", files{"check_test.go": strings.Replace(owner["check_test.go"], `"exercise"`, "\"exercise\"\n\t\"os\"", 1)}, nil,
			"check_test.go:7:2: unknown import `os`; expected a package that the checker prepares for exercises"},
		{"tests to write, all holds", testsKind, nil, ""},
		{"tests to write, the reference does not pass", testsKind, map[string]Outcome{"check_test.go": outcome("failed", "failed", "passed")},
			"check_test.go:1:1: as a learner's answer, check_test.go does not pass (TestOwner failed); expected it to pass every test"},
	} {
		t.Run(c.name, func(t *testing.T) {
			course := load(t, files{"01-test/lesson.md": head + "::exercise{id=owner}\n"}.
				with(owner.with(c.changed).under("01-test/exercises/owner")))
			reported := 0
			linter := Linter{Prover: &fakeProver{outcomes: c.outcomes}, Imports: []string{"sort", "testing"}, Report: func(r Report) {
				reported++
				if r.Done != 1 || r.Total != 1 || (len(r.Problems) == 0) != (c.want == "") {
					t.Errorf("the report is %+v", r)
				}
			}}
			problems, err := linter.Lint(t.Context(), course)
			if err != nil || reported != 1 {
				t.Errorf("error %v, %d reports", err, reported)
			}
			if got := strings.ReplaceAll(long(problems), "course/01-test/exercises/owner/", ""); got != c.want {
				t.Errorf(" got %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestLintTriesEachProgramAsWhatItIs(t *testing.T) {
	for kind, want := range map[Kind]string{
		Code:  "code start.go, code solution.go, code wrong/no-wrap.go",
		Tests: "tests start.go, code solution.go, tests check_test.go, code wrong/no-wrap.go",
	} {
		task := fmt.Sprintf("---\ntitle: T\nkind: %s\n---\nText.\n", kind)
		start := map[Kind]string{Code: owner["start.go"], Tests: "package exercise_test\n"}[kind]
		course := load(t, files{"01-test/lesson.md": head + "::exercise{id=owner}\n"}.
			with(owner.with(files{"task.md": task, "start.go": start}).under("01-test/exercises/owner")))
		prover := &fakeProver{}
		linter := Linter{Prover: prover, Workers: 1}
		if problems, err := linter.Lint(t.Context(), course); err != nil || len(problems) > 0 {
			t.Errorf("%v, %s", err, long(problems))
		}
		var got []string
		for _, trial := range prover.trials {
			got = append(got, fmt.Sprintf("%s %s", trial.Kind, trial.File))
			if trial.Lesson != "01-test" || trial.Exercise != course.Lessons[0].Exercises[0] || trial.Source == "" {
				t.Errorf("the trial is %+v", trial)
			}
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%s: got %v\nwant %s", kind, got, want)
		}
	}
}

func TestLintWithoutAProver(t *testing.T) {
	course := load(t, files{"01-test/lesson.md": head + "::ring{points=0}\n", "ring/lesson.md": head})
	problems, err := new(Linter).Lint(t.Context(), course)
	want := "course/ring:1:1: `ring` is no name for a lesson; expected two digits, -, and small letters, as in 03-the-ring\n" +
		"course/01-test/lesson.md:7:15: `points=0`; expected a whole number from 1 to 1000"
	if got := long(problems); err != nil || got != want {
		t.Errorf("error %v, got %s\nwant %s", err, got, want)
	}
}

func TestLintEndsWhereNothingCanBeJudged(t *testing.T) {
	course := load(t, files{"01-test/lesson.md": head + "::exercise{id=owner}\n"}.with(owner.under("01-test/exercises/owner")))
	broken := errors.New("no toolchain")
	linter := Linter{Prover: &fakeProver{err: broken}, Workers: 1}
	if _, err := linter.Lint(t.Context(), course); !errors.Is(err, broken) || err.Error() != "prove 01-test/owner, start.go: no toolchain" {
		t.Errorf("error %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	linter.Prover = &fakeProver{}
	if _, err := linter.Lint(ctx, course); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
}

// Whatever the order in which proofs end, the result is the same, and every exercise is
// reported once.
func TestLintIsTheSameEachTime(t *testing.T) {
	all := files{}
	for lesson := 1; lesson <= 3; lesson++ {
		name := fmt.Sprintf("%02d-test", lesson)
		all[name+"/lesson.md"] = head + "::exercise{id=a}\n\n::exercise{id=b}\n"
		all = all.with(owner.under(name + "/exercises/a")).with(owner.under(name + "/exercises/b"))
	}
	course := load(t, all)
	outcomes := map[string]Outcome{
		"start.go":         outcome("passed", "passed", "passed"),
		"wrong/no-wrap.go": outcome("passed", "passed", "passed"),
	}
	want, err := (&Linter{Prover: &fakeProver{outcomes: outcomes}, Workers: 1}).Lint(t.Context(), course)
	if err != nil || len(want) != 12 {
		t.Fatalf("error %v, %d problems, want 12", err, len(want))
	}
	rapid.Check(t, func(rt *rapid.T) {
		yields := rapid.SliceOfN(rapid.IntRange(0, 20), 18, 18).Draw(rt, "yields")
		var n atomic.Int32
		wait := func() {
			for range yields[int(n.Add(1)-1)%len(yields)] {
				runtime.Gosched()
			}
		}
		reported := make(map[*Exercise]int)
		linter := Linter{Prover: &fakeProver{outcomes: outcomes, wait: wait}, Workers: rapid.IntRange(1, 9).Draw(rt, "workers"),
			Report: func(r Report) { reported[r.Exercise]++ }}
		got, err := linter.Lint(context.Background(), course)
		if err != nil || long(got) != long(want) {
			rt.Fatalf("error %v, got %s\nwant %s", err, long(got), long(want))
		}
		if len(reported) != 6 {
			rt.Fatalf("%d exercises were reported, want 6", len(reported))
		}
	})
}
