package web

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ringoftowers/towers/lessons"
)

// listed gives the lines of a list of tests as "name: state, said".
func listed(rows []testRow) []string {
	var all []string
	for _, row := range rows {
		all = append(all, row.name+": "+string(row.state)+", "+row.said)
	}
	return all
}

func TestListOfTests(t *testing.T) {
	ran := func(name, status string) Test {
		return Test{Name: name, Status: status, Hidden: strings.HasPrefix(name, hiddenPrefix)}
	}
	for _, tc := range []struct {
		name string
		s    Submission
		want []string
	}{
		{"before", Submission{}, []string{"TestFirst: notrun, waiting", "TestSecond: notrun, waiting", "Two hidden tests: notrun, waiting"}},
		{"running", Submission{State: "running", Tests: []Test{ran("TestFirst", "passed")}},
			[]string{"TestFirst: passed, passed", "TestSecond: running, running", "Two hidden tests: notrun, waiting"}},
		{"what failed comes first", Submission{State: "running", Tests: []Test{ran("TestFirst", "passed"), ran("TestSecond", "failed")}},
			[]string{"TestSecond: failed, failed", "TestFirst: passed, passed", "Two hidden tests: running, running"}},
		{"hidden ones share a line", Submission{State: "running", Tests: []Test{ran("TestFirst", "passed"), ran("TestSecond", "passed"), ran("TestHiddenOne", "passed")}},
			[]string{"TestFirst: passed, passed", "TestSecond: passed, passed", "Two hidden tests: running, running"}},
		{"judged", Submission{State: "done", Verdict: "time_limit", Tests: []Test{
			ran("TestFirst", "passed"), ran("TestSecond", "time_limit"), ran("TestHiddenOne", "passed"), ran("TestHiddenTwo", "crashed")}},
			[]string{"TestSecond: slow, out of time", "Two hidden tests: crashed, 1 of 2 passed", "TestFirst: passed, passed"}},
		{"not built", Submission{State: "done", Verdict: "forbidden"},
			[]string{"TestFirst: notrun, not run", "TestSecond: notrun, not run", "Two hidden tests: notrun, not run"}},
		{"of an older exercise", Submission{State: "done", Tests: []Test{ran("TestGone", "failed"), ran("TestFirst", "passed")}},
			[]string{"TestGone: failed, failed", "TestFirst: passed, passed"}},
	} {
		r := Results{Submission: tc.s, Exercise: anExercise()}
		if diff := cmp.Diff(tc.want, listed(r.rows())); diff != "" {
			t.Errorf("%s: the list is not as wanted (-want +got):\n%s", tc.name, diff)
		}
	}
	// An exercise that is gone leaves what the verdict knows.
	gone := Results{Submission: Submission{State: "done", Tests: []Test{ran("TestA", "passed")}}}
	if diff := cmp.Diff([]string{"TestA: passed, passed"}, listed(gone.rows())); diff != "" {
		t.Error(diff)
	}
}

func ofTests(e *lessons.Exercise) {
	e.Kind, e.Checks, e.Wrong = lessons.Tests, nil, make([]lessons.Wrong, 3)
}

func TestListOfFaultyPrograms(t *testing.T) {
	own, caught, missed := Test{Name: "TestMine", Status: "passed"}, Test{Name: "catches wrong program 1", Status: "passed"}, Test{Name: "catches wrong program 2", Status: "failed"}
	for _, tc := range []struct {
		name string
		s    Submission
		want []string
	}{
		{"before", Submission{}, []string{"Your tests, on a program that is right: notrun, waiting", "Faulty program 1: notrun, waiting", "Faulty program 2: notrun, waiting", "Faulty program 3: notrun, waiting"}},
		{"running", Submission{State: "running"}, []string{"Your tests, on a program that is right: running, running", "Faulty program 1: notrun, waiting", "Faulty program 2: notrun, waiting", "Faulty program 3: notrun, waiting"}},
		{"judged", Submission{State: "done", Verdict: "failed", Tests: []Test{own, caught, missed, {Name: "catches wrong program 3", Status: "passed"}}},
			[]string{"Faulty program 2: failed, not caught", "TestMine: passed, passed", "Faulty program 1: passed, caught", "Faulty program 3: passed, caught"}},
		{"its own fault", Submission{State: "done", Verdict: "failed", Tests: []Test{{Name: "TestMine", Status: "failed"}}},
			[]string{"TestMine: failed, failed", "Faulty program 1: notrun, not run", "Faulty program 2: notrun, not run", "Faulty program 3: notrun, not run"}},
	} {
		r := Results{Submission: tc.s, Exercise: anExercise(ofTests)}
		if diff := cmp.Diff(tc.want, listed(r.rows())); diff != "" {
			t.Errorf("%s: the list is not as wanted (-want +got):\n%s", tc.name, diff)
		}
	}
}

func TestVerdictsInWords(t *testing.T) {
	tests := func(statuses ...string) []Test {
		var all []Test
		for i, s := range statuses {
			all = append(all, Test{Name: anExercise().Checks[i], Status: s, Hidden: i > 1})
		}
		return all
	}
	done := func(verdict string, statuses ...string) Submission {
		return Submission{State: "done", Verdict: verdict, Tests: tests(statuses...), Message: "What the checker says."}
	}
	built := done("build_error")
	built.Diagnostics = []Diagnostic{{Line: 12, Column: 3, Message: "undefined: hash"}}
	lines := done("build_error")
	lines.Diagnostics = []Diagnostic{{Line: 12, Message: "not enough return values\n\thave (number)\n\twant (string, bool)"}}
	for _, tc := range []struct {
		s                       Submission
		place                   int
		class, seal, head, text string
	}{
		{Submission{}, 0, "", "0/4", "Not checked yet", "Four tests wait for your program."},
		{Submission{State: "queued"}, 1, "queued", "0/4", "Next in line", "Your program is kept, and checked as soon as its turn comes."},
		{Submission{State: "queued", Verdict: "internal"}, 1, "ours", "…", "This one is our fault", "The checker broke off. Nothing is scored; your program is queued again by itself."},
		{Submission{State: "building"}, 0, "running", "0/4", "Building", "The compiler reads your program."},
		{Submission{State: "running"}, 0, "running", "0/4", "Running", "Each test runs on its own."},
		{Submission{State: "running", Tests: tests("passed", "crashed")}, 0, "running", "1/4", "Two of four are back", "One passed, one crashed. Each test runs on its own, so the rest go on."},
		{Submission{State: "running", Tests: tests("passed")}, 0, "running", "1/4", "One of four is back", "One passed."},
		{done("passed", "passed", "passed", "passed", "passed"), 0, "passed", "4/4", "All four passed", "10\u00a0points. The solution is open now, to compare with yours."},
		{done("failed", "failed", "passed", "passed", "not_run"), 0, "failed", "2/4", "Not yet: two of four", "Two passed, one failed, one did not run. Begin with the first."},
		{built, 0, "failed", "0/4", "It does not compile", "owner.go, line 12: undefined: hash. No test has run."},
		{lines, 0, "failed", "0/4", "It does not compile", "owner.go, line 12: not enough return values. No test has run."},
		{done("time_limit", "passed", "passed", "passed", "time_limit"), 0, "failed", "3/4", "Stopped: out of time", "What the checker says. Three passed, one ran out of time."},
		{done("memory_limit", "memory_limit"), 0, "failed", "0/1", "Stopped: out of memory", "What the checker says."},
		{done("output_limit", "output_limit"), 0, "failed", "0/1", "Stopped: it printed too much", "What the checker says."},
		{done("crashed", "crashed"), 0, "failed", "0/1", "Stopped: it crashed", "What the checker says."},
		{done("deadlock", "deadlock"), 0, "failed", "0/1", "Stopped: everything waits", "What the checker says."},
		{done("compile_limit"), 0, "failed", "0/4", "Stopped: too much to compile", "What the checker says."},
		{done("forbidden"), 0, "failed", "0/4", "Not allowed here", "What the checker says."},
		{done("too_large"), 0, "failed", "0/4", "Too large", "What the checker says."},
		{done("internal"), 0, "ours", "…", "This one is our fault", "What the checker says."},
		{done("unheard_of"), 0, "failed", "0/4", "Stopped: unheard_of", "What the checker says."},
	} {
		r := Results{Submission: tc.s, Place: tc.place, Exercise: anExercise()}
		want := finding{class: tc.class, seal: tc.seal, head: tc.head, text: tc.text}
		if got := r.finding(parts(r.rows())); got != want {
			t.Errorf("%s %s reads\n %+v, want\n %+v", tc.s.State, tc.s.Verdict, got, want)
		}
	}
}

func TestVerdictsOfTestsInWords(t *testing.T) {
	own := func(status string) Test { return Test{Name: "TestMine", Status: status} }
	missed := Test{Name: "catches wrong program 1", Status: "failed"}
	for _, tc := range []struct {
		s          Submission
		head, text string
	}{
		{Submission{}, "Not checked yet", "Three faulty programs wait for your tests."},
		{Submission{State: "done", Verdict: "failed", Tests: []Test{own("failed")}}, "Not yet: a program that is right fails", "Your tests have to pass on it before they can catch another. Begin with the first that did not."},
		{Submission{State: "done", Verdict: "failed", Tests: []Test{own("passed"), missed}}, "Not yet: two of three caught", "One faulty program passes your tests. Test what it could get wrong."},
	} {
		r := Results{Submission: tc.s, Exercise: anExercise(ofTests)}
		if f := r.finding(parts(r.rows())); f.head != tc.head || f.text != tc.text {
			t.Errorf("it reads %q, %q; want %q, %q", f.head, f.text, tc.head, tc.text)
		}
	}
}

// What a program printed is text, whatever it looks like, and stays in its place.
func TestOutputIsText(t *testing.T) {
	evil := "</pre><script>alert(1)</script><img src=x onerror=alert(1)>\x1b[2J\u202e\x00 &lt;"
	r := Results{Exercise: anExercise(), At: time.Unix(1e9, 0), Submission: Submission{State: "done", Verdict: "failed", Message: evil, Command: evil,
		Diagnostics: []Diagnostic{{Line: 1, Column: 1, Message: evil}},
		Tests: []Test{{Name: "Test" + evil, Status: "failed", Output: evil, Message: "got " + evil + ", want 1", Subtests: []Test{{Name: evil, Status: "failed", Output: evil}}},
			{Name: "TestSecond", Status: "crashed", Line: 3, Message: evil}}}}
	page := render(t, ResultsOf(r))
	for _, bad := range []string{"<script", "<img", "\x1b", "\u202e", "\x00", "</pre><"} {
		if n := strings.Count(page, bad); n > 0 && !(bad == "</pre><" && n == strings.Count(page, "</pre></")) {
			t.Errorf("the results have %q", bad)
		}
	}
	for _, want := range []string{"␛[2J", "␀", `\u202e`, "&amp;lt;"} {
		if !strings.Contains(page, want) {
			t.Errorf("the results do not show %q", want)
		}
	}
}

// The page reads what the checker writes.
func TestResultsFromJSON(t *testing.T) {
	const text = `{"id":"x","lesson":"03-the-ring","exercise":"owner","state":"done","verdict":"crashed","diagnostics":[],"output_cut":true,"elapsed_ms":412,
		"message":"The program crashed; the line where it did stands at the test.","command":"go test -run '^TestSecond$' .",
		"tests":[{"name":"TestFirst","status":"failed","elapsed_ms":3,"output":"check_test.go:28: got 1, want 2\n","message":"got 1, want 2: three",
		"subtests":[{"name":"TestFirst/a","status":"passed","elapsed_ms":0,"output":""},{"name":"TestFirst/b","status":"failed","elapsed_ms":0,"output":"no\n"}]},
		{"name":"TestSecond","status":"crashed","elapsed_ms":1200,"output":"","message":"panic: index out of range [-1] at line 20","line":20},
		{"name":"TestHiddenOne","status":"crashed","elapsed_ms":1,"output":"","message":"the program crashed at line 7","line":7,"hidden":true}]}`
	r := Results{Exercise: anExercise(), At: time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)}
	if err := json.Unmarshal([]byte(text), &r.Submission); err != nil {
		t.Fatal(err)
	}
	page := render(t, ResultsOf(r))
	for _, want := range []string{
		"0.41\u00a0s", "1.2\u00a0s", `<dd class="got"><u>1</u></dd>`, `<dd class="want"><u>2</u></dd>`, "<p>Three</p>", "2\u00a0subtests, 1 did not pass",
		`<p>panic: index out of range [-1], at <a href="#desk" data-line="20" data-who="TestSecond" data-mark="crashed here: index out of range [-1]">owner.go, line 20</a></p>`,
		`data-line="7" data-who="A hidden test"`, "Some of what was printed is left out", "go test -run &#39;^TestSecond$&#39; .", "One hidden test",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the results do not show %q", want)
		}
	}
	if strings.Contains(page, "TestHidden") && regexp.MustCompile(`>[^<]*TestHidden`).MatchString(page) {
		t.Error("a hidden test is named")
	}
	if strings.Index(page, "TestFirst/b") > strings.Index(page, "TestFirst/a") {
		t.Error("the subtest that failed does not come first")
	}
}

func TestLongListsOfSubtestsAreCut(t *testing.T) {
	sub := make([]Test, 1000)
	for i := range sub {
		sub[i] = Test{Name: "TestFirst/x", Status: "passed"}
	}
	sub[999].Status = "failed"
	shown, left := Test{Subtests: sub}.subtests()
	if len(shown) != mostSubtests || left != 1000-mostSubtests || shown[0].Status != "failed" {
		t.Errorf("%d are shown, the first %s, %d left; want %d, failed, %d", len(shown), shown[0].Status, left, mostSubtests, 1000-mostSubtests)
	}
}

func TestTriesInWords(t *testing.T) {
	for verdict, want := range map[string]string{
		"": "being checked", "passed": "passed", "failed": "4 of 7 passed", "crashed": "4 of 7 passed", "build_error": "did not compile", "internal": "our fault, not counted",
	} {
		if got := (Try{Verdict: verdict, Passed: 4, Tests: 7}).said(); got != want {
			t.Errorf("a try that is %q reads %q, want %q", verdict, got, want)
		}
	}
}
