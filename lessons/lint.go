package lessons

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"
)

// A Linter proves a course: that it loads without problems, and that each exercise is what
// its files say. Its fields are set before Lint and not changed during it.
type Linter struct {
	// Prover runs the exercises' programs. Without one only what shows in the files is checked.
	Prover Prover

	// Imports are the import paths that a Prover knows. Others in an exercise's task.md or
	// check_test.go are problems. Nil leaves that to the Prover.
	Imports []string

	// Workers is how many programs are proved at a time; zero means one for each processor.
	Workers int

	// Report, unless nil, is called when an exercise is proved, in whatever order that happens,
	// but by one goroutine at a time.
	Report func(Report)
}

// A Report says what became of one exercise.
type Report struct {
	Lesson      *Lesson
	Exercise    *Exercise
	Problems    []Problem // all of the exercise's; empty if it holds
	Done, Total int       // exercises
}

// Lint gives every problem of the course: those of loading, then for each exercise what its
// proof found, always in the same order. The error says that ctx ended or that a program could
// not be judged; the problems found so far come with it.
func (l *Linter) Lint(ctx context.Context, c *Course) ([]Problem, error) {
	proofs := proofsOf(c, l.Imports)
	var err error
	if l.Prover != nil {
		err = l.prove(ctx, proofs)
	}
	all := slices.Clone(c.Problems)
	for _, lesson := range c.Lessons {
		all = append(all, lesson.Problems...)
		for _, p := range proofs {
			if p.lesson == lesson {
				all = append(all, p.found()...)
			}
		}
	}
	return all, err
}

// A proof is the trials of one exercise.
type proof struct {
	lesson   *Lesson
	exercise *Exercise
	imports  []Problem // of task.md and check_test.go
	trials   []trial
	left     int // trials without a result
}

// A trial is one program with what is expected of it, and what was found.
type trial struct {
	Trial
	judge func(Outcome) []Problem
	found []Problem
}

func (p *proof) found() []Problem {
	found := slices.Clone(p.imports)
	for _, t := range p.trials {
		found = append(found, t.found...)
	}
	return found
}

// proofsOf gives the proofs of all exercises, in order.
func proofsOf(c *Course, imports []string) []*proof {
	var all []*proof
	for _, lesson := range c.Lessons {
		for _, e := range lesson.Exercises {
			p := &proof{lesson: lesson, exercise: e, imports: e.unknownImports(imports)}
			if len(p.imports) == 0 {
				p.trials = e.trials(lesson.Name)
			}
			p.left = len(p.trials)
			all = append(all, p)
		}
	}
	return all
}

// prove runs the trials, and reports each exercise after its last.
func (l *Linter) prove(ctx context.Context, proofs []*proof) error {
	workers := l.Workers
	if workers < 1 {
		workers = runtime.GOMAXPROCS(0)
	}
	var turn sync.Mutex // of the counts and of Report
	done := 0
	finished := func(p *proof) {
		done++
		if l.Report != nil {
			l.Report(Report{Lesson: p.lesson, Exercise: p.exercise, Done: done, Total: len(proofs),
				Problems: slices.Concat(p.exercise.Problems, p.found())})
		}
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(workers)
	for _, p := range proofs {
		if p.left == 0 {
			turn.Lock()
			finished(p)
			turn.Unlock()
		}
		for i := range p.trials {
			t := &p.trials[i]
			group.Go(func() error {
				outcome, err := l.Prover.Prove(ctx, t.Trial)
				if err != nil {
					return fmt.Errorf("prove %s/%s, %s: %w", t.Lesson, t.Exercise.ID, t.File, err)
				}
				turn.Lock()
				defer turn.Unlock()
				t.found = t.judge(outcome)
				if p.left--; p.left == 0 {
					finished(p)
				}
				return nil
			})
		}
	}
	return group.Wait()
}

// unknownImports reports imports that no prover knows. Nil knows them all.
func (e *Exercise) unknownImports(known []string) []Problem {
	if known == nil {
		return nil
	}
	var problems []Problem
	check := func(in *source, imports []entry) {
		for _, path := range imports {
			if path.text != programPackage && !slices.Contains(known, path.text) {
				problems = append(problems, in.problem(path.at,
					"unknown import `%s`%s; expected a package that the checker prepares for exercises",
					path.text, meant(path.text, known)))
			}
		}
	}
	check(e.origin.task, e.origin.imports)
	check(e.origin.tests, e.origin.testImports)
	return problems
}
