package check

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// The tests of an exercise get a stand-in for package testing. This shows that it and the real
// one agree: on every program of the course, and on the golden ones that end by themselves, go
// test with the local toolchain finds the same tests passing and failing.
func TestAgreesWithGoTest(t *testing.T) {
	programs := append(coursePrograms(t), goldenPrograms(t)...)
	if len(programs) == 0 {
		t.Fatal("there are no programs to compare")
	}
	native := goTest(t, programs)
	c := newChecker(t, nil)
	var all sync.WaitGroup
	turn := make(chan struct{}, 2)
	for n, p := range programs {
		turn <- struct{}{}
		all.Go(func() {
			defer func() { <-turn }()
			v, err := c.Check(t.Context(), Submission{Source: p.source, Exercise: p.exercise, Reveal: true})
			if err != nil {
				t.Errorf("%s: %v", p.name, err)
				return
			}
			compareWithNative(t, p.name, v, native[fmt.Sprintf("variants/p%d", n)])
		})
	}
	all.Wait()
	t.Logf("%d programs compared", len(programs))
}

type comparedProgram struct {
	name     string
	source   []byte
	exercise Exercise
}

// coursePrograms are the start, the solution and every wrong program of each exercise.
func coursePrograms(t *testing.T) []comparedProgram {
	t.Helper()
	const course = "../../lessons/course"
	tests, err := filepath.Glob(course + "/*/exercises/*/check_test.go")
	if err != nil {
		t.Fatal(err)
	}
	var programs []comparedProgram
	for _, file := range tests {
		dir := filepath.Dir(file)
		sources, err := filepath.Glob(dir + "/wrong/*.go")
		if err != nil {
			t.Fatal(err)
		}
		e := Exercise{Tests: read(t, file), Imports: moreImports}
		for _, source := range append(sources, dir+"/start.go", dir+"/solution.go") {
			text, err := os.ReadFile(source)
			if err != nil || !bytes.Contains(text, []byte("\npackage exercise\n")) && !bytes.HasPrefix(text, []byte("package exercise\n")) {
				continue // not there, or tests that the learner is to write
			}
			name, err := filepath.Rel(course, source)
			if err != nil {
				t.Fatal(err)
			}
			programs = append(programs, comparedProgram{name, text, e})
		}
	}
	return programs
}

// goldenPrograms are some of testdata that go test can run too.
func goldenPrograms(t *testing.T) []comparedProgram {
	t.Helper()
	var programs []comparedProgram
	for _, name := range []string{
		"good/solution", "good/unicode", "good/own-names", "good/printing", "good/deep-recursion", "failed/start",
		"failed/subtests", "failed/cleanups", "failed/late",
		"forgery/goexit", "forgery/pass-lines", "forgery/changes-slice", "crash/index",
	} {
		s := goldenSubmission(t, filepath.Join("testdata", name))
		programs = append(programs, comparedProgram{name, s.Source, s.Exercise})
	}
	return programs
}

// importsExercise is where a test file imports the learner's package.
var importsExercise = regexp.MustCompile(`(?m)^(\s*(?:import )?)"exercise"$`)

// goTest runs all programs with go test, each as a package of one module, and returns the
// outcomes of their tests by package and name.
func goTest(t *testing.T, programs []comparedProgram) map[string]map[string]string {
	t.Helper()
	root := t.TempDir()
	write := func(name string, text []byte) {
		if err := os.WriteFile(filepath.Join(root, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", []byte("module variants\n\ngo 1.26\n"))
	for n, p := range programs {
		dir := fmt.Sprintf("p%d", n)
		if err := os.Mkdir(filepath.Join(root, dir), 0o700); err != nil {
			t.Fatal(err)
		}
		write(dir+"/exercise.go", p.source)
		write(dir+"/check_test.go", importsExercise.ReplaceAll(p.exercise.Tests, []byte(`${1}exercise "variants/`+dir+`"`)))
	}
	cmd := exec.CommandContext(t.Context(), "go", "test", "-json", "-vet=off", "-timeout=60s", "./...")
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off")
	out, err := cmd.Output()
	if err != nil && len(out) == 0 {
		t.Fatal(err)
	}
	found := make(map[string]map[string]string)
	for line := range bytes.Lines(out) {
		var e struct{ Action, Package, Test string }
		mustUnmarshal(t, line, &e)
		if e.Action != "pass" && e.Action != "fail" && e.Action != "skip" {
			continue
		}
		if found[e.Package] == nil {
			found[e.Package] = make(map[string]string)
		}
		found[e.Package][e.Test] = e.Action
	}
	return found
}

// compareWithNative wants the same answer for each test that go test reports, subtests and the
// whole ("") included. A panic ends go test's process, so tests after it have only ours.
func compareWithNative(t *testing.T, name string, v Verdict, native map[string]string) {
	t.Helper()
	ours := map[string]string{"": "fail"}
	if v.Passed() {
		ours[""] = "pass"
	}
	var list func([]Test)
	list = func(tests []Test) {
		for _, test := range tests {
			ours[test.Name] = "fail"
			switch test.Status {
			case Passed:
				ours[test.Name] = "pass"
			case NotRun:
				ours[test.Name] = "skip"
			}
			list(test.Subtests)
		}
	}
	list(v.Tests)
	if len(native) == 0 {
		t.Errorf("%s: go test says nothing of it", name)
	}
	for test, want := range native {
		if got := ours[test]; got != want {
			t.Errorf("%s %s: got %q, go test says %q (%s)", name, test, got, want, strings.TrimSpace(v.Message))
		}
	}
	if testing.Verbose() {
		text, err := json.Marshal(v.Verdict)
		if err != nil {
			t.Error(err)
		}
		t.Logf("%s: %s", name, text)
	}
}
