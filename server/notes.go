package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/ringoftowers/towers/lessons"
	"github.com/ringoftowers/towers/server/store"
	"github.com/ringoftowers/towers/web"
)

// How much somebody may write beside one lesson. 10 kB are about three printed pages; all of
// it is drawn with every look at the lesson.
const (
	mostNote     = 10_000  // bytes of Markdown in one note
	mostNotes    = 200     // notes on one lesson
	mostInAll    = 100_000 // bytes in all notes on one lesson
	mostNoteJSON = 6*mostNote + 4096
)

// noteJSON is a note as the API writes it. HTML is the whole note as it stands in the page.
type noteJSON struct {
	ID      string    `json:"id"`
	Anchor  string    `json:"anchor"`
	Body    string    `json:"body"`
	HTML    string    `json:"html"`
	Changed time.Time `json:"changed"`
}

// noteAPI draws a note for the API.
func noteAPI(r *http.Request, n store.Note) (noteJSON, error) {
	drawn, err := draw(r.Context(), "", web.MyNote(webNote(n)))
	return noteJSON{ID: n.ID, Anchor: n.Anchor, Body: n.Body, HTML: string(drawn), Changed: n.Changed}, err
}

func webNote(n store.Note) web.Note {
	return web.Note{ID: n.ID, Lesson: n.Lesson, Anchor: n.Anchor, Body: n.Body, Changed: n.Changed}
}

// notesOn gives a learner's notes on a lesson; somebody new has none.
func (s *Server) notesOn(ctx context.Context, learner store.Learner, lesson string) ([]store.Note, error) {
	if learner.ID == "" {
		return nil, nil
	}
	notes, err := s.store.Notes(ctx, learner.ID, lesson)
	if err != nil {
		return nil, fmt.Errorf("find a reader's notes: %w", err)
	}
	return notes, nil
}

// notesFor gives what stands beside a lesson's headings: the reader's notes, and the form that
// is open. One for a note that is there opens with its text, where there is no other yet.
func (s *Server) notesFor(ctx context.Context, learner store.Learner, lesson string, form web.NoteForm) (web.Notes, error) {
	kept, err := s.notesOn(ctx, learner, lesson)
	if err != nil {
		return web.Notes{}, err
	}
	notes := web.Notes{Form: form}
	for _, n := range kept {
		notes.All = append(notes.All, webNote(n))
		if n.ID == form.ID && form.Fault == "" {
			notes.Form.Anchor, notes.Form.Body = n.Anchor, n.Body
		}
	}
	return notes, nil
}

// notes sends a reader's notes on a lesson, the oldest first.
func (s *Server) notes(w http.ResponseWriter, r *http.Request) error {
	_, lesson, err := s.asked(r)
	if err != nil {
		return err
	}
	learner, err := s.who(r)
	if err != nil {
		return err
	}
	notes, err := s.notesOn(r.Context(), learner, lesson.Name)
	if err != nil {
		return err
	}
	sent := make([]noteJSON, len(notes))
	for i, n := range notes {
		if sent[i], err = noteAPI(r, n); err != nil {
			return err
		}
	}
	return sendJSON(w, r, http.StatusOK, map[string][]noteJSON{"notes": sent})
}

// addNote keeps a new note, for the script.
func (s *Server) addNote(w http.ResponseWriter, r *http.Request) error {
	_, lesson, err := s.asked(r)
	if err != nil {
		return err
	}
	var said struct {
		Anchor string `json:"anchor"`
		Body   string `json:"body"`
	}
	if err := readSmallJSON(w, r, mostNoteJSON, &said); err != nil {
		return err
	}
	note, err := s.keepNote(w, r, lesson, said.Anchor, said.Body)
	if err != nil {
		return err
	}
	answer, err := noteAPI(r, note)
	if err != nil {
		return err
	}
	return sendJSON(w, r, http.StatusCreated, answer)
}

// keepNote keeps a new note beside a heading. A [refusal] says what is wrong with it.
func (s *Server) keepNote(w http.ResponseWriter, r *http.Request, lesson *lessons.Lesson, anchor, body string) (store.Note, error) {
	body = tidyNote(body)
	if err := goodNote(body); err != nil {
		return store.Note{}, err
	}
	if !slices.ContainsFunc(lesson.Sections, func(s lessons.Section) bool { return s.ID == anchor }) {
		return store.Note{}, badNote("This heading is no longer in the lesson", "Load the lesson again and write beside another one; copy your text first.")
	}
	learner, err := s.whoOrGuest(w, r)
	if err != nil {
		return store.Note{}, err
	}
	before, err := s.store.Notes(r.Context(), learner.ID, lesson.Name)
	if err != nil {
		return store.Note{}, fmt.Errorf("count the notes on a lesson: %w", err)
	}
	if len(before) >= mostNotes {
		return store.Note{}, badNote(fmt.Sprintf("There are %d notes on this lesson already, and no more fit", mostNotes), "Delete one that you need no more, or add to one.")
	}
	if err := fits(before, "", body); err != nil {
		return store.Note{}, err
	}
	note, err := s.store.AddNote(r.Context(), learner.ID, store.Note{Lesson: lesson.Name, Anchor: anchor, Body: body, Changed: time.Now()})
	if err != nil {
		return store.Note{}, fmt.Errorf("keep a note: %w", err)
	}
	return note, nil
}

// tidyNote brings a note to the form in which it is kept: line ends as Unix has them, since a
// form sends others than a script, and no blanks around it.
func tidyNote(body string) string {
	body = strings.ToValidUTF8(strings.ReplaceAll(body, "\r\n", "\n"), "\uFFFD")
	return strings.TrimSpace(strings.ReplaceAll(body, "\x00", "\uFFFD"))
}

// goodNote says what is wrong with a note's text.
func goodNote(body string) error {
	switch {
	case body == "":
		return badNote("There is nothing in this note yet", "Write something, or close it.")
	case len(body) > mostNote:
		return badNote(fmt.Sprintf("This note is too long: %d bytes of at most %d", len(body), mostNote), "Shorten it, or make two of it.")
	}
	return nil
}

// fits says whether all notes on a lesson are still few enough together, once the one of that
// id has another text.
func fits(notes []store.Note, id, body string) error {
	sum := len(body)
	for _, n := range notes {
		if n.ID != id {
			sum += len(n.Body)
		}
	}
	if sum > mostInAll {
		return badNote(fmt.Sprintf("Your notes on this lesson would be %d kB and more together, and no more fits", mostInAll/1000), "Shorten this one, or delete another.")
	}
	return nil
}

func badNote(title, message string) *refusal {
	return &refusal{status: http.StatusUnprocessableEntity, code: "bad_note", title: title, message: message}
}

// editNote changes a note, for the script.
func (s *Server) editNote(w http.ResponseWriter, r *http.Request) error {
	var said struct {
		Lesson string `json:"lesson"`
		Body   string `json:"body"`
	}
	if err := readSmallJSON(w, r, mostNoteJSON, &said); err != nil {
		return err
	}
	note, err := s.changeNote(r, said.Lesson, said.Body)
	if err != nil {
		return err
	}
	answer, err := noteAPI(r, note)
	if err != nil {
		return err
	}
	return sendJSON(w, r, http.StatusOK, answer)
}

// changeNote changes the note on a lesson that the address names.
func (s *Server) changeNote(r *http.Request, lesson, body string) (store.Note, error) {
	learner, err := s.who(r)
	if err != nil {
		return store.Note{}, err
	}
	notes, err := s.notesOn(r.Context(), learner, lesson)
	if err != nil {
		return store.Note{}, err
	}
	i := slices.IndexFunc(notes, func(n store.Note) bool { return n.ID == param(r, "note") })
	if i < 0 {
		return store.Note{}, fmt.Errorf("a note of somebody else: %w", store.ErrNotFound)
	}
	note := notes[i]
	note.Body, note.Changed = tidyNote(body), time.Now().UTC()
	if err := goodNote(note.Body); err != nil {
		return store.Note{}, err
	}
	if err := fits(notes, note.ID, note.Body); err != nil {
		return store.Note{}, err
	}
	if err := s.store.EditNote(r.Context(), learner.ID, note.ID, note.Body, note.Changed); err != nil {
		return store.Note{}, fmt.Errorf("change a note: %w", err)
	}
	return note, nil
}

// deleteNote deletes a note, for the script.
func (s *Server) deleteNote(w http.ResponseWriter, r *http.Request) error {
	if err := s.dropNote(r); err != nil {
		return err
	}
	return noContent(w)
}

func (s *Server) dropNote(r *http.Request) error {
	learner, err := s.who(r)
	if err != nil {
		return err
	}
	if learner.ID == "" {
		return fmt.Errorf("a note of somebody else: %w", store.ErrNotFound)
	}
	if err := s.store.DeleteNote(r.Context(), learner.ID, param(r, "note")); err != nil {
		return fmt.Errorf("delete a note: %w", err)
	}
	return nil
}

// addNoteForm keeps a new note for readers without a script. What is wrong with it is told in
// the form, with the text still there.
func (s *Server) addNoteForm(w http.ResponseWriter, r *http.Request) error {
	_, lesson, err := s.asked(r)
	if err != nil {
		return err
	}
	if err := readForm(w, r, mostNoteJSON); err != nil {
		return err
	}
	form := web.NoteForm{Anchor: r.PostForm.Get("anchor"), Body: r.PostForm.Get("body")}
	_, err = s.keepNote(w, r, lesson, form.Anchor, form.Body)
	return s.afterNote(w, r, lesson.Name, form, err)
}

// noteForm changes or deletes a note for readers without a script.
func (s *Server) noteForm(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(w, r, mostNoteJSON); err != nil {
		return err
	}
	form := web.NoteForm{ID: param(r, "note"), Anchor: r.PostForm.Get("anchor"), Body: r.PostForm.Get("body")}
	lesson := r.PostForm.Get("lesson")
	var err error
	if r.PostForm.Get("do") == "delete" {
		err = s.dropNote(r)
	} else {
		_, err = s.changeNote(r, lesson, form.Body)
	}
	return s.afterNote(w, r, lesson, form, err)
}

// afterNote leads back to the heading, or shows the lesson with the form still open where the
// note was refused.
func (s *Server) afterNote(w http.ResponseWriter, r *http.Request, lesson string, form web.NoteForm, err error) error {
	var said *refusal
	switch {
	case err == nil:
		return seeOther(w, r, "/lessons/"+url.PathEscape(lesson)+"#"+url.PathEscape(form.Anchor))
	case !errors.As(err, &said) || said.status != http.StatusUnprocessableEntity:
		return err
	}
	form.Fault = said.title + ". " + said.message
	return s.lessonPage(w, r, said.status, lesson, form)
}
