package store

import (
	"context"
	"fmt"
	"time"
)

const (
	selectNotes = `SELECT id, lesson, anchor, body, changed FROM notes WHERE learner = ? AND lesson = ? ORDER BY seq`
	insertNote  = `INSERT INTO notes (id, learner, lesson, anchor, body, changed) VALUES (?, ?, ?, ?, ?, ?)`
	updateNote  = `UPDATE notes SET body = ?, changed = ? WHERE learner = ? AND id = ?`
	deleteNote  = `DELETE FROM notes WHERE learner = ? AND id = ?`
)

// Notes gives a learner's notes on a lesson, in the order in which they were added.
func (s *Store) Notes(ctx context.Context, learner, lesson string) ([]Note, error) {
	notes, err := all(ctx, s.glance(), scanNote, selectNotes, learner, lesson)
	if err != nil {
		return nil, fmt.Errorf("the notes on %s: %w", lesson, err)
	}
	return notes, nil
}

// AddNote keeps a new note and gives it back as it is kept: with an ID of its own.
func (s *Store) AddNote(ctx context.Context, learner string, n Note) (Note, error) {
	n.ID = NewID()
	n.Changed = moment(micros(n.Changed))
	err := s.change(ctx, "adding a note", func(ctx context.Context, h handle) error {
		_, err := h.exec(ctx, insertNote, n.ID, learner, n.Lesson, n.Anchor, n.Body, micros(n.Changed))
		return err
	})
	if err != nil {
		return Note{}, err
	}
	return n, nil
}

// EditNote changes what a note says: ErrNotFound when the learner has no such note.
func (s *Store) EditNote(ctx context.Context, learner, id, body string, at time.Time) error {
	return s.change(ctx, "editing a note", func(ctx context.Context, h handle) error {
		return h.must(ctx, updateNote, body, micros(at), learner, id)
	})
}

// DeleteNote removes a note: ErrNotFound when the learner has no such note.
func (s *Store) DeleteNote(ctx context.Context, learner, id string) error {
	return s.change(ctx, "deleting a note", func(ctx context.Context, h handle) error {
		return h.must(ctx, deleteNote, learner, id)
	})
}

func scanNote(row scanner) (Note, error) {
	var n Note
	var changed int64
	err := row.Scan(&n.ID, &n.Lesson, &n.Anchor, &n.Body, &changed)
	n.Changed = moment(changed)
	return n, err
}
