package server

import (
	"context"
	"net/http"

	"github.com/ringoftowers/towers/lessons"
	"github.com/ringoftowers/towers/server/check"
	"github.com/ringoftowers/towers/server/store"
)

// triesForSolution is how many tries it takes to see a solution without having found one.
const triesForSolution = 3

// solution shows how it can be done, to those who have done it or tried three times.
func (s *Server) solution(w http.ResponseWriter, r *http.Request) error {
	at, learner, err := s.askedBy(r)
	if err != nil {
		return err
	}
	open, err := s.mayOpen(r.Context(), learner, at)
	if err != nil {
		return err
	}
	if !open {
		return &refusal{status: http.StatusForbidden, code: "locked",
			title:   "The solution is not open yet",
			message: "It opens when your program passes, and after three tries in any case."}
	}
	code := reference(at.exercise)
	return sendJSON(w, r, http.StatusOK, map[string]string{"code": code, "html": lessons.GoHTML(code)})
}

// mayOpen says whether a learner may see the solution: instructors always may.
func (s *Server) mayOpen(ctx context.Context, learner store.Learner, at workplace) (bool, error) {
	if learner.Instructor {
		return true, nil
	}
	tries, err := s.triesOf(ctx, learner, at)
	return unlocked(tries), err
}

// unlocked says whether these tries open the solution. The newest fifty tell as much as all
// would: whoever has more has three. What failed for a fault of ours was no try, nor was what an
// instructor had checked again; but a program that passes then has passed.
func unlocked(tries []store.Try) bool {
	judged := 0
	for _, t := range tries {
		switch outcome := check.Outcome(t.Verdict); {
		case outcome == check.Passed:
			return true
		case outcome != "" && outcome != check.Internal && !t.Recheck:
			judged++
		}
	}
	return judged >= triesForSolution
}

// reference is what a learner should have written, which for an exercise in writing tests is tests.
func reference(e *lessons.Exercise) string {
	if e.Kind == lessons.Tests {
		return e.Tests
	}
	return e.Solution
}
