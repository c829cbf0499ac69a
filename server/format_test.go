package server

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/ringoftowers/towers/server/check"
)

func TestFormat(t *testing.T) {
	s := newSite(t, workshop())
	for _, c := range []struct {
		code   string
		status int
		want   string
	}{
		{"package  exercise\nfunc f( ) { }", 200, `{"code":"package exercise\n\nfunc f() {}\n"}`},
		{"package exercise\nfunc f( {", 200, `{"diagnostics":[{"line":2,`},
		{"", 200, `{"diagnostics":[{"line":1,`},
		{strings.Repeat("(", 60_000), 200, `{"diagnostics":[{"line":1,`},
		{strings.Repeat("x", 64<<10+1), 413, "too_large"},
	} {
		w := s.visitor(t).json("POST", "/api/format", map[string]string{"code": c.code})
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.want) {
			t.Errorf("%.40q: status %d, %s; want %d, %s", c.code, w.Code, w.Body, c.status, c.want)
		}
	}
}

func TestTypes(t *testing.T) {
	s := newSite(t, workshop())
	ask := func() string {
		w := s.visitor(t).json("POST", owner+"/types", map[string]string{"code": "package exercise"})
		if w.Code != 200 {
			t.Errorf("status %d", w.Code)
		}
		return w.Body.String()
	}
	if got := ask(); got != `{"diagnostics":[]}` {
		t.Errorf("without mistakes: %s", got)
	}
	s.found = []check.Diagnostic{{Line: 3, Column: 5, Message: "undefined: x"}}
	if got := ask(); got != `{"diagnostics":[{"line":3,"column":5,"message":"undefined: x"}]}` {
		t.Errorf("with one: %s", got)
	}
}

// One session that asks for very much is held back, and the others behind its address are not.
func TestHelpIsShared(t *testing.T) {
	s := newSite(t, workshop())
	greedy, modest := s.visitor(t), s.visitor(t)
	greedy.cookie, modest.cookie = "towers=greedy", "towers=modest"
	var last *httptest.ResponseRecorder
	for range ownHelpRate + 1 {
		last = greedy.json("POST", owner+"/types", map[string]string{"code": "x"})
	}
	if last.Code != 429 || last.Header().Get("Retry-After") != "10" || errorOf(t, last) != "too_many_requests" {
		t.Errorf("status %d, %v, %s", last.Code, last.Header(), last.Body)
	}
	if w := modest.json("POST", owner+"/types", map[string]string{"code": "x"}); w.Code != 200 {
		t.Errorf("another session has status %d", w.Code)
	}
}

// An address has its limit too, however many sessions it makes up.
func TestSubmissionsOfOneAddress(t *testing.T) {
	s := newSite(t, workshop())
	s.off = "Nothing is checked in this test."
	send := func(address, forwarded string) int {
		r := httptest.NewRequest("POST", owner+"/submissions", strings.NewReader(`{"code":"x"}`))
		r.RemoteAddr = address
		r.Header.Set("Content-Type", "application/json")
		if forwarded != "" {
			r.Header.Set("X-Forwarded-For", forwarded)
		}
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		return w.Code
	}
	for range submitRate {
		send("198.51.100.1:1", "")
		send("127.0.0.1:1", "203.0.113.9")
	}
	for _, c := range []struct {
		name, address, forwarded string
		want                     int
	}{
		{"the address itself", "198.51.100.1:2", "", http.StatusTooManyRequests},
		{"the address, lying", "198.51.100.1:2", "198.51.100.77", http.StatusTooManyRequests},
		{"another", "198.51.100.2:1", "", http.StatusServiceUnavailable},
		{"one behind a proxy here", "127.0.0.1:1", "203.0.113.9", http.StatusTooManyRequests},
		{"another behind it", "127.0.0.1:1", "203.0.113.10", http.StatusServiceUnavailable},
		{"this machine", "127.0.0.1:1", "", http.StatusServiceUnavailable},
	} {
		if got := send(c.address, c.forwarded); got != c.want {
			t.Errorf("%s: status %d, want %d", c.name, got, c.want)
		}
	}
}

func TestTurns(t *testing.T) {
	places := make(turns, 1)
	done, err := places.enter(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := places.enter(t.Context()); err == nil || describe(err).status != 429 {
		t.Errorf("with no place left: %v", err)
	}
	done()
	if done, err = places.enter(t.Context()); err != nil {
		t.Errorf("with a place left: %v", err)
	}
	done()
}
