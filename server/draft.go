package server

import (
	"fmt"
	"net/http"
	"time"
)

// saveDraft keeps what a learner has typed so far. It comes by PUT while the page is open, and
// by POST as the page's last word: a browser's beacon knows no other method.
func (s *Server) saveDraft(w http.ResponseWriter, r *http.Request) error {
	at, err := s.workplace(r)
	if err != nil {
		return err
	}
	code, err := readCode(w, r, at.limit(), false)
	if err != nil {
		return err
	}
	learner, err := s.whoOrGuest(w, r)
	if err != nil {
		return fmt.Errorf("find whose draft it is: %w", err)
	}
	now := time.Now().UTC()
	if err := s.store.SaveDraft(r.Context(), learner.ID, at.lesson.Name, at.exercise.ID, code, now); err != nil {
		return fmt.Errorf("keep a draft: %w", err)
	}
	return sendJSON(w, r, http.StatusOK, map[string]string{"saved": now.Format(time.RFC3339)})
}
