package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/ringoftowers/towers/lessons"
	"github.com/ringoftowers/towers/server/jobs"
	"github.com/ringoftowers/towers/server/store"
)

func TestDescribe(t *testing.T) {
	for _, c := range []struct {
		err    error
		status int
		code   string
		says   string
	}{
		{&lessons.NotFoundError{What: "lesson", Name: "x"}, 404, "not_found", "no lesson here called “x”"},
		{fmt.Errorf("open: %w", &lessons.NotFoundError{What: "exercise", Name: "y"}), 404, "not_found", "no exercise here called “y”"},
		{&lessons.NotFoundError{What: "lesson", Name: strings.Repeat("é", 5000)}, 404, "not_found", "“" + strings.Repeat("é", 40) + "…”"},
		{&noPageError{path: "/x"}, 404, "not_found", "no page"},
		{&methodError{method: "PUT", allowed: []string{"GET", "HEAD"}}, 405, "method_not_allowed", "GET and HEAD, not PUT"},
		{errForeign, 403, "foreign", "another site"},
		{errors.New("secret: the disk is gone"), 500, "internal", "our side"},
		{&refusal{status: 418, code: "short", title: "I am a teapot"}, 418, "short", "I am a teapot"},
		{fmt.Errorf("submit: %w", &jobs.BusyError{RetryAfter: time.Second}), 429, "busy", "send it again in a moment"},
		{fmt.Errorf("submit: %w: %w", store.ErrShare, &jobs.BusyError{}), 429, "busy", "Several of your programs"},
		{fmt.Errorf("submit: %w", store.ErrFull), 503, "disk_full", "Nothing that was sent before is lost"},
		{fmt.Errorf("find: %w", store.ErrNotFound), 404, "not_found", "not yours"},
	} {
		said := describe(c.err)
		if said.status != c.status || said.code != c.code || !strings.Contains(said.title+" "+said.message, c.says) {
			t.Errorf("%v: %d, %q, %q, %q; want %d, %q and %q", c.err, said.status, said.code, said.title, said.message, c.status, c.code, c.says)
		}
		if strings.Contains(said.title+said.message, "secret") {
			t.Errorf("%v: the reader is told what only the log should have", c.err)
		}
	}
}

func TestUnknownAddressOffersTheNearestLesson(t *testing.T) {
	s, _ := mustNew(t, course(), built())
	for _, c := range []struct{ target, want string }{
		{"/lessons/03-the-rign", "03-the-ring"},
		{"/lessons/the-ring", "03-the-ring"},
		{"/lessons/3", "03-the-ring"},
		{"/lessons/03", "03-the-ring"},
		{"/lessons/04-replicas", "04-virtual-nodes"},
		{"/03-the-ring", "03-the-ring"},
		{"/lesson/modulo", "02-modulo"},
		{"/lessons/03-the-ring/exercises/nothing", "03-the-ring"},
		{"/lessons/99-nowhere", ""},
		{"/lessons/-3", ""},
		{"/nowhere", ""},
	} {
		w := ask(s, "GET", c.target)
		offered := regexp.MustCompile(`href="/lessons/([^"]*)"`).FindStringSubmatch(w.Body.String())
		switch {
		case w.Code != 404:
			t.Errorf("%s: status %d", c.target, w.Code)
		case c.want == "" && offered != nil:
			t.Errorf("%s: offers %s", c.target, offered[1])
		case c.want != "" && (offered == nil || offered[1] != c.want):
			t.Errorf("%s: offers %q, want %s", c.target, offered, c.want)
		}
	}
}

// Text from the address is text in the page.
func TestUnknownAddressIsNeverMarkup(t *testing.T) {
	s, _ := mustNew(t, course(), built())
	w := ask(s, "GET", "/lessons/%3Cscript%3Ealert(1)%3C%2Fscript%3E")
	if w.Code != 404 || strings.Contains(w.Body.String(), "<script>alert") || !strings.Contains(w.Body.String(), "&lt;script&gt;") {
		t.Errorf("status %d:\n%s", w.Code, w.Body)
	}
}

func TestFaultOfOursHasANumber(t *testing.T) {
	for _, c := range []struct {
		name    string
		library library
		logged  string
	}{
		{"an error", func(context.Context) (*lessons.Course, error) { return nil, errors.New("the disk is gone") }, "the disk is gone"},
		{"a panic", func(context.Context) (*lessons.Course, error) { panic("the cat is on the keyboard") }, "the cat is on the keyboard"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, log := mustNew(t, c.library, built())
			w := ask(s, "GET", "/lessons/03-the-ring")
			id := w.Header().Get("X-Request-Id")
			if w.Code != 500 || !regexp.MustCompile(`^[a-z2-7]{10}$`).MatchString(id) || !strings.Contains(w.Body.String(), id) {
				t.Errorf("status %d, number %q, in the page:\n%s", w.Code, id, w.Body)
			}
			if strings.Contains(w.Body.String(), c.logged) {
				t.Error("the page tells what only the log should have")
			}
			if w.Header().Get("Cache-Control") != "no-store" || w.Header().Get("Content-Security-Policy") == "" {
				t.Errorf("headers %v", w.Header())
			}
			if !strings.Contains(log.String(), c.logged) || strings.Count(log.String(), id) != 2 {
				t.Errorf("the log does not say what happened under %s:\n%s", id, log)
			}
		})
	}
}

// Half a page must not look like a whole one.
func TestPanicInTheMiddleCutsTheConnection(t *testing.T) {
	s, log := mustNew(t, course(), built())
	h := s.number(s.caught(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Write([]byte("half a"))
		panic("page")
	})))
	defer func() {
		if v := recover(); v != http.ErrAbortHandler {
			t.Errorf("the panic became %v, want http.ErrAbortHandler", v)
		}
		if !strings.Contains(log.String(), "panic: page") {
			t.Errorf("the log has\n%s", log)
		}
	}()
	ask(h, "GET", "/")
}

func TestReaderWhoLeftIsNoFault(t *testing.T) {
	s, log := mustNew(t, library(func(ctx context.Context) (*lessons.Course, error) { return nil, ctx.Err() }), built())
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequestWithContext(ctx, "GET", "/", nil))
	if w.Body.Len() > 0 || strings.Contains(log.String(), `"ERROR"`) {
		t.Errorf("%d bytes were sent, and the log has\n%s", w.Body.Len(), log)
	}
}

func TestEachRequestHasItsLine(t *testing.T) {
	s, log := mustNew(t, course(), built())
	for _, c := range []struct {
		method, target, route string
		status                int
	}{
		{"GET", "/lessons/03-the-ring?token=secret", "/lessons/{lesson}", 200},
		{"HEAD", "/", "/", 200},
		{"GET", "/static/style-44.css", "/static/{file}", 200},
		{"GET", "/nowhere", "", 404},
	} {
		log.Reset()
		w := ask(s, c.method, c.target, "X-Request-Id: forged")
		var line struct {
			Level, Msg, ID, Method, Route, Path string
			Status, Bytes                       int
			MS                                  *float64
		}
		if err := json.Unmarshal(log.Bytes(), &line); err != nil {
			t.Fatalf("%s %s: %v in\n%s", c.method, c.target, err, log)
		}
		if line.Msg != "request" || line.Level != "INFO" || line.ID != w.Header().Get("X-Request-Id") || line.ID == "forged" ||
			line.Method != c.method || line.Route != c.route || line.Status != c.status || line.Bytes != w.Body.Len() || line.MS == nil {
			t.Errorf("%s %s: the line is %+v", c.method, c.target, line)
		}
		if strings.Contains(log.String(), "secret") {
			t.Errorf("%s %s: the query is in the log", c.method, c.target)
		}
	}
	log.Reset()
	ask(s, "GET", "/healthz")
	if log.Len() > 0 {
		t.Errorf("a look at the health is in the log:\n%s", log)
	}
}
