package store

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/alexedwards/scs/v2"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

var _ scs.CtxStore = (*Store)(nil)

// noon is when everything happens, unless a test says otherwise.
func noon() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }

func after(minutes int) time.Time { return noon().Add(time.Duration(minutes) * time.Minute) }

func open(tb testing.TB) *Store {
	tb.Helper()
	return openAt(tb, filepath.Join(tb.TempDir(), "towers.db"))
}

func openAt(tb testing.TB, path string) *Store {
	tb.Helper()
	s, err := Open(context.Background(), path)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := s.Close(); err != nil {
			tb.Error(err)
		}
	})
	return s
}

func guest(tb testing.TB, s *Store) Learner {
	tb.Helper()
	learner, err := s.CreateGuest(tb.Context())
	if err != nil {
		tb.Fatal(err)
	}
	return learner
}

func account(tb testing.TB, s *Store, name string) Learner {
	tb.Helper()
	learner := guest(tb, s)
	learner.Name = name
	must(tb, s.Register(tb.Context(), learner.ID, name, "hash of "+name))
	return learner
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

func wantError(tb testing.TB, err, want error) {
	tb.Helper()
	if !errors.Is(err, want) {
		tb.Errorf("the error is %v; want one that matches %q", err, want)
	}
}

func wantSame[T any](tb testing.TB, what string, got, want T) {
	tb.Helper()
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		tb.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// get unpacks what a look into the store gives, for tests in which it cannot fail.
func get[T any](value T, err error) func(testing.TB) T {
	return func(tb testing.TB) T {
		tb.Helper()
		must(tb, err)
		return value
	}
}
