package e2e

import (
	"slices"
	"strings"
	"testing"

	cdppage "github.com/chromedp/cdproto/page"
)

// unusable names the controls of the page's main part that a thumb cannot use: smaller than 24
// pixels, past the edge of the screen, or with something else on top. Links in a line of text
// may be as low as the line.
const unusable = `(() => {
	const found = [];
	const shown = e => e.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !e.closest(".vh, .skip");
	for (const e of document.querySelectorAll("main :is(a, button, summary, input, textarea, code-editor), .masthead :is(a, button)")) {
		if (!shown(e) || e.disabled) continue;
		e.scrollIntoView({ block: "center", behavior: "instant" });
		const target = e.matches("[type=checkbox], [type=radio]") ? e.labels[0] ?? e : e;
		const { left, right, top, width, height } = target.getBoundingClientRect();
		const name = e.getAttribute("aria-label") || e.textContent.trim().replace(/\s+/g, " ").slice(0, 40) || e.outerHTML.slice(0, 60);
		const inText = e.matches("p a, li a, dd a, td a, .why a");
		if (!inText && (width < 24 || height < 24)) found.push(name + " is " + width + " by " + height);
		if (left < -0.5 || right > innerWidth + 0.5) found.push(name + " goes from " + left + " to " + right);
		const rect = e.getClientRects()[0];
		const at = document.elementFromPoint(Math.min(rect.left + rect.width / 2, innerWidth - 1), Math.min(rect.top + Math.min(rect.height / 2, 20), innerHeight - 1));
		if (!at || !(e.contains(at) || at.contains(e) && at.matches("label, code-editor, summary") || target.contains(at))) {
			found.push(name + " lies under " + (at?.cloneNode().outerHTML ?? "nothing"));
		}
	}
	return found;
})()`

// fitsPhone fails the test for what a phone of that width cannot show or use.
func (p *page) fitsPhone(when string, width int64) {
	p.tb.Helper()
	if wide := eval[string](p, tooWide); wide != "" {
		p.tb.Errorf("%s, at %d the page is too wide: %s", when, width, wide)
	}
	for _, control := range eval[[]string](p, unusable) {
		p.tb.Errorf("%s, at %d a control cannot be used: %s", when, width, control)
	}
}

// A look that sees no fault anywhere would be worthless.
func TestUnusableControlsAreSeen(t *testing.T) {
	url := static(t, map[string]string{
		"/": `<!doctype html><title>T</title><link rel="stylesheet" href="/page.css"><main><button>fine</button><br><button class="small">small</button>
			<div><button>covered</button><span class="lid"></span></div><button class="out">out</button><button hidden>gone</button></main>`,
		"/page.css": `button { width: 90px; height: 40px } .small { width: 20px; height: 20px } div { position: relative; width: 100px; height: 50px }
			.lid { position: absolute; inset: 0; background: red } .out { position: absolute; left: -30px }`,
	})
	p := open(t) // after the server, so that it is closed before
	p.visit(url)
	var seen []string
	for _, fault := range eval[[]string](p, unusable) {
		name, _, _ := strings.Cut(fault, " ")
		seen = append(seen, name)
	}
	if want := []string{"small", "covered", "out"}; !slices.Equal(seen, want) {
		t.Errorf("seen are faults of %q, want %q", seen, want)
	}
}

func TestExerciseFitsAPhone(t *testing.T) {
	work, p := shop(t), open(t)
	owner := set(t, "03-the-ring", "owner")
	const width = 360
	p.size(width, 640)
	d := p.desk(work.url + ownerPage)
	d.fitsPhone("fresh", width)
	d.try(unique(t, wrongOne(t, owner, "subtracts")), "failed")
	eval[bool](p, `document.querySelectorAll("live-results details").forEach(fold => fold.open = true), true`)
	d.fitsPhone("failed", width)
	d.shot("failed")
	d.try(unique(t, owner.Start+"\nvar x int = \""+longText+"\"\n"), "build_error")
	d.fitsPhone("with a compile error", width)
	d.shot("compile-error")
	p.all().click("button", "Start again")
	p.wait(`document.querySelector("dialog[open]")`)
	if wide := eval[string](p, tooWide); wide != "" {
		t.Errorf("with the dialog the page is too wide: %s", wide)
	}
	p.part("dialog", 0).click("button", "Yes, start again")
	d.shows(owner.Start)
	d.offers("other")
	p.all().click("button", "Share")
	d.offers("link")
	d.fitsPhone("with offers", width)
	d.shot("offers")
	d.try(unique(t, owner.Solution), "passed")
	d.solutionIs(owner.Solution)
	d.fitsPhone("passed", width)
	d.shot("passed")
}

// On a phone too, paragraphs have a gap between them, whether a note is beside them or not, and the
// postmark lies on no letter of the title.
func TestLessonsHaveAirOnAPhone(t *testing.T) {
	site, p := embedded(t), open(t)
	p.size(360, 640)
	for _, path := range paths(t) {
		p.visit(site.url + path)
		const tight = `[...document.querySelectorAll(".prose p + p")]
			.filter(e => e.checkVisibility() && !e.closest(".vh") && e.getBoundingClientRect().top - e.previousElementSibling.getBoundingClientRect().bottom < 6)
			.map(e => e.textContent.slice(0, 40))`
		if close := eval[[]string](p, tight); len(close) > 0 {
			t.Errorf("%s: no gap above %q", path, close)
		}
		const under = `(() => {
			const mark = document.querySelector(".title .postmark")?.getBoundingClientRect();
			const text = document.createRange();
			text.selectNodeContents(document.querySelector("h1"));
			return Boolean(mark) && [...text.getClientRects()].some(line => line.right > mark.left && line.top + 0.2 * line.height < mark.bottom);
		})()`
		if eval[bool](p, under) {
			t.Errorf("%s: the postmark lies on the title", path)
		}
	}
}

const longText = "a text without a place to break it, so that whatever shows it has to see to that by itself, " +
	"andSoIsThisWordWhichGoesOnAndOnAndOnAndOnAndOnAndOnAndOnAndOnAndOnAndOnAndOn"

// enlarged makes text twice its size, as a reader's browser does when told to.
func (p *page) enlarged() {
	p.tb.Helper()
	call(p, "enlarge the text", cdppage.SetFontSizes, cdppage.SetFontSizesParams{FontSizes: &cdppage.FontSizes{Standard: 32, Fixed: 26}})
	p.wait(`getComputedStyle(document.documentElement).fontSize === "32px"`)
}

// Text at twice its size makes a page longer, and not wider than a phone: only what is code, a
// table or a formula scrolls in a box of its own.
func TestTextAtTwiceItsSizeFitsAPhone(t *testing.T) {
	work, p := shop(t), open(t)
	owner := set(t, "03-the-ring", "owner")
	p.size(360, 640)
	fits := func(when string) {
		t.Helper()
		p.enlarged()
		if wide := eval[string](p, tooWide); wide != "" {
			t.Errorf("%s is too wide: %s", when, wide)
		}
		const outside = `[...document.querySelectorAll("h1, h2, h3, p, li, dd, .btn, .load *, .rules *, .test-line *, .verdict *")]
			.filter(e => e.checkVisibility() && !e.closest(".code, .table, .display, svg, .vh") && e.getBoundingClientRect().right > innerWidth + 0.5)
			.map(e => e.cloneNode().outerHTML)`
		if cut := eval[[]string](p, outside); len(cut) > 0 {
			t.Errorf("of %s this is cut off: %q", when, cut)
		}
		p.shot(when)
	}
	for _, path := range append(paths(t), "/account") {
		p.visit(work.url + path)
		if path != "/" && path != "/account" {
			p.wakeAll()
		}
		eval[bool](p, `document.querySelectorAll("details").forEach(fold => fold.open = true), true`)
		fits(path)
	}
	d := p.desk(work.url + ownerPage)
	fits("a fresh exercise")
	d.try(unique(t, wrongOne(t, owner, "subtracts")), "failed")
	eval[bool](p, `document.querySelectorAll("live-results details").forEach(fold => fold.open = true), true`)
	fits("an exercise that failed")
	d.try(unique(t, owner.Start+"\nvar x int = \""+longText+"\"\n"), "build_error")
	fits("an exercise with a compile error")
	p.visit(work.url + theRing)
	p.addNote("#the-seam", longText)
	fits("a lesson with a note")
	p.visit(work.url + "/account")
	fits("a guest's account")
	p.signUp("W" + stamp() + "WWWWWWWWWWWWWWWWWWWWWWW")
	p.visit(work.url + "/account")
	fits("an account")
}

func TestAccountAndNotesFitAPhone(t *testing.T) {
	work, p := shop(t), open(t)
	const width = 360
	p.size(width, 640)
	p.visit(work.url + theRing)
	p.addNote("#the-seam", longText+"\n\n    "+longText+"\n")
	if wide := eval[string](p, tooWide); wide != "" {
		t.Errorf("with a note the lesson is too wide: %s", wide)
	}
	p.visit(work.url + "/account")
	p.fitsPhone("a guest's account", width)
	p.signUp("W" + stamp() + "WWWWWWWWWWWWWWWWWWWWWWW")
	p.fitsPhone("after signing up", width)
	p.visit(work.url + "/account")
	p.fitsPhone("an account", width)
}
