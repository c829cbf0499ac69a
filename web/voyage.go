package web

import (
	"slices"
	"strconv"

	"github.com/ringoftowers/towers/lessons"
)

// voyage is where a reader stands in the course.
type voyage struct {
	all    int // lessons
	here   int // the present one's index; -1 on pages that are no lesson
	number int // the number it has in its name
}

func voyageOf(course *lessons.Course, here *lessons.Lesson) voyage {
	if course == nil {
		return voyage{here: -1}
	}
	v := voyage{all: len(course.Lessons), here: slices.Index(course.Lessons, here)}
	if here != nil {
		v.number = here.Number
	}
	return v
}

func (v voyage) text() string {
	if v.here < 0 {
		return plural(v.all, "lesson", "lessons")
	}
	return "Lesson " + strconv.Itoa(v.number) + ", " + strconv.Itoa(v.here+1) + " of " + strconv.Itoa(v.all)
}

func (v voyage) x(i int) string { return fixed(float64(i)*280/float64(v.all) + 0.5) }

func (v voyage) width() string { return fixed(280/float64(v.all) - 1) }
