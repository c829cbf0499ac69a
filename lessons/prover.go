package lessons

import "context"

// A Prover judges a program against an exercise, as a learner's submission is judged. Lint
// calls it from several goroutines at once.
type Prover interface {
	// Prove judges the source of a trial. The error is non-nil only if no judgement was
	// possible, which ends the whole of Lint; whatever is wrong with the program or with the
	// exercise is in the outcome.
	Prove(ctx context.Context, t Trial) (Outcome, error)
}

// A Trial is a program to be judged.
type Trial struct {
	Lesson   string // the folder of the lesson
	Exercise *Exercise
	Kind     Kind   // what Source is; may differ from the exercise's own kind
	File     string // the name within the exercise's folder: "wrong/no-wrap.go"
	Source   string
}

// An Outcome is what became of a trial. Verdict and the tests' Status are the words of the
// submission's JSON; of them lint knows passed, build_error, forbidden, too_large,
// compile_limit and internal, and takes any other for a program that ran and did not pass.
type Outcome struct {
	Verdict     string
	Message     string // why not passed, in a sentence; may be empty
	Tests       []TestOutcome
	Diagnostics []Diagnostic
}

// A TestOutcome is what became of one top-level test.
type TestOutcome struct {
	Name   string
	Status string
	Output string // what it printed; may be empty
}

// A Diagnostic is a remark about one place in a file.
type Diagnostic struct {
	File    string // "check_test.go" or "start.go", or empty for the trial's own source
	Line    int    // from 1
	Column  int    // from 1, in bytes, as Go's compiler counts
	Message string
}

// Words of the submission's JSON.
const (
	passed       = "passed"
	buildError   = "build_error"
	forbidden    = "forbidden"
	tooLarge     = "too_large"
	compileLimit = "compile_limit"
	internal     = "internal"
)

// ran reports whether the program came as far as running.
func (o Outcome) ran() bool {
	switch o.Verdict {
	case buildError, forbidden, tooLarge, compileLimit, internal:
		return false
	}
	return true
}
