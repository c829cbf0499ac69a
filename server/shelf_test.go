package server

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/a-h/templ"

	"github.com/ringoftowers/towers/lessons"
	"github.com/ringoftowers/towers/web"
)

// cut makes a page of some words, as the shelf keeps it.
func cut(ctx context.Context, words string) (*web.Stencil, error) {
	return web.Cut(ctx, templ.Raw(words))
}

// words are what a page of the shelf says.
func words(t *testing.T, page *web.Stencil) string {
	t.Helper()
	if page == nil {
		return ""
	}
	var b strings.Builder
	if err := page.Fill(t.Context(), &b, web.Reader{}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func courseOf(ls ...*lessons.Lesson) *lessons.Course { return &lessons.Course{Lessons: ls} }

func TestShelfDrawsEachPageOnce(t *testing.T) {
	s := newShelf()
	one, two := &lessons.Lesson{Number: 1}, &lessons.Lesson{Number: 2}
	first := courseOf(one, two)
	mended := &lessons.Lesson{Number: 2}
	second := courseOf(one, mended)
	drawn := 0
	for i, step := range []struct {
		course *lessons.Course
		lesson *lessons.Lesson
		theme  string
		drawn  int // in all, after this step
	}{
		{first, one, "dark", 1}, {first, one, "dark", 1}, {first, one, "", 2}, {first, two, "", 3},
		{second, one, "dark", 4}, // its neighbour is another one
		{second, one, "dark", 4}, {second, mended, "", 5},
	} {
		page, err := s.page(t.Context(), step.course, s.copyOf(step.course, step.lesson, step.theme), func(ctx context.Context) (*web.Stencil, error) {
			drawn++
			return cut(ctx, step.theme)
		})
		if said := words(t, page); err != nil || said != step.theme || drawn != step.drawn {
			t.Errorf("step %d: %q, %v, drawn %d times; want %q, %d times", i, said, err, drawn, step.theme, step.drawn)
		}
	}
	for key := range s.copies {
		if key.lesson == two {
			t.Error("a page of a lesson that is gone is still kept")
		}
	}
}

func TestManyReadersDrawOnce(t *testing.T) {
	s, course := newShelf(), courseOf()
	var drawn int
	begun, release := make(chan struct{}), make(chan struct{})
	ask := func(ctx context.Context) error {
		_, err := s.page(ctx, course, copyOf{}, func(ctx context.Context) (*web.Stencil, error) {
			drawn++
			close(begun)
			<-release
			return nil, ctx.Err()
		})
		return err
	}
	// The first reader leaves while the page is drawn; the others get it nevertheless.
	first, leave := context.WithCancel(t.Context())
	var readers sync.WaitGroup
	readers.Go(func() { _ = ask(first) })
	<-begun
	leave()
	for range 50 {
		readers.Go(func() {
			if err := ask(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	impatient, gone := context.WithCancel(t.Context())
	gone()
	if err := ask(impatient); !errors.Is(err, context.Canceled) {
		t.Errorf("a reader who left waits on: %v", err)
	}
	close(release)
	readers.Wait()
	if drawn != 1 {
		t.Errorf("drawn %d times, want once", drawn)
	}
}

func TestShelfKeepsNoFailure(t *testing.T) {
	s, course, torn := newShelf(), courseOf(), errors.New("torn")
	ask := func(draw func(context.Context) (*web.Stencil, error)) (*web.Stencil, error) {
		return s.page(t.Context(), course, copyOf{}, draw)
	}
	if _, err := ask(func(context.Context) (*web.Stencil, error) { return nil, torn }); !errors.Is(err, torn) {
		t.Errorf("error %v, want %v", err, torn)
	}
	func() {
		defer func() {
			if recover() == nil {
				t.Error("a panic is swallowed")
			}
		}()
		_, _ = ask(func(context.Context) (*web.Stencil, error) { panic("spilt") })
	}()
	if page, err := ask(func(ctx context.Context) (*web.Stencil, error) { return cut(ctx, "whole") }); err != nil || words(t, page) != "whole" {
		t.Errorf("after failures: %q, %v", words(t, page), err)
	}
}
