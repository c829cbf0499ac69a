package server

import (
	"context"
	"time"

	"github.com/alexedwards/scs/v2"

	"github.com/ringoftowers/towers/server/store"
)

// People is what is kept about those who learn here. Its errors are those of package store.
type People interface {
	scs.CtxStore
	accounts
	invitations
	progress
	notebook
}

// accounts are the learners: guests, and those who have a name and a password.
type accounts interface {
	CreateGuest(ctx context.Context) (store.Learner, error)
	Learner(ctx context.Context, id string) (store.Learner, error)
	// Register gives a guest a name and the hash of a password; [store.ErrTaken].
	Register(ctx context.Context, id, name, hash string) error
	Credentials(ctx context.Context, name string) (store.Learner, string, error)
	SetPassword(ctx context.Context, id, hash string) error
	// Adopt gives an account all that a guest did, and deletes the guest.
	Adopt(ctx context.Context, guest, learner string) error
	DeleteLearner(ctx context.Context, id string) error
	Export(ctx context.Context, id string) (store.Export, error)
}

// invitations make a learner an instructor. Only hashes of their tokens are kept.
type invitations interface {
	Invite(ctx context.Context, hash []byte, until time.Time) error
	// Redeem uses an invitation up; [store.ErrUsed].
	Redeem(ctx context.Context, hash []byte, learner string, now time.Time) error
	HasInstructor(ctx context.Context) (bool, error)
}

// progress is how far each learner has come.
type progress interface {
	MarkRead(ctx context.Context, learner, lesson string, at time.Time) error
	SaveAnswer(ctx context.Context, learner string, a store.Answer) error
	Progress(ctx context.Context, learner string) (store.Progress, error)
}

// notebook has the notes. Those of another learner are [store.ErrNotFound].
type notebook interface {
	Notes(ctx context.Context, learner, lesson string) ([]store.Note, error)
	AddNote(ctx context.Context, learner string, n store.Note) (store.Note, error)
	EditNote(ctx context.Context, learner, id, body string, at time.Time) error
	DeleteNote(ctx context.Context, learner, id string) error
}
