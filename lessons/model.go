package lessons

import "time"

// A Course is every lesson of one folder, as the folder was when it was read. It is not
// changed afterwards, so any number of goroutines may read it.
type Course struct {
	Lessons  []*Lesson // in the order of their numbers
	Problems []Problem // what concerns no single lesson, such as two lessons with one number
}

// A Lesson is one folder of the course. A lesson with mistakes is still a lesson: what
// could not be understood has its default, and Problems says what and where.
type Lesson struct {
	Name      string // the folder, "03-the-ring"; it is the {lesson} of a URL
	Number    int    // 3
	Title     string // plain text; made from the folder's name if the author gave none
	Summary   string // plain text, one sentence; may be empty
	Level     Level
	Minutes   int // to read and play, 1…600
	Tags      []string
	Sections  []Section // the headings of the second level
	Body      []Block
	Exercises []*Exercise // in the order of their folders' names
	Problems  []Problem   // the author's mistakes in lesson.md and in the exercises, in order
}

// A Level says for whom a lesson is.
type Level string

// The levels, from the first lesson to the last.
const (
	Beginner Level = "beginner"
	Middle   Level = "middle"
	Senior   Level = "senior"
)

// A Section is an entry of a lesson's table of contents.
type Section struct {
	ID    string // the heading's id
	Title string // plain text
}

// An Exercise is one folder under a lesson's exercises/.
type Exercise struct {
	ID      string // the folder, "owner"; it is the {exercise} of a URL
	Number  int    // 1, 2, … in the order in which the lesson's text first names them
	Title   string // plain text
	Summary string // one line of HTML for the lesson's link; may be empty
	Points  int    // 1…1000
	Kind    Kind
	Imports []string // import paths allowed beyond the checker's own list
	Hints   []string // HTML, to be shown one at a time
	Task    []Block  // of HTML without ids, Details, Note, Rule and Problem alone
	Limits  Limits

	Start    string   // start.go: what the learner begins with
	Solution string   // solution.go: the reference
	Tests    string   // check_test.go
	Checks   []string // names of the top-level tests in Tests, in order; hidden ones too
	Wrong    []Wrong  // typical mistakes, in the order of their files' names

	Problems []Problem // the author's mistakes in this exercise; Lesson.Problems has them too

	folder string // as Problem.File names it
	origin origin // where things stand in its files, for the linter
}

// A Kind says what the learner of an exercise writes.
type Kind string

// The kinds of exercise.
const (
	Code  Kind = "code"  // a program, which has to pass the tests
	Tests Kind = "tests" // tests, which have to pass on the solution and catch every wrong one
)

// Limits are what one submission may use. A zero means the checker's default.
type Limits struct {
	Source int           // bytes of the learner's file
	Build  time.Duration // processor time of the build
	Run    time.Duration // processor time of one test
	Wall   time.Duration // time of all tests together, by the clock on the wall
	Memory int64         // bytes
	Output int           // bytes kept of what one test prints
}

// A Wrong is a typical mistake: a program that has to fail, and where.
type Wrong struct {
	Name   string   // the file without .go: "no-wrap"
	Fails  []string // the tests that have to fail on it; all others have to pass
	Source string
}
