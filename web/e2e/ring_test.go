package e2e

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp/kb"

	"github.com/ringoftowers/towers/ring"
	"github.com/ringoftowers/towers/ring/census"
)

const theRing = "/lessons/03-the-ring"

// awake opens a page and waits until its first figure can be played with.
func (p *page) awake(url string) part {
	p.tb.Helper()
	p.visit(url)
	p.wait(`document.querySelector("tower-ring").dataset.shown`)
	return p.part("figure.plate", 0)
}

// lessonOf is a course of one lesson with these pictures in it, and nothing else.
func lessonOf(rings ...string) fstest.MapFS {
	text := "---\ntitle: Pictures\nsummary: Only pictures.\nlevel: beginner\nminutes: 1\ntags: [test]\n---\n" + strings.Join(rings, "\n\n") + "\n"
	return fstest.MapFS{"01-pictures/lesson.md": {Data: []byte(text)}}
}

// counted is what the counters have to show for a change, by the native package.
func counted(before, after, points int) map[string]int {
	c := census.New(2000, "", ring.Mixed)
	c.Change(upTo(before), upTo(after), points)
	return map[string]int{
		"letters":          c.Letters(),
		"ring-moved":       c.Tally(census.OnRing).Moved,
		"modulo-moved":     c.Tally(census.Modulo).Moved,
		"rendezvous-moved": c.Tally(census.Rendezvous).Moved,
		"ideal-moved":      int(c.Ideal() + 0.5),
		"ring-max":         slices.Max(c.Loads()),
		"ring-min":         slices.Min(c.Loads()),
	}
}

func upTo(n int) []int {
	fleet := make([]int, n)
	for i := range fleet {
		fleet[i] = i + 1
	}
	return fleet
}

func TestFifthTowerMovesWhatTheLessonSays(t *testing.T) {
	site, p := embedded(t), open(t)
	fig := p.awake(site.url + theRing)
	fig.counts(counted(4, 4, 100))
	fig.counts(map[string]int{"ring-moved": 0, "modulo-moved": 0, "ideal-moved": 0, "ring-max": 564, "ring-min": 420})

	fig.click("button", "Add tower")
	fig.counts(map[string]int{"ring-moved": 432, "modulo-moved": 1615, "ideal-moved": 400, "letters": 2000})
	fig.counts(counted(4, 5, 100))
	if got := fig.text(".says"); !strings.HasPrefix(got, "T-5 is lit. On the ring 432 of") {
		t.Errorf("the picture says %q", got)
	}
	if got := fig.text(`[data-count="ring-moved"] .pct`); got != "21.6\u00a0%" {
		t.Errorf("the share beside the counter is %q, want 21.6 %%", got)
	}

	fig.click("button", "Remove tower")
	fig.counts(counted(5, 4, 100))
	fig.click("button", "Step back")
	fig.counts(counted(4, 5, 100))
	fig.click("button", "Step back")
	fig.counts(counted(4, 4, 100))
	fig.click("button", "Add tower")
	fig.click("button", "Remove T-2")
	p.wait(`document.querySelector("tower-ring").dataset.shown === "towers=1.3-5;was=1-5;points=100;follow=ring"`)
	fig.click("button", "Reset")
	fig.counts(counted(4, 4, 100))
	fig.click("button", "Step back")
	p.wait(`document.querySelector("tower-ring").dataset.shown === "towers=1.3-5;was=1-5;points=100;follow=ring"`)
}

// The slider recounts both fleets of the last change; before any change it moves nothing.
func TestSliderCountsLive(t *testing.T) {
	site, p := embedded(t), open(t)
	fig := p.awake(site.url + theRing)
	fig.click("button", "1")
	fig.counts(counted(4, 4, 1))
	fig.counts(map[string]int{"ring-max": 784, "ring-min": 126, "ring-moved": 0})
	fig.click("button", "Add tower")
	fig.counts(counted(4, 5, 1))
	fig.click("button", "500")
	fig.counts(counted(4, 5, 500))
}

// However fast the hand, the picture follows, and in the end the numbers are those of the place
// where the slider was let go. All of one drag is one step back.
func TestDraggingEndsOnTheRightNumbers(t *testing.T) {
	site, p := embedded(t), open(t)
	fig := p.awake(site.url + theRing)
	fig.click("button", "Add tower")
	fig.counts(counted(4, 5, 100))
	eval[bool](p, `(() => {
		window.seen = new Set();
		const max = document.querySelector('[data-count="ring-max"]');
		new MutationObserver(() => window.seen.add(max.textContent)).observe(max, { childList: true, characterData: true, subtree: true });
		return true;
	})()`)
	var places []float64
	for i := range 120 {
		places = append(places, float64(i%60)/60)
	}
	fig.drag("Virtual nodes per tower", append([]float64{0.099}, append(places, 0.5)...)...)
	points := eval[int](p, `Number(document.querySelector(".dial input").value)`)
	if points < 450 || points > 550 {
		t.Fatalf("the slider was let go at %d, want the middle", points)
	}
	fig.counts(counted(4, 5, points))
	if seen := eval[int](p, "window.seen.size"); seen < 3 {
		t.Errorf("the counter showed %d values on the way, want it to follow the hand", seen)
	}
	fig.click("button", "Step back")
	fig.counts(counted(4, 5, 100))
}

// The first frame of the server and the first of the widget are the same picture.
func TestWidgetTakesOverWithoutAJump(t *testing.T) {
	site := serveFolder(t, lessonOf(
		"::ring{towers=4 points=100}", "::ring{towers=4 points=1 arrives=1}", "::ring{towers=5 points=1000 arrives=1 follow=modulo}",
		"::ring{towers=0}", "::ring{towers=1 points=3 letters=50}", "::ring{towers=18 points=7 compare=modulo arrives=1}",
		"::ring{towers=40 points=160 letters=20000 arrives=1 follow=rendezvous}", `::ring{towers=3 letters=100 hash=md5 seed="a b"}`,
		"::ring{towers=3 letters=0 hash=fnv1a arrives=1}", "::ring{towers=2 letters=999 hash=xx}", "::ring{towers=127 points=100 arrives=1}",
	))
	p := open(t)
	p.media("prefers-reduced-motion: reduce")
	p.visit(site.url + "/lessons/01-pictures")
	differences := eval[string](p, `(async () => {
		const text = await (await fetch(location.href)).text();
		const server = [...new DOMParser().parseFromString(text, "text/html").querySelectorAll("tower-ring")];
		const frame = () => new Promise(done => requestAnimationFrame(done));
		const look = ring => [...ring.querySelectorAll("svg.ring *, .tr-panel *")].flatMap(e => [
			e.localName, [...e.classList].sort().join(" "),
			...["d", "x", "y", "cx", "cy", "r", "width", "x1", "x2", "stroke-width", "transform", "data-id"].map(a => e.getAttribute(a) ?? ""),
			...[...e.childNodes].filter(n => n.nodeType === 3).map(n => n.data.trim()),
		]).filter(s => s !== "");
		const live = [...document.querySelectorAll("tower-ring")];
		const found = [];
		for (const [i, ring] of live.entries()) {
			ring.scrollIntoView();
			while (!ring.dataset.shown) await frame();
			const a = look(server[i]), b = look(ring);
			const k = a.findIndex((s, j) => s !== b[j]);
			if (k >= 0 || a.length !== b.length) found.push("figure " + (i + 1) + ": the server has …" + a.slice(Math.max(0, k - 2), k + 3).join(" | ").slice(0, 400) + "…, the widget …" + b.slice(Math.max(0, k - 2), k + 3).join(" | ").slice(0, 400));
		}
		return found.join("\n");
	})()`)
	if differences != "" {
		t.Error(differences)
	}
}

func TestKeyboardAloneDoesEverything(t *testing.T) {
	site, p := embedded(t), open(t)
	fig := p.awake(site.url + theRing)
	tabTo := func(name string) {
		t.Helper()
		const focused = `(() => { const e = document.activeElement; return e.getAttribute("aria-label") ?? (e.labels?.[0] ?? e).textContent.trim(); })()`
		for range 80 {
			p.press(kb.Tab)
			if eval[string](p, focused) == name {
				return
			}
		}
		t.Fatalf("Tab never reaches %q", name)
	}
	tabTo("Skip to the lesson")
	tabTo("Ring")
	p.press(kb.ArrowRight)
	p.wait(`document.querySelector("tower-ring").dataset.shown === "towers=1-4;points=100;follow=modulo"`)
	p.press(kb.ArrowLeft)
	tabTo("Virtual nodes per tower")
	p.press(kb.Home)
	fig.counts(counted(4, 4, 1))
	p.press(kb.End)
	fig.counts(counted(4, 4, 1000))
	tabTo("100")
	p.press(" ")
	fig.counts(counted(4, 4, 100))
	tabTo("Add tower")
	p.press(kb.Enter)
	fig.counts(counted(4, 5, 100))
	tabTo("Remove tower")
	p.press(kb.Enter)
	fig.counts(counted(5, 4, 100))
	tabTo("Step back")
	p.press(kb.Enter)
	fig.counts(counted(4, 5, 100))
	tabTo("Remove T-2")
	p.press(kb.Enter)
	p.wait(`document.activeElement.getAttribute("aria-label") === "Remove T-3"`)
	eval[bool](p, `(document.body.tabIndex = -1, document.body.focus(), true)`)
	tabTo("Reset")
	p.press(kb.Enter)
	fig.counts(counted(4, 4, 100))
	p.wait(`document.activeElement !== document.body`) // a button that fell asleep hands the keyboard on
}

func TestEmptyFleet(t *testing.T) {
	site, p := embedded(t), open(t)
	fig := p.awake(site.url + theRing)
	for range 4 {
		fig.click("button", "Remove tower")
	}
	p.wait(`document.querySelector(".hub-text").textContent === "no tower"`)
	fig.counts(map[string]int{"ring-moved": 2000, "ring-max": 0, "ring-min": 0, "letters": 2000})
	if got := eval[string](p, `[...document.querySelector("figure.plate .acts").querySelectorAll('[aria-disabled=true]')].map(b => b.textContent).join()`); got != "Remove tower" {
		t.Errorf("asleep are %q, want Remove tower alone", got)
	}
	fig.click("button", "Add tower")
	p.wait(`document.querySelector("tower-ring").dataset.shown.startsWith("towers=1;was=-;")`)
	fig.counts(map[string]int{"ring-moved": 2000, "ideal-moved": 2000, "ring-max": 2000})
}

func TestLettersFlyOnceThenRest(t *testing.T) {
	site, p := embedded(t), open(t)
	fig := p.awake(site.url + theRing)
	const flying = `document.querySelector(".flight").getAttribute("d")`
	fig.click("button", "Add tower")
	p.wait(flying)
	p.wait(`!` + flying + ` && !document.querySelector("svg.ring").classList.contains("moving")`)
	if n := eval[int](p, `document.querySelector(".beams").getAttribute("d").split("M").length - 1`); n != 432 {
		t.Errorf("%d threads are left, want 432", n)
	}
}

func TestReducedMotionGoesToTheEndAtOnce(t *testing.T) {
	site, p := embedded(t), open(t)
	p.media("prefers-reduced-motion: reduce")
	fig := p.awake(site.url + theRing)
	eval[bool](p, `(() => {
		window.flew = false;
		new MutationObserver(() => { window.flew = true; }).observe(document.querySelector(".flight"), { attributes: true });
		return true;
	})()`)
	fig.click("button", "Add tower")
	p.wait(`document.querySelector("tower-ring").dataset.shown.startsWith("towers=1-5")`)
	if eval[bool](p, `window.flew && document.querySelector(".flight").getAttribute("d") !== ""`) {
		t.Error("letters fly, though the reader wants no motion")
	}
	if n := eval[int](p, `document.querySelector(".beams").getAttribute("d").split("M").length - 1`); n != 432 {
		t.Errorf("%d threads are drawn, want 432", n)
	}
}

func TestWithoutWebAssemblyThePictureStays(t *testing.T) {
	site, p := embedded(t), open(t)
	call(p, "take WebAssembly away", cdppage.AddScriptToEvaluateOnNewDocument,
		cdppage.AddScriptToEvaluateOnNewDocumentParams{Source: "delete window.WebAssembly"})
	p.visit(site.url + theRing)
	p.wait(`document.querySelector("tower-ring > .fault")`)
	fig := p.part("figure.plate", 0)
	if got := fig.text(".fault"); !strings.Contains(got, "no WebAssembly") {
		t.Errorf("the picture says %q", got)
	}
	fig.counts(map[string]int{"letters": 2000, "ring-max": 564})
}

func TestRingThatDoesNotArriveIsSaid(t *testing.T) {
	site := embedded(t)
	origin, err := url.Parse(site.url)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(origin)
	lossy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, ".wasm") {
			http.Error(w, "gone", http.StatusBadGateway)
			return
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(lossy.Close)
	p := open(t)
	p.expect("502")
	p.visit(lossy.URL + theRing)
	p.wait(`document.querySelector("tower-ring > .fault")`)
	fig := p.part("figure.plate", 0)
	if got := fig.text(".fault"); !strings.Contains(got, "answered 502") || !strings.Contains(got, "only the buttons are missing") {
		t.Errorf("the picture says %q", got)
	}
	fig.counts(map[string]int{"letters": 2000, "ring-max": 564})
}

func TestPointingAtATowerDimsTheOthers(t *testing.T) {
	site, p := embedded(t), open(t)
	fig := p.awake(site.url + theRing)
	fig.focus("button", "Remove T-2")
	p.wait(`document.querySelector("svg.ring[data-look] .arc.look[data-id='2']") && document.querySelectorAll("svg.ring .arc.look").length === 1`)
	fig.focus("button", "Add tower")
	p.wait(`!document.querySelector("svg.ring[data-look]")`)
}

// Two pictures of a page have nothing to do with each other but the worker.
func TestPicturesOfAPageAreApart(t *testing.T) {
	site := serveFolder(t, lessonOf("::ring{towers=4 points=100}", "::ring{towers=4 points=1}"))
	p := open(t)
	first := p.awake(site.url + "/lessons/01-pictures")
	second := p.part("figure.plate", 1)
	eval[bool](p, `(document.querySelectorAll("tower-ring")[1].scrollIntoView(), true)`)
	p.wait(`document.querySelectorAll("tower-ring")[1].dataset.shown`)
	second.click("button", "Add tower")
	second.counts(counted(4, 5, 1))
	first.counts(counted(4, 4, 100))
	first.click("button", "Add tower")
	first.counts(counted(4, 5, 100))
	p.wait(`location.hash === "#fig-1:towers=1-5;was=1-4;points=100;follow=ring&fig-2:towers=1-5;was=1-4;points=1;follow=ring"`)
	if n := eval[int](p, `document.querySelectorAll("tower-ring > .fault").length`); n != 0 {
		t.Errorf("%d faults are shown", n)
	}
}
