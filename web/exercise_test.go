package web

import (
	"context"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/a-h/templ"

	"github.com/ringoftowers/towers/lessons"
)

// anExercise is a small exercise with everything that a page may show.
func anExercise(change ...func(*lessons.Exercise)) *lessons.Exercise {
	e := &lessons.Exercise{
		ID: "owner", Number: 1, Title: "Who keeps it?", Points: 10, Kind: lessons.Code,
		Start: "package exercise\n", Hints: []string{"<p>Look up.</p>", "<p>Look down.</p>"}, Imports: []string{"sort", "slices", "hash/fnv"},
		Checks: []string{"TestFirst", "TestSecond", "TestHiddenOne", "TestHiddenTwo"},
		Task: []lessons.Block{
			lessons.HTML{Text: "<p>Write it.</p>"}, lessons.Note{Title: "Beside", HTML: "<p>A remark.</p>"}, lessons.HTML{Text: "<p>Then this.</p>"},
			lessons.Rule{HTML: "<p>Go clockwise.</p>"}, lessons.Details{Title: "More", Body: []lessons.Block{lessons.HTML{Text: "<p>Folded.</p>"}}},
		},
	}
	for _, c := range change {
		c(e)
	}
	return e
}

func exerciseOf(e *lessons.Exercise, change ...func(*ExercisePage)) templ.Component {
	l := &lessons.Lesson{Name: "01-one", Number: 1, Title: "One", Exercises: []*lessons.Exercise{e}}
	p := ExercisePage{
		Course: &lessons.Course{Lessons: []*lessons.Lesson{l}}, Lesson: l, Exercise: e, Code: "package exercise // <mine>\n",
		Results: Results{Exercise: e}, SolutionAfter: 3, TestTime: 5 * time.Second, TestMemory: 64 << 20,
	}
	for _, c := range change {
		c(&p)
	}
	return Exercise(p)
}

// Whatever a task may hold stands in the page, and what can be done without a script.
func TestExercisePageIsWhole(t *testing.T) {
	page := render(t, exerciseOf(anExercise()))
	for _, want := range []string{
		"Write it.", "A remark.", "Then this.", "Go clockwise.", "Folded.", "Look up.", "Look down.", "Exercise 1 of 1", "10\u00a0points",
		"package exercise // &lt;mine&gt;", "TestFirst", "Two hidden tests", "Four tests wait for your program.", "after three tries", "none so far",
		`action="/lessons/01-one/exercises/owner"`, `formaction="/lessons/01-one/exercises/owner/format"`, `formaction="/lessons/01-one/exercises/owner/module"`,
		"5\u00a0seconds or 64\u00a0MiB", "<code>sort</code>, <code>slices</code> and <code>hash/fnv</code>.",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not have %q", want)
		}
	}
	for _, bad := range []string{"TestHidden", "<mine>", "http-equiv", "data-chunk", "data-same"} {
		if strings.Contains(page, bad) {
			t.Errorf("the page has %q", bad)
		}
	}
}

func TestExercisePagesKeepThePolicy(t *testing.T) {
	pages := map[string]templ.Component{"new": exerciseOf(anExercise()), "passed": exerciseOf(anExercise(), func(p *ExercisePage) {
		p.Try, p.Draft, p.Saved, p.Solution = "a", "other", time.Unix(1e9, 0), "package exercise"
		p.Results.At = time.Unix(1e9, 0)
		p.Results.Submission = Submission{State: "done", Verdict: "passed", Tests: []Test{{Name: "TestFirst", Status: "passed", Output: "x"}}}
		p.Tries = []Try{{ID: "a", Verdict: "passed"}, {ID: "b", Verdict: "build_error"}, {ID: "c"}}
	})}
	bad := regexp.MustCompile(`(?i)\sstyle=|<style|<script(?:>|\s[^>]*>[^<])|\son[a-z]+=|javascript:`)
	for name, c := range pages {
		page := render(t, c)
		if found := bad.FindString(page); found != "" {
			t.Errorf("page %s has %q", name, found)
		}
		for _, id := range duplicates(page) {
			t.Errorf("page %s has id %q twice", name, id)
		}
	}
}

// A text field drops the first line break of what stands in it: a program that begins with one
// must come back as it was.
func TestProgramKeepsItsFirstLine(t *testing.T) {
	page := render(t, exerciseOf(anExercise(), func(p *ExercisePage) { p.Code = "\n\n// at last" }))
	if !strings.Contains(page, ">\n\n\n// at last</textarea>") {
		t.Error("the field does not begin with a line break of its own")
	}
}

func TestUnjudgedPageAsksAgainWithoutScript(t *testing.T) {
	page := render(t, exerciseOf(anExercise(), func(p *ExercisePage) {
		p.Results = Results{Submission: Submission{ID: "x", State: "queued"}, Place: 3, Source: p.Code, Exercise: p.Exercise}
	}))
	for _, want := range []string{`<noscript><meta http-equiv="refresh"`, "Number 3 in line", "data-same", `data-id="x"`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not have %q", want)
		}
	}
}

// An earlier try is shown with the draft one click away.
func TestOldTryLeavesTheDraft(t *testing.T) {
	old := func(p *ExercisePage) { p.Try, p.Draft, p.Saved = "a", "my draft </textarea>", time.Unix(1e9, 0) }
	page := render(t, exerciseOf(anExercise(), old))
	for _, want := range []string{"Back to your draft", "my draft &lt;/textarea&gt;", `data-saved="2001-09-09T01:46:40Z"`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not have %q", want)
		}
	}
	same := render(t, exerciseOf(anExercise(), old, func(p *ExercisePage) { p.Draft = p.Code }))
	if strings.Contains(same, "Back to your draft") {
		t.Error("a try that is the draft offers the way back to it")
	}
}

func TestLimitsInWords(t *testing.T) {
	for _, tc := range []struct {
		time   time.Duration
		memory int
		want   string
	}{
		{5 * time.Second, 64 << 20, "A test is stopped after 5\u00a0seconds or 64\u00a0MiB."},
		{time.Second, 1 << 20, "A test is stopped after 1\u00a0second or 1\u00a0MiB."},
		{1500 * time.Millisecond, 512 << 20, "A test is stopped after 1.5\u00a0seconds or 512\u00a0MiB."},
	} {
		if got := (ExercisePage{TestTime: tc.time, TestMemory: tc.memory}).limitsSaid(); got != tc.want {
			t.Errorf("%q, want %q", got, tc.want)
		}
	}
}

func TestSolutionOpensInTime(t *testing.T) {
	bad, ours, again := Try{Verdict: "failed"}, Try{Verdict: "internal"}, Try{Verdict: "failed", Recheck: true}
	for _, tc := range []struct {
		tries []Try
		want  string
	}{
		{nil, "after three tries"}, {[]Try{ours, ours, ours, {}}, "after three tries"}, {[]Try{bad}, "after two more tries"},
		{[]Try{bad, ours, bad}, "after one more try"}, {[]Try{again, bad, again, again}, "after two more tries"},
	} {
		if got := (ExercisePage{Tries: tc.tries, SolutionAfter: 3}).locked(); got != tc.want {
			t.Errorf("with %d tries the solution opens %q, want %q", len(tc.tries), got, tc.want)
		}
	}
	page := render(t, exerciseOf(anExercise(), func(p *ExercisePage) { p.Tries, p.Tried = []Try{again, bad}, 1 }))
	if !strings.Contains(page, "1 so far") || strings.Count(page, "checked again") != 1 {
		t.Error("a try that was checked again counts as one more, or is not marked")
	}
	page = render(t, exerciseOf(anExercise(), func(p *ExercisePage) { p.Solution = "package exercise // <it>" }))
	if strings.Contains(page, "after three tries") || !strings.Contains(page, "&lt;it&gt;") {
		t.Error("an open solution is not shown")
	}
}

// The page of a reader is drawn for that reader, whatever the context has.
func TestExercisePageHasItsReader(t *testing.T) {
	var b strings.Builder
	c := exerciseOf(anExercise(), func(p *ExercisePage) { p.Reader.Name, p.Reader.Kept = "ada", true })
	if err := c.Render(WithReader(context.Background(), Reader{Name: "bob"}), &b); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), `data-reader="ada"`) || strings.Contains(b.String(), "bob") {
		t.Error("the page is not drawn for its own reader")
	}
}
