package store

import (
	"context"
	"errors"
	"fmt"
	"time"
)

const (
	anyInstructor   = `SELECT EXISTS (SELECT 1 FROM learners WHERE instructor = 1)`
	makeInstructor  = `UPDATE learners SET instructor = 1 WHERE id = ?`
	insertInvite    = `INSERT INTO invitations (hash, until) VALUES (?, ?)`
	spendInvite     = `DELETE FROM invitations WHERE hash = ? AND until > ?`
	deleteOldInvite = `DELETE FROM invitations WHERE until <= ?`
)

// Invite keeps the hash of a link's token: until then, whoever brings the token first becomes
// an instructor.
func (s *Store) Invite(ctx context.Context, hash []byte, until time.Time) error {
	if len(hash) == 0 {
		return errors.New("inviting: the hash of a token is needed")
	}
	return s.change(ctx, "inviting", func(ctx context.Context, h handle) error {
		_, err := h.exec(ctx, insertInvite, hash, micros(until))
		return err
	})
}

// Redeem makes a learner an instructor and spends the invitation, both or neither. ErrUsed
// says that it is spent, expired or was never made: nobody can find out which. ErrNotFound
// says that there is no such learner, and the invitation is still good.
func (s *Store) Redeem(ctx context.Context, hash []byte, learner string, now time.Time) error {
	return s.change(ctx, "redeeming an invitation", func(ctx context.Context, h handle) error {
		spent, err := h.exec(ctx, spendInvite, hash, micros(now))
		if err != nil {
			return err
		}
		if spent == 0 {
			return ErrUsed
		}
		if err := h.must(ctx, makeInstructor, learner); err != nil {
			return fmt.Errorf("learner %q: %w", learner, err)
		}
		return nil
	})
}

// HasInstructor reports whether anybody is an instructor yet.
func (s *Store) HasInstructor(ctx context.Context) (bool, error) {
	has, err := one(ctx, s.glance(), value[bool], anyInstructor)
	if err != nil {
		return false, fmt.Errorf("looking for an instructor: %w", err)
	}
	return has, nil
}
