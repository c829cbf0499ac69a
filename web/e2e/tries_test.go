package e2e

import (
	"strings"
	"testing"
)

func TestOldTryOpensAndTheDraftStays(t *testing.T) {
	work, p := shop(t), open(t)
	owner := set(t, "03-the-ring", "owner")
	d := p.desk(work.url + ownerPage)
	first := unique(t, wrongOne(t, owner, "gives-up"))
	d.try(first, "failed")
	id := d.is("id")
	d.try(unique(t, owner.Start)+"}", "build_error")
	draft := unique(t, owner.Start) + "// Not sent yet.\n"
	d.write(draft)
	d.saved()

	p.follow(`try-list tr[data-id="` + id + `"] a`)
	d.ready()
	d.shows(first)
	if got := d.is("id"); got != id {
		t.Errorf("the results are those of %s, want %s", got, id)
	}
	if got := d.row("TestPastTheLastPoint").text(".said"); got != "failed" {
		t.Errorf("of the old try the results say %q", got)
	}
	if says := d.offers("source"); !strings.Contains(says, "This is your try of") || !strings.Contains(says, "Your draft is kept.") {
		t.Errorf("the page says %q", says)
	}
	if got := p.part("try-list", 0).text(`[aria-current]`); got != "Shown" {
		t.Errorf("in the list the try is marked %q", got)
	}
	p.part("[data-offers]", 0).click("button", "Back to your draft")
	d.shows(draft)
	if got := eval[string](p, "location.search"); got != "" {
		t.Errorf("the address still has %s", got)
	}

	// Whoever goes on from the old try finds the draft put aside.
	p.follow(`try-list tr[data-id="` + id + `"] a`)
	d.ready()
	p.part("[data-offers]", 0).click("button", "Go on from here")
	d.offers("other")
	d.saved()
	d.desk(work.url + ownerPage)
	d.shows(first)
	d.offers("other")
	p.part("[data-offers]", 0).click("button", "Show it")
	d.shows(draft)
}

// Of more tries than are listed the page says how many there are, before a try and after it.
func TestTriesBeyondTheListAreCounted(t *testing.T) {
	work, p := shop(t), open(t)
	d := p.desk(work.url + ownerPage)
	code := unique(t, wrongOne(t, set(t, "03-the-ring", "owner"), "gives-up"))
	d.try(code, "failed")
	// The same program again is judged from memory, and does not wait for a checker.
	eval[bool](p, `(async () => {
		for (let i = 0; i < 50; i++) {
			const sent = await fetch(document.querySelector("exercise-desk").dataset.api + "/submissions",
				{ method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ code: `+quoted(code)+` }) });
			const { submission } = await sent.json();
			while ((await (await fetch("/api/submissions/" + submission.id)).json()).state !== "done");
		}
		return true;
	})()`)
	said := func() string { return p.part("try-list", 0).text("[data-count]") }
	d.desk(work.url + ownerPage)
	if got := said(); got != "51 so far, the last 50 listed" {
		t.Errorf("the page says %q", got)
	}
	d.try(unique(t, code), "failed")
	p.wait(`document.querySelector("try-list [data-count]").textContent.startsWith("52")`)
	if got := said(); got != "52 so far, the last 50 listed" {
		t.Errorf("after one more the page says %q", got)
	}
}

func TestSolutionOpensAfterThreeTries(t *testing.T) {
	work, p := shop(t), open(t)
	owner := set(t, "03-the-ring", "owner")
	d := p.desk(work.url + ownerPage)
	locked := func(want string) {
		t.Helper()
		d.wait(`document.querySelector("solution-fold small").textContent === ` + quoted(want))
		if n := eval[int](p, `document.querySelectorAll("solution-fold details").length`); n != 0 {
			t.Error("the solution is open")
		}
		if status := eval[int](p, `fetch("/api`+ownerPage+`/solution").then(a => a.status)`); status != 403 {
			t.Errorf("asked for the solution, the server answers %d", status)
		}
	}
	p.expect("403")
	locked("after three tries")
	for n, left := range []string{"after two more tries", "after one more try"} {
		d.try(unique(t, owner.Start)+strings.Repeat("}", n+1), "build_error")
		locked(left)
	}
	d.try(unique(t, owner.Start)+"}}}", "build_error")
	d.solutionIs(owner.Solution)
	d.desk(work.url + ownerPage)
	d.solutionIs(owner.Solution)
}

func TestSolutionOpensAfterAPass(t *testing.T) {
	work, p := shop(t), open(t)
	owner := set(t, "03-the-ring", "owner")
	d := p.desk(work.url + ownerPage)
	d.try(unique(t, owner.Solution), "passed")
	d.solutionIs(owner.Solution)
}

// solutionIs waits for the solution, unfolds it and reads it.
func (d desk) solutionIs(want string) {
	d.tb.Helper()
	d.wait(`document.querySelector("solution-fold details")`)
	d.part("solution-fold", 0).clickOn("summary")
	d.wait(`document.querySelector("solution-fold code").checkVisibility()`)
	if got := eval[string](d.page, `document.querySelector("solution-fold code").textContent`); strings.TrimSpace(got) != strings.TrimSpace(want) {
		d.tb.Errorf("the solution shown is:\n%s\nwant:\n%s", got, want)
	}
	if n := eval[int](d.page, `document.querySelectorAll("solution-fold code span").length`); n == 0 {
		d.tb.Error("the solution has no colours")
	}
}

func TestHintsOpenOneAfterTheOther(t *testing.T) {
	work, p := shop(t), open(t)
	d := p.desk(work.url + ownerPage)
	opens := func(n int, want bool) {
		t.Helper()
		hint := p.part("details.hint", n)
		hint.clickOn("summary")
		eval[bool](p, "new Promise(done => requestAnimationFrame(() => setTimeout(() => done(true))))")
		if got := eval[bool](p, hint.js()+".open"); got != want {
			t.Errorf("hint %d is open: %t, want %t", n+1, got, want)
		}
	}
	read := func(want string) {
		t.Helper()
		d.wait(`document.querySelector("[data-read]").textContent === ` + quoted(want))
	}
	read("0 of 3 read")
	opens(1, false)
	opens(0, true)
	read("1 of 3 read")
	opens(2, false)
	opens(1, true)
	d.desk(work.url + ownerPage)
	read("2 of 3 read")
	opens(2, true)
	read("3 of 3 read")
}
