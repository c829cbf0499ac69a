package store

import (
	"sync"
	"testing"
)

func TestGuestSignsUp(t *testing.T) {
	s := open(t)
	ada := guest(t, s)
	if !ada.Guest() {
		t.Error("a new learner is no guest")
	}
	wantSame(t, "the guest", get(s.Learner(t.Context(), ada.ID))(t), ada)

	must(t, s.Register(t.Context(), ada.ID, "Ada", "one"))
	ada.Name = "Ada"
	wantSame(t, "the account", get(s.Learner(t.Context(), ada.ID))(t), ada)
	for _, name := range []string{"Ada", "ADA", "ａｄａ"} {
		found, hash, err := s.Credentials(t.Context(), name)
		must(t, err)
		wantSame(t, "the account of "+name, found, ada)
		wantSame(t, "the hash of "+name, hash, "one")
	}
	must(t, s.SetPassword(t.Context(), ada.ID, "two"))
	if _, hash, err := s.Credentials(t.Context(), "ada"); err != nil || hash != "two" {
		t.Errorf("the hash is %q, %v; want the new one", hash, err)
	}
}

func TestWhoIsNotThere(t *testing.T) {
	s := open(t)
	ada, bob := account(t, s, "Ada"), guest(t, s)
	_, err := s.Learner(t.Context(), "nobody")
	wantError(t, err, ErrNotFound)
	_, _, err = s.Credentials(t.Context(), "nobody")
	wantError(t, err, ErrNotFound)
	_, _, err = s.Credentials(t.Context(), "")
	wantError(t, err, ErrNotFound)
	wantError(t, s.Register(t.Context(), "nobody", "Name", "hash"), ErrNotFound)
	wantError(t, s.Register(t.Context(), ada.ID, "Second", "hash"), ErrNotFound)
	wantError(t, s.Register(t.Context(), bob.ID, "aDA", "hash"), ErrTaken)
	wantError(t, s.SetPassword(t.Context(), "nobody", "hash"), ErrNotFound)
	wantError(t, s.SetPassword(t.Context(), bob.ID, "hash"), ErrNotFound)
	wantError(t, s.DeleteLearner(t.Context(), "nobody"), ErrNotFound)
	for _, name := range []string{"", " ", "\u200b"} {
		if s.Register(t.Context(), bob.ID, name, "hash") == nil {
			t.Errorf("somebody is called %q", name)
		}
	}
	if s.Register(t.Context(), bob.ID, "Bob", "") == nil || s.SetPassword(t.Context(), ada.ID, "") == nil {
		t.Error("an account has no password")
	}
	if !get(s.Learner(t.Context(), bob.ID))(t).Guest() {
		t.Error("a refused name is kept")
	}
}

// A name that was given up with its account is free.
func TestDeletedNameIsFree(t *testing.T) {
	s := open(t)
	must(t, s.DeleteLearner(t.Context(), account(t, s, "Ada").ID))
	account(t, s, "ada")
}

func TestOneOfManyGetsTheName(t *testing.T) {
	s := open(t)
	var group sync.WaitGroup
	errs := make([]error, 8)
	for i := range errs {
		learner := guest(t, s)
		group.Go(func() { errs[i] = s.Register(t.Context(), learner.ID, "Ada", "hash") })
	}
	group.Wait()
	got := 0
	for _, err := range errs {
		if err == nil {
			got++
		} else {
			wantError(t, err, ErrTaken)
		}
	}
	if got != 1 {
		t.Errorf("%d learners got one name", got)
	}
}

func TestInvitationWorksOnce(t *testing.T) {
	s := open(t)
	ada, bob := guest(t, s), guest(t, s)
	link, old := []byte("hash of a link"), []byte("hash of an old link")
	must(t, s.Invite(t.Context(), link, after(10)))
	must(t, s.Invite(t.Context(), old, noon()))
	if get(s.HasInstructor(t.Context()))(t) {
		t.Error("there is an instructor before anybody was invited")
	}
	wantError(t, s.Redeem(t.Context(), []byte("never made"), ada.ID, noon()), ErrUsed)
	wantError(t, s.Redeem(t.Context(), nil, ada.ID, noon()), ErrUsed)
	wantError(t, s.Redeem(t.Context(), old, ada.ID, noon()), ErrUsed)
	wantError(t, s.Redeem(t.Context(), link, ada.ID, after(10)), ErrUsed)
	wantError(t, s.Redeem(t.Context(), link, "nobody", after(9)), ErrNotFound)
	must(t, s.Redeem(t.Context(), link, ada.ID, after(9)))
	wantError(t, s.Redeem(t.Context(), link, bob.ID, after(9)), ErrUsed)
	if !get(s.HasInstructor(t.Context()))(t) || !get(s.Learner(t.Context(), ada.ID))(t).Instructor {
		t.Error("the invited learner is no instructor")
	}
	if get(s.Learner(t.Context(), bob.ID))(t).Instructor {
		t.Error("a spent invitation made another instructor")
	}
	if s.Invite(t.Context(), nil, after(10)) == nil {
		t.Error("an invitation has no token")
	}
}
