package web

import (
	"context"
	"net/url"
	"slices"

	"github.com/ringoftowers/towers/lessons"
)

// A Reader is whoever looks at a page, and how far they have come. The zero Reader has just
// arrived. Its maps are only read, so one Reader may be used for several pages at once.
type Reader struct {
	Kept bool // what readers do is kept here; else nothing of it is offered

	Name       string // as they signed up; empty for a guest and for somebody new
	Guest      bool   // something of theirs is kept, but they have no name yet
	Instructor bool

	Read    map[string]bool  // lessons read to their end, by Lesson.Name
	Passed  map[Place]bool   // exercises passed
	Answers map[Place]Answer // to quizzes and predictions, the last one each

	Path  string // of the page that is shown, to come back to after signing in
	Notes Notes  // on the lesson that is shown
}

// A Place names an exercise or a question within the course.
type Place struct{ Lesson, ID string }

// An Answer is what a reader chose in a quiz or guessed at a prediction.
type Answer struct {
	Given string // of a quiz the choices' places from 0, as in "0 2"; of a prediction the number
	Right bool
}

// Done reports whether a lesson is lit on the chart: it was read to its end, and all exercises
// that its text sets were passed. This is the only definition of it, and wherever a page says
// done or lit it means this. An exercise that the text does not lead to does not count.
func (r Reader) Done(l *lessons.Lesson) bool {
	return r.Read[l.Name] && len(r.open(l)) == 0
}

// open lists the exercises of a lesson that are still to be passed.
func (r Reader) open(l *lessons.Lesson) []*lessons.Exercise {
	var open []*lessons.Exercise
	for _, e := range l.Exercises {
		if e.Number > 0 && !r.Passed[Place{l.Name, e.ID}] {
			open = append(open, e)
		}
	}
	return open
}

// begun reports whether the reader has done anything that counts towards a lesson.
func (r Reader) begun() bool { return len(r.Read)+len(r.Passed) > 0 }

// done counts the lessons that are lit.
func (r Reader) done(c *lessons.Course) int {
	return len(c.Lessons) - len(r.ahead(c))
}

// here is the lesson to go on with: the last one that the reader has done something in, or else
// the next after it that is not done, or else the first. It is nil before the reader has begun,
// and when all are done.
func (r Reader) here(c *lessons.Course) *lessons.Lesson {
	last := -1
	for i, l := range c.Lessons {
		if r.begunWith(l) {
			last = i
		}
	}
	if last < 0 {
		return nil
	}
	for _, l := range slices.Concat(c.Lessons[last:], c.Lessons[:last]) {
		if !r.Done(l) {
			return l
		}
	}
	return nil
}

// begunWith reports whether the reader has read a lesson or passed an exercise of it.
func (r Reader) begunWith(l *lessons.Lesson) bool {
	return r.Read[l.Name] || slices.ContainsFunc(l.Exercises, func(e *lessons.Exercise) bool { return r.Passed[Place{l.Name, e.ID}] })
}

// ahead are the lessons that are not done yet.
func (r Reader) ahead(c *lessons.Course) []*lessons.Lesson {
	var ahead []*lessons.Lesson
	for _, l := range c.Lessons {
		if !r.Done(l) {
			ahead = append(ahead, l)
		}
	}
	return ahead
}

// passed counts the exercises that were passed of those that the course sets.
func (r Reader) passed(c *lessons.Course) (passed, all int) {
	for _, l := range c.Lessons {
		set := setIn(l)
		all += set
		passed += set - len(r.open(l))
	}
	return passed, all
}

// signURL leads to the page for signing in, and from there back to the present page.
func (r Reader) signURL() string {
	if r.Path == "" || r.Path == "/" || r.Path == "/account" {
		return "/account"
	}
	return "/account?back=" + url.QueryEscape(r.Path)
}

type readerKey struct{}

// WithReader makes pages that are drawn with the context come out as this reader should see
// them. Without it they are drawn for somebody new.
func WithReader(ctx context.Context, r Reader) context.Context {
	return context.WithValue(ctx, readerKey{}, r)
}

func readerOf(ctx context.Context) Reader {
	r, _ := ctx.Value(readerKey{}).(Reader)
	return r
}
