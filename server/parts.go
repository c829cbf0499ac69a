package server

import (
	"context"
	"time"

	"github.com/ringoftowers/towers/server/check"
	"github.com/ringoftowers/towers/server/jobs"
	"github.com/ringoftowers/towers/server/store"
)

// A Store keeps what must not be lost; [store.Store] is one. Its errors are those of package store.
type Store interface {
	submissions
	People
}

// submissions are what learners sent in and what they typed, as the exercises' routes need them.
type submissions interface {
	Submission(ctx context.Context, id string) (store.Submission, error)
	Tries(ctx context.Context, learner, lesson, exercise string, limit int) ([]store.Try, error)
	CountTries(ctx context.Context, learner, lesson, exercise string, most int) (int, error)
	LastTries(ctx context.Context, lesson, exercise string) ([]store.Submission, error)
	SaveDraft(ctx context.Context, learner, lesson, exercise, source string, at time.Time) error
	Draft(ctx context.Context, learner, lesson, exercise string) (store.Draft, error)
}

// A Queue takes submissions to the checker; [jobs.Queue] is one.
type Queue interface {
	// Submit writes a submission down before it is queued. A [jobs.BusyError] says to come back
	// later, [store.ErrFull] that nothing can be written.
	Submit(ctx context.Context, s store.Submission) (jobs.Event, error)
	// Latest is the present state of a submission that has no verdict yet, where it is known.
	Latest(id string) (jobs.Event, bool)
	Stats() jobs.Stats
}

// A Watch gives the news of one submission until it is closed. It holds the newest event only,
// and each event is the whole state, so whoever reads slowly misses nothing that still matters.
type Watch interface {
	C() <-chan jobs.Event
	Close()
}

// Types finds what a compiler would say of a program, without building it.
type Types interface {
	Types(ctx context.Context, s check.Submission) ([]check.Diagnostic, error)
}
