package server

import (
	"sync"

	"github.com/ringoftowers/towers/lessons"
)

// A shelf keeps the lessons of the present course as they were drawn last. Drawing counts
// every letter of every picture, which takes the better part of a second for a million of
// them, and the page is the same for every reader who wants the same light.
type shelf struct {
	mu     sync.Mutex
	course *lessons.Course // the one that pages belong to; another course empties the shelf
	pages  map[copyOf][]byte
}

// copyOf names a drawn page.
type copyOf struct {
	lesson *lessons.Lesson
	theme  string
}

// page gives a drawn page, which must not be changed. It draws where there is none; readers
// who ask for the same page meanwhile may draw it too, which is rare and does no harm.
func (s *shelf) page(course *lessons.Course, key copyOf, draw func() ([]byte, error)) ([]byte, error) {
	s.mu.Lock()
	if s.course != course {
		s.course, s.pages = course, make(map[copyOf][]byte)
	}
	page, ok := s.pages[key]
	s.mu.Unlock()
	if ok {
		return page, nil
	}
	page, err := draw()
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.course == course {
		s.pages[key] = page
	}
	return page, nil
}
