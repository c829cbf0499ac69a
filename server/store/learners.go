package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"time"

	sqlite3 "modernc.org/sqlite/lib"
)

const (
	insertLearner = `INSERT INTO learners (id, since) VALUES (?, ?)`
	selectLearner = `SELECT id, name, instructor, since FROM learners WHERE id = ?`
	nameLearner   = `UPDATE learners SET name = ?, folded = ?, hash = ? WHERE id = ? AND name IS NULL`
	selectByName  = `SELECT id, name, instructor, since, hash FROM learners WHERE folded = ?`
	updateHash    = `UPDATE learners SET hash = ? WHERE id = ? AND name IS NOT NULL`
	deleteLearner = `DELETE FROM learners WHERE id = ?`
)

// NewID makes a name that nobody guesses: 130 random bits in 26 letters and digits.
func NewID() string { return rand.Text() }

// CreateGuest makes a learner without a name.
func (s *Store) CreateGuest(ctx context.Context) (Learner, error) {
	guest := Learner{ID: NewID(), Since: time.Now().UTC().Truncate(time.Microsecond)}
	err := s.change(ctx, "making a guest", func(ctx context.Context, h handle) error {
		_, err := h.exec(ctx, insertLearner, guest.ID, micros(guest.Since))
		return err
	})
	if err != nil {
		return Learner{}, err
	}
	return guest, nil
}

// Learner finds a learner by ID: ErrNotFound when there is none.
func (s *Store) Learner(ctx context.Context, id string) (Learner, error) {
	learner, err := one(ctx, s.glance(), scanLearner, selectLearner, id)
	if err != nil {
		return Learner{}, fmt.Errorf("learner %q: %w", id, err)
	}
	return learner, nil
}

func scanLearner(row scanner) (Learner, error) {
	var l Learner
	var name sql.NullString
	var since int64
	err := row.Scan(&l.ID, &name, &l.Instructor, &since)
	l.Name, l.Since = name.String, moment(since)
	return l, err
}

// Register makes a guest an account, with a name and the hash of a password, which is any text
// to this package. ErrTaken says that the name, compared as the package's comment tells, is
// somebody's; ErrNotFound that there is no guest of this ID.
func (s *Store) Register(ctx context.Context, id, name, hash string) error {
	folded := fold(name)
	if folded == "" || hash == "" {
		return fmt.Errorf("registering %q: a name and the hash of a password are needed", name)
	}
	return s.change(ctx, "registering", func(ctx context.Context, h handle) error {
		err := h.must(ctx, nameLearner, name, folded, hash, id)
		if broke(err, sqlite3.SQLITE_CONSTRAINT_UNIQUE) {
			return fmt.Errorf("%w: %q", ErrTaken, name)
		}
		return err
	})
}

// Credentials finds an account by its name, in whatever case it is written, and the hash that
// Register or SetPassword kept: ErrNotFound when nobody has the name.
func (s *Store) Credentials(ctx context.Context, name string) (Learner, string, error) {
	type account struct {
		Learner
		hash string
	}
	found, err := one(ctx, s.glance(), func(row scanner) (a account, err error) {
		var since int64
		err = row.Scan(&a.ID, &a.Name, &a.Instructor, &since, &a.hash)
		a.Since = moment(since)
		return a, err
	}, selectByName, fold(name))
	if err != nil {
		return Learner{}, "", fmt.Errorf("the account %q: %w", name, err)
	}
	return found.Learner, found.hash, nil
}

// SetPassword keeps the hash of an account's new password: ErrNotFound when there is no such
// account. Guests have no password.
func (s *Store) SetPassword(ctx context.Context, id, hash string) error {
	if hash == "" {
		return errors.New("setting a password: its hash is needed")
	}
	return s.change(ctx, "setting a password", func(ctx context.Context, h handle) error {
		return h.must(ctx, updateHash, hash, id)
	})
}

// DeleteLearner removes a learner with all that is kept about them; it is overwritten in the
// file, and gone from the journal with the next checkpoints. Sessions are texts to this
// package: one that still names the learner finds ErrNotFound.
func (s *Store) DeleteLearner(ctx context.Context, id string) error {
	return s.change(ctx, "deleting a learner", func(ctx context.Context, h handle) error {
		return h.must(ctx, deleteLearner, id)
	})
}

// micros is how a time stands in the file, and moment what it is in Go: UTC, whole microseconds.
func micros(t time.Time) int64 { return t.UnixMicro() }

func moment(micros int64) time.Time { return time.UnixMicro(micros).UTC() }
