package check

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// A golden case is a folder testdata/<kind>/<case>/ with
//
//	source.txt     the learner's file, or source.json which describes one too large to keep
//	expected.json  the verdict, its times left out
//	case.json      optional: what differs from the common exercise in testdata/exercise
//	check_test.txt optional: tests instead of the common exercise's
type goldenCase struct {
	Imports []string
	Kind    Kind
	Test    string // a limit, as "1s"
	Run     string
	Build   string
}

// generated is a source that is mostly repetition.
type generated struct {
	Before, Repeat string
	Times          int
	Middle         string
	Again          string
	After          string
}

func (g generated) source() []byte {
	return []byte(g.Before + strings.Repeat(g.Repeat, g.Times) + g.Middle + strings.Repeat(g.Again, g.Times) + g.After)
}

func TestGolden(t *testing.T) {
	c := newChecker(t, nil)
	cases, err := filepath.Glob("testdata/*/*/source.*")
	if err != nil || len(cases) == 0 {
		t.Fatal("no golden cases:", err)
	}
	for _, source := range cases {
		dir := filepath.Dir(source)
		name, _ := filepath.Rel("testdata", dir)
		t.Run(name, func(t *testing.T) {
			s := goldenSubmission(t, dir)
			began := time.Now()
			got, err := c.Check(t.Context(), s)
			if err != nil {
				t.Fatal(err)
			}
			limits := s.Exercise.Limits.within(DefaultCeiling())
			// A build's limit is of CPU time, so on a busy machine it takes longer.
			if took := time.Since(began); took > 3*limits.Build+patience+limits.Run+time.Second {
				t.Errorf("it took %v, more than its limits", took)
			}
			compareGolden(t, filepath.Join(dir, "expected.json"), got)
			noPaths(t, got)
		})
	}
}

func goldenSubmission(t *testing.T, dir string) Submission {
	t.Helper()
	e := Exercise{
		Lesson: "01-golden", Name: "owner",
		Tests: read(t, "testdata/exercise/check_test.txt"),
		Start: read(t, "testdata/exercise/start.txt"),
	}
	if tests, err := os.ReadFile(filepath.Join(dir, "check_test.txt")); err == nil {
		e.Tests = tests
	}
	var special goldenCase
	if text, err := os.ReadFile(filepath.Join(dir, "case.json")); err == nil {
		mustUnmarshal(t, text, &special)
	}
	e.Imports, e.Kind = special.Imports, special.Kind
	for text, d := range map[string]*time.Duration{
		special.Test: &e.Limits.Test, special.Run: &e.Limits.Run, special.Build: &e.Limits.Build,
	} {
		if text != "" {
			var err error
			if *d, err = time.ParseDuration(text); err != nil {
				t.Fatal(err)
			}
		}
	}
	if e.Kind == KindTests {
		e.Solution = read(t, "testdata/exercise/solution.txt")
		e.Wrong = map[string][]byte{
			"empty.go": read(t, "testdata/exercise/wrong-empty.txt"),
			"first.go": read(t, "testdata/exercise/wrong-first.txt"),
		}
	}
	return Submission{ID: "golden", Source: goldenSource(t, dir), Exercise: e}
}

func goldenSource(t *testing.T, dir string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "source.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return read(t, filepath.Join(dir, "source.txt"))
	}
	var g generated
	mustUnmarshal(t, text, &g)
	return g.source()
}

// compareGolden compares a verdict with what a file says, times left out.
func compareGolden(t *testing.T, file string, got Verdict) {
	t.Helper()
	got.ElapsedMS, got.Parts = 0, Parts{}
	got.Tests = timeless(got.Tests)
	text, err := json.MarshalIndent(got, "", "\t")
	if err != nil {
		t.Fatal(err)
	}
	text = append(text, '\n')
	if *update {
		if err := os.WriteFile(file, text, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(read(t, file)), string(text)); diff != "" {
		t.Errorf("verdict differs (- want, + got):\n%s", diff)
	}
}

func timeless(tests []Test) []Test {
	if tests == nil {
		return nil
	}
	out := make([]Test, len(tests))
	for n, t := range tests {
		t.ElapsedMS = 0
		t.Subtests = timeless(t.Subtests)
		out[n] = t
	}
	return out
}

// noPaths checks that a verdict tells nothing of where it was made.
func noPaths(t *testing.T, v Verdict) {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{sharedData(t), os.TempDir(), "build-", "the secret"} {
		if bytes.Contains(text, []byte(secret)) {
			t.Errorf("the verdict holds %q:\n%s", secret, text)
		}
	}
}

func mustUnmarshal(t *testing.T, text []byte, to any) {
	t.Helper()
	if err := json.Unmarshal(text, to); err != nil {
		t.Fatal(err)
	}
}
