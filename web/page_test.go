package web

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/a-h/templ"

	"github.com/ringoftowers/towers/lessons"
)

func render(t *testing.T, c templ.Component) string {
	t.Helper()
	var b strings.Builder
	if err := c.Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func embedded(t *testing.T) *lessons.Course {
	t.Helper()
	course, err := lessons.Load(lessons.Embedded(), "lessons/course")
	if err != nil {
		t.Fatal(err)
	}
	return course
}

// The policy refuses inline styles and scripts, so a page that has one is broken in a browser.
func TestPagesKeepThePolicy(t *testing.T) {
	course := embedded(t)
	pages := map[string]string{
		"index":   render(t, Index(IndexPage{Course: course})),
		"failure": render(t, Failure(FailurePage{Status: 404, Title: "No page", Message: "None.", Nearest: course.Lessons[0], ID: "abc"})),
	}
	for _, l := range course.Lessons {
		pages[l.Name] = render(t, Lesson(LessonPage{Course: course, Lesson: l}))
	}
	bad := regexp.MustCompile(`(?i)\sstyle=|<style|<script(?:>|\s[^>]*>[^<])|\son[a-z]+=|javascript:`)
	for name, page := range pages {
		if found := bad.FindString(page); found != "" {
			t.Errorf("page %s has %q", name, found)
		}
		if !strings.HasPrefix(page, "<!doctype html>") {
			t.Errorf("page %s begins with %.20q, want a doctype", name, page)
		}
		for _, id := range duplicates(page) {
			t.Errorf("page %s has id %q twice", name, id)
		}
	}
}

func duplicates(page string) []string {
	seen, twice := map[string]bool{}, []string{}
	for _, m := range regexp.MustCompile(` id="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		if seen[m[1]] {
			twice = append(twice, m[1])
		}
		seen[m[1]] = true
	}
	return twice
}

// The first frame says with text alone what the picture shows.
func TestFirstFrameHasTheNumbers(t *testing.T) {
	figure := render(t, Ring(Assets{}, lessonRing(func(r *lessons.Ring) { r.Arrives = 1 })))
	for count, want := range map[string]string{
		"ring-moved": "432 ", "modulo-moved": "1\u202f615 ", "ideal-moved": "400 ",
		"letters": "2\u202f000", "ring-max": "438", "ring-min": "355",
	} {
		found := regexp.MustCompile(`data-count="` + count + `">([^<]*)<`).FindStringSubmatch(figure)
		if found == nil || found[1] != want {
			t.Errorf("%s reads %q, want %q", count, found, want)
		}
	}
	if n := strings.Count(figure, `class="load `); n != 5 {
		t.Errorf("%d loads are listed, want 5", n)
	}
}

func TestAuthorsMistakeStandsInThePage(t *testing.T) {
	source := "---\ntitle: Broken\n---\n::ring{towers=4 points=0}\n\nThe text goes on.\n\n::wheel{}\n"
	course, err := lessons.Load(fstest.MapFS{"01-broken/lesson.md": {Data: []byte(source)}}, "mine")
	if err != nil {
		t.Fatal(err)
	}
	page := render(t, Lesson(LessonPage{Course: course, Lesson: course.Lessons[0]}))
	for _, want := range []string{"mine/01-broken/lesson.md:4:", "points", "mine/01-broken/lesson.md:8:", "wheel", "The text goes on."} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
}

func TestThemeIsDrawnByTheServer(t *testing.T) {
	for theme, want := range map[string]string{
		"dark": `data-theme="dark"`, "light": `data-theme="light"`, "": "", `"><script>`: "",
	} {
		var b strings.Builder
		page := Failure(FailurePage{Status: 404})
		if err := page.Render(WithTheme(t.Context(), theme), &b); err != nil {
			t.Fatal(err)
		}
		if got := regexp.MustCompile(`data-theme="[^"]*"`).FindString(b.String()); got != want {
			t.Errorf("theme %q is drawn as %q, want %q", theme, got, want)
		}
	}
}

// A lesson's label of an exercise leads to its page, whatever its summary links to.
func TestLabelLeadsToTheExercise(t *testing.T) {
	e := &lessons.Exercise{ID: "owner", Title: "Who keeps it?", Points: 10, Summary: `As in <a href="/lessons/02-two">lesson 2</a>.`}
	l := &lessons.Lesson{Name: "01-one", Number: 1, Title: "One", Exercises: []*lessons.Exercise{e}, Body: []lessons.Block{lessons.ExerciseLink{Exercise: e, Number: 1}}}
	page := render(t, Lesson(LessonPage{Course: &lessons.Course{Lessons: []*lessons.Lesson{l}}, Lesson: l}))
	for _, want := range []string{`href="/lessons/01-one/exercises/owner"`, `href="/lessons/02-two"`, "Open the exercise", "0\u00a0tests, 10\u00a0points"} {
		if !strings.Contains(page, want) {
			t.Errorf("the label has no %q", want)
		}
	}
}

func TestGuessesTakeAbout100Steps(t *testing.T) {
	for _, tc := range []struct {
		min, max float64
		want     string
	}{{0, 100, "1"}, {0, 400, "1"}, {0, 1, "0.01"}, {0, 0.01, "0.0001"}, {0, 2000, "10"}, {-5, 5, "0.1"}, {0, 1_000_000, "10000"}} {
		if got := stepOf(lessons.Predict{Min: tc.min, Max: tc.max}); got != tc.want {
			t.Errorf("from %v to %v a step is %s, want %s", tc.min, tc.max, got, tc.want)
		}
	}
}

// The chart is drawn for any number of lessons, the same each time, and inside its frame.
func TestChartTakesAnyCourse(t *testing.T) {
	for n := range 16 {
		var ls []*lessons.Lesson
		for i := range n {
			ls = append(ls, &lessons.Lesson{Name: strconv.Itoa(i + 1), Number: i + 1, Title: "Lesson", Minutes: 15, Level: lessons.Beginner})
		}
		a, b := newStrait(ls), newStrait(ls)
		if a.north != b.north || a.south != b.south || a.route != b.route {
			t.Errorf("the chart of %d lessons comes out differently the second time", n)
		}
		for _, l := range a.lights {
			if l.x < 0 || l.x > chartWidth || l.y < 100 || l.y > chartHeight-100 {
				t.Errorf("the light of lesson %d of %d stands at %.0f, %.0f", l.lesson.Number, n, l.x, l.y)
			}
		}
	}
}
