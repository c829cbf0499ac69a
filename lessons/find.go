package lessons

import (
	"errors"
	"fmt"
)

// ErrNotFound is what a [NotFoundError] is.
var ErrNotFound = errors.New("not found")

// A NotFoundError says that the course has no lesson or exercise of that name.
type NotFoundError struct {
	What    string // "lesson" or "exercise"
	Name    string // as it was asked for
	Nearest string // the name most like it; empty where none is near
}

// Error names what is missing, and the nearest name where there is one.
func (e *NotFoundError) Error() string {
	if e.Nearest == "" {
		return fmt.Sprintf("no %s %q", e.What, e.Name)
	}
	return fmt.Sprintf("no %s %q; the nearest is %q", e.What, e.Name, e.Nearest)
}

// Is makes errors.Is(err, ErrNotFound) true.
func (e *NotFoundError) Is(target error) bool { return target == ErrNotFound }

// Lesson finds a lesson by the name of its folder. The error is a [*NotFoundError].
func (c *Course) Lesson(name string) (*Lesson, error) {
	names := make([]string, len(c.Lessons))
	for i, l := range c.Lessons {
		if l.Name == name {
			return l, nil
		}
		names[i] = l.Name
	}
	return nil, &NotFoundError{What: "lesson", Name: name, Nearest: nearest(name, names)}
}

// Exercise finds an exercise by the name of its folder. The error is a [*NotFoundError].
func (l *Lesson) Exercise(id string) (*Exercise, error) {
	ids := make([]string, len(l.Exercises))
	for i, e := range l.Exercises {
		if e.ID == id {
			return e, nil
		}
		ids[i] = e.ID
	}
	return nil, &NotFoundError{What: "exercise", Name: id, Nearest: nearest(id, ids)}
}

// Around gives the lessons before and after l; nil at either end, and for a lesson of
// another course.
func (c *Course) Around(l *Lesson) (prev, next *Lesson) {
	for i, m := range c.Lessons {
		if m != l {
			continue
		}
		if i > 0 {
			prev = c.Lessons[i-1]
		}
		if i+1 < len(c.Lessons) {
			next = c.Lessons[i+1]
		}
	}
	return prev, next
}
