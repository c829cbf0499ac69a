package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/ringoftowers/towers/lessons"
)

// Where the exercises are that tests work on.
const (
	ownerPage = "/lessons/03-the-ring/exercises/owner"
	seamPage  = "/lessons/03-the-ring/exercises/test-the-seam"
)

// A desk is the page of an exercise, open in a tab.
type desk struct{ *page }

// desk opens the page of an exercise and waits until it can be worked at.
func (p *page) desk(url string) desk {
	p.tb.Helper()
	p.visit(url)
	d := desk{p}
	d.ready()
	return d
}

// ready waits until the page's scripts are at work, the editor's too where there is one.
func (d desk) ready() {
	d.tb.Helper()
	d.wait(`document.readyState === "complete" && document.querySelector("[data-act=share]").hidden === false &&
		(!document.querySelector("code-editor").canBeRich || document.querySelector("code-editor").plain ||
			document.querySelector("code-editor").shadowRoot?.querySelector(".cm-content"))`)
}

// needRich leaves a test out where CodeMirror was not built, as it comes from npm.
func (d desk) needRich() {
	d.tb.Helper()
	if !eval[bool](d.page, `document.querySelector("code-editor").canBeRich`) {
		d.tb.Skip("left out: the editor was built without CodeMirror, which comes with npm ci in the folder web")
	}
}

// code is the program in the editor.
func (d desk) code() string {
	d.tb.Helper()
	return eval[string](d.page, `document.querySelector("code-editor").value`)
}

// shows waits until a program is in the editor.
func (d desk) shows(code string) {
	d.tb.Helper()
	d.wait(`document.querySelector("code-editor").value === ` + quoted(code))
}

// write puts a program into the editor in the place of what is there, from the keyboard.
func (d desk) write(code string) {
	d.tb.Helper()
	d.all().focus("textbox", eval[string](d.page, `document.querySelector("exercise-desk").dataset.file`))
	d.selectAll()
	d.insert(code)
	if got := d.code(); got != code {
		d.tb.Fatalf("the editor has:\n%s\nwant:\n%s", got, code)
	}
}

// selectAll selects the program, as Ctrl-A does.
func (d desk) selectAll() {
	d.tb.Helper()
	d.press("a", chromedp.KeyModifiers(chromedp.ModifierCtrl), func(k *input.DispatchKeyEventParams) { k.Commands = []string{"selectAll"} })
}

// insert types a text where the cursor is, all at once.
func (d desk) insert(text string) {
	d.tb.Helper()
	call(d.page, "insert a text", input.InsertText, input.InsertTextParams{Text: text})
}

// check presses the button, and waits for nothing.
func (d desk) check() {
	d.tb.Helper()
	d.all().click("button", "Check")
}

// judged waits until the submission under way has a verdict, and fails the test for another one.
func (d desk) judged(want string) {
	d.tb.Helper()
	d.wait(`document.querySelector(".verdict").dataset.state === "done"`)
	if got := d.is("verdict"); got != want {
		d.tb.Fatalf("the verdict is %q, want %q; the page says:\n%s", got, want, d.part("#desk", 0).text("live-results"))
	}
}

// try sends a program in and waits for its verdict.
func (d desk) try(code, want string) {
	d.tb.Helper()
	d.write(code)
	d.check()
	d.judged(want)
}

// is an attribute of the verdict that is shown: id, state, verdict or says.
func (d desk) is(what string) string {
	d.tb.Helper()
	return eval[string](d.page, `document.querySelector(".verdict").dataset[`+quoted(what)+`] ?? ""`)
}

// row is the line of a test, by its name.
func (d desk) row(test string) part {
	return d.part(`li[data-key="test-`+test+`"]`, 0)
}

// offers waits for a line above the editor, and gives what it says.
func (d desk) offers(name string) string {
	d.tb.Helper()
	css := `[data-offer="` + name + `"]`
	if name == "other" {
		css = `[data-offer^="other-"]`
	}
	d.wait(`document.querySelector(` + quoted(css) + `)`)
	return d.part("[data-offers]", 0).text(css)
}

// saved waits until the server has the draft.
func (d desk) saved() {
	d.tb.Helper()
	d.wait(`document.querySelector("draft-keeper").textContent.startsWith("draft saved")`)
}

// tabTo presses Tab until a control of that name has the keyboard.
func (p *page) tabTo(name string) {
	p.tb.Helper()
	const focused = `(() => {
		let e = document.activeElement;
		while (e?.shadowRoot?.activeElement) e = e.shadowRoot.activeElement;
		return e ? e.getAttribute("aria-label") ?? (e.labels?.[0] ?? e).textContent.trim().replace(/\s+/g, " ").slice(0, 60) : "";
	})()`
	var passed []string
	for range 80 {
		p.press(kb.Tab)
		at := eval[string](p, focused)
		if at == name {
			return
		}
		passed = append(passed, at)
	}
	p.tb.Fatalf("Tab never reaches %q, but goes by %q", name, passed)
}

// wrongOne gives a typical mistake that the exercise comes with, by its file's name.
func wrongOne(tb testing.TB, e *lessons.Exercise, name string) string {
	tb.Helper()
	for _, w := range e.Wrong {
		if strings.HasPrefix(w.Name, name) {
			return w.Source
		}
	}
	tb.Fatalf("exercise %s has no mistake named %s", e.ID, name)
	return ""
}

// unique makes a program one that was never checked before, so that no verdict is at hand.
func unique(tb testing.TB, code string) string {
	return fmt.Sprintf("%s\n\n// Sent by %s, %s.\n", strings.TrimSuffix(code, "\n"), tb.Name(), stamp())
}

// remarks are what stands under lines of the program.
func (d desk) remarks() []string {
	d.tb.Helper()
	return eval[[]string](d.page, `[...document.querySelector("code-editor").shadowRoot.querySelectorAll(".cm-remark")].map(r => r.innerText)`)
}

// tabAway takes the keyboard out of the editor.
func (d desk) tabAway() {
	d.tb.Helper()
	eval[bool](d.page, `(document.activeElement.blur(), true)`)
}
