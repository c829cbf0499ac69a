package server

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func TestTheFirstInstructorComesByALink(t *testing.T) {
	s := newSite(t, school())
	path, err := s.FirstInvitation(t.Context())
	if err != nil || len(strings.TrimPrefix(path, "/join/")) < 26 {
		t.Fatalf("the first invitation is %q, %v", path, err)
	}
	other, err := s.FirstInvitation(t.Context())
	if err != nil || other == path {
		t.Fatalf("the second invitation is %q, %v", other, err)
	}
	v := s.member(t, "Ada")
	for range 3 { // looking uses nothing up
		if page := v.page(path); !strings.Contains(page, "Accept as") {
			t.Error("the page has no button")
		}
	}
	v.must("/account?done=instructor", path)
	if page := v.page("/account"); !strings.Contains(page, "Invite an instructor") {
		t.Error("an instructor cannot invite others")
	}
	late := s.member(t, "Eve")
	if w := late.form(path); w.Code != http.StatusGone || !strings.Contains(w.Body.String(), "used already") {
		t.Errorf("using it twice: status %d", w.Code)
	}
	if path, err := s.FirstInvitation(t.Context()); path != "" || err != nil {
		t.Errorf("with an instructor there is still a first invitation %q, %v", path, err)
	}
}

func TestInvitationsNeedAName(t *testing.T) {
	s := newSite(t, school())
	path, err := s.FirstInvitation(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	guest := s.visitor(t)
	guest.writes("as a guest")
	for _, v := range []*visitor{s.visitor(t), guest} {
		if w := v.form(path); w.Code != http.StatusForbidden {
			t.Errorf("without a name: status %d", w.Code)
		}
		if page := v.page(path); !strings.Contains(page, `name="back" value="`+path+`"`) {
			t.Error("the page does not lead back after signing up")
		}
	}
	guest.must(path, "/account/sign-up", "name", "Ada", "password", "a long password", "back", path)
	guest.must("/account?done=instructor", path)
}

func TestInstructorsInvite(t *testing.T) {
	s := newSite(t, school())
	first, err := s.FirstInvitation(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ada, eve := s.member(t, "Ada"), s.member(t, "Eve")
	if w := eve.form("/account/invite"); w.Code != http.StatusForbidden {
		t.Errorf("a learner invites: status %d", w.Code)
	}
	ada.must("/account?done=instructor", first)
	w := ada.form("/account/invite")
	_, rest, found := strings.Cut(w.Body.String(), "<code>http://example.com")
	path, _, _ := strings.Cut(rest, "</code>")
	if !found || w.Header().Get("Cache-Control") != "no-store" {
		t.Fatalf("no invitation; headers %v", w.Header())
	}
	eve.must("/account?done=instructor", path)
	if w := ada.form("/join/made-up"); w.Code != http.StatusGone {
		t.Errorf("an invitation that never was: status %d", w.Code)
	}
	if err := s.kept.Invite(t.Context(), tokenHash("old"), time.Now().Add(-time.Minute)); err != nil {
		t.Fatal(err)
	}
	if w := s.member(t, "Bob").form("/join/old"); w.Code != http.StatusGone {
		t.Errorf("an old invitation: status %d", w.Code)
	}
}

// Whoever reads the log must not find an invitation that nobody has used yet.
func TestInvitationsAreNotLogged(t *testing.T) {
	s := newSite(t, school())
	path, err := s.FirstInvitation(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	v := s.member(t, "Ada")
	v.page(path)
	v.must("/account?done=instructor", path)
	if strings.Contains(s.log.String(), strings.TrimPrefix(path, "/join/")) {
		t.Errorf("the token is in the log:\n%s", s.log)
	}
}

// The link is for the browser of somebody else, who comes by the same proxy.
func TestInvitationsLeadThroughTheProxy(t *testing.T) {
	s := newSite(t, school())
	v := s.member(t, "Ada")
	path, err := s.FirstInvitation(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	v.must("/account?done=instructor", path)
	for proto, want := range map[string]string{"https": "https://example.com/join/", "http": "http://example.com/join/"} {
		r := httptest.NewRequest("POST", "http://example.com/account/invite", nil)
		r.RemoteAddr = "127.0.0.1:1"
		r.Header.Set("Cookie", v.cookie)
		r.Header.Set("X-Forwarded-Proto", proto)
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), want) {
			t.Errorf("by %s: status %d, no link to %s", proto, w.Code, want)
		}
	}
}
