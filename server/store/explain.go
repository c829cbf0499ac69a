package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// explain puts a sentinel of this package around an error that a caller can do something
// about. Path is the file that was worked on.
func explain(err error, path string) error {
	var failure *sqlite.Error
	if !errors.As(err, &failure) {
		if noSpace(err) {
			return fmt.Errorf("%w: %w", ErrFull, err)
		}
		return err
	}
	switch code := failure.Code(); code & 0xff {
	case sqlite3.SQLITE_FULL:
		return fmt.Errorf("%w: %w", ErrFull, err)
	case sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN:
		// SQLite has no word of its own for a quota, nor for a journal's index that cannot grow.
		if diskFull(filepath.Dir(path)) {
			return fmt.Errorf("%w: %w", ErrFull, err)
		}
	case sqlite3.SQLITE_CONSTRAINT:
		if code == sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY { // each is a learner's ID
			return fmt.Errorf("the learner: %w: %w", ErrNotFound, err)
		}
	case sqlite3.SQLITE_NOTADB:
		return fmt.Errorf("%w: %w", ErrForeign, err)
	}
	return err
}

// diskFull finds out whether a folder takes no more, by writing to it.
func diskFull(folder string) bool {
	file, err := os.CreateTemp(folder, ".room-*")
	if err != nil {
		return noSpace(err)
	}
	defer func() {
		_ = file.Close()
		_ = os.Remove(file.Name())
	}()
	if _, err := file.Write(make([]byte, 64<<10)); err != nil {
		return noSpace(err)
	}
	return noSpace(file.Sync())
}

// noSpace reports whether an operating system's error says that there is no room.
func noSpace(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

// broke reports whether err is a constraint's of the given extended code.
func broke(err error, code int) bool {
	var failure *sqlite.Error
	return errors.As(err, &failure) && failure.Code() == code
}
