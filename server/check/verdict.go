package check

import "slices"

// State is how far a submission has come.
type State string

// The states, in their order.
const (
	Queued   State = "queued"
	Building State = "building"
	Running  State = "running"
	Done     State = "done"
)

// Outcome is what a submission was found to be, or one test of it.
type Outcome string

// The outcomes. A test can be Passed, Failed, Crashed, TimeLimit, MemoryLimit, OutputLimit,
// Deadlock or NotRun; a submission any but NotRun.
const (
	Passed       Outcome = "passed"
	Failed       Outcome = "failed"
	BuildError   Outcome = "build_error"
	Forbidden    Outcome = "forbidden"
	TooLarge     Outcome = "too_large"
	CompileLimit Outcome = "compile_limit"
	TimeLimit    Outcome = "time_limit"
	MemoryLimit  Outcome = "memory_limit"
	OutputLimit  Outcome = "output_limit"
	Crashed      Outcome = "crashed"
	Deadlock     Outcome = "deadlock"
	NotRun       Outcome = "not_run"

	// Internal is the only outcome that is our fault. It is never scored and never cached; who
	// asked may ask again.
	Internal Outcome = "internal"
)

// Verdict is the answer to a submission; its JSON is the one that the API and towers check give.
type Verdict struct {
	ID          string       `json:"id"`
	Lesson      string       `json:"lesson"`
	Exercise    string       `json:"exercise"`
	State       State        `json:"state"`
	Verdict     Outcome      `json:"verdict,omitempty"` // empty until State is Done
	Diagnostics []Diagnostic `json:"diagnostics"`
	Tests       []Test       `json:"tests"`
	OutputCut   bool         `json:"output_cut"` // something printed was left out
	ElapsedMS   int64        `json:"elapsed_ms"`
	Message     string       `json:"message,omitempty"` // the verdict in one sentence
	Command     string       `json:"command,omitempty"` // the go test command that repeats what did not pass

	// Parts is where the time went; a verdict that was made for another submission has none.
	Parts Parts `json:"-"`
}

// Parts are the stages' shares of a check's time, in milliseconds.
type Parts struct {
	Vet, Compile, Link, Load, Tests float64
}

// Diagnostic is a remark about one place of the learner's file.
type Diagnostic struct {
	File    string `json:"file,omitempty"` // empty for the learner's own file; only revealed verdicts have others
	Line    int    `json:"line"`           // from 1
	Column  int    `json:"column"`         // from 1, in bytes
	Message string `json:"message"`
}

// Test is the result of one test or subtest.
type Test struct {
	Name      string  `json:"name"`
	Status    Outcome `json:"status"`
	ElapsedMS int64   `json:"elapsed_ms"`
	Output    string  `json:"output"`            // the test's own messages, then what the program printed; plain text
	Message   string  `json:"message,omitempty"` // why it did not pass, in one sentence
	Line      int     `json:"line,omitempty"`    // the learner's line where it crashed or waits
	Hidden    bool    `json:"hidden,omitempty"`  // only its name and outcome are told
	Subtests  []Test  `json:"subtests,omitempty"`
}

// Passed reports whether the submission passed.
func (v Verdict) Passed() bool { return v.Verdict == Passed }

// cacheable reports whether the same source would surely get this verdict again. Limits of time
// and memory depend on how busy the machine is.
func (v Verdict) cacheable() bool {
	perishable := []Outcome{Internal, TimeLimit, MemoryLimit, CompileLimit, NotRun}
	if slices.Contains(perishable, v.Verdict) {
		return false
	}
	return !slices.ContainsFunc(v.Tests, func(t Test) bool {
		return slices.Contains(perishable, t.Status)
	})
}

// severity orders the outcomes of tests: a submission gets that of its worst test. What a
// learner should see to first stands first.
var severity = []Outcome{Internal, MemoryLimit, TimeLimit, OutputLimit, Crashed, Deadlock, Failed, NotRun}

// judge gives the verdict that the tests deserve: Passed only if there are tests and each has
// passed.
func judge(tests []Test) Outcome {
	if len(tests) == 0 {
		return Internal
	}
	for _, worst := range severity {
		if slices.ContainsFunc(tests, func(t Test) bool { return t.Status == worst }) {
			if worst == NotRun {
				return Failed
			}
			return worst
		}
	}
	return Passed
}
