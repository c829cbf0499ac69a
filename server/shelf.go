package server

import (
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/ringoftowers/towers/lessons"
	"github.com/ringoftowers/towers/web"
)

// A shelf keeps drawn lessons for those who ask for them next. Drawing counts every letter of
// every picture, which takes the better part of a second and tens of megabytes for a million
// of them, and all but its gaps is the same for every reader who wants the same light.
//
// A page is drawn once, however many readers ask for it at a time, and no more than two are
// drawn at once. Pages of lessons that are no longer in the course are thrown away.
type shelf struct {
	turns chan struct{} // as many as may draw at once

	mu     sync.Mutex
	course *lessons.Course // the one that was asked for last
	copies map[copyOf]*drawing
}

// copyOf names a drawn page by all that is in it.
type copyOf struct {
	lesson, previous, next *lessons.Lesson
	lessons                int // in the course
	theme                  string
}

// A drawing is a page that is drawn or will be. Page and err are set before done is closed.
type drawing struct {
	done chan struct{}
	page *web.Stencil
	err  error
}

func newShelf() *shelf {
	return &shelf{turns: make(chan struct{}, 2), copies: make(map[copyOf]*drawing)}
}

// copyOf says which page a reader gets to see.
func (s *shelf) copyOf(course *lessons.Course, lesson *lessons.Lesson, theme string) copyOf {
	previous, next := course.Around(lesson)
	return copyOf{lesson: lesson, previous: previous, next: next, lessons: len(course.Lessons), theme: theme}
}

// page gives a drawn page, and draws it where there is none. That goes on for the others who wait
// for it when the first reader has gone: draw gets a context that does not end with the reader's.
// A page that could not be drawn is tried again when it is next asked for.
func (s *shelf) page(ctx context.Context, course *lessons.Course, key copyOf, draw func(context.Context) (*web.Stencil, error)) (*web.Stencil, error) {
	s.mu.Lock()
	if s.course != course {
		s.course = course
		maps.DeleteFunc(s.copies, func(c copyOf, _ *drawing) bool { return !slices.Contains(course.Lessons, c.lesson) })
	}
	d, ok := s.copies[key]
	if !ok {
		d = &drawing{done: make(chan struct{})}
		s.copies[key] = d
	}
	s.mu.Unlock()
	if !ok {
		s.draw(context.WithoutCancel(ctx), key, d, draw)
	}
	select {
	case <-d.done:
		return d.page, d.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (s *shelf) draw(ctx context.Context, key copyOf, d *drawing, draw func(context.Context) (*web.Stencil, error)) {
	s.turns <- struct{}{}
	defer func() { <-s.turns }()
	drawn := false
	defer func() {
		if !drawn || d.err != nil { // a panic goes on to its own page; nobody may wait for ever
			s.mu.Lock()
			delete(s.copies, key)
			s.mu.Unlock()
		}
		if !drawn {
			d.err = errNotDrawn
		}
		close(d.done)
	}()
	d.page, d.err = draw(ctx)
	drawn = true
}
