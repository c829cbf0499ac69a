package server

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// A classmate behind the same address guesses at Ada's account until it is shut for strangers.
// She gets in all the same, in the browser that she used before, and can change her password.
func TestGuessingShutsNobodyOut(t *testing.T) {
	s := newSite(t, school())
	guess := func(who *visitor, password string) int {
		return who.form("/account/sign-in", "name", "Ada", "password", password).Code
	}
	ada := s.member(t, "Ada")
	if strings.Contains(ada.familiar, "Ada") || ada.familiar == "" {
		t.Fatalf("signing up leaves the token %q", ada.familiar)
	}
	ada.must("/account?done=out", "/account/sign-out")
	forger := s.visitor(t)
	for i := range 20 {
		want := http.StatusUnprocessableEntity
		if i >= 10 {
			want = http.StatusTooManyRequests
		}
		forger.familiar = "towers-familiar=" + strings.Repeat("A", 40) + fmt.Sprint(".", i)
		if got := guess(forger, "wrong"); got != want {
			t.Fatalf("guess %d: status %d, want %d", i+1, got, want)
		}
	}
	if got := guess(s.visitor(t), "a long password"); got != http.StatusTooManyRequests {
		t.Errorf("a stranger with the right password: status %d", got)
	}
	old := ada.familiar
	ada.must("/account", "/account/sign-in", "name", "ada", "password", "a long password")
	ada.must("/account?done=password", "/account/password", "old", "a long password", "password", "another password")
	if got := strings.Count(ada.familiar, "."); got != 0 {
		t.Errorf("her browser has %d tokens for one account", got+1)
	}
	// Who has copied her token before has nothing of it after.
	thief := s.visitor(t)
	thief.familiar = old
	if got := guess(thief, "another password"); got != http.StatusTooManyRequests {
		t.Errorf("with a token from before the new password: status %d", got)
	}
}

// A machine that many use knows the last of them.
func TestAMachineIsFamiliarWithMany(t *testing.T) {
	s := newSite(t, school())
	v := s.visitor(t)
	for i := range mostFamiliar + 3 {
		v.must("/account", "/account/sign-up", "name", fmt.Sprint("Learner ", i), "password", "a long password")
		v.must("/account?done=out", "/account/sign-out")
	}
	r := httptest.NewRequest("POST", "/account/sign-in", nil)
	r.Header.Set("Cookie", v.familiar)
	for i := range mostFamiliar + 3 {
		learner, hash, err := s.kept.Credentials(t.Context(), fmt.Sprint("Learner ", i))
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := familiar(r, learner, hash); ok != (i >= 3) {
			t.Errorf("with learner %d: %t", i, ok)
		}
	}
	if got := len(strings.Split(v.familiar, ".")); got != mostFamiliar {
		t.Errorf("%d tokens are kept", got)
	}
}
