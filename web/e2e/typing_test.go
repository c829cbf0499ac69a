package e2e

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// Type errors come while somebody types and rests, under their line, and go when they are mended.
func TestTypeErrorsComeAndGo(t *testing.T) {
	work, p := shop(t), open(t)
	d := p.desk(work.url + ownerPage)
	d.needRich()
	d.warm()
	p.all().focus("textbox", "owner.go")
	p.press(kb.End, chromedp.KeyModifiers(chromedp.ModifierCtrl))
	p.press("var count int = Owner")
	remarked := func(want string) {
		t.Helper()
		d.wait(`[...document.querySelector("code-editor").shadowRoot.querySelectorAll(".cm-remark")].map(r => r.innerText).join() === ` + quoted(want))
	}
	d.wait(`document.querySelector("code-editor").shadowRoot.querySelectorAll(".cm-remark").length === 1`)
	if got := d.remarks(); !strings.Contains(got[0], "cannot use Owner") {
		t.Errorf("the editor remarks %q", got)
	}
	if above := eval[string](p, `document.querySelector("code-editor").shadowRoot.querySelector(".cm-remark").previousElementSibling.textContent`); above != "var count int = Owner" {
		t.Errorf("the remark stands under %q", above)
	}
	for range "Owner" {
		p.press(kb.Backspace)
	}
	p.press("nobody")
	remarked("undefined: nobody")
	for range "nobody" {
		p.press(kb.Backspace)
	}
	p.press("7")
	remarked("")
	if got := d.is("state"); got != "" {
		t.Errorf("typing has sent the program in: %s", got)
	}

	// In the plain field the same is told below it.
	p.all().click("switch", "Plain text")
	p.all().focus("textbox", "owner.go")
	d.write(d.code() + "\nvar other = nothing\n")
	d.wait(`document.querySelector('ol[aria-label="Remarks"]').innerText.includes("undefined: nothing")`)
	d.write(strings.Replace(d.code(), "nothing", "7", 1))
	d.wait(`document.querySelector('ol[aria-label="Remarks"]').hidden`)
	p.all().click("switch", "Plain text")
	d.wait(`document.querySelector("code-editor").shadowRoot.querySelector(".cm-content")`)
}

// warm waits until the checker, which starts with the server, can be asked for types.
func (d desk) warm() {
	d.tb.Helper()
	path := strings.TrimPrefix(eval[string](d.page, "location.pathname"), "/")
	d.wait(`(window.asked ??= 0, window.warm ??= (async () => {
		for (;;) {
			const answer = await fetch("/api/` + path + `/types", { method: "POST", headers: { "Content-Type": "application/json" }, body: '{"code":"package exercise; var x = nothing"}' });
			if ((await answer.json()).diagnostics?.length) return window.asked = 1;
			await new Promise(done => setTimeout(done, 50));
		}
	})(), window.asked === 1)`)
}

// What is typed is on the server a moment later, and there after a reload and after the browser
// has forgotten it.
func TestDraftIsKept(t *testing.T) {
	work, p := shop(t), open(t)
	owner := set(t, "03-the-ring", "owner")
	d := p.desk(work.url + ownerPage)
	first := owner.Start + "// One.\n"
	d.write(first)
	d.saved()
	eval[bool](p, `(localStorage.clear(), true)`)
	d.desk(work.url + ownerPage)
	d.shows(first)

	// Whoever leaves at once has typed for the browser and the server all the same.
	second := owner.Start + "// Two.\n"
	d.write(second)
	d.desk(work.url + ownerPage)
	d.shows(second)
	d.saved()
	if got := eval[string](p, `fetch(location.href).then(a => a.text()).then(t => new DOMParser().parseFromString(t, "text/html").querySelector("[data-kept=draft]").value)`); got != second {
		t.Errorf("the server's draft is:\n%s", got)
	}

	p.all().click("button", "Start again")
	p.part("dialog", 0).click("button", "Keep my program")
	d.shows(second)
	p.all().click("button", "Start again")
	p.part("dialog", 0).click("button", "Yes, start again")
	d.shows(owner.Start)
	p.part("[data-offers]", 0).click("button", "Take it back")
	d.shows(second)
}

func TestSharedProgramLeavesTheDraftAlone(t *testing.T) {
	work, p := shop(t), open(t)
	owner := set(t, "03-the-ring", "owner")
	shared := owner.Start + "// Grüße aus Wrocław, سلام 👋\n"
	d := p.desk(work.url + ownerPage)
	d.write(shared)
	p.all().click("button", "Share")
	d.offers("link")
	link := eval[string](p, `document.querySelector("[data-offer=link] input").value`)

	friend := open(t)
	f := friend.desk(work.url + ownerPage)
	draft := owner.Start + "// A friend's own.\n"
	f.write(draft)
	f.saved()
	friend.visit("about:blank")
	f.desk(link)
	f.shows(shared)
	if says := f.offers("source"); !strings.Contains(says, "Your draft is kept.") {
		t.Errorf("the page says %q", says)
	}
	friend.part("[data-offers]", 0).click("button", "Back to your draft")
	f.shows(draft)
	f.desk(work.url + ownerPage)
	f.shows(draft)

	// Typing on in the shared program puts the draft aside.
	friend.visit("about:blank")
	f.desk(link)
	f.shows(shared)
	friend.all().focus("textbox", "owner.go")
	friend.press(kb.End, chromedp.KeyModifiers(chromedp.ModifierCtrl))
	friend.press("// on")
	f.offers("other")
	f.desk(work.url + ownerPage)
	f.shows(shared + "// on")
	friend.part("[data-offers]", 0).click("button", "Show it")
	f.shows(draft)

	// A link that is damaged is told so.
	friend.visit("about:blank")
	f.desk(work.url + ownerPage + "#program=AAAA")
	if says := f.offers("link"); !strings.Contains(says, "cannot be read") {
		t.Errorf("of a damaged link the page says %q", says)
	}
	f.shows(draft)
}

// Whoever types over a selection replaces it, and the browser has no style of its own to add,
// which the policy would refuse. A bracket goes around what is selected.
func TestTypingOverASelection(t *testing.T) {
	work, p := shop(t), open(t)
	d := p.desk(work.url + ownerPage)
	d.needRich()
	p.all().focus("textbox", "owner.go")
	d.selectAll()
	p.press("x")
	d.selectAll()
	p.press("(")
	if got := strings.TrimSpace(d.code()); got != "(x)" {
		t.Errorf("after typing x over everything, and ( over that: %q", got)
	}
}
