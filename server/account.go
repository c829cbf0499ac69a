package server

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/ringoftowers/towers/server/store"
	"github.com/ringoftowers/towers/web"
)

// mostForm is the size of a form in bytes: a name, some passwords and an address.
const mostForm = 16 << 10

// account shows who one is here, and what can be done about it.
func (s *Server) account(w http.ResponseWriter, r *http.Request) error {
	return s.accountPage(w, r, http.StatusOK, web.AccountPage{
		Back: backTo(r.URL.Query().Get("back")),
		Done: r.URL.Query().Get("done"),
	})
}

// accountPage completes a page with what is kept of the reader, and sends it.
func (s *Server) accountPage(w http.ResponseWriter, r *http.Request, status int, page web.AccountPage) error {
	if s.store == nil {
		return errNowhere
	}
	course, err := s.course(r)
	if err != nil {
		return err
	}
	v, err := s.visit(r)
	if err != nil {
		return err
	}
	page.Assets, page.Course, page.Since = s.assets, course, v.learner.Since
	reader, err := s.readerOf(r, v)
	if err != nil {
		return err
	}
	page.Reader = reader
	// What stands here is nobody else's who uses this browser later.
	w.Header().Set("Cache-Control", "no-store")
	return s.showTo(w, r, reader, status, web.Account(page))
}

// signUp makes a learner of a guest, with everything that the guest did.
func (s *Server) signUp(w http.ResponseWriter, r *http.Request) error {
	v, err := s.comesIn(w, r)
	if err != nil {
		return err
	}
	if v.known() && !v.learner.Guest() {
		return seeOther(w, r, "/account")
	}
	password := tidyPassword(r.PostForm.Get("password"))
	name, fault := properName(r.PostForm.Get("name"))
	form := web.SignForm{Name: name, NameFault: fault, PasswordFault: badPassword(password, name)}
	page := web.AccountPage{SignUp: form, Back: backTo(r.PostForm.Get("back"))}
	if form.Faulty() {
		return s.accountPage(w, r, http.StatusUnprocessableEntity, page)
	}
	if wait, ok := s.door.signUps.take(senderOf(r)); !ok {
		page.SignUp.Fault = pause(w, wait)
		return s.accountPage(w, r, http.StatusTooManyRequests, page)
	}
	err = s.register(w, r, v, name, password)
	if errors.Is(err, store.ErrTaken) {
		page.SignUp.NameFault = "Somebody has this name already. Choose another one, or sign in if it is yours."
		return s.accountPage(w, r, http.StatusConflict, page)
	}
	if err != nil {
		return err
	}
	return seeOther(w, r, page.Back)
}

// register gives the visitor a name and a password, and lets them in under a new token.
func (s *Server) register(w http.ResponseWriter, r *http.Request, v visit, name, password string) error {
	// Asked first, so that no guest is made for a name that is taken anyway.
	switch _, _, err := s.store.Credentials(r.Context(), name); {
	case err == nil:
		return store.ErrTaken
	case !errors.Is(err, store.ErrNotFound):
		return fmt.Errorf("see whether a name is free: %w", err)
	}
	hash, err := s.door.vault.hash(r.Context(), senderOf(r), password)
	if err != nil {
		return err
	}
	learner := v.learner
	if !v.known() {
		if learner, err = s.store.CreateGuest(r.Context()); err != nil {
			return fmt.Errorf("make a guest to sign up: %w", err)
		}
	}
	if err := s.store.Register(r.Context(), learner.ID, name, hash); err != nil {
		if !v.known() { // nothing is lost with a guest who did nothing
			err = errors.Join(err, s.store.DeleteLearner(r.Context(), learner.ID))
		}
		return fmt.Errorf("sign up: %w", err)
	}
	befriend(w, r, learner, hash, hash)
	return s.enter(w, r, v, learner, hash)
}

// signIn lets somebody in who has a name. What they did in this browser as a guest goes with
// them.
func (s *Server) signIn(w http.ResponseWriter, r *http.Request) error {
	v, err := s.comesIn(w, r)
	if err != nil {
		return err
	}
	name, _ := properName(r.PostForm.Get("name"))
	page := web.AccountPage{SignIn: web.SignForm{Name: name}, Back: backTo(r.PostForm.Get("back"))}
	learner, hash, err := s.store.Credentials(r.Context(), name)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return fmt.Errorf("sign in: %w", err)
	}
	right, wait, err := s.tried(r, learner, hash, name, tidyPassword(r.PostForm.Get("password")))
	switch {
	case err != nil:
		return err
	case wait > 0:
		page.SignIn.Fault = pause(w, wait)
		return s.accountPage(w, r, http.StatusTooManyRequests, page)
	case !right:
		page.SignIn.Fault = "The name and the password do not belong together. Check both; capital letters matter in the password."
		return s.accountPage(w, r, http.StatusUnprocessableEntity, page)
	}
	if v.known() && v.learner.Guest() {
		if err := s.store.Adopt(r.Context(), v.learner.ID, learner.ID); err != nil {
			return fmt.Errorf("sign in with what was done as a guest: %w", err)
		}
	}
	befriend(w, r, learner, hash, hash)
	if err := s.enter(w, r, v, learner, hash); err != nil {
		return err
	}
	return seeOther(w, r, page.Back)
}

// tried compares a password with a learner's, unless this browser, or a stranger to the account
// at this address, has sent too many wrong ones. Then it gives the time to wait. A learner who does
// not exist is the zero Learner with an empty hash.
func (s *Server) tried(r *http.Request, l store.Learner, hash, name, password string) (right bool, wait time.Duration, err error) {
	// All ways to write a name are one learner's.
	key := l.ID
	if hash == "" {
		key = "name " + strings.ToLower(name)
	}
	friend, _ := familiar(r, l, hash)
	t := try{name: key, place: senderOf(r), friend: friend}
	succeed, wait, err := s.door.admit(r.Context(), t)
	if err != nil || wait > 0 {
		return false, wait, err
	}
	right, err = s.door.vault.matches(r.Context(), t.lane(), hash, password)
	if right {
		succeed()
	}
	return right, 0, err
}

// signOut ends the session. Whoever comes next in this browser is somebody new.
func (s *Server) signOut(w http.ResponseWriter, r *http.Request) error {
	v, err := s.comesIn(w, r)
	if err != nil {
		return err
	}
	if err := s.leave(w, r, v); err != nil {
		return err
	}
	return seeOther(w, r, "/account?done=out")
}

// comesIn reads a form and finds out who sent it.
func (s *Server) comesIn(w http.ResponseWriter, r *http.Request) (visit, error) {
	if s.store == nil {
		return visit{}, errNowhere
	}
	if err := readForm(w, r, mostForm); err != nil {
		return visit{}, err
	}
	return s.visit(r)
}

// readForm reads a form of at most so many bytes.
func readForm(w http.ResponseWriter, r *http.Request, most int64) error {
	r.Body = http.MaxBytesReader(w, r.Body, most)
	err := r.ParseForm()
	if large := (*http.MaxBytesError)(nil); errors.As(err, &large) {
		return tooLong(most)
	}
	if err != nil {
		return &refusal{status: http.StatusBadRequest, code: "bad_request",
			title:   "This form arrived broken",
			message: "Go back and send it again."}
	}
	return nil
}

// backTo is where to go after signing in: a page of ours, or else the account.
func backTo(path string) string {
	u, err := url.Parse(path)
	// A path beginning with two slashes, or slash and backslash, is another site to a browser.
	if err != nil || u.IsAbs() || u.Host != "" || !strings.HasPrefix(path, "/") ||
		strings.HasPrefix(path, "//") || strings.ContainsAny(path, "\\\r\n\t") {
		return "/account"
	}
	return path
}

// seeOther sends the reader on after a form, so that loading again does not send it again.
func seeOther(w http.ResponseWriter, r *http.Request, to string) error {
	http.Redirect(w, r, to, http.StatusSeeOther)
	return nil
}

// pause says how long to wait before the next try, in a header and in words.
func pause(w http.ResponseWriter, wait time.Duration) string {
	w.Header().Set("Retry-After", fmt.Sprint(seconds(wait)))
	return "That was tried very often. For safety there is a pause now: try again in " + inMinutes(wait) + "."
}

// inMinutes is a time to wait in words, and never too short.
func inMinutes(d time.Duration) string {
	minutes := int((d + time.Minute - 1) / time.Minute)
	if minutes <= 1 {
		return "a minute"
	}
	return fmt.Sprintf("%d minutes", minutes)
}
