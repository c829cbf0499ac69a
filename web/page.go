// Package web is what a browser gets to see: the pages and their parts as templ components,
// the first frame of every picture drawn on the server, and the built style sheets, scripts
// and WebAssembly with their hashed names.
//
// A page stands complete without any script: the pictures, their numbers and the text are in
// the HTML. The custom elements under src/ then take over in place.
//
// What a page shows of its reader comes with a [Reader]; lessons, which are drawn once for all,
// have gaps for it, see [Stencil].
//
// It knows nothing of HTTP, of routes or of how a reader is known; package server decides what
// to show, to whom and when.
package web

import "github.com/ringoftowers/towers/lessons"

// IndexPage is the table of contents: the chart of the course.
type IndexPage struct {
	Assets Assets
	Course *lessons.Course
}

// LessonPage is one lesson with everything around it.
type LessonPage struct {
	Assets Assets
	Course *lessons.Course
	Lesson *lessons.Lesson
}

// FailurePage tells a reader that there is no such page, or that serving it went wrong.
type FailurePage struct {
	Assets Assets
	Status int // the HTTP status that goes with the page

	// Title and Message say in plain words what happened and what to do next.
	Title, Message string

	// Nearest is a lesson whose name is close to what was asked for; nil when none is.
	Nearest *lessons.Lesson

	// ID is a number to quote when the fault is ours; empty otherwise.
	ID string
}
