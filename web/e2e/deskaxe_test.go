package e2e

import (
	"fmt"
	"testing"
)

// accessible fails the test for what axe finds, on a phone and a desktop, by day and by night.
// What is folded away is read too.
func (p *page) accessible(script, when string) {
	p.tb.Helper()
	eval[bool](p, `document.querySelectorAll("main details").forEach(d => d.open = true), true`)
	for _, width := range []int64{360, 1440} {
		for _, light := range []string{"light", "dark"} {
			p.size(width, 900)
			p.media("prefers-color-scheme: "+light, "prefers-reduced-motion: reduce")
			for _, v := range p.violations(script) {
				p.tb.Errorf("%s, at %d, %s: %s", when, width, light, v)
			}
			p.shot(fmt.Sprintf("%s-%d-%s", when, width, light))
		}
	}
}

func TestAxeFindsNothingAtTheDesk(t *testing.T) {
	script := axe(t)
	work, p := shop(t), open(t)
	owner := set(t, "03-the-ring", "owner")
	d := p.desk(work.url + ownerPage)
	p.accessible(script, "fresh")
	d.try(unique(t, wrongOne(t, owner, "no-points")), "crashed")
	p.accessible(script, "crashed")
	d.try(unique(t, wrongOne(t, owner, "subtracts")), "failed")
	p.accessible(script, "failed")
	d.try(unique(t, owner.Start)+"var x int = \"\"\n", "build_error")
	p.accessible(script, "compile error")
	d.try(unique(t, owner.Solution), "passed")
	p.accessible(script, "passed")
	p.all().click("button", "Start again")
	p.wait(`document.querySelector("dialog[open]")`)
	p.accessible(script, "asked")
	p.part("dialog", 0).click("button", "Yes, start again")
	p.all().click("button", "Share")
	d.offers("link")
	p.accessible(script, "offered")
	p.all().click("switch", "Plain text")
	p.accessible(script, "plain")
	p.desk(work.url + seamPage)
	p.accessible(script, "tests")
}

func TestAxeFindsNothingOfAccountsAndNotes(t *testing.T) {
	script := axe(t)
	work, p := shop(t), open(t)
	p.visit(work.url + "/account")
	p.accessible(script, "nobody")
	p.visit(work.url + theRing)
	p.wakeAll()
	p.addNote("#the-seam", hostileNote)
	p.all().click("link", p.noteLink("#one-circle"))
	p.readToTheEnd()
	p.accessible(script, "notes")
	p.visit(work.url + "/account")
	p.expect("422")
	form := p.part(`form[action="/account/sign-up"]`, 0)
	form.fill("Name", "x")
	form.fill("Password", "short")
	form.leaveBy("button", "Sign up")
	p.accessible(script, "refused")
	p.visit(work.url + theRing)
	p.signUp("Bo " + stamp())
	p.visit(work.url + "/account")
	p.accessible(script, "member")
	p.visit(work.url + "/")
	p.accessible(script, "index")
}
