//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
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
