package server

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ringoftowers/towers/server/check"
	"github.com/ringoftowers/towers/server/jobs"
	"github.com/ringoftowers/towers/server/store"
)

func TestTriesAreListed(t *testing.T) {
	s := newSite(t, workshop())
	v, other := s.visitor(t), s.visitor(t)
	first := v.submits("x")
	s.judge(t, first, check.Failed, check.Test{Name: "TestA", Status: check.Passed}, check.Test{Name: "TestB", Status: check.Failed})
	second := v.submits("y")
	other.submits("z")
	var list struct {
		Tries []struct {
			ID, At, Verdict string
			Passed, Tests   int
		}
	}
	w := v.send("GET", owner+"/submissions", "")
	if err := json.Unmarshal(w.Body.Bytes(), &list); err != nil || len(list.Tries) != 2 {
		t.Fatalf("status %d, %s", w.Code, w.Body)
	}
	newest, oldest := list.Tries[0], list.Tries[1]
	if newest.ID != second || newest.Verdict != "" || oldest.ID != first || oldest.Verdict != "failed" || oldest.Passed != 1 || oldest.Tests != 2 {
		t.Errorf("the list is %s", w.Body)
	}
	if w := s.visitor(t).send("GET", owner+"/submissions", ""); w.Body.String() != `{"count":0,"tries":[]}` {
		t.Errorf("somebody new has %s", w.Body)
	}
}

// More tries than are listed are told with their true number, on the page and to its script.
func TestTriesAreAllCounted(t *testing.T) {
	s := newSite(t, workshop())
	v, boss := s.visitor(t), s.instructor(t)
	for _, c := range []struct {
		send  int
		again bool // an instructor has the newest checked again
		count int
		says  string
	}{
		{mostTries - 1, false, mostTries - 1, "49 so far<"},
		{0, true, mostTries - 1, "49 so far<"},
		{1, false, mostTries, "50 so far, the last 49 listed<"},
		{23, false, mostTries + 23, "73 so far, the last 49 listed<"},
	} {
		for range c.send {
			s.judge(t, v.submits("x"), check.Failed)
		}
		if c.again {
			boss.send("POST", owner+"/recheck", "")
		}
		var list struct {
			Tries []struct{}
			Count int
		}
		w := v.send("GET", owner+"/submissions", "")
		if err := json.Unmarshal(w.Body.Bytes(), &list); err != nil || list.Count != c.count || len(list.Tries) > mostTries {
			t.Errorf("%v, %d are listed and %d counted, want %d", err, len(list.Tries), list.Count, c.count)
		}
		if page := v.page(ownerPage); !strings.Contains(page, c.says) {
			t.Errorf("of %d tries the page does not say %q", c.count, c.says)
		}
	}
}

func TestUnlocked(t *testing.T) {
	for _, c := range []struct {
		verdicts string
		want     bool
	}{
		{"", false},
		{"failed", false},
		{"failed build_error", false},
		{"failed build_error crashed", true},
		{"failed failed -", false},
		{"failed internal internal", false},
		{"passed", true},
		{"- passed", true},
		{"failed failed again:failed again:failed", false},
		{"failed again:passed", true},
	} {
		var tries []store.Try
		for _, verdict := range strings.Fields(c.verdicts) {
			word, again := strings.CutPrefix(verdict, "again:")
			tries = append(tries, store.Try{Verdict: strings.Trim(word, "-"), Recheck: again})
		}
		if got := unlocked(tries); got != c.want {
			t.Errorf("after %q the solution is open: %t, want %t", c.verdicts, got, c.want)
		}
	}
}

func TestSolutionOpens(t *testing.T) {
	s := newSite(t, workshop())
	v := s.visitor(t)
	if w := v.send("GET", owner+"/solution", ""); w.Code != 403 || errorOf(t, w) != "locked" || strings.Contains(w.Body.String(), "func Owner") {
		t.Errorf("for somebody new: status %d, %s", w.Code, w.Body)
	}
	for range triesForSolution {
		if w := v.send("GET", owner+"/solution", ""); w.Code != 403 {
			t.Errorf("too early: status %d, %s", w.Code, w.Body)
		}
		s.judge(t, v.submits("x"), check.Failed)
	}
	w := v.send("GET", owner+"/solution", "")
	var solution struct{ Code, HTML string }
	if err := json.Unmarshal(w.Body.Bytes(), &solution); err != nil || w.Code != 200 ||
		solution.Code != "package exercise\n\nfunc Owner() {}\n" || !strings.Contains(solution.HTML, "<span") {
		t.Errorf("status %d, %v, %s", w.Code, err, w.Body)
	}
	if w := s.instructor(t).send("GET", owner+"/solution", ""); w.Code != 200 {
		t.Errorf("for an instructor: status %d", w.Code)
	}
	seam := strings.ReplaceAll(owner, "owner", "seam")
	if w := s.instructor(t).send("GET", seam+"/solution", ""); !strings.Contains(w.Body.String(), "the answer") {
		t.Errorf("of an exercise in writing tests: %s", w.Body)
	}
}

func TestRecheck(t *testing.T) {
	s := newSite(t, workshop())
	boss := s.instructor(t)
	var want []string
	for i := range 3 {
		v := s.visitor(t)
		s.judge(t, v.submits("old"), check.Failed)
		code := fmt.Sprint("newest of ", i)
		s.judge(t, v.submits(code), check.Passed)
		want = append(want, code)
	}
	if w := s.visitor(t).send("POST", owner+"/recheck", ""); w.Code != 403 || errorOf(t, w) != "not_instructor" {
		t.Errorf("for somebody new: status %d, %s", w.Code, w.Body)
	}
	if w := boss.send("POST", owner+"/recheck", ""); w.Code != 202 || w.Body.String() != `{"left":0,"queued":3}` {
		t.Fatalf("status %d, %s", w.Code, w.Body)
	}
	waiting, err := s.kept.Unjudged(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, sub := range waiting {
		if sub.Recheck {
			whole, err := s.kept.Submission(t.Context(), sub.ID)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, whole.Source)
		}
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("queued again are %q, want %q", got, want)
	}
	s.queue.fail = &jobs.BusyError{}
	if w := boss.send("POST", owner+"/recheck", ""); w.Code != 429 {
		t.Errorf("with a full queue: status %d, %s", w.Code, w.Body)
	}
}

// What an instructor has checked again is nobody's typing, however new it is, and one line more.
func TestRecheckPutsNothingAside(t *testing.T) {
	s := newSite(t, workshop())
	boss, v := s.instructor(t), s.visitor(t)
	shows := func(want, not string) {
		t.Helper()
		page := v.page(ownerPage)
		_, field, _ := strings.Cut(page, `name="code"`)
		if field, _, _ = strings.Cut(field, "</textarea>"); !strings.Contains(field, want) {
			t.Errorf("the editor has %q, want %q", field, want)
		}
		if strings.Contains(page, not) {
			t.Errorf("the page has %q", not)
		}
	}
	s.judge(t, v.submits("// the try"), check.Failed)
	for range 4 {
		boss.send("POST", owner+"/recheck", "")
		waiting, err := s.kept.Unjudged(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, sub := range waiting {
			s.judge(t, sub.ID, check.Failed)
		}
	}
	shows("// the try", "func Owner")
	v.json("PUT", owner+"/draft", map[string]string{"code": "// the draft"})
	boss.send("POST", owner+"/recheck", "")
	shows("// the draft", "func Owner")
	if w := v.send("GET", owner+"/submissions", ""); strings.Count(w.Body.String(), `"recheck":true`) != 1 || strings.Count(w.Body.String(), `"id"`) != 2 {
		t.Errorf("the tries are %s", w.Body)
	}
	if w := v.send("GET", owner+"/solution", ""); w.Code != 403 {
		t.Errorf("after one try that was checked again five times the solution has status %d", w.Code)
	}
}
