package store

import (
	"context"
	"fmt"
	"time"
)

const (
	upsertDraft = `INSERT INTO drafts (learner, lesson, exercise, source, saved) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET source = excluded.source, saved = excluded.saved`
	selectDraft = `SELECT source, saved FROM drafts WHERE learner = ? AND lesson = ? AND exercise = ?`
)

// SaveDraft keeps what a learner has typed, in place of what it was before. The last call
// wins, whatever at says: a clock that was set back must not stop drafts from being kept.
// Drafts go by the exercise's name alone, so they outlive any change of the lesson.
func (s *Store) SaveDraft(ctx context.Context, learner, lesson, exercise, source string, at time.Time) error {
	return s.change(ctx, "saving a draft", func(ctx context.Context, h handle) error {
		_, err := h.exec(ctx, upsertDraft, learner, lesson, exercise, source, micros(at))
		return err
	})
}

// Draft gives what SaveDraft kept last: ErrNotFound when there is nothing.
func (s *Store) Draft(ctx context.Context, learner, lesson, exercise string) (Draft, error) {
	draft, err := one(ctx, s.glance(), func(row scanner) (d Draft, err error) {
		var saved int64
		err = row.Scan(&d.Source, &saved)
		d.Saved = moment(saved)
		return d, err
	}, selectDraft, learner, lesson, exercise)
	if err != nil {
		return Draft{}, fmt.Errorf("the draft of %s/%s: %w", lesson, exercise, err)
	}
	return draft, nil
}
