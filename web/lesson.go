package web

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ringoftowers/towers/lessons"
)

// lessonURL is where a lesson is served.
func lessonURL(l *lessons.Lesson) string { return "/lessons/" + l.Name }

// split takes the lead figure off a lesson's body: it stands wide, above the text.
func split(body []lessons.Block) (*lessons.Ring, []lessons.Block) {
	if len(body) > 0 {
		if r, ok := body[0].(lessons.Ring); ok && r.Lead {
			return &r, body[1:]
		}
	}
	return nil, body
}

// inBody says whether a problem is shown where it stands in the text, and so need not be
// listed above it.
func inBody(l *lessons.Lesson, p lessons.Problem) bool { return within(l.Body, p) }

func within(bs []lessons.Block, p lessons.Problem) bool {
	return slices.ContainsFunc(bs, func(b lessons.Block) bool {
		switch b := b.(type) {
		case lessons.Problem:
			return b == p
		case lessons.Details:
			return within(b.Body, p)
		}
		return false
	})
}

func isHeading(b lessons.Block) bool {
	_, ok := b.(lessons.Heading)
	return ok
}

func isNote(b lessons.Block) bool {
	_, ok := b.(lessons.Note)
	return ok
}

// beside says whether a margin note may share its lines with b: with prose, not with what has
// a heading or a width of its own.
func beside(b lessons.Block) bool {
	_, ok := b.(lessons.HTML)
	return ok
}

func capital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}

// inWords writes a lesson's number for the postmark; past twenty it stays in figures.
func inWords(n int) string {
	words := strings.Fields("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty")
	if n < 0 || n >= len(words) {
		return strconv.Itoa(n)
	}
	return words[n]
}

func letter(i int) string { return string(rune('A' + i%26)) }

func kindOf(q lessons.Quiz) string {
	if q.Many {
		return "checkbox"
	}
	return "radio"
}

func unit(u string) string {
	if u == "" {
		return ""
	}
	return "\u00a0" + u
}

// stepOf lets a guess be made in some hundred steps: the power of ten that gives between 50
// and 500 of them.
func stepOf(p lessons.Predict) string {
	power := math.Floor(math.Log10((p.Max - p.Min) / 50))
	return strconv.FormatFloat(math.Pow(10, power), 'f', -1, 64)
}

// meta is the line under a lesson's title on the chart.
func meta(l *lessons.Lesson) string {
	switch {
	case l.Minutes == 0:
		return string(l.Level)
	case l.Level == "":
		return plural(l.Minutes, "min", "min")
	}
	return string(l.Level) + ", " + plural(l.Minutes, "min", "min")
}

// reading is how long lessons take, to the nearest quarter of an hour.
func reading(ls []*lessons.Lesson) string {
	minutes := 0
	for _, l := range ls {
		minutes += l.Minutes
	}
	if minutes < 90 {
		return plural(minutes, "minute", "minutes")
	}
	quarters := (minutes + 7) / 15
	hours := strconv.FormatFloat(float64(quarters)/4, 'f', -1, 64)
	return hours + "\u00a0hours"
}

// asks says in a few words what an exercise is judged by. Hidden tests stay unsaid.
func asks(e *lessons.Exercise) string {
	if e.Kind == lessons.Tests {
		return plural(len(e.Wrong), "faulty program to catch", "faulty programs to catch")
	}
	shown := 0
	for _, name := range e.Checks {
		if !strings.HasPrefix(name, "TestHidden") {
			shown++
		}
	}
	return plural(shown, "test", "tests")
}
