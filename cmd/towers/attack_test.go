//go:build unix

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/ringoftowers/towers/server/check"
)

// A route is an address that changes something or reads a body, as somebody from outside finds
// it in pages and scripts. {lesson} and {exercise} stand for names, {id} for anything's id.
type route struct{ method, path, kind string }

const (
	asJSON = "application/json"
	asForm = "application/x-www-form-urlencoded"
)

// changing are all routes that change something.
var changing = [...]route{
	{"POST", "/api/lessons/{lesson}/exercises/{exercise}/submissions", asJSON},
	{"PUT", "/api/lessons/{lesson}/exercises/{exercise}/draft", asJSON},
	{"POST", "/api/lessons/{lesson}/exercises/{exercise}/draft", asJSON},
	{"POST", "/api/lessons/{lesson}/exercises/{exercise}/types", asJSON},
	{"POST", "/api/lessons/{lesson}/exercises/{exercise}/recheck", asJSON},
	{"POST", "/api/lessons/{lesson}/read", asJSON},
	{"POST", "/api/lessons/{lesson}/answers", asJSON},
	{"POST", "/api/lessons/{lesson}/notes", asJSON},
	{"PUT", "/api/notes/{id}", asJSON},
	{"DELETE", "/api/notes/{id}", asJSON},
	{"POST", "/api/format", asJSON},
	{"POST", "/lessons/{lesson}/exercises/{exercise}", asForm},
	{"POST", "/lessons/{lesson}/exercises/{exercise}/module", asForm},
	{"POST", "/lessons/{lesson}/exercises/{exercise}/format", asForm},
	{"POST", "/lessons/{lesson}/read", asForm},
	{"POST", "/lessons/{lesson}/notes", asForm},
	{"POST", "/notes/{id}", asForm},
	{"POST", "/account/sign-up", asForm},
	{"POST", "/account/sign-in", asForm},
	{"POST", "/account/sign-out", asForm},
	{"POST", "/account/password", asForm},
	{"POST", "/account/delete", asForm},
	{"POST", "/account/invite", asForm},
	{"POST", "/join/{id}", asForm},
}

// reading are the routes that only read, and have a name in them.
var reading = [...]route{
	{"GET", "/lessons/{lesson}", ""},
	{"GET", "/lessons/{lesson}/exercises/{exercise}", ""},
	{"GET", "/api/lessons/{lesson}/notes", ""},
	{"GET", "/api/lessons/{lesson}/exercises/{exercise}/submissions", ""},
	{"GET", "/api/lessons/{lesson}/exercises/{exercise}/solution", ""},
	{"GET", "/api/submissions/{id}", ""},
	{"GET", "/static/{id}", ""},
}

// at is the route's address with names put in, which may be anything.
func (r route) at(lesson, exercise, id string) string {
	return strings.NewReplacer("{lesson}", lesson, "{exercise}", exercise, "{id}", id).Replace(r.path)
}

// raw sends a request just as it is written, and gives the answer as it comes. Header lines end
// with \r\n.
func raw(ctx context.Context, base, method, target, headers, body string) (answer, error) {
	host := strings.TrimPrefix(base, "http://")
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", host)
	if err != nil {
		return answer{}, err
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(30 * time.Second)); err != nil {
		return answer{}, err
	}
	// Who refuses a body may close before all of it was sent: then there is an answer already.
	_, sent := io.WriteString(conn, method+" "+target+" HTTP/1.1\r\nHost: "+host+"\r\nConnection: close\r\n"+headers+
		fmt.Sprintf("Content-Length: %d\r\n\r\n", len(body))+body)
	b, err := io.ReadAll(conn)
	var status int
	if _, scanErr := fmt.Sscanf(string(b), "HTTP/1.1 %d ", &status); scanErr != nil {
		return answer{}, errors.Join(sent, err, scanErr)
	}
	return answer{status: status, body: b}, nil
}

func (v *visitor) cookies(t testing.TB, base string) string {
	t.Helper()
	r, err := http.NewRequest(http.MethodGet, base, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range v.client.Jar.Cookies(r.URL) {
		r.AddCookie(c)
	}
	return r.Header.Get("Cookie")
}

// No page of another site does anything by a learner's cookie, whatever the address.
func TestForeignPagesChangeNothing(t *testing.T) {
	p := serveOn(t, t.TempDir(), "--parallel=0", "--nats-listen=127.0.0.1:0")
	cookie := someone(t, p.base).cookies(t, p.base)
	for _, r := range changing {
		for _, from := range []string{"Origin: https://elsewhere.example", "Sec-Fetch-Site: cross-site", "Origin: null"} {
			a, err := raw(t.Context(), p.base, r.method, r.at("03-the-ring", "owner", "x"),
				"Content-Type: "+r.kind+"\r\nCookie: "+cookie+"\r\n"+from+"\r\n", "{}")
			if err != nil || a.status != http.StatusForbidden {
				t.Errorf("%s %s with %s: status %d, %v", r.method, r.path, from, a.status, err)
			}
		}
	}
	for _, from := range []string{"https://elsewhere.example", "null", "http://127.0.0.1:1", "http://localhost"} {
		_, answer, err := websocket.Dial(t.Context(), "ws"+strings.TrimPrefix(p.base, "http")+"/live",
			&websocket.DialOptions{HTTPHeader: http.Header{"Origin": {from}, "Cookie": {cookie}}})
		if err == nil || answer.StatusCode != http.StatusForbidden {
			t.Errorf("a line from %s: %v, %v", from, answer, err)
		}
	}
	p.stop(t)
}

// Names that are tricks lead nowhere: neither to a page, nor out of the course, nor to a fault.
func TestNamesThatAreTricks(t *testing.T) {
	p := serveOn(t, t.TempDir(), "--parallel=0", "--nats-listen=127.0.0.1:0")
	v := someone(t, p.base)
	headers := "Cookie: " + v.cookies(t, p.base) + "\r\n"
	tricks := []string{
		"..", "%2e%2e", ".%2e", "%2e%2e%2f%2e%2e%2fetc%2fpasswd", "..%2f03-the-ring", "..%5c..%5c", "%00", "03-the-ring%00", "03-the-ring%2f", "%2f%2felsewhere.example",
		"03-the-ring%0d%0aSet-Cookie:%20towers=x", "%ff%fe", "%e2%80%ae", "03-the-ring;x=1", "03-the-ring.", "03-THE-RING", "%252e%252e", "{lesson}", "*",
		"%3Cscript%3Ealert(1)%3C%2fscript%3E", strings.Repeat("a", 5000), strings.Repeat("%2e%2e%2f", 500), "' OR 1=1 --", "%27%20OR%201=1%20--",
	}
	for _, r := range append(changing[:], reading[:]...) {
		if !strings.Contains(r.path, "{") || r.path == "/join/{id}" {
			continue
		}
		for _, trick := range tricks {
			if strings.Contains(trick, " ") {
				trick = strings.ReplaceAll(trick, " ", "%20")
			}
			target, kind := r.at(trick, trick, trick), ""
			if r.kind != "" {
				kind = "Content-Type: " + r.kind + "\r\n"
			}
			body := map[string]string{asJSON: `{"code":"x"}`, asForm: "code=x&body=x&anchor=x&lesson=" + trick}[r.kind]
			a, err := raw(t.Context(), p.base, r.method, target, headers+kind, body)
			// A slash at the end or a name for two parts may lead to where there is something to read.
			if err != nil || a.status < 300 || a.status >= 500 {
				t.Errorf("%s %s with %.40q: status %d, %v", r.method, r.path, trick, a.status, err)
			}
			head, page, _ := strings.Cut(string(a.body), "\r\n\r\n")
			if strings.Contains(head, "towers=x") || strings.Contains(head, "Location: //") || strings.Contains(head, "elsewhere.example") {
				t.Errorf("%s %s with %.40q answers with the head\n%s", r.method, r.path, trick, head)
			}
			if strings.Contains(page, "<script>alert") || strings.Contains(page, "root:") {
				t.Errorf("%s %s with %.40q answers\n%s", r.method, r.path, trick, page)
			}
		}
	}
	p.stop(t)
	for line := range strings.Lines(p.log.String()) {
		if strings.Contains(line, `"level":"ERROR"`) {
			t.Errorf("the log says: %s", line)
		}
	}
}

// What is far too large is refused, whatever the address, and its connection closed rather than
// read to the end.
func TestMegabytesAreRefused(t *testing.T) {
	p := serveOn(t, t.TempDir(), "--parallel=0", "--nats-listen=127.0.0.1:0")
	v := newVisitor(t)
	v.form(t, p.base+"/account/sign-up", "name", "Ada", "password", password)
	headers := "Cookie: " + v.cookies(t, p.base) + "\r\n"
	large := strings.Repeat("x", 1<<20)
	for _, r := range changing {
		t.Run(r.method+" "+r.path, func(t *testing.T) {
			// These have no use for a body, and answer without it; signing in and out comes last
			// in no order, so each has the session that it began with.
			bodiless := strings.HasSuffix(r.path, "/read") || strings.HasSuffix(r.path, "/recheck") || r.method == "DELETE"
			for _, body := range []string{
				map[string]string{asJSON: `{"code":"` + large + `"}`, asForm: "code=" + large}[r.kind],
				map[string]string{asJSON: strings.Repeat("[", 1<<20), asForm: strings.Repeat("a=b&", 1<<18)}[r.kind],
				large,
			} {
				began := time.Now()
				a, err := raw(t.Context(), p.base, r.method, r.at("03-the-ring", "owner", "x"), headers+"Content-Type: "+r.kind+"\r\n", body)
				refused := a.status == http.StatusRequestEntityTooLarge || a.status == http.StatusBadRequest
				if bodiless {
					refused = a.status < 500
				}
				if err != nil || !refused {
					t.Errorf("%.10q…: status %d, %v", body, a.status, err)
				}
				if took := time.Since(began); took > 5*time.Second {
					t.Errorf("%.10q…: it took %v", body, took)
				}
			}
		})
	}
	p.stop(t)
}

// Requests that are odd get an answer that fits, and nobody's fault is the server's.
func TestOddRequests(t *testing.T) {
	p := serveOn(t, t.TempDir(), "--parallel=0", "--nats-listen=127.0.0.1:0")
	v := someone(t, p.base)
	cookie := "Cookie: " + v.cookies(t, p.base) + "\r\n"
	const draft = "/api/lessons/03-the-ring/exercises/owner/draft"
	json := cookie + "Content-Type: application/json\r\n"
	for _, c := range []struct {
		name, method, target, headers, body string
		want                                int
	}{
		{"a key twice", "PUT", draft, json, `{"code":"a","code":"b"}`, 200},
		{"a key twice, once of another kind", "PUT", draft, json, `{"code":"a","code":[]}`, 400},
		{"nothing for a program", "PUT", draft, json, `{"code":null}`, 400},
		{"two values", "PUT", draft, json, `{"code":"a"}{"code":"b"}`, 400},
		{"a deep list", "PUT", draft, json, `{"code":` + strings.Repeat("[", 50_000), 400},
		{"a deep object", "PUT", draft, json, strings.Repeat(`{"code":`, 20_000), 400},
		{"a deep list beside", "PUT", draft, json, `{"x":` + strings.Repeat("[", 50_000) + strings.Repeat("]", 50_000) + `,"code":"a"}`, 400},
		{"a huge number", "PUT", draft, json, `{"code":1` + strings.Repeat("0", 100_000) + `}`, 400},
		{"half a surrogate", "PUT", draft, json, `{"code":"\ud800"}`, 200},
		{"a body in pieces and by length", "PUT", draft, json + "Transfer-Encoding: chunked\r\n", "0\r\n\r\n", 400},
		{"a cookie of 8 KB", "GET", "/", "Cookie: towers=" + strings.Repeat("x", 8<<10) + "\r\n", "", 200},
		{"a cookie of 100 KB", "GET", "/", "Cookie: towers=" + strings.Repeat("x", 100<<10) + "\r\n", "", 431},
		{"very many cookies", "GET", "/", "Cookie: " + strings.Repeat("towers=x; ", 1000) + "\r\n", "", 200},
		{"a cookie that is none", "GET", "/account", "Cookie: towers=\"\x01\x7f\"; =; ;;;\r\n", "", 400},
		{"OPTIONS of a page", "OPTIONS", "/", "", "", 405},
		{"OPTIONS from elsewhere", "OPTIONS", draft, "Origin: https://elsewhere.example\r\nAccess-Control-Request-Method: PUT\r\n", "", 405},
		{"OPTIONS of all", "OPTIONS", "*", "", "", 200},
		{"TRACE", "TRACE", "/", "", "", 405},
		{"CONNECT", "CONNECT", "/", "", "", 405},
		{"a method of one's own", "BREW", "/account", "", "", 405},
		{"HEAD of the metrics", "HEAD", "/metrics", "", "", 200},
		{"HEAD of a line", "HEAD", "/live", "", "", 426},
		{"HEAD of what waits for news", "HEAD", "/api/submissions/x?after=0", "", "", 404},
		{"HEAD of a program's route", "HEAD", "/api/format", "", "", 405},
		{"an Upgrade without the rest", "GET", "/live", "Upgrade: websocket\r\n", "", 426},
		{"an Upgrade of a page", "GET", "/", "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n", "", 200},
		{"a number that is none", "GET", "/api/submissions/x?after=1e9", cookie, "", 404},
		{"a whole address", "GET", "http://elsewhere.example/account", "", "", 200},
		{"a slash too many", "GET", "//elsewhere.example/..", "", "", 404},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, err := raw(t.Context(), p.base, c.method, c.target, c.headers, c.body)
			if err != nil || a.status != c.want {
				t.Errorf("status %d, %v, want %d:\n%.600s", a.status, err, c.want, a.body)
			}
			head, body, _ := strings.Cut(string(a.body), "\r\n\r\n")
			if c.method == http.MethodHead && body != "" {
				t.Errorf("a body of %d bytes", len(body))
			}
			if strings.Contains(head, "Access-Control") || strings.Contains(head, "towers=x") {
				t.Errorf("the head is\n%s", head)
			}
		})
	}
	p.stop(t)
	for line := range strings.Lines(p.log.String()) {
		if strings.Contains(line, `"level":"ERROR"`) {
			t.Errorf("the log says: %s", line)
		}
	}
}

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
