package e2e

import (
	"slices"
	"strings"
	"testing"
)

// secret is a password that nobody would guess, in a test.
const secret = "four towers and a boat"

// signUp gives the guest of this browser a name, by the link in the masthead.
func (p *page) signUp(name string) {
	p.tb.Helper()
	p.part(".masthead", 0).leaveBy("link", "Sign in")
	form := p.part(`form[action="/account/sign-up"]`, 0)
	form.fill("Name", name)
	form.fill("Password", secret)
	form.leaveBy("button", "Sign up")
}

// signIn makes the one of this browser somebody with a name.
func (p *page) signIn(name, password string) {
	p.tb.Helper()
	p.part(".masthead", 0).leaveBy("link", "Sign in")
	form := p.part(`form[action="/account/sign-in"]`, 0)
	form.fill("Name", name)
	form.fill("Password", password)
	form.leaveBy("button", "Sign in")
}

// signed is the name in the masthead.
func (p *page) signed() string {
	p.tb.Helper()
	return p.part(".masthead", 0).text(".sign")
}

// tries are the words beside each try at an exercise, the newest first.
func (d desk) tries() []string {
	d.tb.Helper()
	return eval[[]string](d.page, `[...document.querySelectorAll("try-list .stateword")].map(s => s.textContent.trim())`)
}

// What a guest did is still theirs under a name, and in every browser that they sign in from. A
// guest of that other browser brings along what they did there.
func TestSigningUpKeepsEverything(t *testing.T) {
	work, here := shop(t), open(t)
	owner := set(t, "03-the-ring", "owner")
	here.visit(work.url + theRing)
	here.readToTheEnd()
	here.addNote("#the-seam", "Kept by a *guest*.")
	d := here.desk(work.url + ownerPage)
	d.try(unique(t, wrongOne(t, owner, "gives-up")), "failed")
	d.try(unique(t, owner.Solution), "passed")
	draft := unique(t, owner.Solution) + "// And one thought more.\n"
	d.write(draft)
	d.saved()

	name := "Ada " + stamp()
	here.signUp(name)
	d.ready()
	if got := here.signed(); !strings.Contains(got, name) {
		t.Fatalf("after signing up the masthead says %q", got)
	}
	mine := func(p *page, where string, notes ...string) {
		t.Helper()
		d := p.desk(work.url + ownerPage)
		if got := d.tries(); len(got) != 2 || got[0] != "passed" || got[1] != "6 of 8 passed" {
			t.Errorf("%s, the tries are %q", where, got)
		}
		if got := d.code(); got != draft {
			t.Errorf("%s, the editor has:\n%s", where, got)
		}
		p.visit(work.url + theRing)
		if got := p.all().text("lesson-reading"); !strings.Contains(got, "read") || strings.Contains(got, "Mark as read") {
			t.Errorf("%s, the end of the lesson says %q", where, got)
		}
		if got := p.part("#exercise-owner", 0).text(".passed-mark"); got != "passed" {
			t.Errorf("%s, the exercise's label says %q", where, got)
		}
		if got := eval[[]string](p, `[...document.querySelectorAll("aside.mine em")].map(e => e.textContent)`); !slices.Equal(slices.Sorted(slices.Values(got)), notes) {
			t.Errorf("%s, the notes have %q", where, got)
		}
	}
	mine(here, "here", "guest")

	there := open(t)
	there.visit(work.url + theRing)
	there.addNote("#one-circle", "Written *elsewhere*.")
	there.expect("422")
	there.signIn(name, "not "+secret)
	if got := there.part(`form[action="/account/sign-in"]`, 0).text(".wrong"); got == "" {
		t.Error("a wrong password is not told")
	}
	form := there.part(`form[action="/account/sign-in"]`, 0)
	form.fill("Password", secret)
	form.leaveBy("button", "Sign in")
	if got := there.signed(); !strings.Contains(got, name) {
		t.Fatalf("after signing in elsewhere the masthead says %q", got)
	}
	mine(there, "elsewhere", "elsewhere", "guest")

	// Whoever comes next in a browser is not the one who signed out.
	there.visit(work.url + "/account")
	there.all().leaveBy("button", "Sign out")
	next := there.desk(work.url + ownerPage)
	if got := next.tries(); len(got) != 0 {
		t.Errorf("after signing out the tries are still there: %q", got)
	}
	if got := next.code(); got != owner.Start {
		t.Errorf("after signing out the editor has:\n%s", got)
	}
}
