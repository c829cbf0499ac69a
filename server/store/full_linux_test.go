package store

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// On a disk without a free byte every mutation says ErrFull, reading goes on, and the same
// Store writes again as soon as there is room.
func TestFullDiskIsSaidAndForgotten(t *testing.T) {
	disk := smallDisk(t)
	for _, m := range mutations() {
		t.Run(m.name, func(t *testing.T) {
			s := openAt(t, filepath.Join(disk, m.name, "towers.db"))
			r := prepare(t, s)
			checkpoint(t, s)
			before := dump(t, s)
			free := fillDisk(t, disk)
			wantError(t, m.do(t.Context(), s, r), ErrFull)
			wantError(t, m.do(t.Context(), s, r), ErrFull)
			wantSame(t, "after the failure", dump(t, s), before)
			wantError(t, s.Backup(t.Context(), filepath.Join(disk, "backup")), ErrFull)
			free()
			must(t, m.do(t.Context(), s, r))
			wantSame(t, "the integrity", column(t, s, "PRAGMA integrity_check"), []string{"ok"})
		})
	}
}

// A Store can be opened on a full disk, or says why not; when it cannot, it can afterwards.
func TestOpeningOnAFullDisk(t *testing.T) {
	disk := smallDisk(t)
	path := filepath.Join(disk, "data", "towers.db")
	must(t, os.Mkdir(filepath.Dir(path), 0o700))
	free := fillDisk(t, disk)
	_, err := Open(t.Context(), path)
	wantError(t, err, ErrFull)
	free()
	s := get(Open(t.Context(), path))(t)
	learner := guest(t, s)
	must(t, s.Close())

	free = fillDisk(t, disk)
	_, err = Open(t.Context(), path)
	wantError(t, err, ErrFull)
	free()
	get(openAt(t, path).Learner(t.Context(), learner.ID))(t)
}

// checkpoint empties the journal, so that whatever is written next needs room.
func checkpoint(t *testing.T, s *Store) {
	t.Helper()
	var busy, pages, done int
	row := s.writer.db.QueryRowContext(t.Context(), "PRAGMA wal_checkpoint(TRUNCATE)")
	must(t, row.Scan(&busy, &pages, &done))
	if busy != 0 {
		t.Fatal("somebody reads, so the journal cannot be emptied")
	}
}

// smallDisk mounts four megabytes of memory.
func smallDisk(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	if err := syscall.Mount("towers", folder, "tmpfs", 0, "size=4m"); err != nil {
		t.Skipf("a small disk cannot be mounted here, which takes root: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(folder, 0); err != nil {
			t.Errorf("unmounting the small disk: %v", err)
		}
	})
	return folder
}

// fillDisk writes a file until there is no room for one more byte, and gives back how to
// free it.
func fillDisk(t *testing.T, folder string) (free func()) {
	t.Helper()
	file, err := os.Create(filepath.Join(folder, "filler"))
	must(t, err)
	for size := int64(1 << 20); size > 0; {
		if _, err := io.CopyN(file, zeros{}, size); errors.Is(err, syscall.ENOSPC) {
			size /= 2
		} else {
			must(t, err)
		}
	}
	must(t, file.Close())
	return func() { must(t, os.Remove(file.Name())) }
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}
