package web

import (
	"net/url"
	"slices"
	"time"

	"github.com/a-h/templ"

	"github.com/ringoftowers/towers/lessons"
)

// Notes are what a reader wrote beside the lesson that is shown, and the form that stands open.
type Notes struct {
	All  []Note // the oldest first
	Form NoteForm
}

// A Note is what a reader wrote beside a heading.
type Note struct {
	ID      string
	Lesson  string // a Lesson.Name
	Anchor  string // the heading's id; the heading may be gone
	Body    string // Markdown
	Changed time.Time
}

// A NoteForm is an open form for a note, as readers without JavaScript use it. The zero NoteForm
// is closed.
type NoteForm struct {
	Anchor string // of the heading that the note is for
	ID     string // of the note that is changed; empty for a new one
	Body   string
	Fault  string // why it could not be saved and what to do, in a sentence; empty at first
}

// at gives the notes that belong to a heading.
func (n Notes) at(anchor string) []Note {
	var at []Note
	for _, note := range n.All {
		if note.Anchor == anchor {
			at = append(at, note)
		}
	}
	return at
}

// gone gives the notes whose headings are no longer in the lesson.
func (n Notes) gone(l *lessons.Lesson) []Note {
	var gone []Note
	for _, note := range n.All {
		if !slices.ContainsFunc(l.Sections, func(s lessons.Section) bool { return s.ID == note.Anchor }) {
			gone = append(gone, note)
		}
	}
	return gone
}

// notesAt gives what stands beside a heading, for whoever reads.
func notesAt(l *lessons.Lesson, anchor string) func(Reader) templ.Component {
	return func(r Reader) templ.Component { return notesBeside(l, anchor, r.Notes) }
}

// addNote gives the link beside a heading that opens the form for a note.
func addNote(l *lessons.Lesson, anchor string) func(Reader) templ.Component {
	return func(r Reader) templ.Component {
		if !r.Kept {
			return templ.NopComponent
		}
		return noteLink(l, anchor)
	}
}

// goneNotes gives the notes whose headings are gone, for whoever reads.
func goneNotes(l *lessons.Lesson) func(Reader) templ.Component {
	return func(r Reader) templ.Component {
		if len(r.Notes.gone(l)) == 0 {
			return templ.NopComponent
		}
		return notesGone(l, r.Notes)
	}
}

// noteURL opens the form for a note on a heading, without a script.
func noteURL(anchor string) string { return "?note=" + url.QueryEscape(anchor) + "#my-text" }

// editURL opens the form for changing a note, without a script.
func editURL(n Note) string {
	return "/lessons/" + url.PathEscape(n.Lesson) + "?edit=" + url.QueryEscape(n.ID) + "#my-text"
}

// action is where a form is sent.
func (f NoteForm) action(l *lessons.Lesson) string {
	if f.ID != "" {
		return "/notes/" + url.PathEscape(f.ID)
	}
	return lessonURL(l) + "/notes"
}

// titleOf is a heading in plain text.
func titleOf(l *lessons.Lesson, anchor string) string {
	for _, s := range l.Sections {
		if s.ID == anchor {
			return s.Title
		}
	}
	return ""
}
