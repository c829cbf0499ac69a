package e2e

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/chromedp/chromedp/kb"
)

func TestGuessIsSealedThenRevealed(t *testing.T) {
	site, p := embedded(t), open(t)
	p.visit(site.url + "/lessons/02-modulo")
	p.wait(`!document.querySelector("predict-card .guess").hidden`)
	card := p.part("predict-card", 0)
	if eval[bool](p, `document.querySelector("predict-card .fold").checkVisibility()`) {
		t.Error("the answer is on the page before the guess")
	}
	eval[bool](p, `(document.querySelector("predict-card input").focus(), true)`)
	p.press(kb.ArrowRight)
	if got := card.text("output"); got != "51\u00a0%" {
		t.Errorf("the guess reads %q, want 51 %%", got)
	}
	card.click("button", "Seal it and reveal")
	p.wait(`document.querySelector("predict-card .answer").checkVisibility()`)
	if got := card.text(".judged"); got != "You said 51\u00a0%. It is 80.75\u00a0%." {
		t.Errorf("the card says %q", got)
	}
}

func TestQuizTellsWhy(t *testing.T) {
	course := fstest.MapFS{"01-quiz/lesson.md": {Data: []byte("---\ntitle: Quiz\nsummary: One question.\nlevel: beginner\nminutes: 1\ntags: [t]\n---\n:::quiz\nWhich?\n\n- [ ] This\n\n  Not this.\n- [x] That\n\n  Just so.\n:::\n")}}
	site, p := serveFolder(t, course), open(t)
	p.visit(site.url + "/lessons/01-quiz")
	p.wait(`document.querySelector("quiz-question .fold").classList.contains("put-away")`)
	quiz := p.part("quiz-question", 0)
	eval[bool](p, `(document.querySelector("quiz-question input").click(), true)`)
	if got := quiz.text(".why"); !strings.Contains(got, "not so") || !strings.Contains(got, "Not this.") {
		t.Errorf("a wrong choice is told %q", got)
	}
	p.press(kb.Tab)
	eval[bool](p, `(document.querySelectorAll("quiz-question input")[1].click(), true)`)
	if got := quiz.text(".why"); !strings.Contains(got, "yes") || !strings.Contains(got, "Just so.") {
		t.Errorf("the right choice is told %q", got)
	}
}

// A question with several right answers explains what is ticked, and nothing that is not.
func TestQuizForgetsWhatIsUnticked(t *testing.T) {
	course := fstest.MapFS{"01-quiz/lesson.md": {Data: []byte("---\ntitle: Quiz\nsummary: One question.\nlevel: beginner\nminutes: 1\ntags: [t]\n---\n:::quiz\nWhich?\n\n- [ ] This\n\n  Not this.\n- [x] That\n\n  Just so.\n- [x] And that\n\n  This too.\n:::\n")}}
	site, p := serveFolder(t, course), open(t)
	p.visit(site.url + "/lessons/01-quiz")
	p.wait(`document.querySelector("quiz-question .fold").classList.contains("put-away")`)
	quiz := p.part("quiz-question", 0)
	tick := func(n string) {
		eval[bool](p, `(document.querySelectorAll("quiz-question input")[`+n+`].click(), true)`)
	}
	tick("0")
	tick("0")
	if got := quiz.text(".why"); got != "" {
		t.Errorf("nothing is ticked, and the quiz says %q", got)
	}
	tick("1")
	if got := quiz.text(".why"); !strings.Contains(got, "Just so.") || !strings.Contains(got, "One more is right.") {
		t.Errorf("with one of two the quiz says %q", got)
	}
	tick("2")
	if got := quiz.text(".why"); !strings.Contains(got, "This too.") || strings.Contains(got, "more") {
		t.Errorf("with both the quiz says %q", got)
	}
}

func TestChosenLightLasts(t *testing.T) {
	site := embedded(t)
	p := open(t)
	p.visit(site.url)
	p.all().click("button", "Switch between day and night chart")
	p.wait(`document.documentElement.dataset.theme === "dark"`)
	p.visit(site.url + theRing)
	if got := eval[string](p, `document.documentElement.dataset.theme ?? ""`); got != "dark" {
		t.Errorf("the next page is drawn %q, want dark", got)
	}
}

func TestContentsMarkTheSectionThatIsRead(t *testing.T) {
	site, p := embedded(t), open(t)
	p.visit(site.url + theRing)
	eval[bool](p, `(document.querySelectorAll(".prose h2")[2].scrollIntoView(), true)`)
	p.wait(`document.querySelector("lesson-contents [aria-current]")?.hash === "#" + document.querySelectorAll(".prose h2")[2].id`)
}

func TestPrintHasNothingToPress(t *testing.T) {
	site, p := embedded(t), open(t)
	p.awake(site.url + theRing)
	p.media("print")
	for _, gone := range []string{".masthead .tools", ".tr-controls", ".watch", ".toc", ".onward", ".colophon"} {
		if eval[bool](p, `[...document.querySelectorAll(`+quoted(gone)+`)].some(e => e.checkVisibility())`) {
			t.Errorf("%s is printed", gone)
		}
	}
	if !eval[bool](p, `document.querySelector("svg.ring").checkVisibility() && document.querySelector(".rules").checkVisibility()`) {
		t.Error("the picture or its numbers are not printed")
	}
}
