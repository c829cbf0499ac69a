package check

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// common is the exercise of testdata/exercise.
func common(tb testing.TB) Exercise {
	tb.Helper()
	return Exercise{
		Lesson: "01-golden", Name: "owner",
		Tests: read(tb, "testdata/exercise/check_test.txt"),
		Start: read(tb, "testdata/exercise/start.txt"),
	}
}

func mustCheck(tb testing.TB, c *Checker, s Submission) Verdict {
	tb.Helper()
	v, err := c.Check(tb.Context(), s)
	if err != nil {
		tb.Fatal(err)
	}
	return v
}

func TestSameSourceComesFromTheCache(t *testing.T) {
	c := newChecker(t, func(config *Config) { config.Cache = 10 })
	s := Submission{ID: "first", Source: read(t, "testdata/exercise/solution.txt"), Exercise: common(t)}
	first := mustCheck(t, c, s)
	s.ID = "second"
	second := mustCheck(t, c, s)
	if second.Parts != (Parts{}) {
		t.Error("the second check was made anew")
	}
	if second.ID != "second" || second.Verdict != first.Verdict || len(second.Tests) != len(first.Tests) {
		t.Errorf("got %+v, want the first verdict under the second name", second)
	}
	s.Exercise.Imports = []string{"regexp"}
	if other := mustCheck(t, c, s); other.Parts == (Parts{}) {
		t.Error("another exercise's verdict was taken for this one's")
	}
}

// Limits of time and memory depend on the machine's mood and are tried again.
func TestWhatMayChangeIsNotCached(t *testing.T) {
	for _, o := range []Outcome{TimeLimit, MemoryLimit, CompileLimit, Internal} {
		if (Verdict{Verdict: o}).cacheable() {
			t.Errorf("%s is cacheable", o)
		}
	}
	if (Verdict{Verdict: Failed, Tests: []Test{{Status: Failed}, {Status: TimeLimit}}}).cacheable() {
		t.Error("a verdict with one test's time limit is cacheable")
	}
	if !(Verdict{Verdict: Failed, Tests: []Test{{Status: Failed}}}).cacheable() {
		t.Error("a failed verdict is not cacheable")
	}
}

func TestNotifyTellsEachStep(t *testing.T) {
	c := newChecker(t, nil)
	var seen []string
	mustCheck(t, c, Submission{Source: read(t, "testdata/exercise/solution.txt"), Exercise: common(t), Notify: func(v Verdict) {
		seen = append(seen, fmt.Sprint(v.State, len(v.Tests)))
	}})
	want := []string{"building0", "running0", "running1", "running2", "running3"}
	if !slices.Equal(seen, want) {
		t.Errorf("got %v, want %v", seen, want)
	}
}

// Results that several tests share are told at once, however many they are.
func TestNotifyTellsOfACommonEndOnce(t *testing.T) {
	c := newChecker(t, nil)
	var seen []string
	source := string(read(t, "testdata/exercise/solution.txt")) + "\nfunc init() { panic(1) }\n"
	mustCheck(t, c, Submission{Source: []byte(source), Exercise: common(t), Notify: func(v Verdict) {
		seen = append(seen, fmt.Sprint(v.State, len(v.Tests)))
	}})
	if want := []string{"building0", "running0", "running1", "running3"}; !slices.Equal(seen, want) {
		t.Errorf("got %v, want %v", seen, want)
	}
}

func TestRevealShowsTheInstructorEverything(t *testing.T) {
	c := newChecker(t, nil)
	s := Submission{Source: read(t, "testdata/exercise/start.txt"), Exercise: common(t), Reveal: true}
	v := mustCheck(t, c, s)
	if hidden := v.Tests[2]; !strings.Contains(hidden.Output, "the secret: got") {
		t.Errorf("the hidden test says %q", hidden.Output)
	}
	s.Source = []byte("package exercise\n")
	v = mustCheck(t, c, s)
	if len(v.Diagnostics) == 0 || v.Diagnostics[0].File != testFile || v.Diagnostics[0].Line != 17 {
		t.Errorf("got %+v, want the compiler's remark on check_test.go:17", v.Diagnostics)
	}
}

func TestFaultyExerciseIsNotTheLearnersFault(t *testing.T) {
	c := newChecker(t, nil)
	e := common(t)
	e.Tests = []byte("package exercise_test\n")
	v, err := c.Check(t.Context(), Submission{Source: read(t, "testdata/exercise/solution.txt"), Exercise: e})
	if !errors.Is(err, ErrExercise) || v.Verdict != Internal {
		t.Errorf("got %s, %v", v.Verdict, err)
	}
}

// However many submissions come at once, each gets its own verdict, and nothing is left behind.
func TestManyAtOnceLeaveNothing(t *testing.T) {
	nothingLeft := leaving(t)
	// A folder of its own: in the shared one other test processes build too.
	c, err := New(t.Context(), Config{DataDir: t.TempDir(), Cache: -1, Parallel: 2})
	if err != nil {
		t.Fatal(err)
	}
	sendMany(t, c, 12)
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	nothingLeft()
	left, err := filepath.Glob(filepath.Join(c.work, "*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left in the working folder: %v, %v", left, err)
	}
	if _, err := c.Check(t.Context(), Submission{Source: read(t, "testdata/exercise/solution.txt"), Exercise: common(t)}); !errors.Is(err, ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
}

// sendMany sends so many different programs at once, of which every fourth deserves the same.
func sendMany(t *testing.T, c *Checker, many int) {
	t.Helper()
	e := common(t)
	solution := string(read(t, "testdata/exercise/solution.txt"))
	var all sync.WaitGroup
	for n := range many {
		all.Go(func() {
			source, want := solution+fmt.Sprintf("\nvar number = %d\n", n), Passed
			switch n % 4 {
			case 1:
				source, want = solution+fmt.Sprintf("\nvar number = missing%d\n", n), BuildError
			case 2:
				source, want = strings.Replace(source, "n%len", "(n+1)%len", 1), Failed
			case 3:
				source, want = source+"\nfunc init() { panic(1) }\n", Crashed
			}
			v, err := c.Check(t.Context(), Submission{ID: fmt.Sprint(n), Source: []byte(source), Exercise: e})
			if err != nil || v.Verdict != want || v.ID != fmt.Sprint(n) {
				t.Errorf("submission %d: %s, %v; want %s", n, v.Verdict, err, want)
			}
		})
	}
	all.Wait()
}

func TestCancelEndsACheckAtOnce(t *testing.T) {
	c := newChecker(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	source := string(read(t, "testdata/exercise/solution.txt")) + "\nfunc init() { for {} }\n"
	began := time.Now()
	v, err := c.Check(ctx, Submission{Source: []byte(source), Exercise: common(t), Notify: func(v Verdict) {
		if v.State == Running {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) || v.Verdict != Internal {
		t.Errorf("got %s, %v", v.Verdict, err)
	}
	if took := time.Since(began); took > DefaultLimits().Run {
		t.Errorf("it took %v", took)
	}
}

func TestWithoutToolchainOneLineSaysWhy(t *testing.T) {
	old := filepath.Join(t.TempDir(), "go")
	script := "#!/bin/sh\necho '{\"GOVERSION\":\"go1.26.1\",\"GOTOOLDIR\":\"/nowhere\",\"GOROOT\":\"/\"}'\n"
	if err := os.WriteFile(old, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	for command, want := range map[string]string{
		filepath.Join(t.TempDir(), "no-such-go"): "there is no go command on the PATH; install Go 1.26.2 or newer from https://go.dev/dl",
		old:                                      "Go 1.26.2 or newer is needed",
	} {
		_, err := New(t.Context(), Config{DataDir: t.TempDir(), GoCommand: command})
		if !errors.Is(err, ErrNoToolchain) || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("got %v, want one line with %q", err, want)
		}
	}
}

func TestOldWorkingFoldersAreSwept(t *testing.T) {
	work := t.TempDir()
	for name, age := range map[string]time.Duration{"build-old": 2 * time.Hour, "build-new": 0, "other": 2 * time.Hour} {
		dir := filepath.Join(work, name)
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		then := time.Now().Add(-age)
		if err := os.Chtimes(dir, then, then); err != nil {
			t.Fatal(err)
		}
	}
	if err := sweep(work, buildPrefix); err != nil {
		t.Fatal(err)
	}
	left, err := filepath.Glob(filepath.Join(work, "*"))
	if err != nil || len(left) != 2 || filepath.Base(left[0]) != "build-new" {
		t.Errorf("left: %v, %v", left, err)
	}
}
