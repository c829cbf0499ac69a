package check

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
	"unsafe"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// Nobody gets more than they want, all of the room is used that is wanted, and whoever goes short
// has as much as anybody else, but for the bytes that do not divide.
func TestShares(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		wants := rapid.SliceOfN(rapid.IntRange(0, 1000), 0, 20).Draw(t, "wants")
		room := rapid.IntRange(0, 5000).Draw(t, "room")
		gets := shares(wants, room)
		wanted, given := 0, 0
		for n := range wants {
			wanted, given = wanted+wants[n], given+gets[n]
			for m := range wants {
				if gets[n] > wants[n] || gets[n] < wants[n] && gets[n]+1 < gets[m] {
					t.Fatalf("of %d, %v get %v", room, wants, gets)
				}
			}
		}
		if given != min(wanted, room) {
			t.Fatalf("of %d, %v get %v, %d in all", room, wants, gets, given)
		}
	})
}

// However many tests there are and whatever they say, a verdict is of a size to be sent around.
func TestVerdictsAreBounded(t *testing.T) {
	noise := strings.Repeat("é", 100<<10)
	test := func(subtests int) result {
		r := result{outcome: Failed, report: testReport{Logs: "check_test.go:1: " + noise, Printed: noise}}
		for n := range subtests {
			r.report.Subtests = append(r.report.Subtests, subReport{Name: fmt.Sprint("T/", n, noise[:180]), Parent: n%3 - 1, End: endFailed, Logs: noise[:n]})
		}
		return r
	}
	names, results := []string{"TestShort"}, map[int]result{0: {outcome: Failed, report: testReport{Logs: "check_test.go:7: got 1, want 2\n"}}}
	for n := 1; n <= maxTests; n++ {
		names, results[n] = append(names, fmt.Sprint("TestLong", n)), test(500)
	}
	tests, cut := assemble(names, results, testFile, DefaultLimits())
	text, err := json.Marshal(tests)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d KiB", len(text)>>10)
	if !cut || len(text) > 4*verdictRoom || len(tests) != len(names) {
		t.Errorf("cut %v, %d tests in %d KiB", cut, len(tests), len(text)>>10)
	}
	if short := tests[0]; short.Message != "got 1, want 2" || short.Output != "check_test.go:7: got 1, want 2\n" {
		t.Errorf("what is short was cut: %+v", short)
	}
	for _, long := range tests[1:] {
		if len(long.Subtests) == 0 || !strings.Contains(long.Output, "bytes left out") || !utf8.ValidString(long.Output) {
			t.Fatalf("%s has %d subtests and says %.100q", long.Name, len(long.Subtests), long.Output)
		}
	}
}

// A short message does not keep the long log in memory that it was cut from, nor a remark the
// compiler's whole output.
func TestMessagesKeepNoLogs(t *testing.T) {
	log := "check_test.go:7: got 1, want 2\n" + strings.Repeat("-", 64<<10)
	trace := "panic: no towers\n" + strings.Repeat("-", 16<<10)
	said := "exercise.go:7:1: undefined: x\n" + strings.Repeat("-", 64<<10)
	tests, _ := assemble([]string{"TestA", "TestB"}, map[int]result{
		0: {outcome: Failed, report: testReport{Logs: log, Printed: "printed\n"}},
		1: {outcome: Crashed, report: testReport{Trace: trace}},
	}, learnerFile, DefaultLimits())
	for _, c := range []struct{ message, want, from string }{
		{tests[0].Message, "got 1, want 2", log},
		{tests[1].Message, "panic: no towers", trace},
		{parseDiagnostics(said, learnerFile)[0].Message, "undefined: x", said},
	} {
		if c.message != c.want {
			t.Errorf("got %q, want %q", c.message, c.want)
		}
		if n := strings.Index(c.from, c.want); unsafe.StringData(c.message) == unsafe.StringData(c.from[n:]) {
			t.Errorf("%q is a piece of a text of %d bytes", c.message, len(c.from))
		}
	}
}

// What fits is left as it is, and what others hold is not touched.
func TestFitChangesNothingOfOthers(t *testing.T) {
	tests := func() []Test {
		return []Test{{Name: "TestA", Output: strings.Repeat("a", 300), Subtests: []Test{{Name: "TestA/x", Output: strings.Repeat("b", 300)}}}}
	}
	held := tests()
	if all, cut := fit(held, 600); cut || cmp.Diff(tests(), all) != "" {
		t.Errorf("what fits was cut: %v", all)
	}
	less, cut := fit(held, 500)
	if !cut || len(less[0].Output) > 250+40 || len(less[0].Subtests[0].Output) > 250+40 {
		t.Errorf("cut %v to %v", cut, less)
	}
	if none, cut := fit(held, 10); !cut || len(none[0].Subtests) > 0 {
		t.Errorf("cut %v to %v", cut, none)
	}
	if diff := cmp.Diff(tests(), held); diff != "" {
		t.Errorf("the argument was changed:\n%s", diff)
	}
}
