package server

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/ringoftowers/towers/server/jobs"
	"github.com/ringoftowers/towers/server/store"
)

// submit takes a program from a script and answers as soon as it cannot be lost any more.
func (s *Server) submit(w http.ResponseWriter, r *http.Request) error {
	event, _, err := s.take(w, r, false)
	if err != nil {
		return err
	}
	w.Header().Set("Location", "/api/submissions/"+event.Verdict.ID)
	return sendJSON(w, r, http.StatusAccepted, event)
}

// submitForm takes a program from a page without scripts and leads to its results.
func (s *Server) submitForm(w http.ResponseWriter, r *http.Request) error {
	event, at, err := s.take(w, r, true)
	if err != nil {
		return err
	}
	http.Redirect(w, r, at.url()+"?try="+url.QueryEscape(event.Verdict.ID), http.StatusSeeOther)
	return nil
}

// url is the address of the exercise's page. The names are escaped: those of a folder that an
// author chose may hold anything.
func (p workplace) url() string {
	return "/lessons/" + url.PathEscape(p.lesson.Name) + "/exercises/" + url.PathEscape(p.exercise.ID)
}

// take reads a program and hands it to the queue. A page that is closed right after sending has
// sent nevertheless, so nothing on the way ends with the connection.
func (s *Server) take(w http.ResponseWriter, r *http.Request, form bool) (jobs.Event, workplace, error) {
	r = r.WithContext(context.WithoutCancel(r.Context()))
	at, err := s.workplace(r)
	if err != nil {
		return jobs.Event{}, at, err
	}
	if err := s.unchecked(); err != nil {
		return jobs.Event{}, at, err
	}
	code, err := readCode(w, r, at.limit(), form)
	if err != nil {
		return jobs.Event{}, at, err
	}
	learner, err := s.whoOrGuest(w, r)
	if err != nil {
		return jobs.Event{}, at, fmt.Errorf("find who submits: %w", err)
	}
	event, err := s.queue.Submit(r.Context(), store.Submission{
		ID: store.NewID(), Learner: learner.ID, Lesson: at.lesson.Name, Exercise: at.exercise.ID, Source: code, At: time.Now(),
	})
	if err != nil {
		return jobs.Event{}, at, fmt.Errorf("submit a program: %w", err)
	}
	return event, at, nil
}

// unchecked refuses a program while nothing can be checked.
func (s *Server) unchecked() error {
	why := s.checking()
	if why == "" {
		return nil
	}
	return &refusal{status: http.StatusServiceUnavailable, code: "checking_off", after: time.Minute,
		title: "Programs cannot be checked here at present", message: why}
}
