package server

import (
	"net/http"
	"strings"
	"testing"

	"github.com/ringoftowers/towers/lessons"
	"github.com/ringoftowers/towers/server/check"
)

func TestJudge(t *testing.T) {
	course, err := school()(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	lesson := course.Lessons[1]
	for _, c := range []struct {
		question, given string
		right, refused  bool
	}{
		{"guess", "80", true, false}, {"guess", "75", true, false}, {"guess", "85", true, false}, {"guess", "74.9", false, false},
		{"guess", "0", false, false}, {"guess", "101", false, true}, {"guess", "-1", false, true}, {"guess", "NaN", false, true},
		{"guess", "", false, true}, {"guess", "many", false, true}, {"guess", "+Inf", false, true},
		{"hidden", "1", true, false}, {"hidden", "0", false, false}, {"hidden", "2", false, true}, {"hidden", "0 1", false, true},
		{"many", "0 2", true, false}, {"many", "2 0", true, false}, {"many", "0", false, false}, {"many", "0 1 2", false, false},
		{"many", "", false, false}, {"many", "0 0", false, true}, {"many", "-1", false, true}, {"many", "x", false, true},
		{"nothing", "1", false, true}, {"", "", false, true},
	} {
		right, err := judge(lesson, c.question, c.given)
		if right != c.right || (err != nil) != c.refused {
			t.Errorf("%q to %q: right %v, error %v; want %v, error %v", c.given, c.question, right, err, c.right, c.refused)
		}
	}
}

func TestAnswersComeBack(t *testing.T) {
	s := newSite(t, school())
	v := s.visitor(t)
	answer := func(question, given string) int {
		return v.json("POST", "/api/lessons/03-the-ring/answers", map[string]string{"question": question, "given": given}).Code
	}
	for question, given := range map[string]string{"guess": "40", "many": "0 2", "hidden": "0"} {
		if status := answer(question, given); status != http.StatusNoContent {
			t.Errorf("%s: status %d", question, status)
		}
	}
	if status := answer("guess", "1000"); status != http.StatusBadRequest {
		t.Errorf("a guess off the scale: status %d", status)
	}
	if status := answer("nothing", strings.Repeat("x", 5000)); status != http.StatusRequestEntityTooLarge {
		t.Errorf("a long answer: status %d", status)
	}
	page := v.page("/lessons/03-the-ring")
	for _, want := range []string{`data-given="40"`, "Last time you guessed 40\u00a0%.", `data-given="0 2"`, "Last time you answered A and C. That is right.", "Last time you answered A."} {
		if !strings.Contains(page, want) {
			t.Errorf("the lesson does not have %q", want)
		}
	}
}

func TestProgressIsShown(t *testing.T) {
	s := newSite(t, school())
	v := s.member(t, "Ada")
	has := func(target string, wants ...string) {
		t.Helper()
		page := v.page(target)
		for _, want := range wants {
			if !strings.Contains(page, want) {
				t.Errorf("%s does not have %q", target, want)
			}
		}
	}
	has("/", "Begin with lesson 2")
	has("/lessons/03-the-ring", "Mark as read", "Lesson 3, 2 of 2")
	if w := v.send("POST", "/api/lessons/03-the-ring/read", ""); w.Code != http.StatusNoContent {
		t.Errorf("status %d", w.Code)
	}
	has("/lessons/03-the-ring", "lit once you pass “The owner”", "0 of 2 lessons done")
	has("/", "Go on with lesson 3", "you are here", "0 of 2 lit", "0 of 1 passed")
	v.must("/lessons/02-modulo#my-place", "/lessons/02-modulo/read")
	has("/lessons/02-modulo", "its light is lit", "Progress: 1 of 2 lessons done, now at lesson 2")
	has("/", "1 of 2 lit")
	s.judge(t, v.submits("package exercise"), check.Passed)
	has("/lessons/03-the-ring", "passed-mark", "passed its exercises: its light is lit", "2 of 2 lessons done")
	has("/", "Every light is lit", "1 of 1 passed")
	has("/account", "2 of 2 lit", "1 of 1 passed")
	if strings.Contains(s.visitor(t).page("/"), "lit,") {
		t.Error("a stranger sees somebody's progress")
	}
	if w := v.send("POST", "/api/lessons/99-nowhere/read", ""); w.Code != http.StatusNotFound {
		t.Errorf("reading no lesson: status %d", w.Code)
	}
}

// Two readers' pages differ, so no cache may give one to the other, and each has its own tag.
func TestPagesAreTheirReaders(t *testing.T) {
	s := newSite(t, school())
	ada, eve := s.member(t, "Ada"), s.member(t, "Eve")
	for _, target := range []string{"/", "/lessons/03-the-ring"} {
		mine := ada.send("GET", target, "")
		tag := mine.Header().Get("ETag")
		if got := mine.Header().Get("Cache-Control"); got != "private, no-cache" {
			t.Errorf("%s: Cache-Control %q", target, got)
		}
		if !strings.Contains(strings.Join(mine.Header().Values("Vary"), ", "), "Cookie") {
			t.Errorf("%s: Vary %q", target, mine.Header().Values("Vary"))
		}
		if w := ada.send("GET", target, "", "If-None-Match: "+tag); w.Code != http.StatusNotModified {
			t.Errorf("%s again: status %d", target, w.Code)
		}
		if w := eve.send("GET", target, "", "If-None-Match: "+tag); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "<bdi>Eve</bdi>") {
			t.Errorf("%s with another's tag: status %d", target, w.Code)
		}
		ada.writes("changes the page")
		if w := ada.send("GET", "/lessons/03-the-ring", "", "If-None-Match: "+tag); w.Code != http.StatusOK {
			t.Errorf("after a note the old page still counts")
		}
	}
}

// However many read a lesson, it is drawn once.
func TestPersonalPagesComeFromTheShelf(t *testing.T) {
	s := newSite(t, school())
	for _, v := range []*visitor{s.visitor(t), s.member(t, "Ada"), s.member(t, "Eve")} {
		v.page("/lessons/03-the-ring")
	}
	if n := len(s.shelf.copies); n != 1 {
		// The course of the test is another one at each look, its lessons are not.
		t.Errorf("%d drawings are kept", n)
	}
}

func BenchmarkLessonForAReader(b *testing.B) {
	s := newSite(b, library(lessons.OpenEmbedded().Course))
	v := s.member(b, "Ada")
	for range 5 {
		v.json("POST", "/api/lessons/03-the-ring/notes", map[string]string{"anchor": "the-seam", "body": strings.Repeat("A *note* of some words. ", 10)})
	}
	v.page("/lessons/03-the-ring") // the pictures are drawn now
	for b.Loop() {
		v.page("/lessons/03-the-ring")
	}
}
