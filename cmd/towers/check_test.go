package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ringoftowers/towers/lessons"
)

// checkData is a data folder that later runs find prepared.
func checkData(t testing.TB) string {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		return t.TempDir()
	}
	return filepath.Join(cache, "towers-check-test")
}

// anExercise is one of the built-in course.
func anExercise(t testing.TB) (name string, e *lessons.Exercise) {
	t.Helper()
	course, err := lessons.OpenEmbedded().Course(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range course.Lessons {
		for _, e := range l.Exercises {
			if e.Kind == lessons.Code {
				return l.Name + "/" + e.ID, e
			}
		}
	}
	t.Fatal("the course has no exercise")
	return "", nil
}

func TestCheckCommand(t *testing.T) {
	name, e := anExercise(t)
	dir := t.TempDir()
	write := func(file, text string) string {
		path := filepath.Join(dir, file)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	solution, start := write("solution.go", e.Solution), write("start.go", e.Start)
	broken := write("broken.go", "package exercise\n\nfunc {\n")
	lesson, _, _ := strings.Cut(name, "/")
	data := "--data=" + checkData(t)
	for _, c := range []struct {
		name           string
		args           []string
		status         int
		stdout, stderr string
	}{
		{"a solution", []string{name, solution}, 0, "Every test passed", ""},
		{"a start", []string{name, start}, 1, "To repeat it", "does not pass " + name},
		{"a broken file", []string{name, broken}, 1, "line 3, column 6: ", "does not pass"},
		{"a solution as JSON", []string{name, solution, "--json"}, 0, `"verdict": "passed"`, ""},
		{"no such file", []string{name, filepath.Join(dir, "none.go")}, 2, "", "read the file to be checked"},
		{"no such lesson", []string{"99-none/owner", solution}, 2, "", "99-none"},
		{"no such exercise", []string{lesson + "/none", solution}, 2, "", "none"},
		{"no exercise named", []string{lesson, solution}, 2, "", "names no exercise"},
		{"no file", []string{name}, 2, "", "Try: towers --help"},
	} {
		t.Run(c.name, func(t *testing.T) {
			status, stdout, stderr := towers(t, append([]string{"check", data}, c.args...)...)
			if status != c.status || !strings.Contains(stdout, c.stdout) || !strings.Contains(stderr, c.stderr) {
				t.Errorf("status %d, want %d\nstdout, want %q:\n%s\nstderr, want %q:\n%s",
					status, c.status, c.stdout, stdout, c.stderr, stderr)
			}
		})
	}
}

func TestCheckJSONIsTheSubmission(t *testing.T) {
	name, e := anExercise(t)
	file := filepath.Join(t.TempDir(), "start.go")
	if err := os.WriteFile(file, []byte(e.Start), 0o600); err != nil {
		t.Fatal(err)
	}
	_, stdout, _ := towers(t, "check", "--json", "--data", checkData(t), name, file)
	var v struct {
		ID, Lesson, Exercise, State, Verdict string
		Diagnostics, Tests                   []json.RawMessage
		OutputCut                            *bool  `json:"output_cut"`
		ElapsedMS                            *int64 `json:"elapsed_ms"`
	}
	if err := json.Unmarshal([]byte(stdout), &v); err != nil {
		t.Fatal(err)
	}
	if v.Lesson+"/"+v.Exercise != name || v.State != "done" || v.Verdict == "passed" || len(v.Tests) != len(e.Checks) ||
		v.Diagnostics == nil || v.OutputCut == nil || v.ElapsedMS == nil {
		t.Errorf("got %s", stdout)
	}
}

// What the checker finds reaches the linter: a solution passes, the start does not, and hidden
// tests are seen.
func TestProverShowsTheLinterEverything(t *testing.T) {
	name, e := anExercise(t)
	lesson, _, _ := strings.Cut(name, "/")
	checker, err := newChecker(environment{context: t.Context(), stderr: os.Stderr}, checkData(t), 1)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := checker.Close(); err != nil {
			t.Error(err)
		}
	}()
	for source, want := range map[string]string{e.Solution: "passed", "package exercise\n": "build_error"} {
		o, err := prover{checker}.Prove(t.Context(), lessons.Trial{Lesson: lesson, Exercise: e, Kind: e.Kind, File: "x.go", Source: source})
		if err != nil || o.Verdict != want || len(o.Tests) != len(e.Checks) {
			t.Errorf("got %+v, %v; want %s", o, err, want)
		}
		if want == "build_error" && (len(o.Diagnostics) == 0 || o.Diagnostics[0].File != "check_test.go") {
			t.Errorf("got %+v, want a remark on check_test.go", o.Diagnostics)
		}
	}
}
