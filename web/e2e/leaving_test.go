package e2e

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// kept lists what the browser keeps of its readers' work by itself.
func (p *page) kept() []string {
	p.tb.Helper()
	return eval[[]string](p, `Object.keys(localStorage).filter(key => /^towers:(draft|note|hints):/.test(key)).sort()`)
}

// nobodys is true on the page at a path as somebody new sees it.
func nobodys(path string) string {
	return `document.readyState === "complete" && location.pathname === ` + quoted(path) +
		` && document.querySelector(".sign")?.textContent.includes("Sign in") === true`
}

// On a computer that others use too, whoever signs out leaves nothing in the browser: what was
// saved is on the server, and what was never saved is not dropped without a question.
func TestSigningOutLeavesNothingInTheBrowser(t *testing.T) {
	work, p := shop(t), open(t)
	p.visit(work.url + theRing)
	p.all().click("link", p.noteLink("#one-circle"))
	p.part("form.mine", 0).fill(yourNote, "as a guest, never saved")
	name := "Ada: " + stamp()
	p.signUp(name)

	d := p.desk(work.url + ownerPage)
	d.write("package exercise // hers\n")
	d.saved()
	p.all().clickOn(".hint summary")
	p.visit(work.url + theRing)
	if got := eval[string](p, `document.querySelector("form.mine textarea").value`); got != "as a guest, never saved" {
		t.Errorf("what was typed as a guest is %q under a name", got)
	}
	p.all().click("link", p.noteLink("#the-seam"))
	p.part("form.mine", 1).fill(yourNote, "never saved")
	if got := p.kept(); len(got) != 4 {
		t.Errorf("while she is signed in the browser keeps %q, want a draft, two notes and the hints", got)
	}

	p.visit(work.url + "/account")
	p.all().click("button", "Sign out")
	p.wait(`document.querySelector("dialog.ask").open`)
	if says := p.all().text("dialog.ask"); !strings.Contains(says, "2\u00a0notes") {
		t.Errorf("before signing out it asks %q", says)
	}
	p.part("dialog.ask", 0).click("button", "Stay signed in")
	p.wait(`!document.querySelector("dialog.ask")`)
	if !strings.Contains(p.signed(), name) {
		t.Fatal("who stays is signed out")
	}
	p.all().click("button", "Sign out")
	p.part("dialog.ask", 0).leaveBy("button", "Sign out, and drop it")
	if got := p.kept(); len(got) != 0 {
		t.Errorf("after signing out the browser keeps %q", got)
	}
	p.visit(work.url + theRing)
	if n := eval[int](p, `document.querySelectorAll(".mine").length`); n != 0 {
		t.Error("whoever comes next sees her note")
	}
	run(p, "go back", chromedp.Evaluate[any](`history.go(-3)`))
	p.arrive(nobodys(theRing))
}

// A window that lies open when its reader signs out in another is nobody's from then on, and what
// was typed there a moment before is not kept as that of whoever comes next.
func TestSigningOutReachesOtherWindows(t *testing.T) {
	work, p := shop(t), open(t)
	p.visit(work.url + "/")
	name := "Bea " + stamp()
	p.signUp(name)
	d := p.desk(work.url + ownerPage)
	d.write("package exercise // hers\n")
	d.saved()
	eval[bool](p, `fetch("/account/sign-out", { method: "POST" }).then((answer) => answer.ok)`)
	eval[bool](p, `(document.querySelector("code-editor").replace("package exercise // more\n"),
		dispatchEvent(new StorageEvent("storage", { key: "towers:left", newValue: `+quoted(name)+` })))`)
	p.arrive(nobodys(ownerPage))
	d.ready()
	d.shows(set(t, "03-the-ring", "owner").Start)
	// What was kept while the page was loaded again would come with the next look.
	d = p.desk(work.url + ownerPage)
	d.shows(set(t, "03-the-ring", "owner").Start)
}

// A mistyped word deletes nothing, in the browser neither; the right one deletes everything.
func TestDeletingLeavesNothingInTheBrowser(t *testing.T) {
	work, p := shop(t), open(t)
	p.expect("422") // the answer to a mistyped word
	d := p.desk(work.url + ownerPage)
	d.write("package exercise // a guest's\n")
	d.saved()
	for _, step := range []struct {
		word string
		left int
	}{{"dlete", 1}, {"delete", 0}} {
		if step.left > 0 {
			p.visit(work.url + "/account")
			p.all().clickOn(".fold summary")
		}
		fold := p.part(`form[action="/account/delete"]`, 0)
		fold.fill("To go on, type “delete”", step.word)
		fold.leaveBy("button", "Delete everything")
		if got := p.kept(); len(got) != step.left {
			t.Errorf("after typing %q the browser keeps %q", step.word, got)
		}
	}
}
