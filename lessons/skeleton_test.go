package lessons

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestNewLesson(t *testing.T) {
	dir := t.TempDir()
	for i, slug := range []string{"modulo", "the-ring", "a1"} {
		folder, err := NewLesson(dir, slug)
		if want := filepath.Join(dir, fmt.Sprintf("%02d-%s", i+1, slug)); err != nil || folder != want {
			t.Fatalf("got %s, %v; want %s", folder, err, want)
		}
	}
	c, err := Load(os.DirFS(dir), "course")
	if err != nil || len(c.Lessons) != 3 {
		t.Fatalf("%v, %v", c, err)
	}
	if l := c.Lessons[1]; l.Title != "The ring" || len(l.Problems) > 0 || len(l.Body) < 5 {
		t.Errorf("%q with %d blocks has problems: %s", l.Title, len(l.Body), long(l.Problems))
	}
	for slug, want := range map[string]string{
		"The ring": "is no name for a lesson",
		"../x":     "is no name for a lesson",
		"":         "is no name for a lesson",
		"the-ring": "there is a lesson 02-the-ring already",
	} {
		if _, err := NewLesson(dir, slug); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q in it", slug, err, want)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "99-last"), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := NewLesson(dir, "more"); err == nil || !strings.Contains(err.Error(), "the number 99 is taken") {
		t.Errorf("error %v", err)
	}
	if _, err := NewLesson(filepath.Join(dir, "none"), "more"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v", err)
	}
}

func TestNewExercise(t *testing.T) {
	dir := t.TempDir()
	if _, err := NewLesson(dir, "the-ring"); err != nil {
		t.Fatal(err)
	}
	folder, err := NewExercise(dir, "01-the-ring", "who-keeps")
	if want := filepath.Join(dir, "01-the-ring", "exercises", "who-keeps"); err != nil || folder != want {
		t.Fatalf("got %s, %v; want %s", folder, err, want)
	}
	if _, err := NewExercise(dir, "01-the-ring", "another"); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ lesson, slug, want string }{
		{"01-the-ring", "who-keeps", "is there already"},
		{"01-the-ring", "Who", "is no name for an exercise"},
		{"01-the-rnig", "new", `no lesson "01-the-rnig"; the nearest is "01-the-ring"`},
	} {
		if _, err := NewExercise(dir, c.lesson, c.slug); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s: error %v, want %q in it", c.lesson, c.slug, err, c.want)
		}
	}
	c, err := Load(os.DirFS(dir), "course")
	if err != nil {
		t.Fatal(err)
	}
	if l := c.Lessons[0]; len(l.Exercises) != 2 || len(l.Exercises[1].Wrong) < 2 || len(l.Problems) > 0 {
		t.Fatalf("%d exercises, problems: %s", len(l.Exercises), long(l.Problems))
	}
	linter := Linter{Prover: goTest{t.TempDir()}, Workers: 1}
	problems, err := linter.Lint(t.Context(), &Course{Lessons: []*Lesson{{Name: "01-the-ring", Exercises: c.Lessons[0].Exercises[:1]}}})
	if err != nil || len(problems) > 0 {
		t.Errorf("error %v, problems: %s", err, long(problems))
	}
}

func TestAnExerciseWithoutItsLessonIsNotLeft(t *testing.T) {
	for name, spoil := range map[string]func(file string) error{
		"lesson.md is missing":     os.Remove,
		"lesson.md is a folder":    func(file string) error { return errors.Join(os.Remove(file), os.Mkdir(file, 0o755)) },
		"lesson.md takes no bytes": func(file string) error { return errors.Join(os.Remove(file), os.Symlink("/dev/full", file)) },
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := os.Stat("/dev/full"); name == "lesson.md takes no bytes" && err != nil {
				t.Skipf("there is no file here that refuses what is written: %v", err)
			}
			dir := t.TempDir()
			lesson, err := NewLesson(dir, "the-ring")
			if err != nil {
				t.Fatal(err)
			}
			if err := spoil(filepath.Join(lesson, "lesson.md")); err != nil {
				t.Fatal(err)
			}
			if _, err := NewExercise(dir, "01-the-ring", "owner"); err == nil || !strings.HasPrefix(err.Error(), "link to the exercise: ") {
				t.Errorf("error %v", err)
			}
			if _, err := os.Stat(filepath.Join(lesson, "exercises", "owner")); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("the exercise was left behind: %v", err)
			}
		})
	}
}

// goTest proves with the go command of this machine, without any sandbox: for programs that
// are this package's own.
type goTest struct{ dir string }

func (g goTest) Prove(ctx context.Context, t Trial) (Outcome, error) {
	for name, text := range map[string]string{"go.mod": "module exercise\n\ngo 1.26\n", "exercise.go": t.Source, "check_test.go": t.Exercise.Tests} {
		if err := os.WriteFile(filepath.Join(g.dir, name), []byte(text), 0o644); err != nil {
			return Outcome{}, err
		}
	}
	o := Outcome{Verdict: passed}
	for _, name := range t.Exercise.Checks {
		cmd := exec.CommandContext(ctx, "go", "test", "-run", "^"+name+"$", ".")
		cmd.Dir = g.dir
		cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off")
		out, err := cmd.CombinedOutput()
		status := passed
		if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
			o.Verdict, status = "failed", "failed"
		} else if err != nil {
			return Outcome{}, err
		}
		if strings.Contains(string(out), "[build failed]") || strings.Contains(string(out), "[setup failed]") {
			return Outcome{Verdict: buildError, Message: string(out)}, nil
		}
		o.Tests = append(o.Tests, TestOutcome{Name: name, Status: status, Output: string(out)})
	}
	return o, nil
}
