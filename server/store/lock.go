package store

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// A lock keeps a second server away from the file. SQLite lets any number of processes write,
// but each server believes that it alone hands out the work that waits.
type lock struct{ file *os.File }

// takeLock takes the lock in the side file at path, which stays when the lock is released:
// removing it would let two processes lock two files of one name.
func takeLock(path string) (*lock, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	taken, err := tryLock(file)
	switch {
	case err != nil:
		err = fmt.Errorf("locking %s: %w", path, err)
	case !taken:
		err = fmt.Errorf("%w: another towers%s serves %s; stop that one first, or use another data folder",
			ErrInUse, holder(file), strings.TrimSuffix(path, ".lock"))
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	// Only a help for whoever reads the message above: that it cannot be written, on a full
	// disk for example, is no reason not to start.
	if file.Truncate(0) == nil {
		_, _ = fmt.Fprintln(file, os.Getpid())
	}
	return &lock{file}, nil
}

// holder says which process has the lock, if it is known.
func holder(file *os.File) string {
	text, err := io.ReadAll(io.LimitReader(file, 20))
	if id := strings.TrimSpace(string(text)); err == nil && id != "" {
		return " (process " + id + ")"
	}
	return ""
}

// release lets the next one in.
func (l *lock) release() error { return l.file.Close() }
