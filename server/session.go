package server

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/alexedwards/scs/v2"
	"github.com/go-chi/chi/v5"

	"github.com/ringoftowers/towers/server/store"
)

// The cookie that tells one browser from another, and what a session holds.
const (
	sessionCookie = "towers"
	learnerKey    = "learner" // a Learner's ID
	sealKey       = "seal"    // of the password that the session was opened with, see sealOf
)

// A browser is remembered for half a year after its last visit. Moving that day is written to
// the disk, so it is done once a day and not with every page.
const (
	remembered  = 180 * 24 * time.Hour
	refreshedBy = 24 * time.Hour
)

// errNowhere says that the server runs without a store.
var errNowhere = &refusal{status: http.StatusServiceUnavailable, code: "not_kept",
	title:   "Nothing is kept here",
	message: "This server shows the lessons only. Ask whoever runs it to start it with a folder for its data."}

// A door is what those who come in pass: their sessions, their passwords, and how often they
// may try.
type door struct {
	sessions *scs.SessionManager
	vault    *vault
	attempts
}

// newDoor makes a door. Sessions are loaded and saved by hand and not by scs's middleware: a
// page is only looked at, as a rule, and then nothing needs to be wrapped, written or set.
func newDoor(kept scs.CtxStore) *door {
	// Not made by scs.New, which starts a goroutine for a store in memory that nobody would stop.
	sessions := &scs.SessionManager{Store: kept, Codec: scs.GobCodec{}, Lifetime: remembered}
	return &door{sessions: sessions, vault: newVault(), attempts: newAttempts()}
}

// A visit is a request with its session. Its context belongs to the session manager.
type visit struct {
	ctx     context.Context
	learner store.Learner // the zero Learner, who has nothing and may see nothing, for somebody new
}

// known reports whether there is a learner.
func (v visit) known() bool { return v.learner.ID != "" }

// visit finds out who sent a request.
func (s *Server) visit(r *http.Request) (visit, error) {
	if s.store == nil {
		return visit{ctx: r.Context()}, nil
	}
	token := ""
	if cookie, err := r.Cookie(sessionCookie); err == nil {
		token = cookie.Value
	}
	ctx, err := s.door.sessions.Load(r.Context(), token)
	if err != nil {
		return visit{}, fmt.Errorf("load a session: %w", err)
	}
	v := visit{ctx: ctx}
	id := s.door.sessions.GetString(ctx, learnerKey)
	if id == "" {
		return v, nil
	}
	learner, err := s.store.Learner(ctx, id)
	sealed := false
	if err == nil {
		sealed, err = s.sealed(ctx, learner)
	}
	switch {
	case errors.Is(err, store.ErrNotFound): // deleted since, from another browser
	case err != nil:
		return visit{}, fmt.Errorf("find who has a session: %w", err)
	case sealed:
		v.learner = learner
	}
	return v, nil
}

// sealed reports whether the password of the session's learner is still the one with which the
// session was opened. So changing a password ends every other session, wherever it is.
func (s *Server) sealed(ctx context.Context, l store.Learner) (bool, error) {
	seal := s.door.sessions.GetString(ctx, sealKey)
	if l.Guest() {
		return seal == "", nil
	}
	_, hash, err := s.store.Credentials(ctx, l.Name)
	if err != nil {
		return false, fmt.Errorf("see whether a session still counts: %w", err)
	}
	return seal == sealOf(hash), nil
}

// sealOf tells one password's hash from another's without giving it away. That of a guest, who
// has none, is empty.
func sealOf(hash string) string {
	if hash == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(hash))
	return hex.EncodeToString(sum[:12])
}

// who gives the learner who sent a request: a guest, or somebody with a name, and the zero
// Learner for somebody new. A store that fails is an error: nobody must be told that something
// is not there because it could not be looked up.
func (s *Server) who(r *http.Request) (store.Learner, error) {
	v, err := s.visit(r)
	return v.learner, err
}

// whoOrGuest gives the learner who sent a request, and makes a guest of somebody new, with a
// cookie. Only what has something to keep calls it: whoever merely looks leaves no trace. It
// must come before the answer begins.
func (s *Server) whoOrGuest(w http.ResponseWriter, r *http.Request) (store.Learner, error) {
	if s.store == nil {
		return store.Learner{}, errNowhere
	}
	v, err := s.visit(r)
	if err != nil || v.known() {
		return v.learner, err
	}
	if wait, ok := s.door.guests.take(senderOf(r)); !ok {
		return store.Learner{}, tooOften(wait)
	}
	guest, err := s.store.CreateGuest(v.ctx)
	if err != nil {
		return store.Learner{}, fmt.Errorf("make a guest: %w", err)
	}
	if err := s.enter(w, r, v, guest, ""); err != nil {
		return store.Learner{}, err
	}
	return guest, nil
}

// enter opens a session for a learner under a new token, in place of the one that the request
// came with: whoever knew the old one learns nothing of the new one.
func (s *Server) enter(w http.ResponseWriter, r *http.Request, v visit, l store.Learner, hash string) error {
	if err := s.door.sessions.RenewToken(v.ctx); err != nil {
		return fmt.Errorf("open a session: %w", err)
	}
	s.door.sessions.Put(v.ctx, learnerKey, l.ID)
	s.door.sessions.Put(v.ctx, sealKey, sealOf(hash))
	return s.commit(v.ctx, w, r)
}

// leave ends the session of a request, and its cookie.
func (s *Server) leave(w http.ResponseWriter, r *http.Request, v visit) error {
	if err := s.door.sessions.Destroy(v.ctx); err != nil {
		return fmt.Errorf("end a session: %w", err)
	}
	setCookie(w, r, "", -1)
	return nil
}

// refresh moves the day on which the browser will be forgotten, where that is due.
func (s *Server) refresh(w http.ResponseWriter, r *http.Request, v visit) error {
	until := time.Now().Add(remembered)
	if !v.known() || s.door.sessions.Deadline(v.ctx).After(until.Add(-refreshedBy)) {
		return nil
	}
	s.door.sessions.SetDeadline(v.ctx, until.UTC())
	return s.commit(v.ctx, w, r)
}

// commit writes a session down and gives the browser its token.
func (s *Server) commit(ctx context.Context, w http.ResponseWriter, r *http.Request) error {
	token, until, err := s.door.sessions.Commit(ctx)
	if err != nil {
		return fmt.Errorf("write a session: %w", err)
	}
	setCookie(w, r, token, int(time.Until(until).Seconds()))
	return nil
}

// setCookie gives the browser its token for so many seconds. No script can read it, no form of
// another site sends it, and where it came by TLS it never goes without.
func setCookie(w http.ResponseWriter, r *http.Request, token string, seconds int) {
	http.SetCookie(w, &http.Cookie{
		Name: sessionCookie, Value: token, Path: "/", MaxAge: seconds,
		HttpOnly: true, Secure: byTLS(r), SameSite: http.SameSiteLaxMode,
	})
}

// byTLS says whether the browser's own connection is encrypted: to us, or to a proxy on this
// machine, which says so. Another sender's word is not taken.
func byTLS(r *http.Request) bool {
	return r.TLS != nil || addressOf(r) == "" && r.Header.Get("X-Forwarded-Proto") == "https"
}

// peopleRoutes are the routes of accounts, progress and notes.
func (s *Server) peopleRoutes(r chi.Router) {
	r.Get("/account", s.serve(s.account))
	r.Post("/account/sign-up", s.serve(s.signUp))
	r.Post("/account/sign-in", s.serve(s.signIn))
	r.Post("/account/sign-out", s.serve(s.signOut))
	r.Post("/account/password", s.serve(s.changePassword))
	r.Post("/account/delete", s.serve(s.deleteAccount))
	r.Get("/account/export", s.serve(s.export))
	r.Post("/account/invite", s.serve(s.invite))
	r.Get("/join/{token}", s.serve(s.invitation))
	r.Post("/join/{token}", s.serve(s.join))

	r.Post("/api/lessons/{lesson}/read", s.serve(s.readLesson))
	r.Post("/lessons/{lesson}/read", s.serve(s.readLessonForm))
	r.Post("/api/lessons/{lesson}/answers", s.serve(s.answer))

	r.Get("/api/lessons/{lesson}/notes", s.serve(s.notes))
	r.Post("/api/lessons/{lesson}/notes", s.serve(s.addNote))
	r.Put("/api/notes/{note}", s.serve(s.editNote))
	r.Delete("/api/notes/{note}", s.serve(s.deleteNote))
	r.Post("/lessons/{lesson}/notes", s.serve(s.addNoteForm))
	r.Post("/notes/{note}", s.serve(s.noteForm))
}
