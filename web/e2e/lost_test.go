package e2e

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/network"
)

// lose keeps a built file from ever reaching the page. Its name is as in the source.
func (p *page) lose(name string) {
	p.tb.Helper()
	stem, kind, _ := strings.Cut(name, ".")
	pattern := &network.BlockPattern{URLPattern: "*://*:*/static/" + stem + "-*." + kind, Block: true}
	call(p, "lose a file", network.SetBlockedURLs, network.SetBlockedURLsParams{URLPatterns: []*network.BlockPattern{pattern}})
	p.expect("ERR_BLOCKED_BY_CLIENT")
	p.expect("inspector") // which did it
}

// seenOf gives the text that a reader sees of an element.
const seenOf = `(e => e?.checkVisibility({ visibilityProperty: true }) ? e.innerText.trim() : "")`

// The page stands there before its script, and has to be true also where that never comes, or is
// forbidden: nothing on it may be said to follow, and nothing may look as if it could be pressed.
func TestScriptThatNeverComesIsNotPromised(t *testing.T) {
	for _, c := range []struct {
		name, line string
		make       func(*page)
	}{
		{"lost", "The buttons wait for the ring’s program.", func(p *page) { p.lose("lesson.js") }},
		{"forbidden", "", (*page).withoutScripts},
	} {
		t.Run(c.name, func(t *testing.T) {
			site, p := embedded(t), open(t)
			c.make(p)
			p.visit(site.url + theRing)
			if eval[bool](p, `document.querySelector("tower-ring").matches(":defined")`) {
				t.Fatal("the script came all the same")
			}
			if got := eval[string](p, seenOf+`(document.querySelector(".waking"))`); got != c.line {
				t.Errorf("the ring says %q, want %q", got, c.line)
			}
			if eval[bool](p, `document.querySelector(".waking svg").checkVisibility()`) {
				t.Error("a sign turns as if something were on its way")
			}
			if says := eval[string](p, `document.querySelector(".says").innerText`); !strings.HasSuffix(says, "each.") {
				t.Errorf("the picture invites to what cannot be done: %q", says)
			}
			const pressable = `[...document.querySelectorAll("tower-ring :is(button, input), theme-toggle button, print-page button")]
				.filter(e => !e.disabled && e.checkVisibility({ visibilityProperty: true })).map(e => e.outerHTML)`
			if dead := eval[[]string](p, pressable); len(dead) > 0 {
				t.Errorf("what does nothing looks as if it did: %q", dead)
			}
		})
	}
}
