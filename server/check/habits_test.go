package check

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestHabits(t *testing.T) {
	ran := func(o Outcome, took time.Duration, compiled bool) result {
		return result{outcome: o, report: testReport{Wall: int(took.Milliseconds())}, compiled: compiled}
	}
	quick, slow := ran(Passed, 0, false), ran(Passed, 2*lightest, true)
	compiled, failed := ran(Passed, lightest/2, true), ran(Failed, 0, true)
	type program struct {
		name    string
		results []result
	}
	for _, c := range []struct {
		name     string
		programs []program
		want     bool
	}{
		{"nothing heavy", []program{{"a", []result{quick, quick}}, {"b", []result{quick, quick}}}, false},
		{"one test was, for one program", []program{{"a", []result{quick, slow}}}, false},
		{"the same program twice", []program{{"a", []result{quick, slow}}, {"a", []result{quick, slow}}}, false},
		{"two programs", []program{{"a", []result{quick, slow}}, {"b", []result{quick, slow}}}, true},
		{"two and the first again", []program{{"a", []result{slow}}, {"b", []result{slow}}, {"a", []result{slow}}}, true},
		{"several together", []program{
			{"a", []result{ran(Passed, lightest*2/3, true), ran(Passed, lightest*2/3, true)}},
			{"b", []result{ran(Passed, lightest*2/3, true), ran(Passed, lightest*2/3, true)}},
		}, true},
		{"no longer", []program{{"a", []result{slow, slow}}, {"b", []result{slow, slow}}, {"c", []result{compiled, quick}}}, false},
		{"a quick one between", []program{{"a", []result{slow}}, {"b", []result{quick}}, {"c", []result{slow}}}, false},
		{"a loop that never ends is no habit", []program{
			{"a", []result{quick, ran(TimeLimit, 5*time.Second, true)}}, {"b", []result{quick, ran(TimeLimit, 5*time.Second, true)}},
		}, false},
		{"a slow test is none while another fails", []program{{"a", []result{failed, slow}}, {"b", []result{failed, slow}}}, false},
		{"a program that fails at once tells nothing", []program{{"a", []result{slow}}, {"b", []result{slow}}, {"c", []result{failed}}}, true},
		{"nor does one that fails the heavy test", []program{
			{"a", []result{slow, quick}}, {"b", []result{slow, quick}}, {"c", []result{failed, compiled}},
		}, true},
		{"one that fails another test tells that the heavy one is not", []program{
			{"a", []result{slow, quick}}, {"b", []result{slow, quick}}, {"c", []result{compiled, failed}},
		}, false},
		{"or that it is", []program{
			{"a", []result{slow, quick}}, {"b", []result{slow, quick}}, {"c", []result{slow, failed}},
		}, true},
	} {
		var h habits
		of := habitOf(Exercise{Name: c.name})
		for _, p := range c.programs {
			results := make(map[int]result)
			for n, r := range p.results {
				results[n] = r
			}
			h.learn(of, []byte(p.name), results)
		}
		if got := h.isHeavy(of); got != c.want {
			t.Errorf("%s: heavy = %v, want %v", c.name, got, c.want)
		}
	}
}

func TestHabitsAreBounded(t *testing.T) {
	var h habits
	heavy := map[int]result{0: {outcome: Passed, compiled: true, report: testReport{Wall: 1000}}}
	for n := range 3 * mostHabits {
		h.learn(habitOf(Exercise{Name: fmt.Sprint(n)}), nil, heavy)
	}
	if len(h.known) != mostHabits {
		t.Errorf("%d habits are kept, want %d", len(h.known), mostHabits)
	}
	// One that is known needs no room.
	for of := range h.known {
		h.learn(of, []byte("another program"), heavy)
	}
	if len(h.known) != mostHabits {
		t.Errorf("%d habits are left, want all %d", len(h.known), mostHabits)
	}
}

// makeHeavy lets two programs show that an exercise's tests are.
func makeHeavy(c *Checker, e Exercise) {
	for _, program := range []string{"one", "another"} {
		c.habits.learn(habitOf(e), []byte(program), map[int]result{
			0: {outcome: Passed, compiled: true, report: testReport{Wall: 1000}},
		})
	}
}

// Two programs of an exercise with heavy tests prove it; from then on all run compiled from the
// start, even the tests that the interpreter is quick with, and the verdicts are what they were.
func TestHeavyTestsAreCompiledForAtOnce(t *testing.T) {
	c := newChecker(t, nil)
	e := common(t)
	e.Tests = []byte(testHead + "func TestQuick(t *testing.T) {}\n" + stringsTest)
	source := string(read(t, "testdata/exercise/solution.txt"))
	if quickIsCompiled(t, c, e, source) {
		t.Error("the compiler was asked at once, though nothing was known")
	}
	source += "\n// Moved makes this another program.\nfunc Moved() string { return Owner(\"letter-1\", nil) }\n\nvar moved = Moved()\n"
	if quickIsCompiled(t, c, e, source) {
		t.Error("one program's slowness was held against another")
	}
	if !c.habits.isHeavy(habitOf(e)) {
		t.Fatal("a million look-ups of two programs are not remembered as heavy")
	}
	if !quickIsCompiled(t, c, e, source) {
		t.Error("the heavy tests' program was interpreted first")
	}
	if right := mustCheck(t, c, Submission{Source: []byte(source), Exercise: e}); !right.Passed() {
		t.Errorf("got %s", right.Message)
	}
	wrong := mustCheck(t, c, Submission{Source: []byte(strings.Replace(source, "n%len", "(n+1)%len", 1)), Exercise: e})
	if wrong.Verdict != Failed {
		t.Errorf("a wrong program got %s: %+v", wrong.Verdict, wrong.Tests)
	}
}

// quickIsCompiled runs a program and says whether its test TestQuick, which must pass, was compiled
// for.
func quickIsCompiled(t *testing.T, c *Checker, e Exercise, source string) bool {
	t.Helper()
	names, err := TestNames(e.Tests)
	if err != nil {
		t.Fatal(err)
	}
	b, err := c.build(t.Context(), parts{Program: []byte(source), Tests: e.Tests, TestsFile: testFile, Names: names}, DefaultLimits())
	if err != nil || b.Failure != nil {
		t.Fatal(err, b.Failure)
	}
	x, err := c.run(t.Context(), program{wasm: b.Wasm, tests: len(names), limits: DefaultLimits(), exercise: e, notify: func([]int, result) {}})
	if err != nil {
		t.Fatal(err)
	}
	quick := x.results[slices.Index(names, "TestQuick")]
	if quick.outcome != Passed {
		t.Fatalf("TestQuick %s", quick.outcome)
	}
	return quick.compiled
}

// What one learner's tests take is nothing to the next learner, who writes others.
func TestLearnersTestsAreNoHabit(t *testing.T) {
	c := newChecker(t, nil)
	e := Exercise{Kind: KindTests}
	makeHeavy(c, e)
	b, err := c.build(t.Context(), parts{
		Program: read(t, "testdata/exercise/solution.txt"), Tests: []byte(learnersHead + "var _ = exercise.Owner\nfunc TestA(t *testing.T) {}\n"),
		TestsFile: learnersTests, Names: []string{"TestA"},
	}, DefaultLimits())
	if err != nil || b.Failure != nil {
		t.Fatal(err, b.Failure)
	}
	x, err := c.run(t.Context(), program{wasm: b.Wasm, tests: 1, limits: DefaultLimits(), exercise: e, notify: func([]int, result) {}})
	if err != nil || x.results[0].compiled {
		t.Errorf("%v; compiled: %v", err, x.results[0].compiled)
	}
	if !c.habits.isHeavy(habitOf(e)) {
		t.Error("they made others forget what they know")
	}
}
