package server

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/ringoftowers/towers/server/store"
)

// recheck has the last program of every learner at an exercise judged again, after its tests
// were mended. The learners' own submissions go first. Should the queue become full on the way,
// the answer tells how many it took and how many are left.
func (s *Server) recheck(w http.ResponseWriter, r *http.Request) error {
	at, learner, err := s.askedBy(r)
	if err != nil {
		return err
	}
	if !learner.Instructor {
		return &refusal{status: http.StatusForbidden, code: "not_instructor",
			title: "This is for instructors", message: "Sign in as one and try again. Nothing was changed."}
	}
	if err := s.unchecked(); err != nil {
		return err
	}
	last, err := s.store.LastTries(r.Context(), at.lesson.Name, at.exercise.ID)
	if err != nil {
		return fmt.Errorf("find what to check again: %w", err)
	}
	queued, err := s.again(context.WithoutCancel(r.Context()), last)
	if err != nil && queued == 0 {
		return err
	}
	if err != nil {
		s.log.WarnContext(r.Context(), "not all programs could be queued again", "queued", queued, "of", len(last), "error", err)
	}
	return sendJSON(w, r, http.StatusAccepted, map[string]int{"queued": queued, "left": len(last) - queued})
}

// again queues submissions anew, and says how many before the first that could not be.
func (s *Server) again(ctx context.Context, last []store.Submission) (int, error) {
	for i, sub := range last {
		_, err := s.queue.Submit(ctx, store.Submission{
			ID: store.NewID(), Learner: sub.Learner, Lesson: sub.Lesson, Exercise: sub.Exercise,
			Source: sub.Source, Recheck: true, At: time.Now(),
		})
		if err != nil {
			return i, fmt.Errorf("queue a program again: %w", err)
		}
	}
	return len(last), nil
}
