package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// A sight is the results as they were at a moment.
type sight struct {
	State, Head string
	Back        int // tests that have a result
	Waiting     int // tests that have none
}

// witness writes down from now on every state that the results are in, in their order.
func (d desk) witness() {
	d.tb.Helper()
	eval[bool](d.page, `(() => {
		const results = document.querySelector("[data-results]");
		window.sights = [];
		const look = () => {
			const state = results.querySelector(".verdict").dataset.state, head = results.querySelector("h2").textContent;
			const back = results.querySelectorAll(".test:not(.notrun, .running)").length;
			const waiting = results.querySelectorAll(".test:is(.notrun, .running)").length;
			const last = window.sights.at(-1);
			if (last?.State !== state || last.Head !== head || last.Back !== back) window.sights.push({ State: state, Head: head, Back: back, Waiting: waiting });
		};
		new MutationObserver(look).observe(results, { subtree: true, childList: true, attributes: true, characterData: true });
		return true;
	})()`)
}

// seen are the states since [desk.witness].
func (d desk) seen() []sight {
	d.tb.Helper()
	return eval[[]sight](d.page, "window.sights")
}

// slow makes a program take its time: so many milliseconds or more for each call of Owner, of
// which the tests make a few each.
func slow(code string, ms int) string {
	code = strings.Replace(code, "(tower string, ok bool) {\n", "(tower string, ok bool) {\n\tburn()\n", 1)
	return code + fmt.Sprintf("\nfunc burn() {\n\tfor i := 0; i < %d; i++ {\n\t\tburnt += i ^ burnt>>3\n\t}\n}\n\nvar burnt int\n", ms*1_000_000)
}

func TestResultsComeInOneByOne(t *testing.T) {
	work, p := ownShop(t, "--parallel=1"), open(t)
	owner := set(t, "03-the-ring", "owner")
	d := p.desk(work.url + ownerPage)
	shown := eval[[]string](p, `[...document.querySelectorAll(".tests .name")].map(n => n.textContent)`)
	want := slices.DeleteFunc(slices.Clone(owner.Checks), func(name string) bool { return strings.HasPrefix(name, "TestHidden") })
	if want = append(want, "One hidden test"); !slices.Equal(shown, want) {
		t.Errorf("before the first run the tests are %q, want %q", shown, want)
	}
	if head := d.part(".verdict", 0).text("h2"); head != "Not checked yet" {
		t.Errorf("the verdict says %q", head)
	}

	d.write(slow(unique(t, wrongOne(t, owner, "gives-up")), 8))
	d.witness()
	// Somebody else's program has the only place, so this one has to stand in line.
	newLearner(t, work).send(ownerPage, slow(unique(t, owner.Start), 50))
	d.check()
	d.judged("failed")

	seen := d.seen()
	var states []string
	var backs []int
	for _, s := range seen {
		if len(states) == 0 || states[len(states)-1] != s.State {
			states = append(states, s.State)
		}
		if s.State == "running" && (len(backs) == 0 || backs[len(backs)-1] != s.Back) {
			backs = append(backs, s.Back)
		}
		if s.Back+s.Waiting != len(want) {
			t.Errorf("in state %s, %d tests are back and %d wait: some are not listed", s.State, s.Back, s.Waiting)
		}
	}
	if want := []string{"sent", "queued", "building", "running", "done"}; !slices.Equal(states, want) {
		t.Errorf("the states were %q, want %q", states, want)
	}
	if !slices.ContainsFunc(seen, func(s sight) bool { return s.State == "queued" && s.Head == "Next in line" }) {
		t.Errorf("the place in the queue was not told: %+v", seen)
	}
	if len(backs) < 4 || !slices.IsSorted(backs) {
		t.Errorf("while it ran, the page had these numbers of results: %d; they should come one by one", backs)
	}

	row := d.row("TestPastTheLastPoint")
	if got, want := row.text(".got"), row.text(".want"); got != `"", false` || want != `"T-4", true` {
		t.Errorf("got %q, want %q; the page compares other things", got, want)
	}
	if !strings.Contains(row.text(".why"), "Position 4215798398") {
		t.Errorf("the test does not say of what it speaks: %q", row.text(".why"))
	}
	if n := eval[int](p, `document.querySelectorAll(".test.failed").length`); n != 2 {
		t.Errorf("%d tests failed, want 2", n)
	}
}

func TestCompileErrorStandsUnderItsLine(t *testing.T) {
	work, p := shop(t), open(t)
	d := p.desk(work.url + ownerPage)
	code := unique(t, strings.Replace(set(t, "03-the-ring", "owner").Start, `return "", false`, "return nearest(points), true", 1))
	line := 1 + strings.Count(code[:strings.Index(code, "return")], "\n")
	d.try(code, "build_error")
	if says := d.is("says"); !strings.Contains(says, fmt.Sprintf("owner.go, line %d: undefined: nearest. No test has run.", line)) {
		t.Errorf("the verdict says %q", says)
	}
	if n := eval[int](p, `document.querySelectorAll(".tests .notrun").length`); n != 8 {
		t.Errorf("%d tests stand as not run, want all 8", n)
	}
	d.tabAway()
	d.part(`ol[aria-label="What the compiler says"]`, 0).click("link", fmt.Sprintf("line %d", line))
	p.wait(`document.activeElement.localName === "code-editor"`)
	if before := code[:eval[int](p, `document.querySelector("code-editor").cursor`)]; 1+strings.Count(before, "\n") != line || !strings.HasSuffix(before, "return ") {
		t.Errorf("the link leads to the end of %q, want line %d, before the word", before, line)
	}

	d.needRich()
	if got := d.remarks(); len(got) != 1 || got[0] != "undefined: nearest" {
		t.Errorf("the editor remarks %q", got)
	}
	if above := eval[string](p, `document.querySelector("code-editor").shadowRoot.querySelector(".cm-remark").previousElementSibling.textContent`); above != "\treturn nearest(points), true" {
		t.Errorf("the remark stands under %q", above)
	}
	if bad := eval[string](p, `[...document.querySelector("code-editor").shadowRoot.querySelectorAll(".cm-gutterElement.cm-bad")].map(e => e.textContent).join()`); bad != fmt.Sprint(line) {
		t.Errorf("in the gutter %q is marked, want %d", bad, line)
	}
	if wavy := eval[string](p, `document.querySelector("code-editor").shadowRoot.querySelector(".cm-wavy").textContent`); wavy != "nearest" {
		t.Errorf("underlined is %q", wavy)
	}
}

func TestPassIsStampedAndCounted(t *testing.T) {
	work, p := shop(t), open(t)
	owner, seam := set(t, "03-the-ring", "owner"), set(t, "03-the-ring", "test-the-seam")
	d := p.desk(work.url + ownerPage)
	d.try(unique(t, owner.Solution), "passed")
	d.wait(`document.querySelector(".verdict .stamp")?.checkVisibility()`)
	if head := d.part(".verdict", 0).text("h2"); head != "All eight passed" {
		t.Errorf("the verdict says %q", head)
	}

	label := p.part("#exercise-owner", 0)
	p.visit(work.url + theRing)
	if got := label.text(".passed-mark"); got != "passed" {
		t.Errorf("the label in the lesson says %q", got)
	}
	p.readToTheEnd()
	lit := func() bool {
		p.visit(work.url + "/")
		return eval[bool](p, `document.querySelector('.lights a[href="`+theRing+`"]').closest("li").classList.contains("done")`)
	}
	if lit() {
		t.Error("the lesson is lit, though one of its exercises is not passed")
	}
	d.desk(work.url + seamPage)
	d.try(unique(t, seam.Tests), "passed")
	d.solutionIs(seam.Tests)
	d.drawnAlike("tests")
	if !lit() {
		t.Error("the lesson is read and its exercises are passed, and it is not lit")
	}
	if got := p.part("header.cover", 0).text(".list"); !strings.Contains(got, "2 of 6") {
		t.Errorf("the index counts the exercises as %q", got)
	}
}

// readToTheEnd scrolls a lesson to its end, and waits until that is kept.
func (p *page) readToTheEnd() {
	p.tb.Helper()
	eval[bool](p, `(document.querySelector("lesson-reading").scrollIntoView(), true)`)
	p.wait(`document.querySelector("lesson-reading p.reading")`)
}

// What comes in live and what the page has when it is opened again are one drawing.
func TestLiveResultsAreDrawnAsByTheServer(t *testing.T) {
	work, p := shop(t), open(t)
	owner := set(t, "03-the-ring", "owner")
	chatty := strings.Replace(owner.Start, `return "", false`, "println(position)\n\tprintln()\n\treturn \"T-1\", true", 1)
	d := p.desk(work.url + ownerPage)
	for _, c := range []struct{ name, code, verdict string }{
		{"printed", chatty, "failed"},
		{"crashed", wrongOne(t, owner, "no-points"), "crashed"},
		{"broken", owner.Start + "\nfunc {\n", "build_error"},
		{"failed", wrongOne(t, owner, "subtracts"), "failed"},
		{"forbidden", strings.Replace(owner.Start, "\n", "\n\nimport _ \"os\"\n", 1), "forbidden"},
		{"passed", owner.Solution, "passed"},
	} {
		d.try(unique(t, c.code), c.verdict)
		d.drawnAlike(c.name)
	}
}

// drawnAlike opens the try that is shown once more, and fails the test if its results are not
// the same to the last word.
func (d desk) drawnAlike(name string) {
	d.tb.Helper()
	const drawing = `(() => {
		const shape = (node) => {
			if (node.nodeType === Node.TEXT_NODE) return node.data.trim();
			const attributes = [...node.attributes].map(a => a.name + "=" + a.value).sort().join(" ");
			return "<" + node.localName + " " + attributes + ">\n" + [...node.childNodes].map(shape).join("") + "</" + node.localName + ">\n";
		};
		const results = document.querySelector("[data-results]").cloneNode(true);
		results.normalize();
		return shape(results);
	})()`
	live := eval[string](d.page, drawing)
	d.visit(eval[string](d.page, "location.origin + location.pathname") + "?try=" + d.is("id"))
	d.ready()
	if again := eval[string](d.page, drawing); live != again {
		d.tb.Errorf("%s: live there is:\n%s\nopened again:\n%s", name, firstDifference(live, again), firstDifference(again, live))
	}
}

// firstDifference is what stands in a where it begins to differ from b.
func firstDifference(a, b string) string {
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	return "…" + a[max(0, i-200):min(len(a), i+300)] + "…"
}
