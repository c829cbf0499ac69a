package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// patience is how long a test waits for what should happen at once: long enough for a machine
// that is busy with other things, short enough to hear of what never happens.
const patience = 30 * time.Second

// A page is a tab with a cold cache and nobody's memory. It fails its test on every fault that
// it sees, see [watch].
type page struct {
	tb    testing.TB
	ctx   context.Context
	close context.CancelFunc
	*watch
}

// open makes a tab of 1440 by 1000, a desktop in daylight. It is closed when the test ends.
func open(tb testing.TB) *page {
	tb.Helper()
	w := &watch{}
	ctx, closeTab := chromedp.NewContext(shared.need(tb), chromedp.WithNewBrowserContext(), chromedp.WithListener(w.see))
	p := &page{tb: tb, ctx: ctx, close: closeTab, watch: w}
	tb.Cleanup(func() {
		p.report()
		closeTab()
	})
	if err := chromedp.Do(ctx); err != nil {
		tb.Fatalf("open a tab: %v", err)
	}
	p.size(1440, 1000)
	p.media("prefers-color-scheme: light")
	return p
}

// report fails the test for the faults that nobody expected, with a picture where pictures
// are wanted.
func (p *page) report() {
	if p.tb.Failed() {
		p.shot("failed")
	}
	const most = 20 // a fault in one place is often told of a hundred times
	faults := p.faults()
	for _, fault := range faults[:min(most, len(faults))] {
		p.tb.Errorf("in the browser: %s", fault)
	}
	if len(faults) > most {
		p.tb.Errorf("in the browser: and %d faults more", len(faults)-most)
	}
}

// faults gives what went wrong since it was last asked.
func (p *page) faults() []string {
	// The browser tells everything in order, so after this answer nothing earlier is to come.
	_, _ = chromedp.Run(p.ctx, chromedp.Evaluate[int]("0"))
	return p.take()
}

// visit opens an address and waits until it is loaded. Scripts may still be at work.
func (p *page) visit(url string) {
	p.tb.Helper()
	run(p, "open "+url, chromedp.Navigate(url))
}

// follow clicks the link that a selector finds, waits for the page behind it, and gives its path.
func (p *page) follow(css string) string {
	p.tb.Helper()
	p.leave(func() { eval[bool](p, fmt.Sprintf("document.querySelector(%s).click(), true", quoted(css))) })
	return eval[string](p, "location.pathname")
}

// leave waits for the page to which something leads, until it is loaded.
func (p *page) leave(by func()) {
	p.tb.Helper()
	eval[bool](p, "window.here = true")
	by()
	p.arrive(`window.here === undefined && document.readyState === "complete"`)
}

// arrive waits until an expression is true, whatever pages come and go meanwhile, and also on
// those whose scripts do not run.
func (p *page) arrive(js string) {
	p.tb.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); <-tick.C {
		// While one page makes way for the next there is none to ask.
		if there, err := chromedp.Run(p.ctx, chromedp.Evaluate[bool](js)); err == nil && there {
			return
		}
	}
	p.tb.Fatalf("waited for %s; the page says:\n%s", js, eval[string](p, "document.body.innerText.slice(0, 2000)"))
}

// run carries out one action, whose name is for the case that it fails, and gives its value.
func run[T any](p *page, name string, action chromedp.Action[T]) T {
	p.tb.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	v, err := chromedp.Run(ctx, action)
	if err != nil {
		p.tb.Fatalf("%s: %v", name, err)
	}
	return v
}

// call asks the browser for what there is no action for.
func call[P, R any](p *page, name string, command cdp.Command[P, R], params P) R {
	p.tb.Helper()
	return run(p, name, func(ctx context.Context, t *chromedp.Target) (R, error) {
		return cdp.Call(ctx, t, command, params)
	})
}

// size makes the window so large, in CSS pixels.
func (p *page) size(width, height int64) {
	p.tb.Helper()
	run(p, "resize the window", chromedp.EmulateViewport(width, height))
}

// media sets what the page learns of the reader's wishes, each as "prefers-color-scheme: dark",
// and takes back those set before. "print" alone is the medium.
func (p *page) media(wishes ...string) {
	p.tb.Helper()
	var set emulation.SetEmulatedMediaParams
	for _, wish := range wishes {
		name, value, ok := strings.Cut(wish, ": ")
		if !ok {
			set.Media = name
			continue
		}
		set.Features = append(set.Features, &emulation.MediaFeature{Name: name, Value: value})
	}
	call(p, "set the media", emulation.SetEmulatedMedia, set)
}

// withoutScripts forbids the scripts of all pages to come. What a test asks by [eval] still works.
func (p *page) withoutScripts() {
	p.tb.Helper()
	call(p, "forbid scripts", emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
}

// eval gives the value of a JavaScript expression, waiting for it where it is a promise.
func eval[T any](p *page, js string) T {
	p.tb.Helper()
	return run(p, fmt.Sprintf("evaluate %.400s", js), chromedp.Evaluate[T](js, chromedp.EvalAwaitPromise))
}

// wait waits until a JavaScript expression is true, in whatever document the tab has by then. It
// looks once for each frame of the screen.
func (p *page) wait(js string) {
	p.tb.Helper()
	for deadline := time.Now().Add(patience); ; {
		_, err := chromedp.Run(p.ctx, chromedp.Poll[bool]("Boolean("+js+")", chromedp.WithPollingTimeout(patience)))
		if err == nil {
			return
		}
		if !gone(err) || time.Now().After(deadline) {
			p.tb.Fatalf("waited for %s: %v; the page says:\n%s", js, err, eval[string](p, "document.body.innerText.slice(0, 2000)"))
		}
	}
}

// gone says that a document went away while it was asked something: the one after it can be asked
// the same.
func gone(err error) bool {
	return strings.Contains(err.Error(), "Cannot find context with specified id") ||
		strings.Contains(err.Error(), "Execution context was destroyed")
}

// press types keys, see package kb for those without a letter.
func (p *page) press(keys string, options ...chromedp.KeyOption) {
	p.tb.Helper()
	run(p, "press a key", chromedp.KeyEvent(keys, options...))
}

// shot leaves a picture of the whole page in the folder that TOWERS_SHOTS names, if it is set.
func (p *page) shot(name string) {
	dir := os.Getenv("TOWERS_SHOTS")
	if dir == "" {
		return
	}
	// A test's name may hold slashes, and so may an address in it.
	name = strings.ReplaceAll(p.tb.Name()+"-"+name, "/", "_") + ".png"
	picture, err := chromedp.Run(p.ctx, chromedp.FullScreenshot(100))
	if err == nil {
		err = os.MkdirAll(dir, 0o755)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, name), picture, 0o644)
	}
	if err != nil {
		p.tb.Logf("no picture %s: %v", name, err)
	}
}

// quoted is a text as JavaScript writes it.
func quoted(text string) string {
	b, err := json.Marshal(text)
	if err != nil {
		panic(err) // no string fails
	}
	return string(b)
}
