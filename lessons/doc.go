// Package lessons is the course: it reads a folder of lessons and exercises, turns their
// Markdown into blocks that a page can show, and proves that what the authors wrote holds.
//
// A mistake of an author is never an error here. It is a [Problem] with file, line and
// column, it stands in the page where it was made, and the rest of the lesson is still
// there. An error means only that the folder itself could not be read.
//
// Everything that a [Course] holds as HTML is safe to show as it is: raw HTML of the author
// is never passed on, no element carries a style or a handler, and links lead to http,
// https, mailto, another lesson or a place on the same page.
//
// The package draws nothing and runs nothing. How a block looks is for package web; whether
// a program passes its tests is for a [Prover], which the caller of [Linter.Lint] brings.
package lessons
