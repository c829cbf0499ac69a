package jobs

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ringoftowers/towers/server/check"
	"github.com/ringoftowers/towers/server/store"
)

// dispatch sends submissions to the workers, in their order, until ctx is done. All that decides
// what the stream holds happens in this one goroutine.
func (q *Queue) dispatch(ctx context.Context) {
	for ctx.Err() == nil {
		wait := q.turn(ctx)
		timer := time.NewTimer(wait)
		select {
		case <-q.kick:
		case <-timer.C:
		case <-ctx.Done():
		}
		timer.Stop()
	}
}

// turn does what can be done now and says when there is something to do again, if nobody asks
// before.
func (q *Queue) turn(ctx context.Context) time.Duration {
	now := time.Now()
	epoch, ok := q.link.alive()
	if ok && epoch != q.seen {
		q.seen, q.quietTo, q.failures = epoch, time.Time{}, 0
	}
	if wait := q.quietTo.Sub(now); wait > 0 {
		q.board.pick(0) // for the places
		return wait
	}
	if err := q.keep(ctx, now); err != nil {
		return q.quiet(ctx, "the queue is not in order", err)
	}
	if !ok {
		q.board.pick(0)
		return q.config.pace.sweep
	}
	picked, next := q.board.pick(q.crew.window())
	for n, s := range picked {
		if err := q.send(ctx, s); err != nil {
			q.board.unsent(picked[n:]...)
			return q.quiet(ctx, "a submission cannot be sent", err)
		}
	}
	q.failures = 0
	if next == 0 {
		next = q.config.pace.sweep
	}
	return min(next, q.config.pace.sweep)
}

// quiet logs an error and has the dispatcher rest, the longer the more often in a row. The most
// usual error is an outage, of which the link has told already.
func (q *Queue) quiet(ctx context.Context, what string, err error) time.Duration {
	wait := q.config.pace.pause << min(q.failures, 4)
	if _, ok := q.link.alive(); ok && ctx.Err() == nil {
		q.log.Warn(what+"; trying again", "in", wait, "error", err)
	}
	q.failures++
	q.suspect = true
	q.quietTo = time.Now().Add(wait)
	return wait
}

// keep compares the board with the rows and with the streams when it is time to, or when
// something went wrong, and makes the streams when the connection is new.
func (q *Queue) keep(ctx context.Context, now time.Time) error {
	due := q.suspect || now.Sub(q.compared) >= q.config.pace.sweep
	epoch, ok := q.link.alive()
	if due {
		if err := q.compareRows(ctx); err != nil {
			return err
		}
	}
	if ok && (due || epoch != q.epoch) {
		if err := q.prepare(ctx); err != nil {
			return err
		}
		q.epoch = epoch
	}
	if due {
		q.compared, q.suspect = now, false
	}
	return nil
}

// send loads a submission and hands it to the stream. An error means that the stream cannot be
// reached, or the ledger: whatever is the matter with the submission itself is dealt with here.
func (q *Queue) send(ctx context.Context, s sending) error {
	row, err := q.config.Ledger.Submission(ctx, s.id)
	switch {
	case errors.Is(err, store.ErrNotFound):
		q.board.drop(s.id)
		return nil
	case err != nil:
		return fmt.Errorf("load submission %s: %w", s.id, err)
	case row.Judged():
		q.known(row)
		return nil
	}
	exercise, err := q.config.Exercise(ctx, row.Lesson, row.Exercise)
	switch {
	case errors.Is(err, ErrNoExercise):
		return q.keepVerdict(ctx, s.id, ours(row, "The course does not have this exercise any more, so it could not be checked."))
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		return q.fault(ctx, result{ID: s.id, Round: s.round, Fault: err.Error(), Verdict: queued(row)})
	}
	return q.sendJob(ctx, row, job{ID: s.id, Round: s.round, Source: []byte(row.Source), Exercise: exercise})
}

func (q *Queue) sendJob(ctx context.Context, row store.Submission, j job) error {
	data, err := pack(j)
	if err != nil {
		return err
	}
	if most := q.link.most(); len(data) > most {
		q.log.Error("a submission is too big for the NATS server; raise its max_payload", "id", j.ID, "bytes", len(data), "most", most)
		return q.keepVerdict(ctx, j.ID, ours(row, "The program and its exercise are together too big to be sent to a checker."))
	}
	return q.link.publish(ctx, checksSubject+j.ID, messageID(j.ID, j.Round), data)
}

// compareRows takes in the rows that the board does not know, and lets go those that were judged
// or deleted behind its back.
func (q *Queue) compareRows(ctx context.Context) error {
	mark := q.board.reading()
	rows, err := q.config.Ledger.Unjudged(ctx)
	stale := q.board.merge(mark, rows, err == nil)
	if err != nil {
		return fmt.Errorf("find the submissions without a verdict: %w", err)
	}
	for _, id := range stale {
		row, err := q.config.Ledger.Submission(ctx, id)
		switch {
		case errors.Is(err, store.ErrNotFound):
			q.board.drop(id)
		case err != nil:
			return fmt.Errorf("load submission %s: %w", id, err)
		case row.Judged():
			q.known(row)
		}
	}
	return nil
}

// known settles a submission whose verdict was recorded by somebody else. A result that cannot be
// read is no reason to judge again: the verdict stands.
func (q *Queue) known(row store.Submission) {
	e, err := EventOf(row)
	if err != nil {
		q.log.Error("a recorded verdict cannot be read", "id", row.ID, "error", err)
		v := queued(row)
		v.State, v.Verdict = check.Done, check.Outcome(row.Verdict)
		e = Event{Seq: row.JudgedAt.UnixMicro(), Verdict: v}
	}
	q.board.settle(row.ID, e)
}
