package store

import "errors"

var (
	// ErrNotFound says that there is no such row, or that it is somebody else's.
	ErrNotFound = errors.New("not found")
	// ErrTaken says that another learner has the name already.
	ErrTaken = errors.New("the name is taken")
	// ErrShare says that a learner has as many submissions waiting as are allowed.
	ErrShare = errors.New("too many submissions wait already")
	// ErrFull says that the disk is full: nothing was written, and nothing is lost.
	ErrFull = errors.New("the disk is full")
	// ErrNewer says that the file was written by a later version of this program.
	ErrNewer = errors.New("the data were written by a newer version")
	// ErrUsed says that an invitation is spent, expired or never existed.
	ErrUsed = errors.New("the invitation is not valid any more")
	// ErrInUse says that another process has the file open as its server.
	ErrInUse = errors.New("the data are in use")
	// ErrForeign says that the file is not one of this program's.
	ErrForeign = errors.New("not a file of this program")
)
