//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ringoftowers/towers/server/check"
)

// To everybody but its sender a submission is not there, by none of the ways that lead to it.
func TestSubmissionsOfOthersAreNotThere(t *testing.T) {
	p := serveOn(t, dataWithToolchain(t))
	name, e := anExercise(t)
	lesson, exercise, _ := strings.Cut(name, "/")
	ada, eve := someone(t, p.base), someone(t, p.base)
	const secret = "AdasOwnIdea"
	waiting := accepted(t, ada, p, name, e.Start+"\n// "+secret+"\n")
	notMine := func(v *visitor, what string) {
		t.Helper()
		for _, path := range []string{
			"/api/submissions/" + waiting, "/api/submissions/" + waiting + "?after=0", "/api/submissions/" + waiting + "?after=99999999999999999&as=html",
			"/api/submissions/" + strings.ToUpper(waiting), "/lessons/" + lesson + "/exercises/" + exercise + "?try=" + waiting,
		} {
			began := time.Now()
			a, err := v.do(t.Context(), http.MethodGet, p.base+path, "")
			if err != nil || a.status != http.StatusNotFound || strings.Contains(string(a.body), secret) || time.Since(began) > 5*time.Second {
				t.Errorf("%s: %s: status %d, %v, after %v:\n%.300s", what, path, a.status, err, time.Since(began), a.body)
			}
		}
		for _, path := range []string{"/api/lessons/" + lesson + "/exercises/" + exercise + "/submissions", "/lessons/" + lesson + "/exercises/" + exercise, "/account"} {
			a, err := v.do(t.Context(), http.MethodGet, p.base+path, "")
			if err != nil || a.status != http.StatusOK || strings.Contains(string(a.body), waiting) || strings.Contains(string(a.body), secret) {
				t.Errorf("%s: %s: status %d, %v: the submission is told of", what, path, a.status, err)
			}
		}
	}
	notMine(newVisitor(t), "a stranger while it waits")
	notMine(eve, "another learner while it waits")
	judged(t, ada, p, waiting, check.Failed)
	notMine(eve, "another learner once it is judged")

	line, err := openPage(t.Context(), t, p.base)
	if err != nil {
		t.Fatal(err)
	}
	if err := line.watch(t.Context(), waiting); err != nil {
		t.Fatal(err)
	}
	if n, err := line.next(t.Context()); err != nil || n.Type != "gone" || n.ID != waiting || n.Verdict.ID != "" {
		t.Errorf("another learner's line: %v, %+v", err, n)
	}
	p.stop(t)
}

// A cookie that an attacker left in somebody's browser gives nobody their place: neither when
// they do the first thing that is kept, nor when they sign up, in or out.
func TestCookiesAreNotFixed(t *testing.T) {
	p := serveOn(t, t.TempDir(), "--parallel=0", "--nats-listen=127.0.0.1:0")
	attacker := someone(t, p.base)
	for _, planted := range []string{"towers=attackers-own-choice", attacker.cookies(t, p.base)} {
		cookie := planted
		step := func(path, kind, body string) {
			t.Helper()
			a, err := raw(t.Context(), p.base, "POST", path, "Cookie: "+cookie+"\r\nContent-Type: "+kind+"\r\n", body)
			if err != nil || a.status >= 400 {
				t.Fatalf("%s: status %d, %v\n%s", path, a.status, err, a.body)
			}
			if _, set, ok := strings.Cut(string(a.body), "Set-Cookie: "); ok {
				cookie, _, _ = strings.Cut(set, ";")
			}
		}
		step("/api/lessons/03-the-ring/read", asJSON, "")
		if planted == "towers=attackers-own-choice" && cookie == planted {
			t.Error("a token that the server has not made is taken over")
		}
		name := "Victim " + planted[7:12]
		for _, path := range []string{"/account/sign-up", "/account/sign-out", "/account/sign-in"} {
			before := cookie
			step(path, asForm, "name="+strings.ReplaceAll(name, " ", "+")+"&password="+strings.ReplaceAll(password, " ", "+"))
			if cookie == before {
				t.Errorf("%s leaves the token as it was", path)
			}
			for _, old := range []string{planted, before} {
				a, err := raw(t.Context(), p.base, "GET", "/account", "Cookie: "+old+"\r\n", "")
				if err != nil || strings.Contains(string(a.body), name) {
					t.Errorf("after %s a token from before opens the account: %v", path, err)
				}
			}
		}
	}
	p.stop(t)
}

// Of many who want one name at the same moment one gets it, and of many who use one invitation
// at the same moment one becomes an instructor.
func TestOneOfManyWins(t *testing.T) {
	p, out := launch(t, "serve", "--addr=127.0.0.1:0", "--data="+t.TempDir(), "--parallel=0", "--nats-listen=127.0.0.1:0")
	var home, link string
	if _, err := fmt.Fscanln(out, &home); err != nil {
		t.Fatal(err)
	}
	p.base = strings.TrimSuffix(home, "/")
	text := make([]byte, 4096)
	n, err := out.Read(text)
	if err != nil {
		t.Fatal(err)
	}
	link = strings.TrimSpace(string(text[strings.LastIndex(string(text[:n]), "http"):n]))

	const many = 20
	won := func(do func(i int) bool) int {
		var all sync.WaitGroup
		wins := make([]bool, many)
		for i := range many {
			all.Go(func() { wins[i] = do(i) })
		}
		all.Wait()
		count := 0
		for _, w := range wins {
			if w {
				count++
			}
		}
		return count
	}
	visitors := make([]*visitor, many)
	for i := range visitors {
		visitors[i] = newVisitor(t)
		if i%2 == 0 { // some are guests already
			visitors[i] = someone(t, p.base)
		}
	}
	names := [...]string{"Ada", "ada", "ADA", " Ada "}
	got := won(func(i int) bool {
		a, err := visitors[i].postForm(t.Context(), p.base+"/account/sign-up", "name", names[i%len(names)], "password", password)
		if err != nil || a.status != http.StatusSeeOther && a.status != http.StatusConflict {
			t.Errorf("sign-up: status %d, %v", a.status, err)
		}
		return a.status == http.StatusSeeOther
	})
	if got != 1 {
		t.Errorf("%d got the name", got)
	}
	for i, v := range visitors {
		if a, err := v.postForm(t.Context(), p.base+"/account/sign-up", "name", fmt.Sprintf("Learner %d", i), "password", password); err != nil || a.status != http.StatusSeeOther {
			t.Fatalf("sign-up: status %d, %v", a.status, err)
		}
	}
	got = won(func(i int) bool {
		a, err := visitors[i].postForm(t.Context(), link)
		if err != nil || a.status != http.StatusSeeOther && a.status != http.StatusGone {
			t.Errorf("join: status %d, %v", a.status, err)
		}
		return a.status == http.StatusSeeOther
	})
	if got != 1 {
		t.Errorf("%d used the invitation", got)
	}
	instructors := 0
	for _, v := range visitors {
		a, err := v.do(t.Context(), http.MethodGet, p.base+"/account", "")
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(a.body), "Invite an instructor") {
			instructors++
		}
	}
	if instructors != 1 {
		t.Errorf("%d are instructors", instructors)
	}
	p.stop(t)
	calm(t, p)
}

// evil is what somebody might write to have it run in others' browsers, or in their own.
var evil = []string{`<script>alert(1)</script>`, `<img src=x onerror=alert(1)>`, `"><svg onload=alert(1)>`, `</textarea><script>alert(1)</script>`, `javascript:alert(1)`}

// Whatever learners write stands in pages as text: names, notes, programs, what programs print
// and what the compiler says of them.
func TestMarkupIsInert(t *testing.T) {
	p := serveOn(t, dataWithToolchain(t))
	name, e := anExercise(t)
	lesson, exercise, _ := strings.Cut(name, "/")
	place := p.base + "/lessons/" + lesson + "/exercises/" + exercise
	ada := newVisitor(t)
	ada.form(t, p.base+"/account/sign-up", "name", `"><img src=x onerror=alert(1)>`, "password", password)
	page, err := ada.do(t.Context(), http.MethodGet, p.base+"/lessons/"+lesson, "")
	if err != nil {
		t.Fatal(err)
	}
	_, anchor, _ := strings.Cut(string(page.body), `<h2 id="`)
	anchor, _, _ = strings.Cut(anchor, `"`)
	for _, text := range append(evil, "[a]("+evil[4]+")", "<"+evil[4]+">", "![x](x \"onerror=alert(1)\")", "`"+evil[0]+"`", "<details open ontoggle=alert(1)>") {
		body, err := json.Marshal(map[string]string{"anchor": anchor, "body": text})
		if err != nil {
			t.Fatal(err)
		}
		a, err := ada.do(t.Context(), http.MethodPost, p.base+"/api/lessons/"+lesson+"/notes", string(body))
		if err != nil || a.status != http.StatusCreated {
			t.Fatalf("note: status %d, %v: %s", a.status, err, a.body)
		}
	}
	shown := []string{p.base + "/", p.base + "/lessons/" + lesson, p.base + "/account", place, p.base + "/account?done=%3Cscript%3Ealert(1)%3C/script%3E&back=javascript:alert(1)"}
	all := strings.Join(evil, " ")
	for code, want := range map[string]check.Outcome{
		// It prints markup, and panics with it.
		e.Start + fmt.Sprintf("\nfunc init() { println(%q) }\n", all):              check.Failed,
		e.Start + fmt.Sprintf("\nfunc init() { panic(%q) }\n", all):                check.Crashed,
		e.Start + fmt.Sprintf("\nvar number int = %q\n", all):                      check.BuildError,
		"package exercise\n\nimport " + fmt.Sprintf("%q", "net/"+evil[0]) + "\n":   check.Forbidden,
		"package exercise // " + all + "\n" + all + "\n":                           check.BuildError,
		"package exercise\n//go:embed " + all + "\nvar x string\n// " + all + "\n": check.Forbidden,
	} {
		id := accepted(t, ada, p, name, code)
		judged(t, ada, p, id, want)
		shown = append(shown, place+"?try="+id)
		drawn, err := ada.do(t.Context(), http.MethodGet, p.base+"/api/submissions/"+id+"?after=0&as=html", "")
		if err != nil {
			t.Fatal(err)
		}
		var n news
		if err := json.Unmarshal(drawn.body, &n); err != nil {
			t.Fatal(err)
		}
		inert(t, "the drawing of "+id, n.HTML)
	}
	for _, address := range shown {
		a, err := ada.do(t.Context(), http.MethodGet, address, "")
		if err != nil || a.status != http.StatusOK {
			t.Errorf("%s: status %d, %v", address, a.status, err)
		}
		inert(t, address, string(a.body))
	}
	form, err := ada.postForm(t.Context(), place+"/format", "code", "package exercise\n"+all)
	if err != nil || form.status != http.StatusOK {
		t.Errorf("format: status %d, %v", form.status, err)
	}
	inert(t, "the form for formatting", string(form.body))
	p.stop(t)
}

// inert looks for markup in a page that nobody of ours has written.
func inert(t testing.TB, where, page string) {
	t.Helper()
	low := strings.ToLower(page)
	for _, bad := range []string{"<script>", "<img src=x", "<svg onload", "<details open ontoggle", `href="javascript:`, `src="javascript:`, `action="javascript:`} {
		if at := strings.Index(low, bad); at >= 0 {
			t.Errorf("%s has %q:\n…%s…", where, bad, page[max(0, at-200):min(len(page), at+200)])
		}
	}
}
