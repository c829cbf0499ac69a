package store

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
)

func TestPragmasHold(t *testing.T) {
	s := open(t)
	for _, c := range []struct {
		pool         *pool
		pragma, want string
	}{
		{s.writer, "journal_mode", "wal"}, {s.readers, "journal_mode", "wal"},
		{s.writer, "synchronous", "2"},
		{s.writer, "foreign_keys", "1"},
		{s.writer, "secure_delete", "1"},
		{s.writer, "busy_timeout", "10000"}, {s.readers, "busy_timeout", "10000"},
		{s.writer, "application_id", "1414485842"},
		{s.readers, "cache_size", "-512"},
	} {
		var got string
		must(t, c.pool.db.QueryRowContext(t.Context(), "PRAGMA "+c.pragma).Scan(&got))
		if got != c.want {
			t.Errorf("%s is %s; want %s", c.pragma, got, c.want)
		}
	}
	if _, err := s.readers.db.ExecContext(t.Context(), "DELETE FROM learners"); err == nil {
		t.Error("a reader may write")
	}
	if got := s.writer.db.Stats().MaxOpenConnections; got != 1 {
		t.Errorf("there are %d writers", got)
	}
}

func TestWhatIsKeptIsThereAfterClosing(t *testing.T) {
	// A path may have what means something in an address.
	path := filepath.Join(t.TempDir(), "a?b#c%20d&mode=ro é", "towers.db")
	s := get(Open(t.Context(), path))(t)
	learner := account(t, s, "Ada")
	before := dump(t, s)
	must(t, s.Close())
	if runtime.GOOS != "windows" {
		get(os.Stat(path))(t)
	}
	s = openAt(t, path)
	wantSame(t, "after opening again", dump(t, s), before)
	wantSame(t, "the learner", get(s.Learner(t.Context(), learner.ID))(t), learner)
}

func TestSecondServerIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "towers.db")
	s := get(Open(t.Context(), path))(t)
	_, err := Open(t.Context(), path)
	wantError(t, err, ErrInUse)
	if err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "stop that one") {
		t.Errorf("%v: does not say what to do, with which file", err)
	}
	guest(t, s)
	must(t, s.Close())
	openAt(t, path)
}

func TestNewerFileIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "towers.db")
	s := get(Open(t.Context(), path))(t)
	_, err := s.writer.db.ExecContext(t.Context(), "INSERT INTO goose_db_version (version_id, is_applied) VALUES (99999, 1)")
	must(t, err)
	must(t, s.Close())
	before := get(os.ReadFile(path))(t)

	_, err = Open(t.Context(), path)
	wantError(t, err, ErrNewer)
	if err == nil || !strings.Contains(err.Error(), "start the newer program") || !strings.Contains(err.Error(), "99999") {
		t.Errorf("%v: does not say what to do", err)
	}
	wantUnchanged(t, path, before)
	must(t, BackupFile(t.Context(), path, path+".backup"))
}

func TestForeignFileIsRefusedUnchanged(t *testing.T) {
	other := filepath.Join(t.TempDir(), "other.db")
	p := get(connect(strings.Replace(writing(other), "mode=rw", "mode=rwc", 1), 1))(t)
	_, err := p.db.ExecContext(t.Context(), "CREATE TABLE recipes (name TEXT)")
	must(t, err)
	must(t, p.close())
	for name, content := range map[string][]byte{
		"text":     []byte(strings.Repeat("This is no database. ", 500)),
		"short":    []byte("shopping"),
		"database": get(os.ReadFile(other))(t),
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "towers.db")
			must(t, os.WriteFile(path, content, 0o600))
			must(t, os.Chmod(path, 0o644))
			mode := get(os.Stat(path))(t).Mode()
			_, err := Open(t.Context(), path)
			wantError(t, err, ErrForeign)
			if err == nil || !strings.Contains(err.Error(), path) {
				t.Errorf("%v: does not name the file", err)
			}
			wantUnchanged(t, path, content)
			wantSame(t, "its mode", get(os.Stat(path))(t).Mode(), mode)
			wantError(t, BackupFile(t.Context(), path, path+".backup"), ErrForeign)
		})
	}
}

// A process may die at any moment of the first opening; the next one goes on from there.
func TestFirstOpeningCutOff(t *testing.T) {
	for name, statements := range map[string][]string{
		"the log was begun":   {"PRAGMA journal_mode = WAL"},
		"the file was marked": {"PRAGMA journal_mode = WAL", "PRAGMA application_id = 1414485842"},
		"the versions had a table": {
			"PRAGMA application_id = 1414485842", "PRAGMA journal_mode = WAL",
			"CREATE TABLE goose_db_version (id INTEGER PRIMARY KEY, version_id INTEGER NOT NULL, is_applied INTEGER NOT NULL, tstamp TIMESTAMP DEFAULT (datetime('now')))",
			"INSERT INTO goose_db_version (version_id, is_applied) VALUES (0, 1)",
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "towers.db")
			must(t, create(path))
			p := get(connect(writing(path), 1))(t)
			for _, statement := range statements {
				_, err := p.db.ExecContext(t.Context(), statement)
				must(t, err)
			}
			must(t, p.close())
			guest(t, openAt(t, path))
		})
	}
}

// No statement may read a table from end to end: it would be fast in every test and slow in
// a school that has used it for a year. There are never many invitations.
func TestStatementsUseIndexes(t *testing.T) {
	s := open(t)
	tables := tableNames(t, s)
	for _, text := range append(writes(), reads()...) {
		rows, err := s.readers.db.QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+text, make([]any, 10)...)
		must(t, err)
		for rows.Next() {
			var id, parent, unused int
			var step string
			must(t, rows.Scan(&id, &parent, &unused, &step))
			if table, scans := strings.CutPrefix(step, "SCAN "); scans && table != "invitations" && slices.Contains(tables, table) {
				t.Errorf("%q does: %s", text, step)
			}
		}
		must(t, rows.Close())
	}
}

func wantUnchanged(t *testing.T, path string, content []byte) {
	t.Helper()
	if !bytes.Equal(get(os.ReadFile(path))(t), content) {
		t.Errorf("%s has changed", path)
	}
}

func TestOpenInAnImpossiblePlace(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	must(t, os.WriteFile(file, nil, 0o600))
	for _, path := range []string{filepath.Join(file, "towers.db"), t.TempDir()} {
		if _, err := Open(t.Context(), path); err == nil {
			t.Errorf("%s was opened", path)
		}
	}
}

// A caller that gives up while it waits for the writer changes nothing, and whoever else
// waits is not hurt.
func TestGivingUpWhileWaiting(t *testing.T) {
	s := open(t)
	ctx, cancel := context.WithCancel(t.Context())
	var group sync.WaitGroup
	must(t, s.change(t.Context(), "holding the writer", func(context.Context, handle) error {
		group.Go(func() {
			_, err := s.CreateGuest(ctx)
			wantError(t, err, context.Canceled)
		})
		cancel()
		group.Wait()
		return nil
	}))
	_, err := s.CreateGuest(ctx)
	wantError(t, err, context.Canceled)
	wantSame(t, "learners", column(t, s, "SELECT id FROM learners"), nil)
	guest(t, s)
}

// A transaction that fails in its middle leaves nothing behind.
func TestHalfAChangeIsNone(t *testing.T) {
	s := open(t)
	err := s.change(t.Context(), "failing", func(ctx context.Context, h handle) error {
		if _, err := h.exec(ctx, insertLearner, "half", 0); err != nil {
			return err
		}
		return ErrUsed
	})
	wantError(t, err, ErrUsed)
	wantSame(t, "learners", column(t, s, "SELECT id FROM learners"), nil)
}
