package store

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

func TestBackupRestoresEverything(t *testing.T) {
	s := open(t)
	live(t, s, account(t, s, "Ada").ID, "ada")
	live(t, s, guest(t, s).ID, "a guest")
	must(t, s.Commit("token", []byte("data"), after(1e6)))
	folder := t.TempDir()
	path := filepath.Join(folder, "towers.db")
	must(t, s.Backup(t.Context(), path))
	wantSame(t, "files beside the backup", names(t, folder), []string{"towers.db"})

	restored := openAt(t, path)
	wantSame(t, "the restored file", dump(t, restored), dump(t, s))
	wantSame(t, "its integrity", column(t, restored, "PRAGMA integrity_check"), []string{"ok"})
	guest(t, restored)
}

func TestBackupRefusesAnExistingFile(t *testing.T) {
	s := open(t)
	folder := t.TempDir()
	path := filepath.Join(folder, "kept")
	must(t, os.WriteFile(path, []byte("kept"), 0o600))
	wantError(t, s.Backup(t.Context(), path), fs.ErrExist)
	wantError(t, s.Backup(t.Context(), folder), fs.ErrExist)
	wantError(t, s.Backup(t.Context(), s.path), fs.ErrExist)
	wantSame(t, "the existing file", string(get(os.ReadFile(path))(t)), "kept")
	wantSame(t, "files beside it", names(t, folder), []string{"kept"})
}

func TestBackupThatFailsLeavesNothing(t *testing.T) {
	s := open(t)
	folder := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	wantError(t, s.Backup(ctx, filepath.Join(folder, "backup")), context.Canceled)
	wantError(t, BackupFile(t.Context(), filepath.Join(folder, "missing"), filepath.Join(folder, "backup")), fs.ErrNotExist)
	wantError(t, s.Backup(t.Context(), filepath.Join(folder, "missing", "backup")), fs.ErrNotExist)
	wantSame(t, "files", names(t, folder), nil)
}

// While several learners write, each backup holds a state that there was: of each learner the
// first submissions, without a gap, and not fewer than were acknowledged before it began.
func TestBackupWhileWritesGoOn(t *testing.T) {
	s := open(t)
	stop, cancel := context.WithCancel(t.Context())
	var group sync.WaitGroup
	for range 3 {
		learner := guest(t, s).ID
		group.Go(func() {
			for i := 0; stop.Err() == nil; i++ {
				must(t, s.AddSubmission(t.Context(), submission(learner, i), 0))
			}
		})
	}
	folder := t.TempDir()
	for i := range 5 {
		before := column(t, s, "SELECT id FROM submissions ORDER BY id")
		path := filepath.Join(folder, fmt.Sprint(i))
		must(t, s.Backup(t.Context(), path))
		copied := openAt(t, path)
		gaps := column(t, copied, "SELECT learner FROM submissions GROUP BY learner HAVING max(at) <> min(at) + 60000000 * (count(*) - 1)")
		wantSame(t, "learners with a gap", gaps, nil)
		for _, id := range before {
			get(copied.Submission(t.Context(), id))(t)
		}
		wantSame(t, "the integrity", column(t, copied, "PRAGMA integrity_check"), []string{"ok"})
	}
	cancel()
	group.Wait()
	if n := len(column(t, s, "SELECT id FROM submissions")); n < 20 {
		t.Errorf("only %d submissions were written meanwhile; the test shows little", n)
	}
}

// towers backup is a process of its own, beside the one that serves.
func TestBackupByAnotherProcess(t *testing.T) {
	s := open(t)
	live(t, s, account(t, s, "Ada").ID, "ada")
	path := filepath.Join(t.TempDir(), "backup")
	child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestChildBackup$", "-test.v")
	child.Env = append(os.Environ(), "STORE_CHILD_FROM="+s.path, "STORE_CHILD_TO="+path)
	if out, err := child.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	guest(t, s)
	must(t, s.DeleteLearner(t.Context(), guest(t, s).ID))
	before := dump(t, openAt(t, path))
	if len(before["submissions"]) != 2 {
		t.Errorf("the copy has the submissions %q", before["submissions"])
	}
}

func TestChildBackup(t *testing.T) {
	from := os.Getenv("STORE_CHILD_FROM")
	if from == "" {
		t.Skip("only the child of TestBackupByAnotherProcess does this")
	}
	must(t, BackupFile(t.Context(), from, os.Getenv("STORE_CHILD_TO")))
	_, err := Open(t.Context(), from)
	wantError(t, err, ErrInUse)
}

// A backup is possible when no server runs, also of what one that died left in its journal.
func TestBackupOfAFileAtRest(t *testing.T) {
	path := filepath.Join(t.TempDir(), "towers.db")
	s := get(Open(t.Context(), path))(t)
	account(t, s, "Ada")
	want := dump(t, s)
	crashed := filepath.Join(t.TempDir(), "towers.db")
	for _, suffix := range []string{"", "-wal"} { // as the disk is after a crash
		must(t, os.WriteFile(crashed+suffix, get(os.ReadFile(path+suffix))(t), 0o600))
	}
	must(t, s.Close())
	for _, from := range []string{path, crashed} {
		to := from + ".backup"
		must(t, BackupFile(t.Context(), from, to))
		wantSame(t, "the backup", dump(t, openAt(t, to)), want)
		wantSame(t, "the file itself", dump(t, openAt(t, from)), want)
	}
}

func names(t *testing.T, folder string) (names []string) {
	t.Helper()
	for _, entry := range get(os.ReadDir(folder))(t) {
		names = append(names, entry.Name())
	}
	return names
}
