package e2e

import (
	"fmt"
	"strings"
	"testing"
)

// unprintable names what paper has no use for: what can only be pressed, what goes on past the
// edge of a box that scrolls, a fold that hides its text, and the inks of the night.
const unprintable = `(() => {
	const roots = [document, ...[...document.querySelectorAll("*")].flatMap(e => e.shadowRoot ?? [])];
	const all = css => roots.flatMap(r => [...r.querySelectorAll(css)]).filter(e => e.checkVisibility({ opacityProperty: true, visibilityProperty: true }));
	const name = e => e.cloneNode().outerHTML.slice(0, 120);
	const found = all("button, input, select, [role=switch]").map(e => "does nothing: " + name(e));
	for (const e of all("pre, .cm-scroller, textarea")) {
		if (e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 1) found.push("is cut off: " + name(e));
	}
	for (const e of all("details")) {
		if (e.getBoundingClientRect().height < e.querySelector("summary").getBoundingClientRect().height + 8) found.push("is shut: " + name(e));
	}
	const light = color => { const [r, g, b] = color.match(/[\d.]+/g).map(Number); return (r * 299 + g * 587 + b * 114) / 1000; };
	for (const e of all("p, li, h1, h2, .cm-line, .code, td, .test-line code")) {
		if (light(getComputedStyle(e).color) > 140) found.push("is printed pale: " + name(e));
	}
	if (getComputedStyle(document.documentElement).backgroundColor !== "rgb(255, 255, 255)") found.push("the paper is not white");
	return found;
})()`

func (p *page) printed(when string) {
	p.tb.Helper()
	p.media("print")
	p.size(680, 900) // the width of a sheet between its margins
	for _, fault := range eval[[]string](p, unprintable) {
		p.tb.Errorf("%s on paper: %s", when, fault)
	}
	if wide := eval[string](p, tooWide); wide != "" {
		p.tb.Errorf("%s is wider than paper: %s", when, wide)
	}
	p.shot(when)
	p.media("prefers-color-scheme: dark")
	p.size(1440, 1000)
}

// Whoever prints at night gets the day's inks, everything that can be read and nothing to press.
func TestPagesCanBePrinted(t *testing.T) {
	work, p := shop(t), open(t)
	p.media("prefers-color-scheme: dark")
	d := p.desk(work.url + ownerPage)
	p.all().click("button", "Switch between day and night chart")
	if theme := eval[string](p, `document.documentElement.dataset.theme`); theme == "light" {
		p.all().click("button", "Switch between day and night chart")
	}
	owner := set(t, "03-the-ring", "owner")
	code := unique(t, wrongOne(t, owner, "subtracts")) + strings.Repeat("// "+longText+"\n", 60)
	d.try(code, "failed")
	p.printed("an exercise that failed")
	d.try(unique(t, owner.Start+"\nvar x int = \""+longText+"\"\n"), "build_error")
	p.printed("an exercise with a compile error")
	d.write(code)
	p.media("print")
	if rich := eval[bool](p, `document.querySelector("code-editor").canBeRich`); rich {
		p.wait(fmt.Sprintf(`document.querySelector("code-editor").shadowRoot.querySelectorAll(".cm-line").length === %d`, strings.Count(code, "\n")+1))
	}
	p.media("prefers-color-scheme: dark")
	d.try(unique(t, owner.Solution), "passed")
	p.printed("an exercise that passed")
	for _, path := range append(paths(t), "/account") {
		p.visit(work.url + path)
		p.printed(path)
	}
}
