package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/ringoftowers/towers/lessons"
)

// paths are the addresses of all pages of the embedded course.
func paths(tb testing.TB) []string {
	tb.Helper()
	course, err := lessons.OpenEmbedded().Course(tb.Context())
	if err != nil {
		tb.Fatal(err)
	}
	all := []string{"/"}
	for _, l := range course.Lessons {
		all = append(all, "/lessons/"+l.Name)
	}
	return all
}

// named is what a test of that page is called.
func named(path string) string {
	if path == "/" {
		return "index"
	}
	return strings.TrimPrefix(path, "/lessons/")
}

// wakeAll scrolls past every ring of the page, as they wake when they are seen, and waits for them.
func (p *page) wakeAll() {
	p.tb.Helper()
	for i := range eval[int](p, `document.querySelectorAll("tower-ring").length`) {
		ring := p.part("tower-ring", i)
		eval[bool](p, ring.js()+".scrollIntoView(), true")
		p.wait(fmt.Sprintf(`!%s.querySelector('button[data-act="add"]').disabled`, ring.js()))
	}
	eval[bool](p, "scrollTo(0, 0), true")
}

// tooWide names an element that makes the page scroll sideways, leaving out what stands in
// a box that scrolls by itself; it is empty for a page that fits.
const tooWide = `(() => {
	const root = document.documentElement;
	if (root.scrollWidth <= root.clientWidth) return "";
	const boxed = e => e !== document.body && (getComputedStyle(e).overflowX !== "visible" || boxed(e.parentElement));
	const e = [...document.body.querySelectorAll("*")].findLast(e =>
		e.getBoundingClientRect().right > root.clientWidth + 0.5 && !boxed(e.parentElement)) ?? document.body;
	return e.cloneNode().outerHTML + " in " + e.parentElement.cloneNode().outerHTML + " ends at " + e.getBoundingClientRect().right;
})()`

// Whatever the pages do from being opened to having every picture awake, the browser has
// nothing to complain of: the tab fails the test if it has.
func TestPagesOpenQuietly(t *testing.T) {
	here := embedded(t)
	for _, path := range paths(t) {
		t.Run(named(path), func(t *testing.T) {
			p := open(t)
			p.visit(here.url + path)
			p.wakeAll()
			if got := eval[int](p, `document.querySelectorAll("h1").length`); got != 1 {
				t.Errorf("there are %d titles", got)
			}
			for _, width := range []int64{320, 360, 768, 1024, 1440} {
				p.size(width, 800)
				if wide := eval[string](p, tooWide); wide != "" {
					t.Errorf("at %d the page is too wide: %s", width, wide)
				}
			}
		})
	}
}

// The first page leads to every lesson, by links that work.
func TestIndexLeadsToTheLessons(t *testing.T) {
	p := open(t)
	here := embedded(t)
	p.visit(here.url + "/")
	for _, path := range paths(t)[1:] {
		if !eval[bool](p, fmt.Sprintf(`document.querySelector('main ol a[href="%s"]') !== null`, path)) {
			t.Errorf("no link to %s", path)
		}
	}
	if got, want := p.follow("main ol a"), paths(t)[1]; got != want {
		t.Errorf("the first link leads to %s, want %s", got, want)
	}
}

func TestUnknownLessonHelps(t *testing.T) {
	here := embedded(t)
	p := open(t)
	p.expect("status of 404")
	p.expect("status 404")
	p.visit(here.url + "/lessons/03-the-rign")
	if got := eval[int](p, `performance.getEntriesByType("navigation")[0].responseStatus`); got != 404 {
		t.Errorf("status %d, want 404", got)
	}
	if says := p.all().text("main"); !strings.Contains(says, "03-the-rign") {
		t.Errorf("the page does not say what was not found:\n%s", says)
	}
	if got := p.follow(`main a[href^="/lessons/"]`); got != "/lessons/03-the-ring" {
		t.Errorf("the page offers %s, want the ring", got)
	}
}

// What is shown in capitals is read aloud, found and copied as it was written: text-transform would
// change that too.
func TestCapitalsAreOnlyLook(t *testing.T) {
	work, p := shop(t), open(t)
	p.expect("404")
	for _, path := range []string{"/", theRing, ownerPage, "/account", "/nowhere"} {
		p.visit(work.url + path)
		if found := eval[[]string](p, `[...document.querySelectorAll("body *")]
			.filter(e => !["none", "math-auto"].includes(getComputedStyle(e).textTransform)).map(e => e.cloneNode().outerHTML)`); len(found) > 0 {
			t.Errorf("%s has text that is not as it was written: %q", path, found)
		}
	}
	p.visit(work.url + ownerPage)
	p.all().find("heading", "Hints 0 of 3 read")
	p.all().find("region", "Your tries none so far")
}

// Before a script has run, and where none ever will, the lesson shows its picture and its numbers.
func TestLessonTeachesWithoutScripts(t *testing.T) {
	here := embedded(t)
	p := open(t)
	p.withoutScripts()
	for _, path := range paths(t)[1:] {
		p.visit(here.url + path)
		rings := eval[int](p, `document.querySelectorAll("tower-ring").length`)
		for i := range rings {
			ring := p.part("tower-ring", i)
			if got := eval[float64](p, ring.js()+`.querySelector("svg.ring").getBoundingClientRect().width`); got < 300 {
				t.Errorf("%s: ring %d is %v wide", path, i, got)
			}
			if drawn := eval[int](p, ring.js()+`.querySelectorAll("svg.ring path, svg.ring use, svg.ring text").length`); drawn < 10 {
				t.Errorf("%s: ring %d has only %d things drawn", path, i, drawn)
			}
			if ring.count("letters") < 1 || ring.count("ring-max") < ring.count("ring-min") {
				t.Errorf("%s: ring %d keeps %d letters, at most %d and at least %d a tower",
					path, i, ring.count("letters"), ring.count("ring-max"), ring.count("ring-min"))
			}
		}
		p.shot(named(path))
	}
}

const rest = "\n\nThe rest is here.\n"

// broken is a course in which every lesson has one mistake.
func broken() fstest.MapFS {
	front := "---\ntitle: A lesson\nsummary: One.\nlevel: beginner\nminutes: 5\n---\n\n"
	return fstest.MapFS{
		"01-front/lesson.md":     {Data: []byte("---\ntitle: [unfinished\n---\n" + rest)},
		"02-directive/lesson.md": {Data: []byte(front + "::rnig{towers=4}" + rest)},
		"03-points/lesson.md":    {Data: []byte(front + "::ring{towers=4 points=0}" + rest)},
	}
}

func TestMistakesStandInThePage(t *testing.T) {
	here := serveFolder(t, broken())
	for _, c := range []struct{ lesson, place, says string }{
		{"01-front", "course/01-front/lesson.md:2:", ""},
		{"02-directive", "course/02-directive/lesson.md:8:", "rnig"},
		{"03-points", "course/03-points/lesson.md:8:", "points"},
	} {
		t.Run(c.lesson, func(t *testing.T) {
			p := open(t)
			p.visit(here.url + "/lessons/" + c.lesson)
			says := p.all().text(".fault")
			if !strings.Contains(says, c.place) || !strings.Contains(says, c.says) {
				t.Errorf("the page says %q, want %s and %q", says, c.place, c.says)
			}
			if main := p.all().text("main"); !strings.Contains(main, "The rest is here.") {
				t.Errorf("the rest of the lesson is not there:\n%s", main)
			}
		})
	}
}

func TestWhatIsSavedShowsAtTheNextLoad(t *testing.T) {
	course := t.TempDir()
	save := func(title string) {
		t.Helper()
		text := "---\ntitle: " + title + "\nsummary: One.\nlevel: beginner\nminutes: 5\n---\n\nText.\n"
		if err := os.WriteFile(filepath.Join(course, "01-one", "lesson.md"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(course, "01-one"), 0o755); err != nil {
		t.Fatal(err)
	}
	save("Before")
	here := serve(t, lessons.Open(os.DirFS(course), course))
	p := open(t)
	p.visit(here.url + "/lessons/01-one")
	if got := p.all().text("h1"); got != "Before" {
		t.Errorf("the title is %q", got)
	}
	save("Afterwards")
	p.visit(here.url + "/lessons/01-one")
	if got := p.all().text("h1"); got != "Afterwards" {
		t.Errorf("after it was saved the title is %q", got)
	}
}

// mostOnTheWire is the budget for everything that a first visit to a lesson fetches, in bytes.
const mostOnTheWire = 600_000

func TestFirstVisitIsLight(t *testing.T) {
	for _, path := range paths(t)[1:] {
		here := embedded(t)
		p := open(t)
		p.visit(here.url + path)
		p.wakeAll()
		if sent := here.sent.Load(); sent > mostOnTheWire {
			t.Errorf("%s: %d bytes on the wire, headers included; at most %d", path, sent, mostOnTheWire)
		}
	}
}

// BenchmarkFirstVisit opens the lesson on the ring with a cold cache, until its picture can be
// played with.
func BenchmarkFirstVisit(b *testing.B) {
	var sent int64
	for b.Loop() {
		here := embedded(b)
		p := open(b)
		p.visit(here.url + "/lessons/03-the-ring")
		p.wait(`document.querySelector('tower-ring button[data-act="add"]:not([disabled])') !== null`)
		sent = here.sent.Load()
	}
	b.ReportMetric(float64(sent), "wire-bytes")
}
