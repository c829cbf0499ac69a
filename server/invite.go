package server

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/ringoftowers/towers/server/store"
	"github.com/ringoftowers/towers/web"
)

// invitationLasts is how long an invitation to be an instructor may be used, once.
const invitationLasts = 7 * 24 * time.Hour

// FirstInvitation makes the link by which the first instructor comes in, as long as there is
// none: the path of a page of this site, which whoever runs it opens within a week. It is empty
// where there is an instructor already, and where nothing is kept. Each call makes another link;
// earlier ones stay good.
func (s *Server) FirstInvitation(ctx context.Context) (path string, err error) {
	if s.store == nil {
		return "", nil
	}
	has, err := s.store.HasInstructor(ctx)
	if err != nil {
		return "", fmt.Errorf("see whether there is an instructor: %w", err)
	}
	if has {
		return "", nil
	}
	return s.makeInvitation(ctx)
}

// makeInvitation gives the path of a new invitation. Only the hash of its token is kept.
func (s *Server) makeInvitation(ctx context.Context) (path string, err error) {
	token := rand.Text() // 130 bits, in letters that survive being read out
	if err := s.store.Invite(ctx, tokenHash(token), time.Now().Add(invitationLasts)); err != nil {
		return "", fmt.Errorf("make an invitation: %w", err)
	}
	return "/join/" + token, nil
}

func tokenHash(token string) []byte {
	sum := sha256.Sum256([]byte(token))
	return sum[:]
}

// invite makes an invitation for an instructor to pass on, and shows it this once.
func (s *Server) invite(w http.ResponseWriter, r *http.Request) error {
	v, err := s.named(w, r)
	if err != nil {
		return err
	}
	if !v.learner.Instructor {
		return &refusal{status: http.StatusForbidden, code: "not_an_instructor",
			title:   "Only instructors can invite others",
			message: "Ask one of them for an invitation."}
	}
	path, err := s.makeInvitation(r.Context())
	if err != nil {
		return err
	}
	scheme := "http"
	if byTLS(r) {
		scheme = "https"
	}
	return s.accountPage(w, r, http.StatusOK, web.AccountPage{Invitation: scheme + "://" + r.Host + path})
}

// invitation shows what an invitation is for, with a button that uses it. To open the page
// changes nothing: a mail program that looks at links does not use them up.
//
// The address is told to no other site, as that of no page is. A Referrer-Policy of no-referrer
// would hide it from our own server too, and with it the Origin of the form: browsers then send
// "Origin: null", by which, where there is no TLS, the form looks like another site's.
func (s *Server) invitation(w http.ResponseWriter, r *http.Request) error {
	return s.joinPage(w, r, http.StatusOK, "")
}

func (s *Server) joinPage(w http.ResponseWriter, r *http.Request, status int, fault string) error {
	if s.store == nil {
		return errNowhere
	}
	reader, _, err := s.reader(w, r)
	if err != nil {
		return err
	}
	reader.Path = "" // the address is a secret, and stays out of other addresses
	w.Header().Set("Cache-Control", "no-store")
	page := web.JoinPage{Assets: s.assets, Reader: reader, Token: param(r, "token"), Fault: fault}
	return s.showTo(w, r, reader, status, web.Join(page))
}

// join uses an invitation: whoever is signed in becomes an instructor, under a new session.
func (s *Server) join(w http.ResponseWriter, r *http.Request) error {
	v, err := s.named(w, r)
	if err != nil {
		return err
	}
	if wait, ok := s.door.joins.take(v.learner.ID); !ok {
		return tooOften(wait)
	}
	switch err := s.store.Redeem(r.Context(), tokenHash(param(r, "token")), v.learner.ID, time.Now()); {
	case errors.Is(err, store.ErrUsed):
		return s.joinPage(w, r, http.StatusGone, "This invitation was used already, or it is older than seven days. Ask for a new one.")
	case err != nil:
		return fmt.Errorf("use an invitation: %w", err)
	}
	s.door.joins.forgive(v.learner.ID)
	_, hash, err := s.store.Credentials(r.Context(), v.learner.Name)
	if err != nil {
		return fmt.Errorf("use an invitation: %w", err)
	}
	if err := s.enter(w, r, v, v.learner, hash); err != nil {
		return err
	}
	return seeOther(w, r, "/account?done=instructor")
}
