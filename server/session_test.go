package server

import (
	"context"
	"crypto/tls"
	"errors"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"

	"github.com/ringoftowers/towers/server/store"
)

// A session that counts no more leaves nothing of its learner in the request.
func TestWhoIsNobodyWhereTheSessionHasEnded(t *testing.T) {
	s := newSite(t, school())
	here, there := s.member(t, "Ada"), s.visitor(t)
	there.must("/account", "/account/sign-in", "name", "Ada", "password", "a long password")
	here.must("/account?done=password", "/account/password", "old", "a long password", "password", "another password")
	r := httptest.NewRequest("GET", "/", nil)
	r.Header.Set("Cookie", there.cookie)
	if learner, err := s.who(r); err != nil || learner != (store.Learner{}) {
		t.Errorf("whose session has ended is %+v, %v", learner, err)
	}
}

// failing is a store that cannot say who a learner is.
type failing struct{ Store }

func (failing) Learner(context.Context, string) (store.Learner, error) {
	return store.Learner{}, errors.New("the disk is gone")
}

// Where it cannot be looked up whose something is, nobody is told that it is not there.
func TestAStoreThatFailsIsOurFault(t *testing.T) {
	s := newSite(t, school())
	v := s.member(t, "Ada")
	note := v.writes("mine")
	s.store = failing{s.store}
	for _, route := range []string{
		"GET /lessons/03-the-ring", "GET /account", "GET /api/lessons/03-the-ring/notes", "PUT /api/notes/" + note,
		"DELETE /api/notes/" + note, "GET /api/submissions/x", "POST /api/lessons/03-the-ring/read",
	} {
		method, target, _ := strings.Cut(route, " ")
		if w := v.json(method, target, map[string]string{"lesson": "03-the-ring", "body": "x"}); w.Code != http.StatusInternalServerError {
			t.Errorf("%s: status %d", route, w.Code)
		}
	}
}

func TestNoGoroutineCleansUpNobodysSessions(t *testing.T) {
	newSite(t, school())
	stacks := make([]byte, 1<<20)
	if text := string(stacks[:runtime.Stack(stacks, true)]); strings.Contains(text, "memstore") {
		t.Errorf("a store in memory is swept:\n%s", text)
	}
}

func TestCookiesAreSecureWhereTheBrowserUsesTLS(t *testing.T) {
	for _, c := range []struct {
		name, from, proto string
		tls, want         bool
	}{
		{name: "plain", from: "198.51.100.1:1"},
		{name: "TLS here", from: "198.51.100.1:1", tls: true, want: true},
		{name: "TLS at a proxy here", from: "127.0.0.1:1", proto: "https", want: true},
		{name: "plain at a proxy here", from: "127.0.0.1:1", proto: "http"},
		{name: "a stranger's word", from: "198.51.100.1:1", proto: "https"},
	} {
		r := httptest.NewRequest("POST", "/", nil)
		r.RemoteAddr = c.from
		r.Header.Set("X-Forwarded-Proto", c.proto)
		if c.tls {
			r.TLS = new(tls.ConnectionState)
		}
		w := httptest.NewRecorder()
		setCookie(w, r, "token", 60)
		if cookie := w.Result().Cookies()[0]; cookie.Secure != c.want || !cookie.HttpOnly {
			t.Errorf("%s: %v, want Secure %v and HttpOnly", c.name, cookie, c.want)
		}
	}
}
