package server

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/ringoftowers/towers/server/check"
	"github.com/ringoftowers/towers/server/jobs"
	"github.com/ringoftowers/towers/server/store"
)

func TestSubmitIsKeptAndTold(t *testing.T) {
	s := newSite(t, workshop())
	v := s.visitor(t)
	w := v.json("POST", owner+"/submissions", map[string]string{"code": "package exercise"})
	var e jobs.Event
	if err := json.Unmarshal(w.Body.Bytes(), &e); err != nil || w.Code != 202 {
		t.Fatalf("status %d, %v, %s", w.Code, err, w.Body)
	}
	id := e.Verdict.ID
	if !regexp.MustCompile(`^[A-Z2-7]{26}$`).MatchString(id) || w.Header().Get("Location") != "/api/submissions/"+id {
		t.Errorf("id %q at %q", id, w.Header().Get("Location"))
	}
	if e.Seq == 0 || e.Place != 1 || e.Verdict.State != check.Queued || w.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("the event is %+v, the headers are %v", e, w.Header())
	}
	sub, err := s.kept.Submission(t.Context(), id)
	if err != nil || sub.Source != "package exercise" || sub.Lesson != "03-the-ring" || sub.Exercise != "owner" || sub.Learner == "" || sub.Recheck {
		t.Errorf("kept is %+v, %v", sub, err)
	}
	if v.cookie == "" {
		t.Error("the learner has no session")
	}
}

func TestSubmitWithoutScripts(t *testing.T) {
	s := newSite(t, workshop())
	v := s.visitor(t)
	form := url.Values{"code": {"package exercise\r\n\r\n// \u00e9\r\n"}}.Encode()
	w := v.send("POST", "/lessons/03-the-ring/exercises/owner", form, "Content-Type: application/x-www-form-urlencoded")
	to := w.Header().Get("Location")
	id, ok := strings.CutPrefix(to, "/lessons/03-the-ring/exercises/owner?try=")
	if w.Code != 303 || !ok {
		t.Fatalf("status %d to %q\n%s", w.Code, to, w.Body)
	}
	if sub, err := s.kept.Submission(t.Context(), id); err != nil || sub.Source != "package exercise\n\n// é\n" {
		t.Errorf("kept is %q, %v", sub.Source, err)
	}
	if page := v.send("GET", to, ""); page.Code != 200 || !strings.Contains(page.Body.String(), "// é") {
		t.Errorf("the page of the try has status %d and\n%s", page.Code, page.Body)
	}
}

func TestSubmitRefuses(t *testing.T) {
	const good = `{"code":"package exercise"}`
	const isJSON = "Content-Type: application/json"
	mega := strings.Repeat("x", 1<<20)
	for _, c := range []struct {
		name, target, body, contentType string
		status                          int
		code                            string
	}{
		{"no such lesson", "/api/lessons/99-no/exercises/owner/submissions", good, isJSON, 404, "not_found"},
		{"no such exercise", "/api/lessons/03-the-ring/exercises/no/submissions", good, isJSON, 404, "not_found"},
		{"no type", owner + "/submissions", good, "", 415, "unsupported_type"},
		{"another type", owner + "/submissions", good, "Content-Type: text/plain", 415, "unsupported_type"},
		{"a form", owner + "/submissions", "code=x", "Content-Type: application/x-www-form-urlencoded", 415, "unsupported_type"},
		{"a broken type", owner + "/submissions", good, "Content-Type: ;;;", 415, "unsupported_type"},
		{"nothing", owner + "/submissions", "", isJSON, 400, "malformed"},
		{"no JSON", owner + "/submissions", "package exercise", isJSON, 400, "malformed"},
		{"half", owner + "/submissions", `{"code":"pack`, isJSON, 400, "malformed"},
		{"two values", owner + "/submissions", good + good, isJSON, 400, "malformed"},
		{"no code", owner + "/submissions", `{}`, isJSON, 400, "malformed"},
		{"null", owner + "/submissions", `{"code":null}`, isJSON, 400, "malformed"},
		{"a number", owner + "/submissions", `{"code":7}`, isJSON, 400, "malformed"},
		{"a list", owner + "/submissions", `[]`, isJSON, 400, "malformed"},
		{"one field more", owner + "/submissions", `{"code":"x","admin":true}`, isJSON, 400, "malformed"},
		{"a little too much", owner + "/submissions", `{"code":"` + mega[:1001] + `"}`, isJSON, 413, "too_large"},
		{"a megabyte", owner + "/submissions", `{"code":"` + mega + `"}`, isJSON, 413, "too_large"},
		{"a megabyte of space", owner + "/submissions", `{"code":"x"` + strings.Repeat(" ", 1<<20) + `}`, isJSON, 413, "too_large"},
		{"a type with a charset", owner + "/submissions", good, isJSON + "; charset=utf-8", 202, ""},
		{"just enough", owner + "/submissions", `{"code":"` + mega[:1000] + `"}`, isJSON, 202, ""},
		{"nothing in it", owner + "/submissions", `{"code":""}`, isJSON, 202, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newSite(t, workshop())
			headers := []string{}
			if c.contentType != "" {
				headers = append(headers, c.contentType)
			}
			v := s.visitor(t)
			w := v.send("POST", c.target, c.body, headers...)
			if w.Code != c.status {
				t.Fatalf("status %d, want %d: %s", w.Code, c.status, w.Body)
			}
			if c.code != "" && errorOf(t, w) != c.code {
				t.Errorf("the error is %s, want %s", w.Body, c.code)
			}
			if c.status != 202 && v.cookie != "" {
				t.Error("a guest was made for nothing")
			}
		})
	}
}

func TestSubmitWhenThingsAreWrong(t *testing.T) {
	for _, c := range []struct {
		name   string
		fail   error
		off    string
		status int
		code   string
		after  string
	}{
		{"the queue is full", fmt.Errorf("x: %w", &jobs.BusyError{RetryAfter: 7 * time.Second}), "", 429, "busy", "7"},
		{"the learner has too many", fmt.Errorf("%w %w", store.ErrShare, &jobs.BusyError{RetryAfter: time.Second}), "", 429, "busy", "1"},
		{"the disk is full", fmt.Errorf("x: %w", store.ErrFull), "", 503, "disk_full", "60"},
		{"no toolchain", nil, "There is no Go here.", 503, "checking_off", "60"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newSite(t, workshop())
			s.queue.fail, s.off = c.fail, c.off
			w := s.visitor(t).json("POST", owner+"/submissions", map[string]string{"code": "x"})
			if w.Code != c.status || errorOf(t, w) != c.code || w.Header().Get("Retry-After") != c.after {
				t.Errorf("status %d, Retry-After %q, %s; want %d, %q, %s", w.Code, w.Header().Get("Retry-After"), w.Body, c.status, c.after, c.code)
			}
			form := s.visitor(t).send("POST", "/lessons/03-the-ring/exercises/owner", "code=x", "Content-Type: application/x-www-form-urlencoded")
			if form.Code != c.status || !strings.HasPrefix(form.Header().Get("Content-Type"), "text/html") {
				t.Errorf("the form has status %d, %v", form.Code, form.Header())
			}
		})
	}
}

// A page of another site can neither submit nor do anything else with a learner's cookie.
func TestOtherSitesSubmitNothing(t *testing.T) {
	s := newSite(t, workshop())
	v := s.visitor(t)
	v.submits("x")
	for _, c := range []struct{ method, target string }{
		{"POST", owner + "/submissions"}, {"PUT", owner + "/draft"}, {"POST", owner + "/draft"}, {"POST", owner + "/recheck"},
		{"POST", "/lessons/03-the-ring/exercises/owner"}, {"POST", "/lessons/03-the-ring/exercises/owner/module"},
	} {
		for _, from := range []string{"Sec-Fetch-Site: cross-site", "Sec-Fetch-Site: same-site", "Origin: https://elsewhere.example", "Origin: null"} {
			w := v.send(c.method, c.target, `{"code":"x"}`, from, "Content-Type: application/json")
			if w.Code != 403 {
				t.Errorf("%s %s with %s: status %d", c.method, c.target, from, w.Code)
			}
		}
	}
}

// A program that trickles in holds a connection for as long as a request may take, no longer.
func TestSlowProgramIsCutOff(t *testing.T) {
	s := newSite(t, workshop())
	s.limits.request = 100 * time.Millisecond
	conn, err := net.Dial("tcp", start(t, s.Server).address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(20 * time.Second)); err != nil {
		t.Fatal(err)
	}
	_, err = io.WriteString(conn, "POST "+owner+"/submissions HTTP/1.1\r\nHost: towers\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"code\":")
	if err != nil {
		t.Fatal(err)
	}
	answer, err := io.ReadAll(conn)
	if err != nil || !strings.HasPrefix(string(answer), "HTTP/1.1 408 ") || !strings.Contains(string(answer), "too_slow") {
		t.Errorf("%v, the answer is\n%s", err, answer)
	}
	if all, err := s.kept.Unjudged(t.Context()); err != nil || len(all) > 0 {
		t.Errorf("kept are %v, %v", all, err)
	}
}

func TestPathTricks(t *testing.T) {
	s := newSite(t, workshop())
	v := s.visitor(t)
	for _, target := range []string{
		"/api/lessons/%2e%2e/exercises/owner/submissions",
		"/api/lessons/03-the-ring/exercises/%2e%2e%2fowner/submissions",
		"/api/lessons/03-the-ring%00/exercises/owner/submissions",
		"/api/lessons/03-the-ring/exercises/owner%00/submissions",
		"/api/lessons//03-the-ring/exercises/owner/submissions",
		"/api/lessons/03-the-ring/exercises//submissions",
		"/api//lessons/03-the-ring/exercises/owner/submissions",
		"/api/lessons/..%2f..%2f03-the-ring/exercises/owner/submissions",
		"/api/lessons/03-the-ring/exercises/own%ffer/submissions",
		"/api/lessons/03-THE-RING/exercises/owner/submissions",
	} {
		if w := v.send("POST", target, `{"code":"x"}`, "Content-Type: application/json"); w.Code != 404 || errorOf(t, w) != "not_found" {
			t.Errorf("%s: status %d, %s", target, w.Code, w.Body)
		}
	}
	for _, target := range []string{"/api/submissions/%2e%2e", "/api/submissions/%00", "/api/submissions/..%2fx", "/api/submissions/" + strings.Repeat("a", 5000)} {
		if w := v.send("GET", target, ""); w.Code != 404 {
			t.Errorf("%s: status %d", target, w.Code)
		}
	}
}

// Who has gone by the time that a program is read has sent it all the same.
func TestProgramOfWhoHasGoneIsTaken(t *testing.T) {
	s := newSite(t, workshop())
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := httptest.NewRequestWithContext(ctx, "POST", owner+"/submissions", strings.NewReader(`{"code":"package exercise"}`))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	if w.Code != http.StatusAccepted {
		t.Errorf("status %d, want 202: %s", w.Code, w.Body)
	}
}
