//go:build unix

package store

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

func TestOnlyTheOwnerMayLook(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "new", "data")
	path := filepath.Join(folder, "towers.db")
	s := openAt(t, path)
	guest(t, s)
	backup := filepath.Join(folder, "backup.db")
	must(t, s.Backup(t.Context(), backup))
	for name, want := range map[string]fs.FileMode{
		folder: 0o700, path: 0o600, path + "-wal": 0o600, path + "-shm": 0o600, path + ".lock": 0o600, backup: 0o600,
	} {
		if got := get(os.Stat(name))(t).Mode().Perm(); got != want {
			t.Errorf("%s has mode %o; want %o", filepath.Base(name), got, want)
		}
	}
}

// A file that was copied into place with the usual rights is closed to others.
func TestOpenTightensRights(t *testing.T) {
	path := filepath.Join(t.TempDir(), "towers.db")
	must(t, os.WriteFile(path, nil, 0o600))
	must(t, os.Chmod(path, 0o644))
	openAt(t, path)
	if got := get(os.Stat(path))(t).Mode().Perm(); got != 0o600 {
		t.Errorf("the file has mode %o", got)
	}
}
