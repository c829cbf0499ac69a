package check

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

var testOutcomes = []Outcome{Passed, Failed, Crashed, TimeLimit, MemoryLimit, OutputLimit, Deadlock, NotRun}

// A submission passes exactly when it has tests and each of them has passed.
func TestJudgePassesOnlyOnFullEvidence(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		outcomes := rapid.SliceOf(rapid.SampledFrom(testOutcomes)).Draw(t, "outcomes")
		var tests []Test
		all := len(outcomes) > 0
		for _, o := range outcomes {
			tests = append(tests, Test{Status: o})
			all = all && o == Passed
		}
		if got := judge(tests); (got == Passed) != all || got == NotRun {
			t.Fatalf("judge(%v) = %s", outcomes, got)
		}
	})
}

func TestSentencesAreWhole(t *testing.T) {
	all := append([]Outcome{BuildError, Forbidden, TooLarge, CompileLimit, Internal}, testOutcomes[:len(testOutcomes)-1]...)
	seen := make(map[string]Outcome)
	for _, o := range all {
		s := sentence(Verdict{Verdict: o, Tests: []Test{{Status: o}}}, DefaultLimits())
		if s == "" || !strings.HasSuffix(s, ".") || seen[s] != "" {
			t.Errorf("%s: %q (also %q)", o, s, seen[s])
		}
		seen[s] = o
	}
}

// A hidden test tells its name, its outcome and the learner's own line, and nothing else.
func TestRedact(t *testing.T) {
	secret := Test{Name: "TestHiddenX", Hidden: true, Output: "secret", Message: "secret", Line: 3, Subtests: []Test{{Name: "secret"}}}
	for _, o := range testOutcomes {
		secret.Status = o
		secret.Message = "secret"
		if o != Failed && o != Crashed {
			secret.Message = testSentence(o, testReport{Trace: "secret"}, 3, DefaultLimits())
		}
		text, err := json.Marshal(redact([]Test{secret}))
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "secret") {
			t.Errorf("%s: %s", o, text)
		}
	}
}

func TestVerdictJSONHasItsLists(t *testing.T) {
	text, err := json.Marshal(Verdict{State: Queued}.whole())
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"id":"","lesson":"","exercise":"","state":"queued","diagnostics":[],"tests":[],"output_cut":false,"elapsed_ms":0}`
	if string(text) != want {
		t.Errorf("got  %s\nwant %s", text, want)
	}
}

func TestCommand(t *testing.T) {
	for _, c := range []struct {
		tests []Test
		want  string
	}{
		{[]Test{{Name: "TestA", Status: Failed}, {Name: "TestB", Status: Passed}}, "go test -run '^TestA$' ."},
		{[]Test{{Name: "TestA", Status: Failed}, {Name: "TestB", Status: Crashed}}, "go test -run '^(TestA|TestB)$' ."},
		{[]Test{{Name: "TestHiddenA", Status: Failed, Hidden: true}}, "go test ."},
	} {
		if got := command(c.tests); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}

func TestLimitsWithin(t *testing.T) {
	ceiling := DefaultCeiling()
	if got := (Limits{}).within(ceiling); got != DefaultLimits() {
		t.Errorf("nothing asked: %+v", got)
	}
	asked := Limits{Test: time.Hour, Memory: 1 << 40, Source: 100, Output: -1}
	got := asked.within(ceiling)
	if got.Test != ceiling.Test || got.Memory != ceiling.Memory || got.Source != 100 || got.Output != DefaultLimits().Output {
		t.Errorf("got %+v", got)
	}
}

// A thousand verdicts with all that was printed would fill the memory.
func TestCacheHasALimitInBytes(t *testing.T) {
	c := newCache(1000)
	talkative := func(n int) Verdict {
		inner := []Test{{Output: strings.Repeat("b", tooHeavy/2-2*piece)}}
		return Verdict{ElapsedMS: int64(n), Tests: []Test{{Output: strings.Repeat("a", tooHeavy/2-2*piece), Subtests: inner}}}
	}
	for n := range 20 {
		c.put(strconv.Itoa(n), talkative(n))
		c.put(strconv.Itoa(n), talkative(n)) // the second takes the place of the first
	}
	for n := range 20 {
		v, ok := c.get(strconv.Itoa(n))
		if kept := n >= 12; ok != kept || ok && v.ElapsedMS != int64(n) {
			t.Errorf("verdict %d: kept %v, %d", n, ok, v.ElapsedMS)
		}
	}
	if c.weight > heaviest {
		t.Errorf("%d bytes are kept, and %d may be", c.weight, heaviest)
	}
	// One that is worth many others is not kept, and the others are.
	before := c.weight
	c.put("too large", Verdict{Message: strings.Repeat("c", tooHeavy)})
	if _, ok := c.get("too large"); ok || c.weight != before {
		t.Errorf("a verdict over the limit is kept: %v; the others have %d bytes and had %d", ok, c.weight, before)
	}
}

func TestCacheForgetsTheOldest(t *testing.T) {
	c := newCache(2)
	for _, key := range []string{"a", "b", "a", "c"} {
		if _, ok := c.get(key); !ok {
			c.put(key, Verdict{Message: key})
		}
	}
	for key, want := range map[string]bool{"a": true, "b": false, "c": true} {
		if _, ok := c.get(key); ok != want {
			t.Errorf("%s is there: %v, want %v", key, ok, want)
		}
	}
	none := newCache(-1)
	none.put("a", Verdict{})
	if _, ok := none.get("a"); ok {
		t.Error("a cache of nothing has something")
	}
}

func TestMisfitTellsNothingOfTheTests(t *testing.T) {
	tests := []byte("package exercise_test\n\nvar secret = exercise.New(answer).Get(\"secret\")\n")
	for _, c := range []struct{ learner, start, said, want string }{
		{"func New(a int) {}", "func New(a string) {}", "cannot use answer (secret) in argument to exercise.New", "got: func New(a int)\nwant: func New(a string)"},
		{"var x int", "func New(a string) {}", "undefined: exercise.New", "the tests use New, which this file does not declare; expected: func New(a string)"},
		{"type R int\nfunc New(a string) R { return 0 }", "func New(a string) R\ntype R int\nfunc (r R) Get(s string) int", "exercise.New(answer).Get undefined (type exercise.R has no field or method Get)", "the tests use Get, which this file does not declare; expected: func (r R) Get(s string) int"},
		{"func New(a string) {}", "func New(a string) {}", "something about secret", "the exercise's tests do not compile with this file; keep the names, parameters and results of the file that you started from"},
	} {
		found := []Diagnostic{{File: testFile, Line: 3, Column: 14, Message: c.said}}
		got := misfit(found, tests, declarationsOf([]byte("package exercise\n"+c.learner)), declarationsOf([]byte("package exercise\n"+c.start)))
		if got[0].Message != c.want || strings.Contains(got[0].Message, "secret") {
			t.Errorf("%s:\ngot  %s\nwant %s", c.said, got[0].Message, c.want)
		}
	}
}
