package server

import (
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/ringoftowers/towers/lessons"
)

// nearest guesses which lesson an address that has no page was meant for, or gives nil. It is
// likely to be in the last part of the address that is like any lesson.
func (s *Server) nearest(r *http.Request) *lessons.Lesson {
	course, err := s.library.Course(r.Context())
	if err != nil {
		return nil // the reader is being told of one fault already, and this is only a help
	}
	parts := strings.Split(r.URL.Path, "/")
	for i := len(parts) - 1; i >= 0; i-- {
		if l := like(course, parts[i]); l != nil {
			return l
		}
	}
	return nil
}

// like finds the lesson that a part of an address stands for: the words of its name without
// the number, the number alone or with words that have changed since, or nearly its name. It
// gives nil for none.
func like(course *lessons.Course, part string) *lessons.Lesson {
	if part == "" {
		return nil
	}
	digits, _, _ := strings.Cut(part, "-")
	number, err := strconv.Atoi(digits)
	for _, l := range course.Lessons {
		_, words, _ := strings.Cut(l.Name, "-")
		if part == words || err == nil && number == l.Number {
			return l
		}
	}
	l, err := course.Lesson(part)
	if missing := (*lessons.NotFoundError)(nil); errors.As(err, &missing) && missing.Nearest != "" {
		l, err = course.Lesson(missing.Nearest)
	}
	if err != nil {
		return nil
	}
	return l
}
