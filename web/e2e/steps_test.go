package e2e

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// shown waits until the first picture of the page is in a state.
func (p *page) shown(state string) {
	p.tb.Helper()
	p.wait(`document.querySelector("tower-ring").dataset.shown === ` + quoted(state))
}

// A button that has nothing left to do keeps the keyboard: pressing Enter again must not do
// something else.
func TestEnterAgainNeverDoesTheOpposite(t *testing.T) {
	site, p := embedded(t), open(t)
	fig := p.awake(site.url + theRing)
	fig.click("button", "Add tower")
	fig.counts(counted(4, 5, 100))
	fig.focus("button", "Step back")
	for range 4 {
		p.press(kb.Enter)
	}
	p.shown("towers=1-4;points=100;follow=ring")
	fig.focus("button", "Remove tower")
	for range 9 {
		p.press(kb.Enter)
	}
	p.shown("towers=-;was=1;points=100;follow=ring")
}

// slide moves the slider by its events, as a drag does; settled says that it was let go.
func (p *page) slide(points string, settled bool) {
	p.tb.Helper()
	js := `(() => { const dial = document.querySelector(".dial input"); dial.value = ` + quoted(points) + `; dial.dispatchEvent(new Event("input", { bubbles: true }));`
	if settled {
		js += `dial.dispatchEvent(new Event("change", { bubbles: true }));`
	}
	eval[bool](p, js+" return true; })()")
}

func TestStepsGoBackInTheirOrder(t *testing.T) {
	site, p := embedded(t), open(t)
	fig := p.awake(site.url + theRing)
	// A drag that ends where it began is told by no change event, and is no step.
	p.slide("400", false)
	p.slide("100", false)
	fig.click("button", "Add tower")
	p.slide("300", false)
	fig.click("button", "Add tower") // while the slider is held
	p.slide("500", true)
	p.shown("towers=1-6;was=1-5;points=500;follow=ring")
	for _, state := range []string{
		"towers=1-6;was=1-5;points=300;follow=ring",
		"towers=1-5;was=1-4;points=300;follow=ring",
		"towers=1-5;was=1-4;points=100;follow=ring",
		"towers=1-4;points=100;follow=ring",
	} {
		fig.click("button", "Step back")
		p.shown(state)
	}
	if got := eval[string](p, `document.querySelector("[data-act=back]").getAttribute("aria-disabled")`); got != "true" {
		t.Error("there is still something to step back to")
	}
}

func TestARunOfKeysIsOneStep(t *testing.T) {
	site, p := embedded(t), open(t)
	fig := p.awake(site.url + theRing)
	fig.focus("slider", "Virtual nodes per tower")
	for range 12 {
		p.press(kb.ArrowRight)
	}
	p.shown("towers=1-4;points=112;follow=ring")
	fig.click("button", "Step back")
	p.shown("towers=1-4;points=100;follow=ring")
}

func TestRemovingATowerDimsNothing(t *testing.T) {
	site, p := embedded(t), open(t)
	fig := p.awake(site.url + theRing)
	fig.focus("button", "Remove T-1")
	p.wait(`document.querySelector("svg.ring[data-look]")`)
	p.press(kb.Enter)
	p.shown("towers=2-4;was=1-4;points=100;follow=ring")
	if eval[bool](p, `document.querySelector("svg.ring").hasAttribute("data-look")`) {
		t.Error("the other towers stand back, though nobody points at one")
	}
}

func TestMessageAboutALinkGoesWithTheNextStep(t *testing.T) {
	site, p := embedded(t), open(t)
	fig := p.awake(site.url + theRing + "#fig-1:points=0")
	p.wait(`document.querySelector("tower-ring > .fault")`)
	fig.click("button", "Add tower")
	fig.counts(counted(4, 5, 100))
	p.wait(`!document.querySelector("tower-ring > .fault")`)
}

func TestAddressAndPictureAgreeOnTheWayBack(t *testing.T) {
	site, p := embedded(t), open(t)
	p.awake(site.url + theRing)
	eval[bool](p, `(location.hash = "#fig-1:towers=1-8;points=10", true)`)
	p.shown("towers=1-8;points=10;follow=ring")
	eval[bool](p, `(history.back(), true)`)
	p.shown("towers=1-4;points=100;follow=ring")
}

func TestLinkToALaterFigureIsSeen(t *testing.T) {
	site, p := embedded(t), open(t)
	p.visit(site.url + theRing + "#fig-2:towers=1-6;points=3")
	p.wait(`document.querySelectorAll("tower-ring")[1].dataset.shown === "towers=1-6;points=3;follow=ring"`)
	if y := eval[float64](p, `document.getElementById("fig-2").getBoundingClientRect().top`); y < -50 || y > 600 {
		t.Errorf("the figure that the link is about stands at %.0f", y)
	}
}

// What the network failed to bring can be asked for again.
func TestTryAgainWakesTheRing(t *testing.T) {
	site := embedded(t)
	origin, err := url.Parse(site.url)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(origin)
	var broken atomic.Bool
	broken.Store(true)
	line := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if broken.Load() && strings.HasSuffix(r.URL.Path, ".wasm") {
			http.Error(w, "gone", http.StatusServiceUnavailable)
			return
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(line.Close)
	p := open(t)
	p.expect("503")
	p.visit(line.URL + theRing)
	p.wait(`document.querySelector("tower-ring > .fault button")`)
	broken.Store(false)
	fig := p.part("figure.plate", 0)
	fig.click("button", "Try again")
	p.shown("towers=1-4;points=100;follow=ring")
	fig.click("button", "Add tower")
	fig.counts(counted(4, 5, 100))
	p.wait(`!document.querySelector("tower-ring > .fault")`)
}
