package e2e

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/network"
)

// line takes the page off line and puts it on again.
func (p *page) line(up bool) {
	p.tb.Helper()
	all := &network.Conditions{Offline: !up, DownloadThroughput: -1, UploadThroughput: -1}
	call(p, "set the network", network.EmulateNetworkConditionsByRule,
		network.EmulateNetworkConditionsByRuleParams{MatchedNetworkConditions: []*network.Conditions{all}})
	call(p, "tell the page of the network", network.OverrideNetworkState,
		network.OverrideNetworkStateParams{Offline: !up, DownloadThroughput: -1, UploadThroughput: -1})
}

// stay marks the page, so that [page.stayed] can tell whether it was loaded again.
func (p *page) stay() {
	p.tb.Helper()
	eval[bool](p, `(window.marked = true)`)
}

func (p *page) stayed() {
	p.tb.Helper()
	if !eval[bool](p, `window.marked === true`) {
		p.tb.Error("the page was loaded again")
	}
}

func TestOfflineLosesNothing(t *testing.T) {
	work, p := shop(t), open(t)
	owner := set(t, "03-the-ring", "owner")
	d := p.desk(work.url + ownerPage)
	p.stay()
	p.expect("ERR_INTERNET_DISCONNECTED")
	p.line(false)
	code := unique(t, owner.Solution)
	d.write(code)
	d.wait(`document.querySelector("draft-keeper").textContent === "kept in this browser, not yet on the server"`)
	d.check()
	d.wait(`document.querySelector("[data-sending]").textContent.startsWith("You are offline.")`)
	p.all().find("button", "Send again")
	if kept := eval[string](p, `JSON.parse(localStorage.getItem("towers:draft::`+ownerPage+`")).code`); kept != code {
		t.Errorf("the browser keeps:\n%s", kept)
	}
	p.line(true)
	d.judged("passed")
	d.saved()
	p.stayed()
	if says := p.all().text("[data-sending]"); says != "" {
		t.Errorf("when all is well again the page still says %q", says)
	}
	if n := len(d.tries()); n != 1 {
		t.Errorf("the program was sent %d times", n)
	}
}

func TestLineThatBreaksDuringACheckIsTakenUpAgain(t *testing.T) {
	work, p := shop(t), open(t)
	d := p.desk(work.url + ownerPage)
	p.stay()
	p.expect("ERR_INTERNET_DISCONNECTED")
	p.expect("WebSocket")
	d.write(slow(unique(t, set(t, "03-the-ring", "owner").Start), 60))
	d.check()
	d.wait(`document.querySelector(".verdict").dataset.state === "running"`)
	p.line(false)
	d.wait(`document.querySelector("[data-sending]").textContent.startsWith("The connection is lost.")`)
	p.line(true)
	d.judged("failed")
	p.stayed()
	d.wait(`document.querySelector("[data-sending]").textContent === ""`)
}

// The server is killed while it checks, and comes back. The page, which nobody touches, shows
// the verdict.
func TestKilledServerStillGivesItsVerdict(t *testing.T) {
	work, p := ownShop(t, "--parallel=1"), open(t)
	d := p.desk(work.url + ownerPage)
	p.stay()
	p.expect("WebSocket")
	p.expect("ERR_CONNECTION_REFUSED")
	p.expect("ERR_CONNECTION_RESET")
	p.expect("ERR_EMPTY_RESPONSE")
	code := slow(unique(t, set(t, "03-the-ring", "owner").Start), 60)
	d.write(code)
	d.check()
	d.wait(`document.querySelector(".verdict").dataset.state === "running"`)
	id := d.is("id")
	work.kill()
	work.again(t)
	d.judged("failed")
	p.stayed()
	if got := d.is("id"); got != id {
		t.Errorf("the verdict is on %s, sent was %s", got, id)
	}
	d.wait(`document.querySelector("[data-sending]").textContent === ""`)
	d.desk(work.url + ownerPage)
	d.shows(code)
	if n := len(d.tries()); n != 1 {
		t.Errorf("after the restart there are %d tries", n)
	}
}

// Something between the browser and the server lets no WebSocket through.
func TestWithoutWebSocketsThePageAsks(t *testing.T) {
	work := shop(t)
	origin, err := url.Parse(work.url)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(origin)
	between := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/live") {
			http.Error(w, "no WebSockets here", http.StatusForbidden)
			return
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(between.Close)
	p := open(t)
	p.expect("WebSocket")
	p.expect("status 403 for " + strings.Replace(between.URL, "http", "ws", 1) + "/live")
	d := p.desk(between.URL + ownerPage)
	p.stay()
	owner := set(t, "03-the-ring", "owner")
	d.witness()
	d.try(slow(unique(t, owner.Start), 30), "failed")
	states := make(map[string]bool)
	for _, s := range d.seen() {
		states[s.State] = true
	}
	if !states["running"] {
		t.Errorf("by asking, the page saw only %v", states)
	}
	d.try(unique(t, owner.Solution), "passed")
	p.stayed()
}
