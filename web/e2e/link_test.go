package e2e

import (
	"strings"
	"testing"
)

func TestLinkOpensTheSamePicture(t *testing.T) {
	site := embedded(t)
	p := open(t)
	p.media("prefers-reduced-motion: reduce")
	fig := p.awake(site.url + theRing)
	fig.click("button", "Add tower")
	fig.click("button", "Remove T-2")
	fig.click("button", "160")
	fig.click("radio", "Modulo")
	p.wait(`document.querySelector("tower-ring").dataset.shown === "towers=1.3-5;was=1-5;points=160;follow=modulo"`)
	p.wait(`location.hash !== ""`)
	const look = `document.querySelector("figure.plate svg.ring").outerHTML + document.querySelector("figure.plate .tr-panel").innerText`
	p.wait(`location.hash.includes("points=160") && location.hash.includes("modulo")`)
	link, sent := eval[string](p, "location.href"), eval[string](p, look)

	friend := open(t)
	friend.media("prefers-reduced-motion: reduce")
	friend.awake(link)
	friend.wait(`document.querySelector("tower-ring").dataset.shown === "towers=1.3-5;was=1-5;points=160;follow=modulo"`)
	if got := eval[string](friend, look); got != sent {
		t.Error("the link opens another picture than the one it was taken from")
	}

	fig.click("button", "Reset")
	p.wait(`location.hash === ""`)
}

func TestNonsenseInTheLinkIsSaidAndThePictureStays(t *testing.T) {
	site := embedded(t)
	for _, c := range []struct{ fragment, want string }{
		{"fig-1:points=0", "points=0"},
		{"fig-1:points=1001", "1 to 1000"},
		{"fig-1:points=1e2", "virtual nodes"},
		{"fig-1:towers=4-1", "towers are numbered"},
		{"fig-1:towers=1-99999", "towers are numbered"},
		{"fig-1:towers=", "towers are numbered"},
		{"fig-1:towers=1-4;follow=jump", "follows ring"},
		{"fig-1:color=red", "does not know"},
		{"fig-1:", "does not know"},
		{"fig-1", ""}, // the figure itself
		{"fig-9:points=3", "names nothing on this page"},
		{"%%%E0%A4%A", "names nothing on this page"},
		{"<img src=x onerror=alert(1)>", "names nothing on this page"},
		{"fig-1:points=<img src=x onerror=alert(1)>", "virtual nodes"},
		{strings.Repeat("x", 5000), "names nothing on this page"},
	} {
		name := c.fragment
		if len(name) > 30 {
			name = name[:30]
		}
		t.Run(name, func(t *testing.T) {
			p := open(t)
			fig := p.awake(site.url + theRing + "#" + c.fragment)
			if c.want == "" {
				if n := eval[int](p, `document.querySelectorAll("tower-ring > .fault").length`); n != 0 {
					t.Error("a link to a figure is called a fault")
				}
				return
			}
			p.wait(`document.querySelector("tower-ring > .fault")`)
			got := fig.text(".fault")
			if !strings.Contains(got, c.want) || !strings.HasSuffix(got, "own picture instead.") {
				t.Errorf("the picture says %q, want %q in it", got, c.want)
			}
			fig.counts(counted(4, 4, 100))
			fig.click("button", "Add tower")
			fig.counts(counted(4, 5, 100))
		})
	}
}

// A fragment that names a heading stays the browser's, and does not wake a fault.
func TestHeadingsStillHaveTheirLinks(t *testing.T) {
	site, p := embedded(t), open(t)
	p.awake(site.url + "/lessons/03-the-ring")
	id := eval[string](p, `document.querySelector(".prose h2").id`)
	p.visit("about:blank")
	fig := p.awake(site.url + theRing + "#" + id)
	if n := eval[int](p, `document.querySelectorAll("tower-ring > .fault").length`); n != 0 {
		t.Errorf("the picture says %q", fig.text(".fault"))
	}
}
