package web

import (
	"slices"
	"time"

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
