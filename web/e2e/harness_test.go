package e2e

import (
	"io"
	"net/http"
	"net/http/httptest"
	"path"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"
)

// static serves files that a test writes down, with the policy that the real pages have.
func static(t *testing.T, files map[string]string) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, ok := files[r.URL.Path]
		if !ok && r.URL.Path != "/favicon.ico" {
			http.NotFound(w, r)
			return
		}
		switch path.Ext(r.URL.Path) {
		case ".js":
			w.Header().Set("Content-Type", "text/javascript")
		case ".css":
			w.Header().Set("Content-Type", "text/css")
		default:
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
		}
		w.Header().Set("Content-Security-Policy", "default-src 'self'")
		io.WriteString(w, text)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// A witness that saw nothing would make every other test worthless.
func TestWatchSeesEveryKindOfFault(t *testing.T) {
	for _, c := range []struct{ name, html, js, worker, want string }{
		{name: "an error in the console", js: `console.error("oh", 7)`, want: `console.error: "oh" 7`},
		{name: "an exception", js: `throw new Error("thrown")`, want: "Error: thrown"},
		{name: "a rejected promise", js: `Promise.reject(new Error("rejected"))`, want: "Error: rejected"},
		{name: "an inline style", html: `<p style="color: red">red</p>`, want: "style"},
		{name: "an inline script", html: `<script>1</script>`, want: "script"},
		{name: "a file that is not there", html: `<img alt="" src="/missing.png">`, want: "status 404"},
		{name: "a foreign host", html: `<img alt="" src="http://elsewhere.invalid/x.png">`, want: "Content Security Policy"},
		{name: "an error in a worker", js: `new Worker("/worker.js")`, worker: `throw new Error("in the worker")`, want: "in the worker"},
		{name: "nothing", js: `console.log("all is well")`},
	} {
		t.Run(c.name, func(t *testing.T) {
			url := static(t, map[string]string{
				"/":          `<!doctype html><title>T</title>` + c.html + `<script type="module" src="/page.js"></script>`,
				"/page.js":   c.js + `;document.documentElement.dataset.ran = "yes"`,
				"/worker.js": c.worker,
			})
			p := open(t)
			p.visit(url)
			faults := strings.Join(p.faults(), "\n")
			// A worker starts in its own time.
			for deadline := time.Now().Add(patience); faults == "" && c.want != "" && time.Now().Before(deadline); {
				faults = strings.Join(p.faults(), "\n")
			}
			if !strings.Contains(faults, c.want) || c.want == "" && faults != "" {
				t.Errorf("seen: %q, want %q", faults, c.want)
			}
			p.faults() // the same fault may be told in more ways than one
		})
	}
}

func TestExpectedFaultsPass(t *testing.T) {
	w := &watch{seen: []string{"status 404 for /a", "status 404 for /b"}}
	w.expect("/a")
	if got := w.take(); len(got) != 1 || !strings.Contains(got[0], "/b") {
		t.Errorf("left are %q", got)
	}
	if got := w.take(); len(got) != 0 {
		t.Errorf("the second time there are %q", got)
	}
}

func TestControlsAreFoundByTheirNames(t *testing.T) {
	url := static(t, map[string]string{
		"/": `<!doctype html><html lang="en"><title>T</title>
			<section><button>Add <b>tower</b></button><output data-count="n">0 <small>99 %</small></output></section>
			<section><button aria-label="Add tower">+</button><output data-count="n">0 <small>99 %</small></output>
			<label>Points <input type="range" min="0" max="100" value="0"></label><output id="points">0</output></section>
			<button hidden>Add tower</button><script type="module" src="/page.js"></script>`,
		"/page.js": `for (const s of document.querySelectorAll("section")) {
			let n = 1614;
			s.querySelector("button").onclick = () => {
				s.querySelector("output").firstChild.data = (++n).toLocaleString("en").replace(",", "\u202f") + " ";
			};
		}
		document.querySelector("input").oninput = (e) => { document.getElementById("points").textContent += " " + e.target.value; };`,
	})
	p := open(t)
	p.visit(url)
	first, second := p.part("section", 0), p.part("section", 1)
	second.click("button", "Add tower")
	second.counts(map[string]int{"n": 1615})
	if got := first.count("n"); got != 0 {
		t.Errorf("the first counter shows %d: the wrong button was clicked", got)
	}
	first.focus("button", "Add tower")
	p.press(kb.Enter)
	first.counts(map[string]int{"n": 1615})
	second.drag("Points", 0, 0.5, 1)
	if got := second.text("#points"); got != "0 50 100" {
		t.Errorf("the slider went through %q, want 0 50 100", got)
	}
	if got := p.all().named("button", "Add tower"); len(got) != 2 {
		t.Errorf("%d buttons can be reached, want the two that are shown", len(got))
	}
}

func TestPageIsAsTheReaderWishes(t *testing.T) {
	url := static(t, map[string]string{
		"/":        `<!doctype html><title>T</title><body><noscript>plain</noscript><script type="module" src="/page.js"></script>`,
		"/page.js": `document.body.append("scripted")`,
	})
	p := open(t)
	p.size(360, 640)
	p.media("prefers-color-scheme: dark", "prefers-reduced-motion: reduce")
	p.visit(url)
	if w := eval[int](p, "innerWidth"); w != 360 {
		t.Errorf("the window is %d wide", w)
	}
	for _, query := range []string{"(prefers-color-scheme: dark)", "(prefers-reduced-motion: reduce)", "screen"} {
		if !eval[bool](p, "matchMedia("+quoted(query)+").matches") {
			t.Errorf("%s does not hold", query)
		}
	}
	p.media("print")
	if !eval[bool](p, `matchMedia("print").matches && !matchMedia("(prefers-color-scheme: dark)").matches`) {
		t.Error("the medium is not print in daylight")
	}
	p.withoutScripts()
	p.visit(url)
	if got := p.all().text("noscript"); got != "plain" {
		t.Errorf("without scripts the page says %q", got)
	}
}
