package store

import "time"

// A Learner is somebody who did something here. Whoever has no name yet is a guest, known by
// a session alone.
type Learner struct {
	ID         string
	Name       string // as it was typed at sign-up; empty for a guest
	Instructor bool
	Since      time.Time
}

// Guest reports whether the learner has not signed up.
func (l Learner) Guest() bool { return l.Name == "" }

// A Submission is a program that a learner sent in to be judged.
type Submission struct {
	ID               string // unguessable; it stands in addresses
	Learner          string // a Learner's ID
	Lesson, Exercise string // folder names
	Source           string
	Recheck          bool // asked for again by an instructor; waits behind those of learners
	At               time.Time
	Attempts         int // how often checking it failed for a reason of ours

	// Verdict is the outcome's word, empty until the submission is judged. Result is the whole
	// verdict as JSON, and JudgedAt when it was recorded.
	Verdict  string
	Result   []byte
	JudgedAt time.Time
}

// Judged reports whether the submission has its verdict.
func (s Submission) Judged() bool { return s.Verdict != "" }

// A Try is a submission as a list shows it: without the program and the long result.
type Try struct {
	ID      string
	At      time.Time
	Verdict string // empty while it waits
	Passed  int    // tests that passed
	Tests   int    // tests in all
	Recheck bool   // asked for by an instructor: no try of the learner's own
}

// A Draft is what a learner has typed for an exercise and not necessarily sent in.
type Draft struct {
	Source string
	Saved  time.Time
}

// An Answer is what a learner said to a quiz or guessed at a predict.
type Answer struct {
	Lesson, Question string // the question's id within the lesson
	Given            string // what was chosen or guessed, as the page sent it
	Right            bool
	At               time.Time
}

// A Note is what a learner wrote beside a heading of a lesson, in Markdown.
type Note struct {
	ID      string
	Lesson  string
	Anchor  string // the heading's id; notes outlive their headings
	Body    string
	Changed time.Time
}

// An ExerciseName says which exercise of which lesson.
type ExerciseName struct{ Lesson, Exercise string }

// Progress is how far a learner has come.
type Progress struct {
	Read    []string       // lessons read to their end
	Passed  []ExerciseName // exercises passed
	Answers []Answer       // the last one to each question
}
