package web

import (
	"slices"
	"strconv"

	"github.com/ringoftowers/towers/lessons"
)

// voyage is the course as the masthead shows it.
type voyage struct {
	lessons []*lessons.Lesson
	here    int // the present one's index; -1 on pages that are no lesson
	number  int // the number it has in its name
}

func voyageOf(course *lessons.Course, here *lessons.Lesson) voyage {
	if course == nil {
		return voyage{here: -1}
	}
	v := voyage{lessons: course.Lessons, here: slices.Index(course.Lessons, here)}
	if here != nil {
		v.number = here.Number
	}
	return v
}

// shown says whether there is anything to tell: where the page is, or how far the reader.
func (v voyage) shown(r Reader) bool {
	return len(v.lessons) > 0 && (v.here >= 0 || r.begun())
}

// text is the scale in a few words.
func (v voyage) text(r Reader) string {
	if r.begun() {
		return countOf(r.done(&lessons.Course{Lessons: v.lessons}), len(v.lessons)) + " " + oneOr(len(v.lessons), "lesson", "lessons") + " done"
	}
	return v.place()
}

// label is all that the scale shows, for those who do not see it.
func (v voyage) label(r Reader) string {
	switch {
	case !r.begun():
		return v.place()
	case v.here < 0:
		return "Progress: " + v.text(r)
	}
	return "Progress: " + v.text(r) + ", now at lesson " + strconv.Itoa(v.number)
}

func (v voyage) place() string {
	return "Lesson " + strconv.Itoa(v.number) + ", " + countOf(v.here+1, len(v.lessons))
}

func (v voyage) x(i int) string { return fixed(float64(i)*280/float64(len(v.lessons)) + 0.5) }

func (v voyage) width() string { return fixed(280/float64(len(v.lessons)) - 1) }

// countOf says how many of all: "2 of 14".
func countOf(n, all int) string { return grouped(n) + " of " + grouped(all) }
