package server

import (
	"errors"
	"testing"

	"github.com/ringoftowers/towers/lessons"
)

func TestShelfDrawsOnce(t *testing.T) {
	var s shelf
	first, second := &lessons.Course{}, &lessons.Course{}
	lesson := &lessons.Lesson{}
	drawn := 0
	ask := func(course *lessons.Course, theme string) {
		t.Helper()
		page, err := s.page(course, copyOf{lesson, theme}, func() ([]byte, error) {
			drawn++
			return []byte(theme), nil
		})
		if err != nil || string(page) != theme {
			t.Errorf("got %q, %v; want %q", page, err, theme)
		}
	}
	for _, step := range []struct {
		course *lessons.Course
		theme  string
		drawn  int // in all, after this step
	}{
		{first, "dark", 1}, {first, "dark", 1}, {first, "", 2}, {first, "", 2},
		{second, "dark", 3}, {second, "dark", 3}, {first, "dark", 4},
	} {
		ask(step.course, step.theme)
		if drawn != step.drawn {
			t.Errorf("drawn %d times, want %d", drawn, step.drawn)
		}
	}
}

func TestShelfKeepsNoFailure(t *testing.T) {
	var s shelf
	course, torn := &lessons.Course{}, errors.New("torn")
	if _, err := s.page(course, copyOf{}, func() ([]byte, error) { return nil, torn }); !errors.Is(err, torn) {
		t.Errorf("error %v, want %v", err, torn)
	}
	if page, err := s.page(course, copyOf{}, func() ([]byte, error) { return []byte("whole"), nil }); err != nil || string(page) != "whole" {
		t.Errorf("after a failure: %q, %v", page, err)
	}
}
