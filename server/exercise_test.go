package server

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/ringoftowers/towers/lessons"
	"github.com/ringoftowers/towers/server/check"
)

const ownerPage = "/lessons/03-the-ring/exercises/owner"

// What the editor opens with: the try that was asked for, or what the learner did last.
func TestExercisePageOpensWhatWasLast(t *testing.T) {
	s := newSite(t, workshop())
	v := s.visitor(t)
	shows := func(target, want string) {
		t.Helper()
		w := v.send("GET", target, "")
		if w.Code != 200 || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: status %d, no %q in\n%s", target, w.Code, want, w.Body)
		}
	}
	shows(ownerPage, "package exercise")
	if v.cookie != "" {
		t.Error("looking at an exercise leaves a trace")
	}
	w := v.json("PUT", owner+"/draft", map[string]string{"code": "// a draft"})
	if w.Code != 200 || !strings.Contains(w.Body.String(), `"saved":"20`) {
		t.Errorf("PUT of a draft: status %d, %s", w.Code, w.Body)
	}
	shows(ownerPage, "// a draft")
	first := v.submits("// the first try")
	shows(ownerPage, "// the first try")
	v.submits("// the second try")
	shows(ownerPage, "// the second try")
	shows(ownerPage+"?try="+first, "// the first try")
	// A page that is closed sends its last word by POST.
	if w := v.json("POST", owner+"/draft", map[string]string{"code": "// the newest draft"}); w.Code != 200 {
		t.Errorf("POST of a draft: status %d", w.Code)
	}
	shows(ownerPage, "// the newest draft")
	shows(ownerPage+"?try="+first, "// the first try")

	if w := v.send("GET", "/lessons/03-the-ring/exercises/seam?try="+first, ""); w.Code != 404 {
		t.Errorf("a try at another exercise: status %d", w.Code)
	}
	if w := v.send("GET", ownerPage+"?try=nothing", ""); w.Code != 404 {
		t.Errorf("a try that is not there: status %d", w.Code)
	}
}

func TestExercisePageShowsResultsAsText(t *testing.T) {
	s := newSite(t, workshop())
	v := s.visitor(t)
	id := v.submits(`</textarea><script>alert("code")</script>`)
	s.judge(t, id, check.Failed, check.Test{Name: "TestOwner", Status: check.Failed, Output: `<script>alert("output")</script>`, Message: "<script>alert(1)</script>"})
	for _, target := range []string{ownerPage, ownerPage + "?try=" + id} {
		w := v.send("GET", target, "")
		if w.Code != 200 || !strings.Contains(w.Body.String(), "TestOwner") {
			t.Errorf("%s: status %d\n%s", target, w.Code, w.Body)
		}
		if strings.Contains(w.Body.String(), "<script>alert") {
			t.Errorf("%s: a learner's text is markup:\n%s", target, w.Body)
		}
	}
}

func TestExercisePageSaysWhyNothingIsChecked(t *testing.T) {
	s := newSite(t, workshop())
	s.off = "There is no Go on this machine."
	if w := s.visitor(t).send("GET", ownerPage, ""); w.Code != 200 || !strings.Contains(w.Body.String(), s.off) {
		t.Errorf("status %d\n%s", w.Code, w.Body)
	}
}

// The page tells the limits that the checker keeps, whatever the exercise asks for.
func TestExercisePageTellsTheLimitsInForce(t *testing.T) {
	s := newSite(t, workshop())
	for _, c := range []struct {
		asked check.Limits
		want  string
	}{
		{check.Limits{}, "after 5\u00a0seconds or 64\u00a0MiB"},
		{check.Limits{Test: 2 * time.Second, Memory: 128 << 20}, "after 2\u00a0seconds or 128\u00a0MiB"},
		{check.Limits{Test: time.Hour, Memory: 64 << 30}, "after 30\u00a0seconds or 512\u00a0MiB"},
	} {
		s.checked = func(string, *lessons.Exercise) check.Exercise { return check.Exercise{Limits: c.asked} }
		if page := s.visitor(t).page(ownerPage); !strings.Contains(page, c.want) {
			t.Errorf("with %+v the page does not say %q", c.asked, c.want)
		}
	}
}

func TestFormatWithoutScripts(t *testing.T) {
	s := newSite(t, workshop())
	for _, c := range []struct{ code, want string }{
		{"package exercise\r\nfunc  f( ) { }\r\n", "func f() {}"},
		{"package exercise\r\nfunc f( {\r\n", "func f( {"},
	} {
		form := url.Values{"code": {c.code}}.Encode()
		w := s.visitor(t).send("POST", ownerPage+"/format", form, "Content-Type: application/x-www-form-urlencoded")
		if w.Code != 200 || !strings.Contains(w.Body.String(), c.want) {
			t.Errorf("%q: status %d, no %q in\n%s", c.code, w.Code, c.want, w.Body)
		}
	}
}
