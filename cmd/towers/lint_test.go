package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The course that the binary carries is proved as an author's would be.
func TestLintProvesTheCourse(t *testing.T) {
	status, stdout, stderr := towers(t, "lint", "--data", checkData(t))
	if status != 0 || stdout != "" {
		t.Errorf("status %d\n%s%s", status, stdout, stderr)
	}
	if !strings.Contains(stderr, "03-the-ring/owner  holds") {
		t.Errorf("the exercises have no line each:\n%s", stderr)
	}
}

func TestNewSkeletonsHold(t *testing.T) {
	course := t.TempDir()
	for _, args := range [][]string{{"lesson", "first-steps"}, {"exercise", "01-first-steps", "fullest"}} {
		if status, stdout, stderr := towers(t, append([]string{"new", "--lessons", course}, args...)...); status != 0 || !strings.Contains(stdout, "is there") {
			t.Fatalf("new %v: status %d\n%s%s", args, status, stdout, stderr)
		}
	}
	if status, stdout, stderr := towers(t, "lint", course, "--data", checkData(t)); status != 0 || stdout != "" {
		t.Errorf("lint: status %d\n%s%s", status, stdout, stderr)
	}
	if status, _, stderr := towers(t, "new", "lesson", "x"); status != 2 || !strings.Contains(stderr, "--lessons") {
		t.Errorf("outside a checkout: status %d, %q", status, stderr)
	}
}

// Every kind of mistake in an exercise is found by proof, and told with its place.
func TestLintFindsEveryMistake(t *testing.T) {
	course := t.TempDir()
	if status, _, stderr := towers(t, "new", "--lessons", course, "lesson", "broken"); status != 0 {
		t.Fatal(stderr)
	}
	exercises := filepath.Join(course, "01-broken", "exercises")
	read := func(exercise, file string) string {
		t.Helper()
		text, err := os.ReadFile(filepath.Join(exercises, exercise, file))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	write := func(exercise, file, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(exercises, exercise, file), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var want []string
	for _, c := range []struct {
		exercise string
		spoil    func(exercise string)
		want     string
	}{
		{"elsewhere", func(e string) {
			write(e, "wrong/later.go", strings.Replace(read(e, "wrong/later.go"), "TestEqualsGoToTheEarlier", "TestFindsTheFullest", 1))
		}, "wrong/later.go:1:1: TestEqualsGoToTheEarlier fails here too (failed); expected only TestFindsTheFullest to fail, or `// fails:` to name it"},
		{"elsewhere", func(string) {}, "wrong/later.go:1:11: TestFindsTheFullest passes; expected it to fail here"},
		{"missing", func(e string) {
			if err := os.Remove(filepath.Join(exercises, e, "solution.go")); err != nil {
				t.Fatal(err)
			}
		}, "solution.go:1:1: the file is missing; expected the reference, which passes"},
		{"nameless", func(e string) {
			write(e, "check_test.go", strings.Replace(read(e, "check_test.go"), "TestFindsTheFullest", "Test", 1))
		}, "check_test.go:9:6: a test without a name; expected one that says what it tests, such as `TestWrapsAround`"},
		{"no-tests", func(e string) {
			write(e, "check_test.go", "package exercise_test\n")
		}, "check_test.go:1:9: no tests; expected functions such as `func TestWrapsAround(t *testing.T)`"},
		{"solution-fails", func(e string) { write(e, "solution.go", read(e, "start.go")) },
			"solution.go:1:1: the solution does not pass"},
		{"start-passes", func(e string) { write(e, "start.go", read(e, "solution.go")) },
			"start.go:1:1: start.go passes already; expected it to compile and to fail"},
		{"unknown-import", func(e string) {
			write(e, "task.md", strings.Replace(read(e, "task.md"), "points: 10", "points: 10\nimports: [example.com/ring]", 1))
		}, "task.md:5:11: "},
		{"wrong-passes", func(e string) {
			write(e, "wrong/later.go", "// fails: TestFindsTheFullest\n"+read(e, "solution.go"))
		}, "wrong/later.go:1:11: this passes every test; expected it to fail TestFindsTheFullest"},
	} {
		if _, err := os.Stat(filepath.Join(exercises, c.exercise)); err != nil {
			if status, _, stderr := towers(t, "new", "--lessons", course, "exercise", "01-broken", c.exercise); status != 0 {
				t.Fatal(stderr)
			}
		}
		c.spoil(c.exercise)
		want = append(want, filepath.Join(exercises, c.exercise)+"/"+c.want)
	}
	status, stdout, stderr := towers(t, "lint", "--lessons", course, "--data", checkData(t))
	if status != 1 {
		t.Errorf("status %d, want 1\n%s", status, stderr)
	}
	for _, line := range want {
		if !strings.Contains(stdout, line) {
			t.Errorf("lint does not say:\n%s", line)
		}
	}
	if t.Failed() {
		t.Logf("it says:\n%s", stdout)
	}
}

func TestLintJSON(t *testing.T) {
	course := t.TempDir()
	save(t, course, "01-first/lesson.md", "---\ntitle: The first\nsummary: A test.\nlevel: beginner\nminutes: 1\n---\n\n::nonsense\n")
	status, stdout, _ := towers(t, "lint", "--json", "--lessons", course, "--data", checkData(t))
	var problems []struct {
		File, Message, Source string
		Line, Column          int
	}
	if err := json.Unmarshal([]byte(stdout), &problems); err != nil {
		t.Fatal(err)
	}
	if status != 1 || len(problems) != 1 || problems[0].Line != 8 || problems[0].Column < 1 || problems[0].Source != "::nonsense" {
		t.Errorf("status %d, %+v", status, problems)
	}
}
