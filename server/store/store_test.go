package store

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/alexedwards/scs/v2"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

var _ scs.CtxStore = (*Store)(nil)

// A tester is a test, a benchmark or a property.
type tester interface {
	rapid.TB
	Context() context.Context
}

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

func guest(tb tester, s *Store) Learner {
	tb.Helper()
	learner, err := s.CreateGuest(tb.Context())
	if err != nil {
		tb.Fatal(err)
	}
	return learner
}

func account(tb tester, s *Store, name string) Learner {
	tb.Helper()
	learner := guest(tb, s)
	learner.Name = name
	must(tb, s.Register(tb.Context(), learner.ID, name, "hash of "+name))
	return learner
}

func must(tb tester, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

func wantError(tb tester, err, want error) {
	tb.Helper()
	if !errors.Is(err, want) {
		tb.Errorf("the error is %v; want one that matches %q", err, want)
	}
}

func wantSame[T any](tb tester, what string, got, want T) {
	tb.Helper()
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		tb.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// get unpacks what a look into the store gives, for tests in which it cannot fail.
func get[T any](value T, err error) func(tester) T {
	return func(tb tester) T {
		tb.Helper()
		must(tb, err)
		return value
	}
}

// dump is the text of all tables.
func dump(t *testing.T, s *Store) map[string][]string {
	t.Helper()
	tables := map[string][]string{}
	for _, table := range tableNames(t, s) {
		tables[table] = dumpTable(t, s, table)
	}
	return tables
}

func tableNames(t *testing.T, s *Store) []string {
	t.Helper()
	return column(t, s, "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name")
}

func dumpTable(t *testing.T, s *Store, table string) []string {
	t.Helper()
	columns := column(t, s, "SELECT 'quote(' || name || ')' FROM pragma_table_info(?)", table)
	return column(t, s, "SELECT "+strings.Join(columns, "||','||")+" AS line FROM "+table+" ORDER BY line")
}

// column runs a query of one column of text, on a reader.
func column(t *testing.T, s *Store, query string, args ...any) (values []string) {
	t.Helper()
	result, err := s.readers.db.QueryContext(t.Context(), query, args...)
	must(t, err)
	defer result.Close()
	for result.Next() {
		values = append(values, get(value[string](result))(t))
	}
	must(t, result.Err())
	return values
}
