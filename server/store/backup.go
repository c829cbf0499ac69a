package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
)

// Backup writes a copy of the file as it is at this moment to path, which must not exist,
// while everything goes on; see BackupFile.
func (s *Store) Backup(ctx context.Context, path string) error {
	return BackupFile(ctx, s.path, path)
}

// BackupFile writes a copy of the file from to the new file to. It may run in any process, also
// while a server has the file open: it takes no lock that others wait for, and only keeps the
// journal from being folded in until it is done. It needs room for the whole copy.
//
// The copy is one file that needs nothing beside it, readable by its owner alone. It appears
// under its name when it is whole and on the disk, and not at all when anything goes wrong. To
// restore it, stop the server and put it in an otherwise empty folder, under the old name: a
// journal left from the old file must not come to lie beside it.
//
// An existing file at to gives an error that matches fs.ErrExist, a full disk one that matches
// ErrFull, and a file that is not ours ErrForeign. The schema may be of any version.
func BackupFile(ctx context.Context, from, to string) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("backing up %s: %w", from, err)
		}
	}()
	if from, err = filepath.Abs(from); err != nil {
		return err
	}
	if to, err = filepath.Abs(to); err != nil {
		return err
	}
	if _, err := os.Stat(from); err != nil {
		return err
	}
	if err := absent(to); err != nil {
		return err
	}
	part, err := emptyFile(filepath.Dir(to))
	if err != nil {
		return explain(err, to)
	}
	err = copyInto(ctx, from, part)
	if err == nil {
		err = publish(part, to)
	}
	if err != nil {
		_ = os.Remove(part) // it may have got its name already; the error to tell is the first
		return explain(err, to)
	}
	return nil
}

// absent refuses a name that something has already.
func absent(path string) error {
	_, err := os.Lstat(path)
	if err == nil {
		return &fs.PathError{Op: "write", Path: path, Err: fs.ErrExist}
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// emptyFile makes a file in folder for its owner alone.
func emptyFile(folder string) (string, error) {
	file, err := os.CreateTemp(folder, ".towers-backup-*")
	if err != nil {
		return "", err
	}
	return file.Name(), file.Close()
}

// copyInto writes what the database from holds into an empty file. The one statement reads
// from one state of the database, and packs it: what was deleted is not in the copy.
func copyInto(ctx context.Context, from, part string) (err error) {
	p, err := connect(reading(from), 1)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	fresh, err := recognise(ctx, p.db, from)
	if err != nil {
		return err
	}
	if fresh {
		return fmt.Errorf("it is empty: %w", ErrForeign)
	}
	_, err = p.db.ExecContext(ctx, "VACUUM INTO ?", part)
	return err
}

// publish gives a finished file its name, once it is on the disk.
func publish(part, path string) error {
	file, err := os.OpenFile(part, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	if err := errors.Join(file.Sync(), file.Close()); err != nil {
		return err
	}
	if err := rename(part, path); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(path))
}

// rename gives a file a new name, which nothing has yet. A link fails when something has come
// there meanwhile; where there are no links, looking once more has to do.
func rename(from, to string) error {
	err := os.Link(from, to)
	if err == nil {
		return os.Remove(from)
	}
	if errors.Is(err, fs.ErrExist) {
		return err
	}
	if err := absent(to); err != nil {
		return err
	}
	return os.Rename(from, to)
}

// syncFolder makes the names in a folder durable, where a folder can be synced at all.
func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	err = folder.Sync()
	if runtime.GOOS == "windows" || errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EINVAL) {
		err = nil
	}
	return errors.Join(err, folder.Close())
}
