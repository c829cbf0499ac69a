package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/ringoftowers/towers/lessons"
	"github.com/ringoftowers/towers/server/check"
)

type checkCommand struct {
	courseFlags
	Exercise string `arg:"" help:"The lesson's and the exercise's folder, like 03-the-ring/owner." placeholder:"LESSON/EXERCISE"`
	File     string `arg:"" help:"The Go file to be checked; - reads it from standard input." placeholder:"FILE"`
	JSON     bool   `help:"Print the submission's JSON instead of words."`
	Data     string `help:"The folder for the standard library compiled to WebAssembly. Usually ${data}." default:"${data}" placeholder:"DIR" env:"TOWERS_DATA"`
}

// Help is what "towers check --help" says besides the flags.
func (checkCommand) Help() string {
	return "It judges the file as the server would: builds it with the exercise's tests and runs them in a sandbox. " +
		"The first check prepares the standard library, which takes up to a minute. " +
		"The status is 0 when it passed, 1 when it did not, and 2 when it could not be checked."
}

// Run checks one file, here and now.
func (c checkCommand) Run(env environment) error {
	verdict, err := c.verdict(env)
	if err != nil {
		return cannotRun{err}
	}
	show := showVerdict
	if c.JSON {
		show = showJSON
	}
	if err := show(env.stdout, verdict); err != nil {
		return cannotRun{fmt.Errorf("print the verdict: %w", err)}
	}
	if !verdict.Passed() {
		return fmt.Errorf("%s does not pass %s", c.File, c.Exercise)
	}
	return nil
}

func (c checkCommand) verdict(env environment) (v check.Verdict, err error) {
	exercise, lesson, err := c.find(env.context)
	if err != nil {
		return v, err
	}
	source, err := readSource(c.File)
	if err != nil {
		return v, err
	}
	checker, err := newChecker(env, c.Data, 1)
	if err != nil {
		return v, err
	}
	defer func() { err = errors.Join(err, checker.Close()) }()
	return checker.Check(env.context, check.Submission{
		ID:       "local",
		Source:   source,
		Exercise: checkable(lesson, exercise, exercise.Kind),
	})
}

// find looks up LESSON/EXERCISE in the course.
func (c checkCommand) find(ctx context.Context) (*lessons.Exercise, string, error) {
	lesson, name, ok := strings.Cut(c.Exercise, "/")
	if !ok {
		return nil, "", fmt.Errorf("%q names no exercise: give the lesson's folder and the exercise's, like 03-the-ring/owner", c.Exercise)
	}
	library, err := c.library(ctx)
	if err != nil {
		return nil, "", err
	}
	course, err := library.Course(ctx)
	if err != nil {
		return nil, "", fmt.Errorf("read the course: %w", err)
	}
	l, err := course.Lesson(lesson)
	if err != nil {
		return nil, "", err
	}
	e, err := l.Exercise(name)
	return e, l.Name, err
}

// maxSource is more than any exercise accepts; of a larger file only so much is read, which is
// enough to say that it is too large.
const maxSource = 1 << 20

func readSource(name string) ([]byte, error) {
	var from io.Reader = os.Stdin
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, fmt.Errorf("read the file to be checked: %w", err)
		}
		defer f.Close()
		from = f
	}
	source, err := io.ReadAll(io.LimitReader(from, maxSource))
	if err != nil {
		return nil, fmt.Errorf("read the file to be checked: %w", err)
	}
	return source, nil
}

// newChecker starts a checker that says on standard error what takes long.
func newChecker(env environment, data string, parallel int) (*check.Checker, error) {
	return check.New(env.context, check.Config{
		DataDir:  data,
		Parallel: parallel,
		Progress: func(s string) { fmt.Fprintln(env.stderr, s) },
	})
}

// checkable is an exercise of the course as the checker knows it. The kind may be another than
// the exercise's own: what is to be proved of a tests exercise includes its own check_test.go.
func checkable(lesson string, e *lessons.Exercise, kind lessons.Kind) check.Exercise {
	wrong := make(map[string][]byte, len(e.Wrong))
	for _, w := range e.Wrong {
		wrong[w.Name+".go"] = []byte(w.Source)
	}
	return check.Exercise{
		Lesson: lesson, Name: e.ID, Kind: check.Kind(kind),
		Tests: []byte(e.Tests), Start: []byte(e.Start), Solution: []byte(e.Solution), Wrong: wrong,
		Imports: e.Imports,
		Limits: check.Limits{
			Source: e.Limits.Source, Build: e.Limits.Build, Test: e.Limits.Run, Run: e.Limits.Wall,
			Memory: int(e.Limits.Memory), Output: e.Limits.Output,
		},
	}
}

// A prover judges the linter's trials with the checker, nothing hidden.
type prover struct{ checker *check.Checker }

var _ lessons.Prover = prover{}

// Prove judges one trial. A mistake in the exercise is an outcome; only what keeps us from
// judging at all is an error.
func (p prover) Prove(ctx context.Context, t lessons.Trial) (lessons.Outcome, error) {
	v, err := p.checker.Check(ctx, check.Submission{
		ID: t.File, Source: []byte(t.Source), Exercise: checkable(t.Lesson, t.Exercise, t.Kind), Reveal: true,
	})
	if err != nil && !errors.Is(err, check.ErrExercise) {
		return lessons.Outcome{}, err
	}
	o := lessons.Outcome{Verdict: string(v.Verdict), Message: v.Message}
	if err != nil {
		o.Message = err.Error()
	}
	for _, test := range v.Tests {
		output := test.Output
		if output == "" {
			output = test.Message
		}
		o.Tests = append(o.Tests, lessons.TestOutcome{Name: test.Name, Status: string(test.Status), Output: output})
	}
	for _, d := range v.Diagnostics {
		o.Diagnostics = append(o.Diagnostics, lessons.Diagnostic(d))
	}
	return o, nil
}

// showJSON prints a verdict as the API gives it.
func showJSON(w io.Writer, v check.Verdict) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(v)
}

// showVerdict prints a verdict for a person: remarks, tests, the sentence, and what to do.
func showVerdict(w io.Writer, v check.Verdict) error {
	var b strings.Builder
	for _, d := range v.Diagnostics {
		fmt.Fprintf(&b, "line %d, column %d: %s\n", d.Line, d.Column, strings.ReplaceAll(d.Message, "\n", "\n    "))
	}
	showTests(&b, v.Tests, "")
	fmt.Fprintf(&b, "%s\n", v.Message)
	if v.Command != "" {
		fmt.Fprintf(&b, "To repeat it beside the exercise's check_test.go: %s\n", v.Command)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func showTests(b *strings.Builder, tests []check.Test, indent string) {
	for _, t := range tests {
		fmt.Fprintf(b, "%s%-12s  %s (%d ms)\n", indent, t.Status, t.Name, t.ElapsedMS)
		if t.Status == check.Passed {
			continue
		}
		inner := indent + "    "
		// A failed test's message is the first of its output, where it has any.
		if t.Message != "" && t.Output == "" && len(t.Subtests) == 0 || t.Status != check.Failed {
			fmt.Fprintf(b, "%s%s\n", inner, strings.ReplaceAll(t.Message, "\n", "\n"+inner))
		}
		if output := strings.TrimSuffix(t.Output, "\n"); output != "" {
			fmt.Fprintf(b, "%s%s\n", inner, strings.ReplaceAll(output, "\n", "\n"+inner))
		}
		showTests(b, t.Subtests, inner)
	}
}

// cannotRun is why a command could not do what it was asked; the exit status then is 2.
type cannotRun struct{ error }

// ExitStatus is the status for a command that could not run.
func (cannotRun) ExitStatus() int { return 2 }

// Unwrap gives the reason itself.
func (c cannotRun) Unwrap() error { return c.error }
