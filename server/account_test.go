package server

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/ringoftowers/towers/server/store"
)

func TestSigningUpKeepsWhatTheGuestDid(t *testing.T) {
	s := newSite(t, school())
	v := s.visitor(t)
	note := v.writes("before signing up")
	v.send("POST", "/api/lessons/02-modulo/read", "")
	v.must("/account", "/account/sign-up", "name", "Ada", "password", "a long password")
	if page := v.page("/lessons/03-the-ring"); !strings.Contains(page, note) || !strings.Contains(page, "<bdi>Ada</bdi>") {
		t.Error("the note or the name is missing")
	}
	// Elsewhere something was done before signing in: it joins the rest.
	elsewhere := s.visitor(t)
	other := elsewhere.writes("elsewhere")
	elsewhere.must("/lessons/03-the-ring", "/account/sign-in", "name", "ADA", "password", "a long password", "back", "/lessons/03-the-ring")
	page := elsewhere.page("/lessons/03-the-ring")
	if !strings.Contains(page, note) || !strings.Contains(page, other) {
		t.Error("not both notes are there after signing in")
	}
	if !strings.Contains(elsewhere.page("/account"), "1 of 2 lit") {
		t.Error("the lesson that was read is not lit elsewhere")
	}
}

// Whoever signs in under another name takes nothing from the account that was open before.
func TestSigningInOverAnAccountAdoptsNothing(t *testing.T) {
	s := newSite(t, school())
	s.member(t, "Ada")
	v := s.member(t, "Grace")
	note := v.writes("Grace's own")
	v.must("/account", "/account/sign-in", "name", "Ada", "password", "a long password")
	if strings.Contains(v.page("/lessons/03-the-ring"), note) {
		t.Error("Ada has Grace's note")
	}
	v.must("/account", "/account/sign-in", "name", "Grace", "password", "a long password")
	if !strings.Contains(v.page("/lessons/03-the-ring"), note) {
		t.Error("Grace's note is gone")
	}
}

func TestSignUpSaysWhatIsWrong(t *testing.T) {
	s := newSite(t, school())
	s.member(t, "Ada Lovelace")
	for _, c := range []struct {
		name, password string
		status         int
		says           string
	}{
		{"A", "a long password", 422, "at least 2 characters"},
		{"  A  ", "a long password", 422, "at least 2 characters"},
		{strings.Repeat("a", 33), "a long password", 422, "at most 32 characters"},
		{"Ada\x07", "a long password", 422, "cannot be seen"},
		{"ada\u202eecarG", "a long password", 422, "cannot be seen"},
		{"\u3164\u3164", "a long password", 422, "cannot be seen"},
		{"\u200c\u200c", "a long password", 422, "at least 2 characters"},
		{"Grace", "tiny-77", 422, "at least 8 characters"},
		{"Grace", strings.Repeat("x", 129), 422, "at most 128 characters"},
		{"Grace Hopper", "grace hopper", 422, "your name"},
		{"Grace", "", 422, "at least 8 characters"},
		{"ADA  lovelace", "a long password", 409, "has this name already"},
	} {
		v := s.visitor(t)
		w := v.form("/account/sign-up", "name", c.name, "password", c.password)
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.says) {
			t.Errorf("%q, %q: status %d, want %d with %q; it says %s", c.name, c.password, w.Code, c.status, c.says, faultsIn(w))
		}
		if v.cookie != "" {
			t.Errorf("%q: a guest was made for nothing", c.name)
		}
		if c.password != "" && strings.Contains(w.Body.String(), c.password) && c.name != "Grace Hopper" && c.status != 409 {
			t.Errorf("the password %q is in the page", c.password)
		}
		if h := w.Header().Get("Cache-Control"); h != "no-store" {
			t.Errorf("Cache-Control is %q", h)
		}
	}
	for _, name := range []string{"Łukasz", "李明", "علی\u200cرضا", "O’Brien-Smith 3"} {
		s.member(t, name)
	}
}

// The letters of a name and a password may be typed composed or not.
func TestNamesAndPasswordsAreOneInEveryKeyboard(t *testing.T) {
	s := newSite(t, school())
	v := s.visitor(t)
	v.must("/account", "/account/sign-up", "name", "Zo\u00eb", "password", "pa\u00dfw\u00f6rter")
	v.must("/account", "/account/sign-in", "name", "Zoe\u0308", "password", "pa\u00dfwo\u0308rter")
}

func TestHTMLInANameIsInert(t *testing.T) {
	s := newSite(t, school())
	name := `<img src=x onerror="1">'&`
	v := s.member(t, name)
	for _, target := range []string{"/", "/account", "/lessons/03-the-ring", "/nowhere"} {
		body := v.send("GET", target, "").Body.String()
		if strings.Contains(body, "<img") || !strings.Contains(body, "&lt;img src=x onerror=&#34;1&#34;&gt;&#39;&amp;") {
			t.Errorf("%s shows the name as markup, or not at all", target)
		}
	}
}

func TestWrongPasswordsAreLimited(t *testing.T) {
	s := newSite(t, school())
	s.member(t, "Ada")
	try := func(address, name, password string) *httptest.ResponseRecorder {
		r := httptest.NewRequest("POST", "/account/sign-in", strings.NewReader("name="+name+"&password="+password))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.RemoteAddr = address
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		return w
	}
	for i := range 10 {
		// However it is written, it is one name.
		w := try("198.51.100.1:1", []string{"Ada", "ADA", "ada"}[i%3], "wrong")
		if w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), "do not belong together") {
			t.Fatalf("wrong password %d: status %d", i+1, w.Code)
		}
	}
	// What is refused is not tried, and so uses up nothing of the others behind that address.
	for range 100 {
		w := try("198.51.100.1:1", "Ada", "a+long+password")
		seconds, _ := strconv.Atoi(w.Header().Get("Retry-After"))
		if w.Code != http.StatusTooManyRequests || seconds < 800 || seconds > 900 || !strings.Contains(w.Body.String(), "15 minutes") {
			t.Fatalf("after ten wrong passwords: status %d, Retry-After %q", w.Code, w.Header().Get("Retry-After"))
		}
	}
	if w := try("198.51.100.1:1", "Grace", "x"); w.Code != http.StatusUnprocessableEntity {
		t.Errorf("another name: status %d", w.Code)
	}
	if w := try("198.51.100.99:1", "Ada", "a+long+password"); w.Code != http.StatusSeeOther {
		t.Errorf("Ada herself, who is elsewhere: status %d", w.Code)
	}
	// From one place many names may be tried, but then each try is slow.
	s.door.slow = 0
	for i := range 70 {
		if w := try("203.0.113.5:1", fmt.Sprint("somebody", i), "x"); w.Code != http.StatusUnprocessableEntity {
			t.Fatalf("guess %d from one place: status %d", i+1, w.Code)
		}
	}
	if _, ok := s.door.places.take("203.0.113.5"); ok {
		t.Error("after 70 guesses the next from there is quick")
	}
}

// Signing in rightly costs nobody a try: a class behind one address may do it all day.
func TestRightPasswordsAreNotLimited(t *testing.T) {
	s := newSite(t, school())
	s.member(t, "Ada")
	for range 70 {
		s.visitor(t).must("/account", "/account/sign-in", "name", "Ada", "password", "a long password")
	}
}

// Whether somebody has a name here is not told by what sign-in says.
func TestSignInDoesNotTellWhoExists(t *testing.T) {
	s := newSite(t, school())
	s.member(t, "Ada")
	exists := s.visitor(t).form("/account/sign-in", "name", "Ada", "password", "wrong")
	nobody := s.visitor(t).form("/account/sign-in", "name", "Bob", "password", "wrong")
	if exists.Code != nobody.Code || strings.ReplaceAll(exists.Body.String(), "Ada", "Bob") != nobody.Body.String() {
		t.Error("the pages differ")
	}
}

func TestBackLeadsToOurPagesOnly(t *testing.T) {
	for back, want := range map[string]string{
		"/lessons/03-the-ring": "/lessons/03-the-ring", "/": "/", "/join/ABC": "/join/ABC", "/a?b=c#d": "/a?b=c#d",
		"": "/account", "lessons": "/account", "https://elsewhere.example/": "/account", "//elsewhere.example": "/account",
		`/\elsewhere.example`: "/account", "/\telsewhere": "/account", "javascript:alert(1)": "/account",
		"\n/x": "/account", "/%zz": "/account", "///x": "/account", "/\r\nSet-Cookie: x": "/account",
	} {
		if got := backTo(back); got != want {
			t.Errorf("back to %q leads to %q, want %q", back, got, want)
		}
	}
	s := newSite(t, school())
	w := s.visitor(t).form("/account/sign-up", "name", "Ada", "password", "a long password", "back", "//elsewhere.example")
	if got := w.Header().Get("Location"); got != "/account" {
		t.Errorf("signing up leads to %q", got)
	}
}

func TestExportHasEverything(t *testing.T) {
	s := newSite(t, school())
	v := s.visitor(t)
	if w := v.send("GET", "/account/export", ""); w.Code != http.StatusNotFound {
		t.Errorf("a stranger's export: status %d", w.Code)
	}
	v.writes("my *note*")
	v.send("POST", "/api/lessons/03-the-ring/read", "")
	v.json("POST", "/api/lessons/03-the-ring/answers", map[string]string{"question": "guess", "given": "78"})
	v.json("PUT", owner+"/draft", map[string]string{"code": "package draft"})
	v.submits("package exercise // sent")
	v.must("/account", "/account/sign-up", "name", "Ada", "password", "a long password")
	w := v.send("GET", "/account/export", "")
	e := decode[store.Export](t, w)
	if e.Name != "Ada" || len(e.Notes) != 1 || e.Notes[0].Body != "my *note*" || len(e.Read) != 1 || len(e.Answers) != 1 ||
		!e.Answers[0].Right || len(e.Drafts) != 1 || len(e.Submissions) != 1 || e.Submissions[0].Code != "package exercise // sent" {
		t.Errorf("the export is %s", w.Body)
	}
	if text := w.Body.String(); strings.Contains(text, "argon2") || strings.Contains(text, strings.TrimPrefix(v.cookie, "towers=")) {
		t.Error("there is a hash or a token in the export")
	}
	if h := w.Header(); h.Get("Content-Disposition") != `attachment; filename="ring-of-towers.json"` || h.Get("Cache-Control") != "no-store" {
		t.Errorf("headers %v", h)
	}
}

func TestDeletingLeavesNothing(t *testing.T) {
	s := newSite(t, school())
	for _, name := range []string{"Ada", ""} {
		v := s.visitor(t)
		v.writes("to be deleted")
		confirm := "delete"
		if name != "" {
			v.must("/account", "/account/sign-up", "name", name, "password", "a long password")
			confirm = name
		}
		learner := decode[store.Export](t, v.send("GET", "/account/export", "")).ID
		w := v.form("/account/delete", "confirm", "yes")
		if w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), "Nothing was deleted") {
			t.Errorf("without the word: status %d", w.Code)
		}
		before := v.cookie
		v.must("/account?done=deleted", "/account/delete", "confirm", confirm)
		if _, err := s.kept.Export(t.Context(), learner); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("after deleting %q the store says %v", name, err)
		}
		old := s.visitor(t)
		old.cookie = before
		if page := old.page("/account"); !strings.Contains(page, "Sign in, or sign up") {
			t.Error("the old session still is somebody")
		}
		if name != "" {
			s.member(t, name) // the name is free again
		}
	}
}

func TestOtherSitesChangeNothingOfAnybodys(t *testing.T) {
	s := newSite(t, school())
	v := s.member(t, "Ada")
	note := v.writes("mine")
	for _, route := range []string{
		"POST /account/sign-up", "POST /account/sign-in", "POST /account/sign-out", "POST /account/password", "POST /account/delete",
		"POST /account/invite", "POST /join/ABC", "POST /lessons/03-the-ring/read", "POST /api/lessons/03-the-ring/read",
		"POST /api/lessons/03-the-ring/answers", "POST /api/lessons/03-the-ring/notes", "POST /lessons/03-the-ring/notes",
		"PUT /api/notes/" + note, "DELETE /api/notes/" + note, "POST /notes/" + note,
	} {
		method, target, _ := strings.Cut(route, " ")
		for _, header := range []string{"Sec-Fetch-Site: cross-site", "Origin: https://elsewhere.example"} {
			body := "do=delete&confirm=Ada&name=Eve&password=eve-eve-eve"
			w := v.send(method, target, body, "Content-Type: application/x-www-form-urlencoded", header)
			if w.Code != http.StatusForbidden {
				t.Errorf("%s with %s: status %d", route, header, w.Code)
			}
		}
	}
	if !strings.Contains(v.page("/lessons/03-the-ring"), note) {
		t.Error("something changed")
	}
}

func TestFormsHaveALimit(t *testing.T) {
	s := newSite(t, school())
	v := s.visitor(t)
	for _, target := range []string{"/account/sign-up", "/account/sign-in", "/lessons/03-the-ring/notes"} {
		w := v.form(target, "anchor", "seam", "body", "x", "name", "Ada", "password", strings.Repeat("x", 1<<20))
		if w.Code != http.StatusRequestEntityTooLarge {
			t.Errorf("a megabyte to %s: status %d", target, w.Code)
		}
	}
	if w := v.send("POST", "/account/sign-in", "%zz", "Content-Type: application/x-www-form-urlencoded"); w.Code != http.StatusBadRequest {
		t.Errorf("a broken form: status %d", w.Code)
	}
}
