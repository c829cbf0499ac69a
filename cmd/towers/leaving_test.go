//go:build unix

package main

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ringoftowers/towers/server/check"
)

// Whoever signs in while programs are checked that they sent as a guest gets the verdicts all
// the same, and from then on they belong to the account.
func TestSigningInWhileCheckingKeepsTheVerdicts(t *testing.T) {
	data := dataWithToolchain(t)
	p := serveOn(t, data, "--parallel=1")
	name, e := anExercise(t)
	elsewhere := newVisitor(t)
	elsewhere.form(t, p.base+"/account/sign-up", "name", "Ada", "password", password)

	watching, err := openPage(t.Context(), t, p.base)
	if err != nil {
		t.Fatal(err)
	}
	here := watching.visitor
	var ids []string
	for i := range share - 1 {
		ids = append(ids, accepted(t, here, p, name, fmt.Sprintf("%s\n// As a guest: %d.\n", e.Solution, i)))
	}
	last := ids[len(ids)-1]
	if err := watching.watch(t.Context(), last); err != nil {
		t.Fatal(err)
	}
	// While the password is compared, the guest goes on sending.
	guest := here.copied(t, p.base)
	var sending sync.WaitGroup
	sending.Go(func() {
		for i := range 200 {
			id, a, err := guest.submit(t.Context(), p.base, name, fmt.Sprintf("%s\n// Meanwhile: %d.\n", e.Solution, i))
			switch {
			case err != nil || a.status >= 500:
				t.Errorf("while signing in: status %d, %v: %s", a.status, err, a.body)
				return
			case id == "":
			case guest.owns(t, p.base, id):
				ids = append(ids, id)
			}
			home, _ := url.Parse(p.base)
			if guest.client.Jar.Cookies(home)[0].Value != here.client.Jar.Cookies(home)[0].Value {
				return // it has another session since, of a new guest
			}
		}
	})
	here.form(t, p.base+"/account/sign-in", "name", "Ada", "password", password)
	sending.Wait()

	for _, id := range ids[:share-1] {
		judged(t, elsewhere, p, id, check.Passed)
		judged(t, here, p, id, check.Passed)
	}
	if v, err := watching.await(t.Context(), last); err != nil || v.Verdict != check.Passed {
		t.Errorf("by the line that was open all the time: %v, %+v", err, v)
	}
	tries, err := elsewhere.tries(t.Context(), p.base, name)
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range ids[:share-1] {
		if !slices.Contains(tries, id) {
			t.Errorf("submission %s is not among the account's tries %q", id, tries)
		}
	}
	drained(t, p)
	p.stop(t)
	calm(t, p)
}

// drained waits until nothing is in the queue.
func drained(t testing.TB, p *process) {
	t.Helper()
	err := eventually(t.Context(), time.Minute, func() (bool, error) {
		a, err := newVisitor(t).do(t.Context(), http.MethodGet, p.base+"/metrics", "")
		return strings.Contains(string(a.body), "towers_queue_waiting 0\n") && strings.Contains(string(a.body), "towers_queue_under_way 0\n"), err
	})
	if err != nil {
		t.Errorf("the queue is not empty: %v", err)
	}
}

func (v *visitor) owns(t testing.TB, base, id string) bool {
	_, err := v.verdict(t.Context(), base, id)
	return err == nil
}

// Whoever deletes their account while their programs wait and are checked is gone at once; the
// queue drops the programs without a fuss, and others go on.
func TestDeletingWhileChecking(t *testing.T) {
	data := dataWithToolchain(t)
	p := serveOn(t, data, "--parallel=2")
	name, e := anExercise(t)
	leaving := newVisitor(t)
	leaving.form(t, p.base+"/account/sign-up", "name", "Leaving", "password", password)
	var ids []string
	for i := range share / 2 {
		ids = append(ids, accepted(t, leaving, p, name, fmt.Sprintf("%s%s\n// %d\n", e.Solution, dawdling, i)))
	}
	err := eventually(t.Context(), time.Minute, func() (bool, error) {
		v, err := leaving.verdict(t.Context(), p.base, ids[0])
		return v.State == check.Running, err
	})
	if err != nil {
		t.Fatal(err)
	}
	// More come in at the very moment of leaving.
	var sending sync.WaitGroup
	for i := range 3 {
		late := leaving.copied(t, p.base)
		sending.Go(func() {
			for n := range 5 {
				draft, err := late.do(t.Context(), http.MethodPut, p.base+"/api/lessons/"+strings.Replace(name, "/", "/exercises/", 1)+"/draft",
					fmt.Sprintf(`{"code":"draft %d %d"}`, i, n))
				if err != nil || draft.status >= 500 {
					t.Errorf("a draft while deleting: status %d, %v: %s", draft.status, err, draft.body)
					return
				}
				_, sent, err := late.submit(t.Context(), p.base, name, fmt.Sprintf("%s\n// Late: %d %d.\n", e.Start, i, n))
				if err != nil || sent.status >= 500 {
					t.Errorf("a program while deleting: status %d, %v: %s", sent.status, err, sent.body)
					return
				}
			}
		})
	}
	defer sending.Wait()
	leaving.form(t, p.base+"/account/delete", "confirm", "Leaving", "password", password)
	sending.Wait()
	other := someone(t, p.base)
	judged(t, other, p, accepted(t, other, p, name, e.Solution+"\n// Another learner's.\n"), check.Passed)
	for _, id := range ids {
		if a, err := other.do(t.Context(), http.MethodGet, p.base+"/api/submissions/"+id, ""); err != nil || a.status != http.StatusNotFound {
			t.Errorf("a deleted learner's submission: status %d, %v", a.status, err)
		}
	}
	drained(t, p) // it has forgotten them too
	p.stop(t)
	calm(t, p)
}

// calm looks into a server's log for anything that went wrong.
func calm(t testing.TB, p *process) {
	t.Helper()
	for line := range strings.Lines(p.log.String()) {
		if strings.Contains(line, `"level":"WARN"`) || strings.Contains(line, `"level":"ERROR"`) {
			t.Errorf("the log says: %s", line)
		}
	}
}
