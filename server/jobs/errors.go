package jobs

import (
	"errors"
	"fmt"
	"time"
)

var (
	// ErrBusy says that the whole queue is as long as it may get.
	ErrBusy = errors.New("the queue is full")
	// ErrClosed is returned by Submit and Work after Close.
	ErrClosed = errors.New("the queue is closed")
	// ErrNoExercise is what Config.Exercise answers, wrapped or not, when the course has no
	// such exercise. Its submissions are then recorded as internal at once.
	ErrNoExercise = errors.New("the course has no such exercise")
)

// A BusyError says that a submission was not taken, and when to come back. It matches
// store.ErrShare if the learner has too many waiting already, ErrBusy if all have.
type BusyError struct {
	RetryAfter time.Duration // whole seconds, from 1 to 60: a guess from recent checks
	cause      error
}

// Error gives the cause and the time.
func (e *BusyError) Error() string {
	return fmt.Sprintf("%v; try again in %v", e.cause, e.RetryAfter)
}

// Unwrap gives the cause.
func (e *BusyError) Unwrap() error { return e.cause }
