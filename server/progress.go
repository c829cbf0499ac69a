package server

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/ringoftowers/towers/server/store"
)

// mostAnswer is the size in bytes of an answer's JSON: a question's id, and what was chosen.
const mostAnswer = 4 << 10

// readLesson marks a lesson as read, for the script that sees its reader come to the end.
func (s *Server) readLesson(w http.ResponseWriter, r *http.Request) error {
	if err := s.markRead(w, r); err != nil {
		return err
	}
	return noContent(w)
}

// readLessonForm marks a lesson as read for readers without a script, who press a button at its end.
func (s *Server) readLessonForm(w http.ResponseWriter, r *http.Request) error {
	if err := s.markRead(w, r); err != nil {
		return err
	}
	return seeOther(w, r, "/lessons/"+url.PathEscape(param(r, "lesson"))+"#my-place")
}

func (s *Server) markRead(w http.ResponseWriter, r *http.Request) error {
	_, lesson, err := s.asked(r)
	if err != nil {
		return err
	}
	learner, err := s.whoOrGuest(w, r)
	if err != nil {
		return err
	}
	if err := s.store.MarkRead(r.Context(), learner.ID, lesson.Name, time.Now()); err != nil {
		return fmt.Errorf("mark a lesson as read: %w", err)
	}
	return nil
}

// answer keeps what a reader answered to a quiz or guessed at a prediction. Whether it is right
// is for the course to say.
func (s *Server) answer(w http.ResponseWriter, r *http.Request) error {
	_, lesson, err := s.asked(r)
	if err != nil {
		return err
	}
	var said struct {
		Question string `json:"question"`
		Given    string `json:"given"`
	}
	if err := readSmallJSON(w, r, mostAnswer, &said); err != nil {
		return err
	}
	right, err := judge(lesson, said.Question, said.Given)
	if err != nil {
		return malformed("The course does not know what to make of it: " + err.Error() + ". Load the lesson again; it may have changed.")
	}
	learner, err := s.whoOrGuest(w, r)
	if err != nil {
		return err
	}
	err = s.store.SaveAnswer(r.Context(), learner.ID, store.Answer{
		Lesson: lesson.Name, Question: said.Question, Given: said.Given, Right: right, At: time.Now(),
	})
	if err != nil {
		return fmt.Errorf("keep an answer: %w", err)
	}
	return noContent(w)
}

// readSmallJSON reads a request's JSON of at most so many bytes.
func readSmallJSON(w http.ResponseWriter, r *http.Request, most int64, v any) error {
	r.Body = http.MaxBytesReader(w, r.Body, most)
	err := readJSON(r, v)
	if large := (*http.MaxBytesError)(nil); errors.As(err, &large) {
		return tooLong(most)
	}
	return err
}

func tooLong(most int64) error {
	return &refusal{status: http.StatusRequestEntityTooLarge, code: "too_large",
		title:   "That is too much at once",
		message: fmt.Sprintf("At most %d KB are taken here. Shorten it and send it again.", most>>10)}
}

func noContent(w http.ResponseWriter) error {
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusNoContent)
	return nil
}
