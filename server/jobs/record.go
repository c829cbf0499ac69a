package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/ringoftowers/towers/server/check"
	"github.com/ringoftowers/towers/server/store"
)

// record takes the workers' results from their stream until ctx is done.
func (q *Queue) record(ctx context.Context) {
	select {
	case <-q.prepared:
	case <-ctx.Done():
		return
	}
	err := q.link.pull(ctx, resultsStream, recorderName, 8, func(msg jetstream.Msg) { q.take(ctx, msg) })
	if err != nil {
		q.log.Error("no verdicts can be recorded any more; start the server again", "error", err)
	}
}

// take deals with one message of a worker. It is out of the stream only once its verdict is in
// the ledger; a full disk makes it wait.
func (q *Queue) take(ctx context.Context, msg jetstream.Msg) {
	var r result
	err := unpack(msg.Data(), &r)
	if err != nil {
		q.log.Error("a worker's result cannot be read; is it of the same version?", "error", err)
		id, round, _ := splitMessageID(msg.Headers().Get(jetstream.MsgIDHeader))
		r = result{ID: id, Round: round, Fault: "the worker's result cannot be read"}
	}
	err = q.settle(ctx, r)
	q.tellOfLedger(ctx, err)
	if err == nil {
		err = msg.Ack()
	} else {
		err = msg.NakWithDelay(q.config.pace.pause)
	}
	if err != nil {
		q.log.Debug("a result will come twice", "id", r.ID, "error", err)
	}
}

// tellOfLedger logs when recording begins to fail and when it works again, and not how often
// it fails between.
func (q *Queue) tellOfLedger(ctx context.Context, err error) {
	switch {
	case ctx.Err() != nil:
	case err != nil && !q.unrecorded.Swap(true):
		q.log.Error("verdicts cannot be recorded; they are kept, and tried again until they are", "error", err)
	case err == nil && q.unrecorded.Swap(false):
		q.log.Info("verdicts are recorded again")
	}
}

// settle does what a result demands. Doing it twice changes nothing.
func (q *Queue) settle(ctx context.Context, r result) error {
	if r.failed() {
		return q.fault(ctx, r)
	}
	return q.keepVerdict(ctx, r.ID, r.Verdict)
}

// fault has a submission judged again after a while, or records that it cannot be. A result of a
// former round is late or comes twice; the attempt was counted then.
func (q *Queue) fault(ctx context.Context, r result) error {
	if !q.board.isCurrent(r.ID, r.Round) {
		return nil
	}
	n, err := q.config.Ledger.CountAttempt(ctx, r.ID)
	if errors.Is(err, store.ErrNotFound) {
		q.board.drop(r.ID)
		return nil
	}
	if err != nil {
		return fmt.Errorf("count the attempt: %w", err)
	}
	q.log.Warn("a submission could not be judged", "id", r.ID, "attempt", n, "error", r.Fault)
	if n >= 1 && n <= len(q.config.Backoff) {
		q.board.again(r.ID, r.Round, q.config.Backoff[n-1])
		return nil
	}
	v := r.Verdict
	if v.Verdict != check.Internal {
		row, err := q.config.Ledger.Submission(ctx, r.ID)
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return fmt.Errorf("load submission %s: %w", r.ID, err)
		}
		v = ours(row, "The checker failed several times, through no fault of yours. Send it in again later.")
	}
	return q.keepVerdict(ctx, r.ID, v)
}

// keepVerdict records a verdict unless there is one, and tells those who watch which it is.
func (q *Queue) keepVerdict(ctx context.Context, id string, v check.Verdict) error {
	v.ID, v.State = id, check.Done
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("write the verdict: %w", err)
	}
	at := q.board.seal(id)
	defer q.board.unseal(id) // in vain once it is settled
	first, err := q.config.Ledger.Record(ctx, id, string(v.Verdict), text, at)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return fmt.Errorf("record the verdict: %w", err)
	}
	if first {
		q.board.settle(id, Event{Seq: at.UnixMicro(), Verdict: v})
		return nil
	}
	row, err := q.config.Ledger.Submission(ctx, id)
	switch {
	case errors.Is(err, store.ErrNotFound):
		q.board.drop(id)
		return nil
	case err != nil:
		return fmt.Errorf("load submission %s: %w", id, err)
	case !row.Judged():
		return fmt.Errorf("submission %s has no verdict though it was not the first", id)
	}
	q.known(row)
	return nil
}
