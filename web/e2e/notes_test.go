package e2e

import (
	"strings"
	"testing"
)

// noteLink is the name of the link beside a heading, such as "#the-seam".
func (p *page) noteLink(heading string) string {
	p.tb.Helper()
	return "Add a note to: " + eval[string](p, `document.querySelector(`+quoted(heading)+`).textContent.trim()`)
}

// addNote writes a note beside a heading.
func (p *page) addNote(heading, text string) {
	p.tb.Helper()
	p.all().click("link", p.noteLink(heading))
	form := p.part("form.mine", 0)
	form.fill(yourNote, text)
	form.click("button", "Save")
	p.wait(`!document.querySelector("form.mine") && document.querySelector("aside.mine")`)
}

const hostileNote = "# Big\n\n*slanted* `code` [away](javascript:document.title='owned') [there](https://example.com/)\n\n" +
	"<script>document.title = 'owned'</script>\n\n<img src=x onerror=\"document.title='owned'\"> ![picture](https://example.com/p.png)\n\n- one\n- two\n"

// drawnNote fails the test unless the hostile note is drawn as one that can do nothing.
func (p *page) drawnNote() {
	p.tb.Helper()
	note := p.part("aside.mine", 0)
	for css, want := range map[string]int{
		".said em": 1, ".said code": 1, ".said li": 2, `.said a[href="https://example.com/"]`: 1,
		".said script": 0, ".said img": 0, `.said a[href^="javascript"]`: 0, ".said [onerror]": 0, ".said h1": 0,
	} {
		if got := eval[int](p, note.js()+`.querySelectorAll(`+quoted(css)+`).length`); got != want {
			p.tb.Errorf("the note has %d of %s, want %d", got, css, want)
		}
	}
	if said := note.text(".said"); !strings.Contains(said, "<script>document.title = 'owned'</script>") {
		p.tb.Errorf("HTML in the note is not shown as it was typed: %q", said)
	}
	if title := eval[string](p, "document.title"); title == "owned" {
		p.tb.Error("what stands in a note has run")
	}
}

func TestNotesAreWrittenChangedAndDeleted(t *testing.T) {
	work, p := shop(t), open(t)
	p.visit(work.url + theRing)
	p.addNote("#the-seam", hostileNote)
	p.drawnNote()
	p.visit(work.url + theRing)
	p.drawnNote()

	note := p.part("aside.mine", 0)
	note.click("link", "Edit")
	form := p.part("form.mine", 0)
	if got := eval[string](p, form.js()+`.querySelector("textarea").value`); got != strings.TrimSpace(hostileNote) {
		t.Errorf("to be changed there is %q", got)
	}
	form.fill(yourNote, "Now **shorter**.")
	// What is typed and not saved outlives the page.
	p.visit(work.url + theRing)
	if got := eval[string](p, `document.querySelector("form.mine textarea").value`); got != "Now **shorter**." {
		t.Errorf("after a reload the form has %q", got)
	}
	form.click("button", "Save")
	p.wait(`document.querySelector("aside.mine strong")?.textContent === "shorter"`)
	p.wait(`document.activeElement.matches(".mine .edit")`)

	note.click("button", "Delete")
	p.wait(`!document.querySelector("aside.mine")`)
	p.all().click("button", "Undo")
	p.wait(`document.querySelector("aside.mine strong")?.textContent === "shorter"`)
	note.click("button", "Delete")
	p.wait(`document.querySelector(".undone")`)
	p.visit(work.url + theRing)
	if n := eval[int](p, `document.querySelectorAll(".mine").length`); n != 0 {
		t.Errorf("after deleting, %d notes are there", n)
	}
}

func TestNotesWithoutScripts(t *testing.T) {
	work, p := shop(t), open(t)
	p.withoutScripts()
	p.visit(work.url + theRing)
	write := func(text string) {
		t.Helper()
		form := p.part("form.mine", 0)
		form.fill(yourNote, text)
		form.leaveBy("button", "Save")
	}
	p.all().leaveBy("link", p.noteLink("#the-seam"))
	p.expect("422")
	write("   ")
	if got := p.part("form.mine", 0).text(".wrong"); got == "" {
		t.Error("an empty note is not refused with a word")
	}
	write(hostileNote)
	p.drawnNote()
	if got := eval[string](p, "location.hash"); got == "" {
		t.Error("after saving, the page is not at the note")
	}
	p.part("aside.mine", 0).leaveBy("link", "Edit")
	write("Now **shorter**.")
	if got := p.part("aside.mine", 0).text("strong"); got != "shorter" {
		t.Errorf("the changed note says %q", got)
	}
	p.part("aside.mine", 0).leaveBy("button", "Delete")
	if n := eval[int](p, `document.querySelectorAll(".mine").length`); n != 0 {
		t.Errorf("after deleting, %d notes are there", n)
	}
}

// yourNote is the field's name, as it is written and not as it looks.
const yourNote = "Your note"
