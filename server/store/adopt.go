package store

import (
	"context"
	"fmt"
)

// What Adopt does, in this order. ?1 is the guest and ?2 the account.
const (
	adoptSubmissions = `UPDATE submissions SET learner = ?2 WHERE learner = ?1`
	adoptNotes       = `UPDATE notes SET learner = ?2 WHERE learner = ?1`
	adoptDrafts      = `INSERT INTO drafts (learner, lesson, exercise, source, saved)
SELECT ?2, lesson, exercise, source, saved FROM drafts WHERE learner = ?1
ON CONFLICT DO UPDATE SET source = excluded.source, saved = excluded.saved WHERE excluded.saved > saved`
	adoptRead = `INSERT INTO lessons_read (learner, lesson, at)
SELECT ?2, lesson, at FROM lessons_read WHERE learner = ?1
ON CONFLICT DO UPDATE SET at = excluded.at WHERE excluded.at < at`
	adoptAnswers = `INSERT INTO answers (learner, lesson, question, given, correct, at)
SELECT ?2, lesson, question, given, correct, at FROM answers WHERE learner = ?1
ON CONFLICT DO UPDATE SET given = excluded.given, correct = excluded.correct, at = excluded.at WHERE excluded.at > at`
	adoptLearner = `UPDATE learners SET since = min(learners.since, guest.since), instructor = max(learners.instructor, guest.instructor)
FROM learners AS guest WHERE guest.id = ?1 AND learners.id = ?2`

	isGuest   = `SELECT count(*) FROM learners WHERE id = ? AND name IS NULL`
	isAccount = `SELECT count(*) FROM learners WHERE id = ? AND name IS NOT NULL`
)

// Adopt gives an account all that a guest did, and removes the guest: somebody worked first
// and signed in then. Of two drafts or two answers the newer stays; submissions and notes are
// all kept; a guest who was made an instructor brings that along.
//
// ErrNotFound says that the one is no guest or the other no account, and nothing was done.
func (s *Store) Adopt(ctx context.Context, guest, learner string) error {
	return s.change(ctx, "adopting a guest", func(ctx context.Context, h handle) error {
		for _, who := range []struct{ id, is string }{{guest, isGuest}, {learner, isAccount}} {
			ok, err := one(ctx, h, value[bool], who.is, who.id)
			if err != nil {
				return err
			}
			if !ok {
				return fmt.Errorf("learner %q: %w", who.id, ErrNotFound)
			}
		}
		for _, step := range []string{adoptSubmissions, adoptNotes, adoptDrafts, adoptRead, adoptAnswers, adoptLearner} {
			if _, err := h.exec(ctx, step, guest, learner); err != nil {
				return err
			}
		}
		return h.must(ctx, deleteLearner, guest)
	})
}
