package e2e

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// enter presses Enter as a keyboard does: a page that takes the key for itself types no letter.
func (p *page) enter(modifiers ...chromedp.Modifier) {
	p.tb.Helper()
	k := input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyDown, Key: "Enter", Code: "Enter", WindowsVirtualKeyCode: 13, Text: "\r"}
	for _, m := range modifiers {
		k.Modifiers |= int64(m)
		k.Text = ""
	}
	call(p, "press Enter", input.DispatchKeyEvent, k)
	k.Type, k.Text = input.DispatchKeyEventTypeKeyUp, ""
	call(p, "let Enter go", input.DispatchKeyEvent, k)
}

func TestKeyboardAloneFromTheTopToAVerdict(t *testing.T) {
	work, p := shop(t), open(t)
	owner := set(t, "03-the-ring", "owner")
	d := p.desk(work.url + ownerPage)
	p.tabTo("Skip to the editor")
	p.enter()
	p.tabTo("owner.go")
	if says := eval[string](p, `document.querySelector(".keys").innerText`); !strings.Contains(says, "Esc, then Tab, leaves the editor") {
		t.Errorf("the page does not say how to leave the editor: %q", says)
	}

	// In the editor Tab belongs to the program. Formatting takes it away again.
	p.press(kb.End, chromedp.KeyModifiers(chromedp.ModifierCtrl))
	p.press("// A remark")
	p.enter()
	p.press(kb.Tab)
	p.press("// and another one.")
	if got := d.code(); !strings.HasPrefix(got, owner.Start) || !strings.HasSuffix(got, "// A remark\n\t// and another one.") {
		t.Fatalf("the editor has:\n%s", got)
	}

	p.press("s", chromedp.KeyModifiers(chromedp.ModifierCtrl))
	d.shows(owner.Start + "\n// A remark\n// and another one.\n")

	p.enter(chromedp.ModifierCtrl)
	d.judged("failed")
	if at := eval[string](p, `document.activeElement.localName`); at != "code-editor" {
		t.Errorf("after checking from the editor the keyboard is at %s", at)
	}

	p.enter()
	p.press("x")
	p.press(kb.Escape)
	p.tabTo("Check")
	p.enter()
	d.judged("build_error")
	p.tabTo("line 18")
	p.enter()
	p.wait(`document.activeElement.localName === "code-editor"`)
}

// From the editor, Escape and then Tab leads to the next control, and Shift and Tab to the one
// before; without Escape, Tab belongs to the program.
func TestEscapeThenTabLeavesTheEditor(t *testing.T) {
	work, p := shop(t), open(t)
	d := p.desk(work.url + ownerPage)
	d.needRich()
	start := d.code()
	const at = `(document.activeElement.dataset.act ?? document.activeElement.localName)`
	p.all().focus("textbox", "owner.go")
	p.press(kb.Tab)
	if got := d.code(); got != "\t"+start {
		t.Errorf("Tab made the program:\n%s", got)
	}
	if got := eval[string](p, at); got != "code-editor" {
		t.Errorf("Tab went to %s", got)
	}
	p.press(kb.Escape)
	p.press(kb.Tab)
	if got := eval[string](p, at); got != "check" {
		t.Errorf("after Escape, Tab went to %s", got)
	}
	p.press(kb.Tab, chromedp.KeyModifiers(chromedp.ModifierShift))
	if got := eval[string](p, at); got != "code-editor" {
		t.Errorf("Shift and Tab went to %s", got)
	}
	p.press(kb.Escape)
	p.press(kb.Tab, chromedp.KeyModifiers(chromedp.ModifierShift))
	if got := eval[string](p, at); got != "download" {
		t.Errorf("after Escape, Shift and Tab went to %s", got)
	}
}
