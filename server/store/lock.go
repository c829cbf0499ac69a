package store

import (
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
	if err != nil {
		_ = file.Close()
		return nil, fmt.Errorf("locking %s: %w", path, err)
	}
	if !taken {
		defer file.Close()
		return nil, fmt.Errorf("%w: %s is locked by another towers%s; stop that one first, or use another data folder",
			ErrInUse, strings.TrimSuffix(path, ".lock"), holder(file))
	}
	// Only a help for whoever reads the message above: that it cannot be written, on a full
	// disk for example, is no reason not to start.
	if file.Truncate(0) == nil {
		_, _ = fmt.Fprintf(file, "%d\n", os.Getpid())
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
