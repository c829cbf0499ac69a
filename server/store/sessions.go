package store

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"time"
)

const (
	selectSession     = `SELECT data FROM sessions WHERE token = ? AND until > ?`
	upsertSession     = `INSERT INTO sessions (token, data, until) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET data = excluded.data, until = excluded.until`
	deleteSession     = `DELETE FROM sessions WHERE token = ?`
	deleteOldSessions = `DELETE FROM sessions WHERE until <= ?`
)

// FindCtx gives the data of a session. It reports false for a token that is unknown or has
// expired; with CommitCtx and DeleteCtx it makes a Store an scs.CtxStore.
//
// The file holds only hashes of tokens, so a backup in the wrong hands opens no session.
func (s *Store) FindCtx(ctx context.Context, token string) (data []byte, found bool, err error) {
	data, err = one(ctx, s.glance(), value[[]byte], selectSession, tokenKey(token), micros(time.Now()))
	if errors.Is(err, ErrNotFound) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("a session: %w", err)
	}
	return data, true, nil
}

// CommitCtx keeps the data of a session until its expiry, in place of what it was.
func (s *Store) CommitCtx(ctx context.Context, token string, data []byte, expiry time.Time) error {
	return s.change(ctx, "keeping a session", func(ctx context.Context, h handle) error {
		if data == nil {
			data = []byte{}
		}
		_, err := h.exec(ctx, upsertSession, tokenKey(token), data, micros(expiry))
		return err
	})
}

// DeleteCtx ends a session; one that is not there has ended already.
func (s *Store) DeleteCtx(ctx context.Context, token string) error {
	return s.change(ctx, "ending a session", func(ctx context.Context, h handle) error {
		_, err := h.exec(ctx, deleteSession, tokenKey(token))
		return err
	})
}

// Find is FindCtx for callers without a context.
func (s *Store) Find(token string) (data []byte, found bool, err error) {
	return s.FindCtx(context.Background(), token)
}

// Commit is CommitCtx for callers without a context.
func (s *Store) Commit(token string, data []byte, expiry time.Time) error {
	return s.CommitCtx(context.Background(), token, data, expiry)
}

// Delete is DeleteCtx for callers without a context.
func (s *Store) Delete(token string) error {
	return s.DeleteCtx(context.Background(), token)
}

// SweepSessions removes the sessions and invitations that have expired by now. They are of no
// use even without it; it only keeps the file small.
func (s *Store) SweepSessions(ctx context.Context, now time.Time) error {
	return s.change(ctx, "sweeping sessions", func(ctx context.Context, h handle) error {
		if _, err := h.exec(ctx, deleteOldSessions, micros(now)); err != nil {
			return err
		}
		_, err := h.exec(ctx, deleteOldInvite, micros(now))
		return err
	})
}

// tokenKey is what stands in the file for a token. A token is long and random, so a plain
// hash cannot be turned back by guessing.
func tokenKey(token string) []byte {
	sum := sha256.Sum256([]byte(token))
	return sum[:]
}
