package e2e

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// A part is one element of a page, in which names are looked for: of two rings, say, the second.
// It is found anew for each use, so the page may replace it.
type part struct {
	*page
	css string // a selector
	nth int    // which of those that match, from 0
}

// part gives the nth element, from 0, that a CSS selector matches. It need not be there yet.
func (p *page) part(css string, nth int) part { return part{page: p, css: css, nth: nth} }

// all is the whole page as a part.
func (p *page) all() part { return p.part("body", 0) }

// js is the element as a JavaScript expression.
func (p part) js() string {
	return fmt.Sprintf("document.querySelectorAll(%s)[%d]", quoted(p.css), p.nth)
}

// text gives what a reader can see of the element that a selector matches within the part.
func (p part) text(css string) string {
	p.tb.Helper()
	return eval[string](p.page, fmt.Sprintf("%s.querySelector(%s).innerText", p.js(), quoted(css)))
}

// counter is the number in the element with the attribute data-count=name, as a JavaScript
// expression. The percentage beside it stands in an element of its own and is left out.
func (p part) counter(name string) string {
	return fmt.Sprintf(`Number([...%s.querySelector(%s).childNodes].filter(n => n.nodeType === Node.TEXT_NODE)`+
		`.map(n => n.data).join("").replace(/\D/g, "") || NaN)`, p.js(), quoted(`[data-count="`+name+`"]`))
}

// count gives the number that a counter shows now.
func (p part) count(name string) int {
	p.tb.Helper()
	shown := eval[string](p.page, "String("+p.counter(name)+")")
	n, err := strconv.Atoi(shown)
	if err != nil {
		p.tb.Fatalf("the counter %s shows no number: %v", name, err)
	}
	return n
}

// counts waits until counters show what is wanted. It fails the test with what they show instead.
func (p part) counts(want map[string]int) {
	p.tb.Helper()
	var all []string
	for name, n := range want {
		all = append(all, fmt.Sprintf("%s === %d", p.counter(name), n))
	}
	_, err := chromedp.Run(p.ctx, chromedp.Poll[any](strings.Join(all, " && "), chromedp.WithPollingTimeout(patience)))
	if err == nil {
		return
	}
	for name, n := range want {
		if got := p.count(name); got != n {
			p.tb.Errorf("the counter %s shows %d, want %d", name, got, n)
		}
	}
	p.tb.Fatalf("waited for the counters: %v", err)
}

// find gives the one control of that role and accessible name within the part, waiting for it.
func (p part) find(role, name string) cdp.BackendNodeID {
	p.tb.Helper()
	for deadline := time.Now().Add(patience); ; {
		found := p.named(role, name)
		if len(found) == 1 {
			return found[0]
		}
		if len(found) > 1 || time.Now().After(deadline) {
			p.tb.Fatalf("there are %d of role %s named %q in %s, want one", len(found), role, name, p.css)
		}
		<-time.After(20 * time.Millisecond) // a page without scripts cannot be asked to tell
	}
}

// named gives the nodes of that role and name that assistive technology can reach now.
func (p part) named(role, name string) []cdp.BackendNodeID {
	p.tb.Helper()
	element := run(p.page, "find "+p.css, chromedp.Evaluate[*runtime.RemoteObject](p.js()))
	if element.ObjectID == "" {
		return nil // the part itself is not there yet
	}
	tree := call(p.page, "look for names in "+p.css, accessibility.QueryAXTree,
		accessibility.QueryAXTreeParams{ObjectID: element.ObjectID, Role: role, AccessibleName: name})
	var nodes []cdp.BackendNodeID
	for _, n := range tree.Nodes {
		if !n.Ignored {
			nodes = append(nodes, n.BackendDOMNodeID)
		}
	}
	return nodes
}

// A box is where an element stands in the window, in CSS pixels.
type box struct{ x, y, width, height float64 }

// locate scrolls a control into view and says where it is then.
func (p part) locate(role, name string) box {
	p.tb.Helper()
	node := p.find(role, name)
	call(p.page, "scroll to "+name, dom.ScrollIntoViewIfNeeded, dom.ScrollIntoViewIfNeededParams{BackendNodeID: node})
	quads := call(p.page, "locate "+name, dom.GetContentQuads, dom.GetContentQuadsParams{BackendNodeID: node})
	if len(quads.Quads) == 0 {
		p.tb.Fatalf("%s %q is not on the screen", role, name)
	}
	b := box{x: math.Inf(1), y: math.Inf(1)}
	right, bottom := math.Inf(-1), math.Inf(-1)
	for _, quad := range quads.Quads {
		for i := 0; i+1 < len(quad); i += 2 {
			b.x, b.y = min(b.x, quad[i]), min(b.y, quad[i+1])
			right, bottom = max(right, quad[i]), max(bottom, quad[i+1])
		}
	}
	b.width, b.height = right-b.x, bottom-b.y
	return b
}

// click presses a control with the mouse, in its middle.
func (p part) click(role, name string) {
	p.tb.Helper()
	b := p.locate(role, name)
	run(p.page, "click "+name, chromedp.MouseClickXY(b.x+b.width/2, b.y+b.height/2))
}

// clickOn clicks the element that a selector finds within the part, in its middle.
func (p part) clickOn(css string) {
	p.tb.Helper()
	b := eval[struct{ X, Y float64 }](p.page, fmt.Sprintf(`(() => {
		const e = %s.querySelector(%s);
		e.scrollIntoView({ block: "center", behavior: "instant" });
		const { x, y, width, height } = e.getBoundingClientRect();
		return { X: x + width / 2, Y: y + height / 2 };
	})()`, p.js(), quoted(css)))
	run(p.page, "click "+css, chromedp.MouseClickXY(b.X, b.Y))
}

// focus puts the keyboard on a control.
func (p part) focus(role, name string) {
	p.tb.Helper()
	call(p.page, "focus "+name, dom.Focus, dom.FocusParams{BackendNodeID: p.find(role, name)})
}

// drag takes hold of a slider and moves through places of it, each from 0, its start, to 1, its
// end, before it lets go.
func (p part) drag(name string, places ...float64) {
	p.tb.Helper()
	b := p.locate("slider", name)
	mouse := func(kind input.DispatchMouseEventType, place float64, options ...chromedp.MouseOption) {
		p.tb.Helper()
		x, y := b.x+place*b.width, b.y+b.height/2
		run(p.page, "drag "+name, chromedp.MouseEvent(kind, x, y, options...))
	}
	left := []chromedp.MouseOption{chromedp.Button("left"), chromedp.ClickCount(1)}
	mouse(input.DispatchMouseEventTypeMousePressed, places[0], left...)
	for _, place := range places[1:] {
		mouse(input.DispatchMouseEventTypeMouseMoved, place, left...)
	}
	mouse(input.DispatchMouseEventTypeMouseReleased, places[len(places)-1], left...)
}

// fill writes into a field, in the place of what is there.
func (p part) fill(name, text string) {
	p.tb.Helper()
	p.focus("textbox", name)
	call(p.page, "select what is there", input.DispatchKeyEvent, input.DispatchKeyEventParams{
		Type: input.DispatchKeyEventTypeKeyDown, Key: "a", Modifiers: int64(chromedp.ModifierCtrl), Commands: []string{"selectAll"}})
	call(p.page, "fill in "+name, input.InsertText, input.InsertTextParams{Text: text})
}

// leaveBy presses a control with the mouse, and waits for the page behind it.
func (p part) leaveBy(role, name string) {
	p.tb.Helper()
	p.leave(func() { p.click(role, name) })
}
