package web

import (
	"context"
	"io"
	"time"

	"github.com/a-h/templ"

	"github.com/ringoftowers/towers/lessons"
)

// ExercisePage is one exercise with a learner at it: the task, the editor, what became of the
// program, hints and earlier tries.
type ExercisePage struct {
	Assets   Assets
	Course   *lessons.Course
	Lesson   *lessons.Lesson
	Exercise *lessons.Exercise
	Reader   Reader

	// Code is what the editor opens with: the program of the try that was asked for, else the
	// learner's draft, else the exercise's start. Without JavaScript it may also be what was
	// just formatted.
	Code string

	// Draft is what the server keeps of the learner's typing, and Saved when it was kept; a zero
	// time means that there is none. The page never loses it: where Code is another program, the
	// draft is one click away.
	Draft string
	Saved time.Time

	// Try is the id of the try that was asked for; empty when none was. Results are those of
	// this try, or else of the learner's last one; a zero Submission means that nothing was sent
	// in yet, and then the tests are only listed.
	Try     string
	Results Results

	// Tries are the learner's earlier programs, the newest first, and Tried is how many there
	// are: the list may end before the first.
	Tries []Try
	Tried int

	// Solution is the reference program, empty while it is locked. It opens after a pass, and in
	// any case after so many tries that were judged.
	Solution      string
	SolutionAfter int

	// TestTime and TestMemory, in bytes, are the limits at which a test is stopped.
	TestTime   time.Duration
	TestMemory int

	// Checking says in one sentence why no program is checked at present; empty when they are.
	Checking string

	// Remarks are why the program could not be formatted, after a try to do so without
	// JavaScript.
	Remarks []Diagnostic
}

// Exercise is the page of one exercise, drawn for the page's own reader.
func Exercise(p ExercisePage) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		return exercisePage(p).Render(WithReader(ctx, p.Reader), w)
	})
}

// Results is what is known of one submission: all that the part of the page under the editor
// shows.
type Results struct {
	Submission Submission
	Place      int       // how many are to be checked before it, and itself; 0 when it does not wait
	At         time.Time // when it was sent in; may be zero
	Source     string    // the program that was sent in; only the page needs it
	Exercise   *lessons.Exercise
}

// A Submission is a check's verdict so far, as the API writes it in JSON.
type Submission struct {
	ID          string       `json:"id"`
	Lesson      string       `json:"lesson"`
	Exercise    string       `json:"exercise"`
	State       string       `json:"state"`             // queued, building, running or done
	Verdict     string       `json:"verdict,omitempty"` // empty until the state is done
	Diagnostics []Diagnostic `json:"diagnostics"`
	Tests       []Test       `json:"tests"`
	OutputCut   bool         `json:"output_cut"` // something printed was left out
	ElapsedMS   int64        `json:"elapsed_ms"`
	Message     string       `json:"message,omitempty"` // the verdict in one sentence
	Command     string       `json:"command,omitempty"` // repeats at home what did not pass
}

// A Diagnostic is a remark about one place of the learner's file.
type Diagnostic struct {
	Line    int    `json:"line"`   // from 1
	Column  int    `json:"column"` // from 1, in bytes
	Message string `json:"message"`
}

// A Test is the result of one test or subtest.
type Test struct {
	Name      string `json:"name"`
	Status    string `json:"status"` // empty while it has not run
	ElapsedMS int64  `json:"elapsed_ms"`
	Output    string `json:"output"`            // its own messages, then what the program printed
	Message   string `json:"message,omitempty"` // why it did not pass, in one sentence
	Line      int    `json:"line,omitempty"`    // the learner's line where it crashed or waits
	Hidden    bool   `json:"hidden,omitempty"`  // only its name and outcome are told
	Subtests  []Test `json:"subtests,omitempty"`
}

// A Try is one line in the list of what a learner has sent in.
type Try struct {
	ID      string    `json:"id"`
	At      time.Time `json:"at"`
	Verdict string    `json:"verdict"` // empty while it waits
	Passed  int       `json:"passed"`  // tests that passed
	Tests   int       `json:"tests"`   // tests in all
	Recheck bool      `json:"recheck"` // an instructor had it checked again: no try of the learner's own
}
