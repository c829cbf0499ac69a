package server

import (
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/ringoftowers/towers/server/store"
	"github.com/ringoftowers/towers/web"
)

// reader gives whoever looks at a page, as pages show them and as the store knows them.
func (s *Server) reader(w http.ResponseWriter, r *http.Request) (web.Reader, store.Learner, error) {
	v, err := s.visit(r)
	if err != nil {
		return web.Reader{}, store.Learner{}, err
	}
	if err := s.refresh(w, r, v); err != nil {
		return web.Reader{}, store.Learner{}, err
	}
	reader, err := s.readerOf(r, v)
	return reader, v.learner, err
}

// readerOf gives the reader of a visit that is known already.
func (s *Server) readerOf(r *http.Request, v visit) (web.Reader, error) {
	reader := web.Reader{Kept: s.store != nil}
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		reader.Path = r.URL.Path // what answers a form may be no page to come back to
	}
	if !v.known() {
		return reader, nil
	}
	p, err := s.store.Progress(r.Context(), v.learner.ID)
	if err != nil {
		return web.Reader{}, fmt.Errorf("see how far a reader has come: %w", err)
	}
	reader.Name, reader.Guest, reader.Instructor = v.learner.Name, v.learner.Guest(), v.learner.Instructor
	reader.Read = make(map[string]bool, len(p.Read))
	for _, lesson := range p.Read {
		reader.Read[lesson] = true
	}
	reader.Passed = make(map[web.Place]bool, len(p.Passed))
	for _, e := range p.Passed {
		reader.Passed[web.Place{Lesson: e.Lesson, ID: e.Exercise}] = true
	}
	reader.Answers = make(map[web.Place]web.Answer, len(p.Answers))
	for _, a := range p.Answers {
		reader.Answers[web.Place{Lesson: a.Lesson, ID: a.Question}] = web.Answer{Given: a.Given, Right: a.Right}
	}
	return reader, nil
}

// changePassword takes a new password for the old one. Every other session of the learner ends
// with it, see sealed.
func (s *Server) changePassword(w http.ResponseWriter, r *http.Request) error {
	v, err := s.named(w, r)
	if err != nil {
		return err
	}
	old, password := tidyPassword(r.PostForm.Get("old")), tidyPassword(r.PostForm.Get("password"))
	page := web.AccountPage{Password: web.PasswordForm{NewFault: badPassword(password, v.learner.Name)}}
	if page.Password.NewFault != "" {
		return s.accountPage(w, r, http.StatusUnprocessableEntity, page)
	}
	_, hash, err := s.store.Credentials(r.Context(), v.learner.Name)
	if err != nil {
		return fmt.Errorf("change a password: %w", err)
	}
	right, wait, err := s.tried(r, v.learner, hash, v.learner.Name, old)
	switch {
	case err != nil:
		return err
	case wait > 0:
		page.Password.OldFault = pause(w, wait)
		return s.accountPage(w, r, http.StatusTooManyRequests, page)
	case !right:
		page.Password.OldFault = "This is not your present password. Type it again."
		return s.accountPage(w, r, http.StatusUnprocessableEntity, page)
	}
	before := hash
	if hash, err = s.door.vault.hash(r.Context(), senderOf(r), password); err != nil {
		return err
	}
	if err := s.store.SetPassword(r.Context(), v.learner.ID, hash); err != nil {
		return fmt.Errorf("change a password: %w", err)
	}
	befriend(w, r, v.learner, hash, before)
	if err := s.enter(w, r, v, v.learner, hash); err != nil {
		return err
	}
	return seeOther(w, r, "/account?done=password")
}

// named reads a form that only somebody with a name may send.
func (s *Server) named(w http.ResponseWriter, r *http.Request) (visit, error) {
	v, err := s.comesIn(w, r)
	if err == nil && (!v.known() || v.learner.Guest()) {
		err = errNotIn
	}
	return v, err
}

// errNotIn says that one has to be signed in for what was asked.
var errNotIn = &refusal{status: http.StatusForbidden, code: "not_signed_in",
	title:   "You are not signed in",
	message: "Your session may have ended, or you signed out in another window. Sign in and do it again."}

// deleteAccount deletes everything that is kept of whoever asks, once they have typed their
// name to confirm it, or as a guest, who has none, the word delete.
func (s *Server) deleteAccount(w http.ResponseWriter, r *http.Request) error {
	v, err := s.comesIn(w, r)
	if err != nil {
		return err
	}
	if !v.known() {
		return seeOther(w, r, "/account")
	}
	typed, _ := properName(r.PostForm.Get("confirm"))
	if want := web.Confirmation(v.learner.Name); typed != want {
		return s.accountPage(w, r, http.StatusUnprocessableEntity, web.AccountPage{
			DeleteFault: "Nothing was deleted. To delete everything, type “" + want + "” exactly.",
		})
	}
	if err := s.store.DeleteLearner(r.Context(), v.learner.ID); err != nil {
		return fmt.Errorf("delete a learner: %w", err)
	}
	if err := s.leave(w, r, v); err != nil {
		return err
	}
	return seeOther(w, r, "/account?done=deleted")
}

// export sends everything that is kept of whoever asks, as a file.
func (s *Server) export(w http.ResponseWriter, r *http.Request) error {
	v, err := s.visit(r)
	if err != nil {
		return err
	}
	if !v.known() {
		return store.ErrNotFound
	}
	all, err := s.store.Export(r.Context(), v.learner.ID)
	if err != nil {
		return fmt.Errorf("export a learner's data: %w", err)
	}
	// For people to read as well, so with line ends.
	body, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		return fmt.Errorf("write a learner's data as JSON: %w", err)
	}
	h := w.Header()
	h.Set("Content-Disposition", `attachment; filename="ring-of-towers.json"`)
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Type", jsonType)
	write(w, r, http.StatusOK, identity, append(body, '\n'))
	return nil
}
