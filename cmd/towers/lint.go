package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"

	"github.com/ringoftowers/towers/lessons"
	"github.com/ringoftowers/towers/server/check"
)

type lintCommand struct {
	courseFlags
	Course string `arg:"" optional:"" help:"The course folder; the same as --lessons." placeholder:"DIR"`
	JSON   bool   `help:"Print the mistakes as a JSON array instead of lines."`
	Data   string `help:"The folder for the standard library compiled to WebAssembly. Usually ${data}." default:"${data}" placeholder:"DIR" env:"TOWERS_DATA"`
}

// Help is what "towers lint --help" says besides the flags.
func (lintCommand) Help() string {
	return "It reads every lesson and proves every exercise: start.go compiles and does not pass, solution.go passes, " +
		"and each file under wrong/ fails just where it says. Mistakes are printed as file:line:column: message; " +
		"the status is 0 when there are none, 1 when there are some, and 2 when the course could not be proved."
}

// Run proves a course.
func (c lintCommand) Run(env environment) error {
	problems, err := c.lint(env)
	if err != nil {
		err = cannotRun{err}
	}
	show := showProblems
	if c.JSON {
		show = showProblemsJSON
	}
	if shown := show(env.stdout, problems); shown != nil {
		return errors.Join(err, cannotRun{fmt.Errorf("print the mistakes: %w", shown)})
	}
	if err == nil && len(problems) > 0 {
		return fmt.Errorf("%d to mend", len(problems))
	}
	return err
}

func (c lintCommand) lint(env environment) (problems []lessons.Problem, err error) {
	if c.Course != "" {
		c.Lessons = c.Course
	}
	library, err := c.library(env.context)
	if err != nil {
		return nil, err
	}
	course, err := library.Course(env.context)
	if err != nil {
		return nil, fmt.Errorf("read the course: %w", err)
	}
	workers := runtime.GOMAXPROCS(0)
	checker, err := newChecker(env, c.Data, workers)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, checker.Close()) }()
	linter := lessons.Linter{
		Prover:  prover{checker},
		Imports: check.KnownImports(),
		Workers: workers,
		Report:  reporter(env.stderr),
	}
	return linter.Lint(env.context, course)
}

// reporter writes a line for each exercise that is proved. On a terminal the line for a sound
// one gives way to the next, so that what is wrong stays in sight.
func reporter(w io.Writer) func(lessons.Report) {
	terminal := isTerminal(w)
	return func(r lessons.Report) {
		state := "holds"
		if n := len(r.Problems); n > 0 {
			state = fmt.Sprintf("%d to mend", n)
		}
		line := fmt.Sprintf("%d/%d  %s/%s  %s", r.Done, r.Total, r.Lesson.Name, r.Exercise.ID, state)
		switch {
		case !terminal:
			fmt.Fprintln(w, line)
		case len(r.Problems) > 0 || r.Done == r.Total:
			fmt.Fprintf(w, "\r\x1b[K%s\n", line)
		default:
			fmt.Fprintf(w, "\r\x1b[K%s", line)
		}
	}
}

func showProblems(w io.Writer, problems []lessons.Problem) error {
	for _, p := range problems {
		if _, err := fmt.Fprintln(w, p); err != nil {
			return err
		}
	}
	return nil
}

// showProblemsJSON prints an array, empty when nothing is wrong.
func showProblemsJSON(w io.Writer, problems []lessons.Problem) error {
	type problem struct {
		File    string `json:"file"`
		Line    int    `json:"line"`
		Column  int    `json:"column"`
		Message string `json:"message"`
		Source  string `json:"source,omitempty"`
	}
	all := make([]problem, 0, len(problems))
	for _, p := range problems {
		all = append(all, problem(p))
	}
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(all)
}
