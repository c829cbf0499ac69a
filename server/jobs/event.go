package jobs

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/ringoftowers/towers/server/check"
	"github.com/ringoftowers/towers/server/store"
)

// An Event is how a submission stands: always the whole of it, so whoever missed some events
// needs only the newest.
type Event struct {
	// Seq grows from event to event of one submission, also when the server was started anew
	// between them. It is a time in microseconds since 1970, and the last event's is that of
	// the row's JudgedAt.
	Seq int64 `json:"seq"`
	// Place is how many are judged before this one, and one; 0 once a worker has it.
	Place int `json:"place,omitempty"`
	// Verdict is whole in the last event, the one whose State is Done. Before that, what tests
	// printed is cut to 4 KiB each.
	Verdict check.Verdict `json:"submission"`
}

// Final reports whether no event follows.
func (e Event) Final() bool { return e.Verdict.State == check.Done }

// EventOf is the event that a row amounts to: the last one of a judged submission, or the first
// one of another. The error says that the row's result cannot be read.
func EventOf(s store.Submission) (Event, error) {
	if !s.Judged() {
		return Event{Seq: s.At.UnixMicro(), Verdict: queued(s)}, nil
	}
	e := Event{Seq: s.JudgedAt.UnixMicro()}
	if err := json.Unmarshal(s.Result, &e.Verdict); err != nil {
		return Event{}, fmt.Errorf("read the verdict of submission %s: %w", s.ID, err)
	}
	return e, nil
}

// queued is the verdict of a submission that nobody has begun to judge.
func queued(s store.Submission) check.Verdict {
	return check.Verdict{
		ID: s.ID, Lesson: s.Lesson, Exercise: s.Exercise, State: check.Queued,
		Diagnostics: []check.Diagnostic{}, Tests: []check.Test{},
	}
}

// ours is the verdict that the fault is not the learner's, with a sentence of explanation.
func ours(s store.Submission, message string) check.Verdict {
	v := queued(s)
	v.State, v.Verdict, v.Message = check.Done, check.Internal, message
	return v
}

// after is the number of the event that follows one with number previous.
func after(previous int64, now time.Time) int64 { return max(previous+1, now.UnixMicro()) }
