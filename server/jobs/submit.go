package jobs

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/ringoftowers/towers/server/store"
)

// Submit writes a submission's row and puts it in the queue. It returns as soon as the row is
// safe, whether or not there is a NATS server or a worker just now. An empty ID is replaced by a
// new unguessable one, a zero At by the present time; the verdict of the event has the ID.
//
// The error matches store.ErrShare or ErrBusy, and is then a *BusyError, if too many are waiting;
// store.ErrFull if the disk is full; ErrClosed after Close. After any error but those of the
// ledger the submission was surely not taken.
func (q *Queue) Submit(ctx context.Context, s store.Submission) (Event, error) {
	if q.stopped.Err() != nil {
		return Event{}, ErrClosed
	}
	if s.ID == "" {
		s.ID = rand.Text()
	}
	if !isWord(s.ID) {
		return Event{}, fmt.Errorf("submission id %q: only letters, digits, - and _, 100 at most", s.ID)
	}
	if s.At.IsZero() {
		s.At = time.Now()
	}
	if !q.board.hold(s) {
		return Event{}, &BusyError{RetryAfter: q.board.tenth(q.crew.slots()), cause: ErrBusy}
	}
	share := q.config.Share
	if s.Recheck {
		share = 0
	}
	if err := q.config.Ledger.AddSubmission(ctx, s, share); err != nil {
		q.board.release(s.ID)
		if errors.Is(err, store.ErrShare) {
			return Event{}, &BusyError{RetryAfter: q.board.soonest(s.Learner, q.crew.slots()), cause: err}
		}
		return Event{}, fmt.Errorf("keep the submission: %w", err)
	}
	return q.board.add(s), nil
}

// tenth guesses how long a tenth of the queue takes.
func (b *board) tenth(slots int) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.guess(len(b.tickets)/10, slots)
}

// soonest guesses how long it takes until one of a learner's submissions is judged.
func (b *board) soonest(learner string, slots int) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	first := len(b.tickets)
	for _, t := range b.tickets {
		if t.row.Learner == learner && !t.row.Recheck {
			first = min(first, t.place)
		}
	}
	return b.guess(first, slots)
}

// guess is the time in which slots hands judge n submissions and then one, in whole seconds,
// from 1 to 60; the lock is held.
func (b *board) guess(n, slots int) time.Duration {
	d := b.typical * time.Duration(n/max(slots, 1)+1)
	return min(max(d.Round(time.Second), time.Second), time.Minute)
}
