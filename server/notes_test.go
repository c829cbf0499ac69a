package server

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/ringoftowers/towers/lessons"
)

func TestNotesStandBesideTheirHeadings(t *testing.T) {
	s := newSite(t, school())
	v := s.visitor(t)
	w := v.json("POST", "/api/lessons/03-the-ring/notes", map[string]string{"anchor": "seam", "body": "  Ask *why*.\r\n<script>alert(1)</script>  "})
	note := decode[noteJSON](t, w)
	if w.Code != http.StatusCreated || note.Body != "Ask *why*.\n<script>alert(1)</script>" || note.Anchor != "seam" ||
		!strings.Contains(note.HTML, "<em>why</em>") || strings.Contains(note.HTML, "<script") {
		t.Fatalf("status %d, %+v", w.Code, note)
	}
	page := v.page("/lessons/03-the-ring")
	if !strings.Contains(page, note.HTML) {
		t.Error("the page draws the note otherwise than the API")
	}
	if head, text := strings.Index(page, `id="seam"`), strings.Index(page, "A circle has no end"); head > strings.Index(page, note.HTML) || strings.Index(page, note.HTML) > text {
		t.Error("the note does not stand between its heading and the text")
	}
	w = v.json("PUT", "/api/notes/"+note.ID, map[string]string{"body": "Now I know.", "lesson": "03-the-ring"})
	if changed := decode[noteJSON](t, w); w.Code != http.StatusOK || changed.Body != "Now I know." || changed.ID != note.ID {
		t.Errorf("status %d, %+v", w.Code, changed)
	}
	list := decode[map[string][]noteJSON](t, v.send("GET", "/api/lessons/03-the-ring/notes", ""))["notes"]
	if len(list) != 1 || list[0].Body != "Now I know." || !list[0].Changed.After(note.Changed) {
		t.Errorf("the notes are %+v", list)
	}
	if w := v.send("DELETE", "/api/notes/"+note.ID, ""); w.Code != http.StatusNoContent {
		t.Errorf("deleting: status %d", w.Code)
	}
	if w := v.send("DELETE", "/api/notes/"+note.ID, ""); w.Code != http.StatusNotFound {
		t.Errorf("deleting again: status %d", w.Code)
	}
}

func TestNotesAreTheirWritersAlone(t *testing.T) {
	s := newSite(t, school())
	v := s.member(t, "Ada")
	note := v.writes("a secret of Ada's")
	instructor := s.instructor(t)
	for name, other := range map[string]*visitor{"a stranger": s.visitor(t), "another": s.member(t, "Eve"), "an instructor": instructor} {
		body := map[string]string{"body": "changed", "lesson": "03-the-ring"}
		for what, status := range map[string]int{
			"put":    other.json("PUT", "/api/notes/"+note, body).Code,
			"delete": other.send("DELETE", "/api/notes/"+note, "").Code,
			"save":   other.form("/notes/"+note, "do", "save", "body", "changed", "lesson", "03-the-ring", "anchor", "seam").Code,
			"drop":   other.form("/notes/"+note, "do", "delete", "lesson", "03-the-ring", "anchor", "seam").Code,
		} {
			if status != http.StatusNotFound {
				t.Errorf("%s can %s: status %d", name, what, status)
			}
		}
		for _, target := range []string{"/lessons/03-the-ring", "/lessons/03-the-ring?edit=" + note, "/api/lessons/03-the-ring/notes"} {
			if strings.Contains(other.page(target), "a secret") {
				t.Errorf("%s reads the note at %s", name, target)
			}
		}
	}
	if !strings.Contains(v.page("/lessons/03-the-ring"), "a secret of Ada") {
		t.Error("the note was changed")
	}
}

func TestNotesHaveLimits(t *testing.T) {
	s := newSite(t, school())
	v := s.visitor(t)
	for _, c := range []struct {
		anchor, body string
		status       int
		says         string
	}{
		{"seam", strings.Repeat("a", 10_000), 201, ""},
		{"seam", strings.Repeat("a", 10_001), 422, "10001 bytes of at most 10000"},
		{"seam", strings.Repeat("й", 5_001), 422, "too long"},
		{"seam", strings.Repeat("a", 100_000), 413, "At most"},
		{"seam", " \n\t", 422, "nothing in this note"},
		{"gone", "text", 422, "no longer in the lesson"},
		{"", "text", 422, "no longer in the lesson"},
		{"seam", "\x00\x01 control", 201, ""},
	} {
		w := v.json("POST", "/api/lessons/03-the-ring/notes", map[string]string{"anchor": c.anchor, "body": c.body})
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.says) {
			t.Errorf("%d bytes at %q: status %d, want %d with %q; %.300s", len(c.body), c.anchor, w.Code, c.status, c.says, w.Body)
		}
	}
	for range 8 {
		v.writes(strings.Repeat("b", 10_000))
	}
	last := v.writes(strings.Repeat("c", 9_000))
	w := v.json("POST", "/api/lessons/03-the-ring/notes", map[string]string{"anchor": "seam", "body": strings.Repeat("d", 1_000)})
	if w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), "100 kB") {
		t.Errorf("more than 100 kB in all: status %d, %s", w.Code, w.Body)
	}
	w = v.json("PUT", "/api/notes/"+last, map[string]string{"lesson": "03-the-ring", "body": strings.Repeat("c", 10_000)})
	if w.Code != http.StatusUnprocessableEntity {
		t.Errorf("more than 100 kB by a change: status %d", w.Code)
	}
	for range 198 - 9 {
		v.writes("n")
	}
	w = v.json("POST", "/api/lessons/03-the-ring/notes", map[string]string{"anchor": "seam", "body": "t"})
	if w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), "200 notes on this lesson") {
		t.Errorf("the 201st note: status %d, %s", w.Code, w.Body)
	}
	if w := v.json("POST", "/api/lessons/02-modulo/notes", map[string]string{"anchor": "why", "body": "another lesson"}); w.Code != http.StatusCreated {
		t.Errorf("on another lesson: status %d", w.Code)
	}
	if w := v.json("POST", "/api/lessons/99-nowhere/notes", map[string]string{"anchor": "why", "body": "x"}); w.Code != http.StatusNotFound {
		t.Errorf("on no lesson: status %d", w.Code)
	}
}

func TestNotesWithoutScripts(t *testing.T) {
	s := newSite(t, school())
	v := s.visitor(t)
	if page := v.page("/lessons/03-the-ring?note=seam"); strings.Count(page, "<textarea") != 2 { // the other waits for scripts
		t.Error("the form does not stand open")
	}
	v.must("/lessons/03-the-ring#seam", "/lessons/03-the-ring/notes", "anchor", "seam", "body", "first\r\nsecond")
	list := decode[map[string][]noteJSON](t, v.send("GET", "/api/lessons/03-the-ring/notes", ""))["notes"]
	if len(list) != 1 || list[0].Body != "first\nsecond" {
		t.Fatalf("the notes are %+v", list)
	}
	id := list[0].ID
	if page := v.page("/lessons/03-the-ring?edit=" + id); !strings.Contains(page, "first\nsecond</textarea>") {
		t.Error("the form to change it does not have its text")
	}
	w := v.form("/notes/"+id, "do", "save", "body", strings.Repeat("x", 10_001), "lesson", "03-the-ring", "anchor", "seam")
	if w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), "too long") || !strings.Contains(w.Body.String(), strings.Repeat("x", 10_001)) {
		t.Errorf("too long a change: status %d; is the text still there?", w.Code)
	}
	w = v.form("/lessons/03-the-ring/notes", "anchor", "seam", "body", "")
	if w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), "nothing in this note") {
		t.Errorf("an empty note: status %d", w.Code)
	}
	v.must("/lessons/03-the-ring#seam", "/notes/"+id, "do", "save", "body", "third", "lesson", "03-the-ring", "anchor", "seam")
	if !strings.Contains(v.page("/lessons/03-the-ring"), "<p>third</p>") {
		t.Error("the change is not there")
	}
	v.must("/lessons/..%2F..#a%2Fb", "/notes/"+id, "do", "delete", "lesson", "../..", "anchor", "a/b")
	if strings.Contains(v.page("/lessons/03-the-ring"), "<p>third</p>") {
		t.Error("the note is still there")
	}
}

// A heading may go; what was written beside it stays until its writer deletes it.
func TestNotesOutliveTheirHeadings(t *testing.T) {
	now := school()
	s := newSite(t, library(func(ctx context.Context) (*lessons.Course, error) { return now(ctx) }))
	v := s.visitor(t)
	note := v.writes("beside what goes")
	now = holding(&lessons.Lesson{Name: "03-the-ring", Number: 3, Title: "The ring", Sections: []lessons.Section{{ID: "new", Title: "New"}},
		Body: []lessons.Block{lessons.Heading{ID: "new", HTML: "New"}}})
	page := v.page("/lessons/03-the-ring")
	if gone := strings.Index(page, "Notes on parts that are gone"); gone < 0 || strings.Index(page, "my-note-"+note) < gone {
		t.Error("the note is not among those of parts that are gone")
	}
	w := v.json("PUT", "/api/notes/"+note, map[string]string{"body": "still mine", "lesson": "03-the-ring"})
	if w.Code != http.StatusOK {
		t.Errorf("changing it: status %d", w.Code)
	}
	now = holding(&lessons.Lesson{Name: "03-the-ring", Number: 3, Title: "The ring"})
	if page := v.page("/lessons/03-the-ring"); !strings.Contains(page, "still mine") {
		t.Error("in a lesson without headings the note is nowhere")
	}
}
