package server

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/ringoftowers/towers/lessons"
)

// school is a course with something to read, to answer and to write beside.
func school() library {
	return holding(
		&lessons.Lesson{
			Name: "02-modulo", Number: 2, Title: "Modulo", Sections: []lessons.Section{{ID: "why", Title: "Why"}},
			Body: []lessons.Block{lessons.Heading{ID: "why", HTML: "Why"}, lessons.HTML{Text: "<p>Because.</p>"}},
		},
		&lessons.Lesson{
			Name: "03-the-ring", Number: 3, Title: "The ring",
			Sections: []lessons.Section{{ID: "seam", Title: "The seam"}, {ID: "end", Title: "The end"}},
			Body: []lessons.Block{
				lessons.Heading{ID: "seam", HTML: "The <i>seam</i>"},
				lessons.HTML{Text: "<p>A circle has no end.</p>"},
				lessons.Predict{ID: "guess", Answer: 80, Unit: "%", Tolerance: 5, Max: 100, Ask: "<p>How many?</p>"},
				lessons.Details{Title: "More", Body: []lessons.Block{
					lessons.Quiz{ID: "hidden", Ask: "Which?", Choices: []lessons.Choice{{HTML: "this"}, {HTML: "that", Right: true}}},
				}},
				lessons.Heading{ID: "end", HTML: "The end"},
				lessons.Quiz{ID: "many", Many: true, Ask: "Which?", Choices: []lessons.Choice{{HTML: "a", Right: true}, {HTML: "b"}, {HTML: "c", Right: true}}},
				lessons.ExerciseLink{Exercise: ownerExercise(), Number: 1},
			},
			Exercises: []*lessons.Exercise{ownerExercise(), {ID: "nowhere", Title: "Not in the text"}},
		},
	)
}

func ownerExercise() *lessons.Exercise {
	return &lessons.Exercise{ID: "owner", Number: 1, Title: "The owner", Start: "package exercise\n", Checks: []string{"TestOwner"}}
}

// form sends a form; fields come as "name", "value", ….
func (v *visitor) form(target string, fields ...string) *httptest.ResponseRecorder {
	values := url.Values{}
	for i := 0; i+1 < len(fields); i += 2 {
		values.Set(fields[i], fields[i+1])
	}
	return v.send("POST", target, values.Encode(), "Content-Type: application/x-www-form-urlencoded")
}

// page gets a page, which has to be there.
func (v *visitor) page(target string) string {
	v.tb.Helper()
	w := v.send("GET", target, "")
	if w.Code != http.StatusOK {
		v.tb.Fatalf("GET %s: status %d", target, w.Code)
	}
	return w.Body.String()
}

// must sends a form that has to lead to a page.
func (v *visitor) must(to, target string, fields ...string) {
	v.tb.Helper()
	if w := v.form(target, fields...); w.Code != http.StatusSeeOther || w.Header().Get("Location") != to {
		v.tb.Fatalf("POST %s: status %d to %q, want 303 to %q; %s", target, w.Code, w.Header().Get("Location"), to, faultsIn(w))
	}
}

// member is a visitor who has signed up.
func (s *site) member(tb testing.TB, name string) *visitor {
	tb.Helper()
	v := s.visitor(tb)
	v.must("/account", "/account/sign-up", "name", name, "password", "a long password")
	return v
}

// writes adds a note beside the seam and gives its id.
func (v *visitor) writes(body string) string {
	v.tb.Helper()
	w := v.json("POST", "/api/lessons/03-the-ring/notes", map[string]string{"anchor": "seam", "body": body})
	if w.Code != http.StatusCreated {
		v.tb.Fatalf("status %d, %s", w.Code, w.Body)
	}
	return decode[noteJSON](v.tb, w).ID
}

// faultsIn are the lines of a page that say what is wrong.
func faultsIn(w *httptest.ResponseRecorder) string {
	var faults []string
	for _, part := range strings.Split(w.Body.String(), `<p class="wrong"`)[1:] {
		part, _, _ = strings.Cut(part, "</p>")
		faults = append(faults, part[strings.LastIndex(part, "<span>")+1:])
	}
	return strings.Join(faults, "\n")
}

func TestLookingLeavesNoTrace(t *testing.T) {
	s := newSite(t, school())
	v := s.visitor(t)
	for _, target := range []string{
		"/", "/lessons/03-the-ring", "/lessons/03-the-ring?note=seam", "/account", "/join/ABC", "/nowhere",
		"/api/lessons/03-the-ring/notes",
	} {
		if w := v.send("GET", target, ""); len(w.Result().Cookies()) > 0 {
			t.Errorf("GET %s sets a cookie", target)
		}
	}
	for _, target := range []string{"/account/sign-out", "/account/delete", "/account/sign-in"} {
		if v.form(target, "name", "Ada", "password", "x"); v.cookie != "" && v.cookie != "towers=" {
			t.Errorf("POST %s gives a stranger the cookie %q", target, v.cookie)
		}
	}
}

func TestTheFirstThingKeptMakesAGuest(t *testing.T) {
	s := newSite(t, school())
	for name, does := range map[string]func(*visitor){
		"reads":   func(v *visitor) { v.send("POST", "/api/lessons/03-the-ring/read", "") },
		"presses": func(v *visitor) { v.form("/lessons/03-the-ring/read") },
		"answers": func(v *visitor) {
			v.json("POST", "/api/lessons/03-the-ring/answers", map[string]string{"question": "guess", "given": "3"})
		},
		"writes": func(v *visitor) { v.writes("a note") },
	} {
		v := s.visitor(t)
		does(v)
		first := v.cookie
		does(v)
		if first == "" || v.cookie != first {
			t.Errorf("who %s has the cookie %q, then %q; want one that stays", name, first, v.cookie)
		}
		if page := v.page("/account"); !strings.Contains(page, "You are here as a guest") {
			t.Errorf("who %s is no guest", name)
		}
	}
}

func TestTheCookieIsNobodyElses(t *testing.T) {
	s := newSite(t, school())
	for _, target := range []string{"http://towers.example", "https://towers.example"} {
		r := httptest.NewRequest("POST", target+"/api/lessons/03-the-ring/read", nil)
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		cookies := w.Result().Cookies()
		if len(cookies) != 1 {
			t.Fatalf("%d cookies", len(cookies))
		}
		c := cookies[0]
		if c.Name != "towers" || !c.HttpOnly || c.SameSite != http.SameSiteLaxMode || c.Path != "/" || c.Domain != "" ||
			c.Secure != strings.HasPrefix(target, "https:") || c.MaxAge < 179*24*3600 || len(c.Value) < 40 {
			t.Errorf("at %s the cookie is %+v", target, c)
		}
	}
}

// An attacker who leaves a token of their own in somebody's browser must not get in with it.
func TestNobodyChoosesTheToken(t *testing.T) {
	s := newSite(t, school())
	attacker := s.visitor(t)
	attacker.writes("bait")
	for _, planted := range []string{attacker.cookie, "towers=made-up"} {
		victim := s.visitor(t)
		victim.cookie = planted
		victim.must("/account", "/account/sign-up", "name", "Victim "+planted[7:12], "password", "a long password")
		if victim.cookie == planted {
			t.Errorf("after signing up the token is still the one that was planted")
		}
		thief := s.visitor(t)
		thief.cookie = planted
		if strings.Contains(thief.page("/account"), "Sign out") {
			t.Errorf("the token that was planted opens the account")
		}
	}
}

// Whenever somebody's rights change the token is another one, and the old one opens nothing.
func TestTokensAreRenewed(t *testing.T) {
	s := newSite(t, school())
	v := s.visitor(t)
	v.writes("as a guest")
	invitation, err := s.FirstInvitation(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	before := v.cookie
	for _, step := range []struct {
		to, target string
		fields     []string
	}{
		{"/lessons/03-the-ring", "/account/sign-up", []string{"name", "Ada", "password", "a long password", "back", "/lessons/03-the-ring"}},
		{"/account?done=password", "/account/password", []string{"old", "a long password", "password", "another password"}},
		{"/account?done=instructor", invitation, nil},
		{"/account?done=out", "/account/sign-out", nil},
		{"/account", "/account/sign-in", []string{"name", "ada ", "password", "another password"}},
	} {
		v.must(step.to, step.target, step.fields...)
		if v.cookie == before {
			t.Errorf("%s leaves the token as it was", step.target)
		}
		old := s.visitor(t)
		old.cookie = before
		if before != "towers=" && strings.Contains(old.page("/account"), "Sign out") {
			t.Errorf("after %s the old token still opens the account", step.target)
		}
		before = v.cookie
	}
	if page := v.page("/account"); !strings.Contains(page, "Invite an instructor") {
		t.Error("the rights are gone after signing in again")
	}
}

func TestANewPasswordEndsAllOtherSessions(t *testing.T) {
	s := newSite(t, school())
	here := s.member(t, "Ada")
	there := s.visitor(t)
	there.must("/account", "/account/sign-in", "name", "Ada", "password", "a long password")
	here.must("/account?done=password", "/account/password", "old", "a long password", "password", "another password")
	if !strings.Contains(here.page("/account"), "Sign out") {
		t.Error("who changed the password is signed out")
	}
	if strings.Contains(there.page("/account"), "Sign out") {
		t.Error("the other session goes on")
	}
	if w := there.form("/account/sign-in", "name", "Ada", "password", "a long password"); w.Code != http.StatusUnprocessableEntity {
		t.Errorf("the old password: status %d", w.Code)
	}
	there.must("/account", "/account/sign-in", "name", "Ada", "password", "another password")
}

// A session is remembered from the last visit on, and moving that day is not written each time.
func TestSessionsLastFromTheLastVisit(t *testing.T) {
	s := newSite(t, school())
	v := s.member(t, "Ada")
	if w := v.send("GET", "/", ""); len(w.Result().Cookies()) > 0 {
		t.Error("a visit on the same day writes the session anew")
	}
	r := httptest.NewRequest("GET", "/", nil)
	r.Header.Set("Cookie", v.cookie)
	at, err := s.visit(r)
	if err != nil {
		t.Fatal(err)
	}
	s.door.sessions.SetDeadline(at.ctx, s.door.sessions.Deadline(at.ctx).Add(-2*refreshedBy))
	if err := s.commit(at.ctx, httptest.NewRecorder(), r); err != nil {
		t.Fatal(err)
	}
	if w := v.send("GET", "/", ""); len(w.Result().Cookies()) != 1 {
		t.Error("a visit on another day does not move the day on which the session ends")
	}
}

func TestNothingIsKeptWithoutAStore(t *testing.T) {
	s, _ := mustNew(t, school(), built())
	for _, target := range []string{"/", "/lessons/03-the-ring"} {
		page := ask(s, "GET", target).Body.String()
		for _, offer := range []string{"Sign in", "Add a note", "Mark as read"} {
			if strings.Contains(page, offer) {
				t.Errorf("%s offers %q", target, offer)
			}
		}
	}
	if path, err := s.FirstInvitation(context.Background()); path != "" || err != nil {
		t.Errorf("an invitation %q, %v", path, err)
	}
}

// decode reads an answer's JSON.
func decode[T any](tb testing.TB, w *httptest.ResponseRecorder) T {
	tb.Helper()
	var v T
	if err := json.Unmarshal(w.Body.Bytes(), &v); err != nil {
		tb.Fatalf("status %d, no JSON: %v in\n%s", w.Code, err, w.Body)
	}
	return v
}
