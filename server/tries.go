package server

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	"github.com/ringoftowers/towers/server/store"
	"github.com/ringoftowers/towers/web"
)

// mostTries is how many of a learner's tries at an exercise are listed, the newest first.
const mostTries = 50

// mostCounted is how far tries are counted: nobody tells a larger number from it, and counting
// takes time.
const mostCounted = 100_000

// listTries lists what somebody has sent in for an exercise.
func (s *Server) listTries(w http.ResponseWriter, r *http.Request) error {
	at, learner, err := s.askedBy(r)
	if err != nil {
		return err
	}
	tries, err := s.triesOf(r.Context(), learner, at)
	if err != nil {
		return err
	}
	list := make([]web.Try, len(tries)) // its JSON is the one that scripts and pages agree on
	for i, t := range tries {
		list[i] = web.Try(t)
	}
	count, err := s.countTries(r.Context(), learner, at, tries)
	if err != nil {
		return err
	}
	return sendJSON(w, r, http.StatusOK, map[string]any{"tries": list, "count": count})
}

// countTries gives how often a learner has sent something in: as many as are listed, where the
// list has them all.
func (s *Server) countTries(ctx context.Context, learner store.Learner, at workplace, listed []store.Try) (int, error) {
	if len(listed) < mostTries {
		own := slices.DeleteFunc(slices.Clone(listed), func(t store.Try) bool { return t.Recheck })
		return len(own), nil
	}
	n, err := s.store.CountTries(ctx, learner.ID, at.lesson.Name, at.exercise.ID, mostCounted)
	if err != nil {
		return 0, fmt.Errorf("count the tries at an exercise: %w", err)
	}
	return n, nil
}

// triesOf gives the newest tries of a learner; somebody new has none.
func (s *Server) triesOf(ctx context.Context, learner store.Learner, at workplace) ([]store.Try, error) {
	if learner.ID == "" {
		return nil, nil
	}
	tries, err := s.store.Tries(ctx, learner.ID, at.lesson.Name, at.exercise.ID, mostTries)
	if err != nil {
		return nil, fmt.Errorf("list the tries at an exercise: %w", err)
	}
	return tries, nil
}

// theirs gives a submission to its owner and to instructors. To anybody else it does not
// exist: the answer is the same, [store.ErrNotFound].
func (s *Server) theirs(ctx context.Context, learner store.Learner, id string) (store.Submission, error) {
	sub, err := s.store.Submission(ctx, id)
	if err != nil {
		return store.Submission{}, fmt.Errorf("find a submission: %w", err)
	}
	if learner.ID == "" || sub.Learner != learner.ID && !learner.Instructor {
		return store.Submission{}, fmt.Errorf("a submission of somebody else: %w", store.ErrNotFound)
	}
	return sub, nil
}
