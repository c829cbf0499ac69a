package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// readerCount is how many readers work at the same time; they never wait for the writer.
const readerCount = 4

// A Store is the open file. Any number of goroutines may use it.
type Store struct {
	path    string // absolute
	lock    *lock
	writer  *pool // one connection: changes come one after another
	readers *pool
}

// Open opens the file at path, or makes it, and brings its schema up to date. Path is the
// SQLite file itself; its folder is made for the owner alone when it is missing, and the file
// is readable by its owner alone.
//
// The errors that a caller can tell apart are ErrInUse (another process has it open),
// ErrNewer, ErrForeign (the file is something else) and ErrFull. What a process that died has
// left is recovered on the way.
func Open(ctx context.Context, path string) (_ *Store, err error) {
	path, err = filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	s := &Store{path: path}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("store: %w", explain(err, path)), s.Close())
		}
	}()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	if s.lock, err = takeLock(path + ".lock"); err != nil {
		return nil, err
	}
	if err := create(path); err != nil {
		return nil, err
	}
	if s.writer, err = connect(writing(path), 1); err != nil {
		return nil, err
	}
	if err := ready(ctx, s.writer.db, path); err != nil {
		return nil, err
	}
	if err := restrict(path); err != nil {
		return nil, err
	}
	if s.readers, err = connect(reading(path), readerCount); err != nil {
		return nil, err
	}
	return s, errors.Join(s.writer.prepare(ctx, writes()), s.readers.prepare(ctx, reads()))
}

// Close closes the file. Nobody may be using the Store then, nor afterwards.
func (s *Store) Close() error {
	var errs []error
	// The writer goes last: it is the one that may fold the journal into the file.
	for _, p := range []*pool{s.readers, s.writer} {
		if p != nil {
			errs = append(errs, p.close())
		}
	}
	if s.lock != nil {
		errs = append(errs, s.lock.release())
	}
	return errors.Join(errs...)
}

// create makes the file, empty and for its owner alone, when it is not there. It runs before
// SQLite opens the file: closing a file takes away every POSIX lock that the process has on it.
func create(path string) error {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(path))
}

// restrict closes a file that was there, and what SQLite keeps beside it, to all but its owner:
// a backup that was copied into place is often readable by everybody.
func restrict(path string) error {
	for _, name := range []string{path, path + "-wal", path + "-shm"} {
		if err := os.Chmod(name, 0o600); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
