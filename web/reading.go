package web

import (
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"github.com/ringoftowers/towers/lessons"
)

// standing gives the line at a lesson's end for whoever reads.
func standing(l *lessons.Lesson) func(Reader) templ.Component {
	return func(r Reader) templ.Component {
		if !r.Kept {
			return templ.NopComponent
		}
		if !r.Read[l.Name] {
			after := r
			after.Read = map[string]bool{l.Name: true}
			return unread(l, after.stands(l))
		}
		return alreadyRead(r.stands(l), r.Done(l))
	}
}

// stands says where the reader stands with a lesson that they have read.
func (r Reader) stands(l *lessons.Lesson) string {
	open := r.open(l)
	if len(open) > 0 {
		titles := make([]string, len(open))
		for i, e := range open {
			titles[i] = "“" + e.Title + "”"
		}
		return "You have read this lesson. Its light is lit once you pass " + oneAndAnother(titles) + "."
	}
	if setIn(l) > 0 {
		return "You have read this lesson and passed its exercises: its light is lit."
	}
	return "You have read this lesson: its light is lit."
}

// passedMark gives the mark on an exercise's label, for whoever reads.
func passedMark(l *lessons.Lesson, e *lessons.Exercise) func(Reader) templ.Component {
	return func(r Reader) templ.Component {
		if r.Passed[Place{l.Name, e.ID}] {
			return passedLine()
		}
		return templ.NopComponent
	}
}

// given gives the line with an earlier answer, for whoever reads. Words makes a sentence of it,
// or nothing where the question has changed so much that it is no answer any more.
func given(l *lessons.Lesson, question string, words func(string) string) func(Reader) templ.Component {
	return func(r Reader) templ.Component {
		a, ok := r.Answers[Place{l.Name, question}]
		said := words(a.Given)
		if !ok || said == "" {
			return templ.NopComponent
		}
		return givenLine(a, said)
	}
}

// chosen puts the choices of a quiz into words.
func chosen(q lessons.Quiz) func(string) string {
	return func(given string) string {
		var letters []string
		for place := range strings.FieldsSeq(given) {
			i, err := strconv.Atoi(place)
			if err != nil || i < 0 || i >= len(q.Choices) {
				return ""
			}
			letters = append(letters, letter(i))
		}
		if len(letters) == 0 {
			return ""
		}
		return "Last time you answered " + oneAndAnother(letters) + "."
	}
}

// guessed puts a guess into words.
func guessed(p lessons.Predict) func(string) string {
	return func(given string) string {
		n, err := strconv.ParseFloat(given, 64)
		if err != nil || !(n >= p.Min && n <= p.Max) {
			return ""
		}
		return "Last time you guessed " + decimal(n) + unit(p.Unit) + "."
	}
}

// oneAndAnother lists things as a sentence does: a, b and c.
func oneAndAnother(all []string) string {
	if len(all) < 2 {
		return strings.Join(all, "")
	}
	return strings.Join(all[:len(all)-1], ", ") + " and " + all[len(all)-1]
}
