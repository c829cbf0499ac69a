package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/ringoftowers/towers/server/check"
	"github.com/ringoftowers/towers/server/store"
	"github.com/ringoftowers/towers/web"
)

// exercise shows an exercise with the learner's program in it, or with that of an earlier try.
func (s *Server) exercise(w http.ResponseWriter, r *http.Request) error {
	at, err := s.workplace(r)
	if err != nil {
		return err
	}
	page, err := s.exercisePage(w, r, at)
	if err != nil {
		return err
	}
	return s.showTo(w, r, page.Reader, http.StatusOK, web.Exercise(page))
}

// formatForm shows the exercise with the program of the form laid out, or as it was with what
// keeps it from being laid out.
func (s *Server) formatForm(w http.ResponseWriter, r *http.Request) error {
	at, err := s.workplace(r)
	if err != nil {
		return err
	}
	code, err := readCode(w, r, at.limit(), true)
	if err != nil {
		return err
	}
	formatted, found, err := s.layOut(r.Context(), code)
	if err != nil {
		return err
	}
	page, err := s.exercisePage(w, r, at)
	if err != nil {
		return err
	}
	page.Code, page.Remarks = formatted, remarks(found)
	return s.showTo(w, r, page.Reader, http.StatusOK, web.Exercise(page))
}

// exercisePage collects what the page shows.
func (s *Server) exercisePage(w http.ResponseWriter, r *http.Request, at workplace) (web.ExercisePage, error) {
	usual, most := check.DefaultLimits(), check.DefaultCeiling()
	page := web.ExercisePage{
		Assets: s.assets, Course: at.course, Lesson: at.lesson, Exercise: at.exercise, SolutionAfter: triesForSolution,
		TestTime:   inForce(at.checked.Limits.Test, usual.Test, most.Test),
		TestMemory: inForce(at.checked.Limits.Memory, usual.Memory, most.Memory),
		Checking:   s.checking(), Results: web.Results{Exercise: at.exercise},
	}
	var learner store.Learner
	var err error
	if page.Reader, learner, err = s.reader(w, r); err != nil {
		return page, err
	}
	page.Reader.Path = at.url()
	tries, err := s.triesOf(r.Context(), learner, at)
	if err != nil {
		return page, err
	}
	for _, t := range tries {
		page.Tries = append(page.Tries, web.Try(t))
	}
	if page.Tried, err = s.countTries(r.Context(), learner, at, tries); err != nil {
		return page, err
	}
	if learner.Instructor || unlocked(tries) {
		page.Solution = reference(at.exercise)
	}
	draft, err := s.draftOf(r.Context(), learner, at)
	if err != nil {
		return page, err
	}
	page.Draft, page.Saved = draft.Source, draft.Saved
	if page.Code, err = s.lastWritten(r.Context(), at, draft, tries); err != nil {
		return page, err
	}
	return page, s.addTry(r, &page, at, learner)
}

// lastWritten is what a learner typed or sent last, or else what everybody begins with. What an
// instructor has checked again is newer, but nobody wrote it then.
func (s *Server) lastWritten(ctx context.Context, at workplace, draft store.Draft, tries []store.Try) (string, error) {
	own := slices.IndexFunc(tries, func(t store.Try) bool { return !t.Recheck })
	switch {
	case own >= 0 && tries[own].At.After(draft.Saved):
		sub, err := s.store.Submission(ctx, tries[own].ID)
		if err != nil {
			return "", fmt.Errorf("find what was sent last: %w", err)
		}
		return sub.Source, nil
	case !draft.Saved.IsZero():
		return draft.Source, nil
	}
	return at.exercise.Start, nil
}

// addTry puts a try into the page: the one that the address asks for, with its program, or else
// the results of the last one.
func (s *Server) addTry(r *http.Request, page *web.ExercisePage, at workplace, learner store.Learner) error {
	id := r.URL.Query().Get("try")
	page.Try = id
	if id == "" {
		if len(page.Tries) == 0 {
			return nil
		}
		id = page.Tries[0].ID
	}
	sub, err := s.theirs(r.Context(), learner, id)
	if err != nil {
		return err
	}
	if sub.Lesson != at.lesson.Name || sub.Exercise != at.exercise.ID {
		return fmt.Errorf("a try at another exercise: %w", store.ErrNotFound)
	}
	if page.Try != "" {
		page.Code = sub.Source
	}
	event, err := s.present(sub)
	if err != nil {
		return err
	}
	page.Results, err = s.results(r.Context(), event, sub)
	return err
}

// draftOf gives what a learner typed last, with a zero time where there is nothing.
func (s *Server) draftOf(ctx context.Context, learner store.Learner, at workplace) (store.Draft, error) {
	if learner.ID == "" {
		return store.Draft{}, nil
	}
	draft, err := s.store.Draft(ctx, learner.ID, at.lesson.Name, at.exercise.ID)
	if errors.Is(err, store.ErrNotFound) {
		return store.Draft{}, nil
	}
	if err != nil {
		return store.Draft{}, fmt.Errorf("find a draft: %w", err)
	}
	return draft, nil
}

// remarks are diagnostics in the words of package web.
func remarks(found []check.Diagnostic) []web.Diagnostic {
	said := make([]web.Diagnostic, len(found))
	for i, d := range found {
		said[i] = web.Diagnostic{Line: d.Line, Column: d.Column, Message: d.Message}
	}
	return said
}
