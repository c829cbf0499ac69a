package store

import (
	"strings"
	"testing"
	"time"
)

func TestSessionLivesUntilItsEnd(t *testing.T) {
	s := open(t)
	later := time.Now().Add(time.Hour)
	must(t, s.Commit("token", []byte("one"), later))
	must(t, s.Commit("token", []byte("two"), later))
	must(t, s.Commit("empty", nil, later))
	must(t, s.Commit("over", []byte("three"), time.Now().Add(-time.Second)))
	for _, c := range []struct {
		token, data string
		found       bool
	}{
		{"token", "two", true}, {"empty", "", true}, {"over", "", false}, {"unknown", "", false}, {"", "", false},
	} {
		data, found, err := s.Find(c.token)
		must(t, err)
		if string(data) != c.data || found != c.found {
			t.Errorf("Find(%q) = %q, %v; want %q, %v", c.token, data, found, c.data, c.found)
		}
	}
	must(t, s.Delete("token"))
	must(t, s.Delete("token"))
	if _, found, err := s.Find("token"); found || err != nil {
		t.Errorf("an ended session is found: %v, %v", found, err)
	}
}

func TestSweepTakesOnlyWhatExpired(t *testing.T) {
	s := open(t)
	now := time.Now()
	for name, until := range map[string]time.Time{"over": now, "live": now.Add(time.Hour)} {
		must(t, s.Commit(name, []byte(name), until))
		must(t, s.Invite(t.Context(), []byte(name), until))
	}
	must(t, s.SweepSessions(t.Context(), now))
	wantSame(t, "sessions", column(t, s, "SELECT CAST(data AS TEXT) FROM sessions"), []string{"live"})
	wantSame(t, "invitations", column(t, s, "SELECT CAST(hash AS TEXT) FROM invitations"), []string{"live"})
}

// Whoever reads the file must not be able to take over a session.
func TestTokensAreNotInTheFile(t *testing.T) {
	s := open(t)
	must(t, s.Commit("a token of forty characters", []byte("data"), time.Now().Add(time.Hour)))
	for table, lines := range dump(t, s) {
		if strings.Contains(strings.Join(lines, " "), "a token of forty") {
			t.Errorf("table %s has the token of a session", table)
		}
	}
}
