package check

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestHabits(t *testing.T) {
	ran := func(o Outcome, took time.Duration, compiled bool) result {
		return result{outcome: o, report: testReport{Wall: int(took.Milliseconds())}, compiled: compiled}
	}
	quick, slow := ran(Passed, 0, false), ran(Passed, 2*lightest, true)
	for _, c := range []struct {
		name    string
		was     bool
		results []result
		want    bool
	}{
		{"nothing heavy", false, []result{quick, quick}, false},
		{"one test was", false, []result{quick, slow}, true},
		{"several together", false, []result{ran(Passed, lightest*2/3, true), ran(Passed, lightest*2/3, true)}, true},
		{"no longer", true, []result{ran(Passed, 0, true), ran(Passed, lightest/2, true)}, false},
		{"a loop that never ends is no habit", false, []result{quick, ran(TimeLimit, 5*time.Second, true)}, false},
		{"a program that fails at once tells nothing", true, []result{ran(Failed, 0, true)}, true},
	} {
		var h habits
		of := habitOf(Exercise{Name: c.name})
		if c.was {
			h.learn(of, map[int]result{0: slow})
		}
		results := make(map[int]result)
		for n, r := range c.results {
			results[n] = r
		}
		h.learn(of, results)
		if got := h.isHeavy(of); got != c.want {
			t.Errorf("%s: heavy = %v, want %v", c.name, got, c.want)
		}
	}
}

func TestHabitsAreBounded(t *testing.T) {
	var h habits
	for n := range 3 * mostHabits {
		h.learn(habitOf(Exercise{Name: fmt.Sprint(n)}), map[int]result{0: {outcome: Passed, compiled: true, report: testReport{Wall: 1000}}})
	}
	if len(h.heavy) > mostHabits {
		t.Errorf("%d habits are kept", len(h.heavy))
	}
}

// The second program of an exercise with heavy tests runs compiled from the start, and its verdict
// is like the first one's.
func TestHeavyTestsAreCompiledForAtOnce(t *testing.T) {
	c := newChecker(t, nil)
	e := common(t)
	e.Tests = []byte(testHead + stringsTest)
	source := string(read(t, "testdata/exercise/solution.txt"))
	first := mustCheck(t, c, Submission{Source: []byte(source), Exercise: e})
	if !c.habits.isHeavy(habitOf(e)) {
		t.Fatal("a million look-ups are not remembered as heavy")
	}
	second := mustCheck(t, c, Submission{Source: []byte(source + "\n// again\n"), Exercise: e})
	if !first.Passed() || !second.Passed() {
		t.Errorf("got %s and %s", first.Message, second.Message)
	}
	third := mustCheck(t, c, Submission{Source: []byte(strings.Replace(source, "n%len", "(n+1)%len", 1)), Exercise: e})
	if third.Verdict != Failed || third.Tests[0].Message == "" {
		t.Errorf("a wrong program got %s: %+v", third.Verdict, third.Tests)
	}
}
