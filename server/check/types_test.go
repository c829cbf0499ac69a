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

	"github.com/google/go-cmp/cmp"
)

// typesCases are files of an exercise whose learner writes the program, each with all that is to
// be said of it, as "line:column: message".
var typesCases = []struct {
	name, src string
	want      []string
	ours      bool // the compiler says it at another place or in other words
}{
	{"right", "func F(s []string) int { return len(s) }\n", nil, false},
	{"unused variable", "func F() {\n\tx := 1\n}\n", []string{"4:2: declared and not used: x"}, false},
	{"unused import", "import \"fmt\"\n", []string{`3:8: "fmt" imported and not used`}, false},
	{"undefined", "var a = b\n", []string{"3:9: undefined: b"}, false},
	{"undefined in a package", "import \"strconv\"\n\nvar a = strconv.Atoy(\"1\")\n", []string{"5:17: undefined: strconv.Atoy"}, false},
	{"wrong type", "func F() int {\n\treturn \"one\"\n}\n", []string{`4:9: cannot use "one" (untyped string constant) as int value in return statement`}, false},
	{"missing return", "func F() int {\n}\n", []string{"4:1: missing return"}, false},
	{"too many results", "func F() {\n\treturn 1\n}\n", []string{"4:9: too many return values\n\thave (number)\n\twant ()"}, false},
	{"wrong argument", "import \"strings\"\n\nvar a = strings.Repeat(3, 3)\n", []string{"5:24: cannot use 3 (untyped int constant) as string value in argument to strings.Repeat"}, false},
	{"no such method", "import \"strings\"\n\nfunc F(b *strings.Builder) { b.Wrote() }\n", []string{"5:32: b.Wrote undefined (type *strings.Builder has no field or method Wrote)"}, false},
	{"declared twice", "var a = 1\nvar a = 2\n", []string{"4:5: a redeclared in this block\n\texercise.go:3:5: other declaration of a"}, false},
	{"constant too large", "var a int8 = 300\n", []string{"3:14: cannot use 300 (untyped int constant) as int8 value in variable declaration (overflows)"}, false},
	{"int has 64 bits", "var a int = 1 << 40\n", nil, false},
	{"generic", "func Max[T int | string](a, b T) T { return max(a, b) }\n\nvar a = Max(1, \"b\")\n", []string{"5:16: in call to Max, mismatched types untyped int and untyped string (cannot infer T)"}, true},
	{"ranges over a number", "func F() (n int) {\n\tfor i := range 10 {\n\t\tn += i\n\t}\n\treturn n\n}\n", nil, false},
	{"break outside a loop", "func F() {\n\tbreak\n}\n", []string{"4:2: break not in for, switch, or select statement"}, true},
	{"syntax", "func F() {\n\tif {\n\t}\n}\n", []string{"4:5: missing condition in if statement"}, true},
	{"forbidden import", "import \"os\"\n\nvar a int = os.Args\n", []string{`3:8: this exercise may not import "os"`}, true},
	{"order to the toolchain", "//go:noinline\nfunc F() {}\n", []string{"3:1: the comment //go:noinline gives an order to the toolchain, which an exercise may not; remove it"}, true},
	{"long words", "var a = " + strings.Repeat("b", 2*longestRemark) + "\n", []string{"3:9: undefined: " + strings.Repeat("b", longestRemark-len("undefined: ")) + "…"}, true},
	{"in the file's order", "func F() {\n\tx := 1\n\ty := \"a\" + 1\n\tvar z string = 2\n}\n", []string{
		"4:2: declared and not used: x", "5:2: declared and not used: y",
		"5:7: invalid operation: \"a\" + 1 (mismatched types untyped string and untyped int)",
		"6:6: declared and not used: z", "6:17: cannot use 2 (untyped int constant) as string value in variable declaration",
	}, false},
}

const typesHead = "package exercise\n\n"

func told(found []Diagnostic) []string {
	var lines []string
	for _, d := range found {
		lines = append(lines, fmt.Sprintf("%d:%d: %s", d.Line, d.Column, d.Message))
	}
	return lines
}

func TestTypes(t *testing.T) {
	c := newChecker(t, nil)
	for _, test := range typesCases {
		found, err := c.Types(t.Context(), Submission{Source: []byte(typesHead + test.src), Exercise: common(t)})
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
		if diff := cmp.Diff(test.want, told(found)); diff != "" {
			t.Errorf("%s (- want, + got):\n%s", test.name, diff)
		}
	}
}

// What is said while a learner types is what the verdict will say.
func TestTypesSpeakLikeTheCompiler(t *testing.T) {
	c := newChecker(t, nil)
	for _, test := range typesCases {
		if test.ours {
			continue
		}
		b, err := c.build(t.Context(), parts{
			Program: []byte(typesHead + test.src), Tests: []byte("package exercise_test\n"), TestsFile: testFile,
		}, DefaultLimits())
		if err != nil {
			t.Fatal(err)
		}
		var said []string
		if b.Failure != nil && b.Failure.Step == stepProgram {
			said = told(b.Failure.Found)
		}
		if diff := cmp.Diff(said, test.want); diff != "" {
			t.Errorf("%s (- compiler, + types):\n%s", test.name, diff)
		}
	}
}

func TestTypesOfTests(t *testing.T) {
	c := newChecker(t, nil)
	e := Exercise{Lesson: "l", Name: "e", Kind: KindTests, Solution: []byte(`package exercise

import "strings"

// Owner has a secretWay.
func Owner(letter string, towers []string) string {
	secretCount := len(letter)
	return strings.Repeat(towers[0], secretCount)
}

const secretNumber = 424242

type Ring struct{ secretField [secretNumber]int }
`)}
	const head = "package exercise_test\n\nimport (\n\t\"testing\"\n\n\t\"exercise\"\n)\n\n"
	for _, test := range []struct {
		name, src string
		want      []string
	}{
		{"right", "func TestOwner(t *testing.T) {\n\tif exercise.Owner(\"a\", nil) != \"\" {\n\t\tt.Error(\"b\")\n\t}\n}\n", nil},
		{"no test yet", "var _ = exercise.Owner\n\nvar _ testing.TB\n", nil},
		{"wrong use", "func TestOwner(t *testing.T) {\n\tvar n int = exercise.Owner(\"a\")\n}\n", []string{
			"10:6: declared and not used: n",
			"10:14: cannot use exercise.Owner(\"a\") (value of type string) as int value in variable declaration",
			"10:32: not enough arguments in call to exercise.Owner\n\thave (string)\n\twant (string, []string)",
		}},
		{"what is not exported", "func TestOwner(t *testing.T) {\n\t_ = exercise.Ring{}.secretField\n\tt.Oops()\n\t_ = exercise.Other\n}\n", []string{
			"10:22: exercise.Ring{}.secretField undefined (cannot refer to unexported field secretField)",
			"11:4: t.Oops undefined (type *testing.T has no field or method Oops)",
			"12:15: undefined: exercise.Other",
		}},
		{"a variable of the same type", "func TestOwner(t *testing.T) {\n\tvar r string = exercise.Ring{}\n}\n", []string{
			"10:6: declared and not used: r",
			"10:17: cannot use exercise.Ring{} (value of struct type exercise.Ring) as string value in variable declaration",
		}},
	} {
		found, err := c.Types(t.Context(), Submission{Source: []byte(head + test.src), Exercise: e})
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
		if diff := cmp.Diff(test.want, told(found)); diff != "" {
			t.Errorf("%s (- want, + got):\n%s", test.name, diff)
		}
	}

	e.Solution = []byte("package exercise\n\nvar a = b\n")
	found, err := c.Types(t.Context(), Submission{Source: []byte(head), Exercise: e})
	if !errors.Is(err, ErrExercise) || found != nil {
		t.Errorf("with a solution that does not compile: %v, %v", found, err)
	}
}

// One exercise's broken solution is nothing that another's learners notice: a child keeps the last
// solution, and must not take a broken one's place for it.
func TestTypesOfTestsAfterABrokenSolution(t *testing.T) {
	c := newChecker(t, func(config *Config) { config.Parallel = 1 })
	const head = "package exercise_test\n\nimport \"exercise\"\n\n"
	right := Exercise{Lesson: "l", Name: "right", Kind: KindTests, Solution: []byte("package exercise\n\nfunc Owner() string { return \"\" }\n")}
	broken := Exercise{Lesson: "l", Name: "broken", Kind: KindTests, Solution: []byte("package exercise\n\nvar a = b\n")}
	s := Submission{Source: []byte(head + "var _ = exercise.Owner\n"), Exercise: right}
	for range 2 {
		if found, err := c.Types(t.Context(), s); err != nil || len(found) > 0 {
			t.Errorf("with the right solution: %v, %v", told(found), err)
		}
		if _, err := c.Types(t.Context(), Submission{Source: s.Source, Exercise: broken}); !errors.Is(err, ErrExercise) {
			t.Errorf("with the broken solution: %v", err)
		}
	}
}

// typesBombs are the files that the type checker itself cannot bear, by their golden cases.
func typesBombs(tb testing.TB) []string {
	tb.Helper()
	bombs, err := filepath.Glob("testdata/bomb/*")
	if err != nil || len(bombs) == 0 {
		tb.Fatal("no bombs:", err)
	}
	return bombs
}

// A file on which the type checker never ends costs its author an answer and nobody else anything.
func TestTypesOutlivesBombs(t *testing.T) {
	c := newChecker(t, func(config *Config) { config.Parallel = 1 })
	good := Submission{Source: read(t, "testdata/exercise/solution.txt"), Exercise: common(t)}
	slow := 0
	for _, dir := range typesBombs(t) {
		began := time.Now()
		found, err := c.Types(t.Context(), Submission{Source: goldenSource(t, dir), Exercise: common(t)})
		took := time.Since(began)
		if took > typesPatience+time.Second {
			t.Errorf("%s: it took %v", dir, took)
		}
		if err != nil {
			slow++
			if !errors.Is(err, ErrTooSlow) || found != nil {
				t.Errorf("%s: %v, %v", dir, found, err)
			}
		}
		t.Logf("%s: %v %v %v", dir, took, told(found), err)
		if found, err := c.Types(t.Context(), good); err != nil || len(found) > 0 {
			t.Errorf("after %s: %v, %v", dir, found, err)
		}
	}
	if slow == 0 {
		t.Error("no bomb was too much for the type checker")
	}
}

func TestTypesEndWithTheChecker(t *testing.T) {
	nothingLeft := leaving(t)
	c := newChecker(t, func(config *Config) { config.Parallel = 2 })
	bomb := Submission{Source: goldenSource(t, "testdata/bomb/recursive-interface"), Exercise: common(t)}
	good := Submission{Source: read(t, "testdata/exercise/solution.txt"), Exercise: common(t)}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Types(ctx, good); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() { _, _ = c.Types(t.Context(), bomb) })
		all.Go(func() { _, _ = c.Types(t.Context(), good) })
	}
	all.Wait()
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	nothingLeft()
	if _, err := c.Types(t.Context(), good); !errors.Is(err, ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
}

// A checker whose children cannot start says so and does not wait for ever.
func TestTypesWithoutChildren(t *testing.T) {
	c := newChecker(t, func(config *Config) { config.Executable = filepath.Join(t.TempDir(), "no-such-binary") })
	for range 5 {
		_, err := c.Types(t.Context(), Submission{Source: []byte(typesHead), Exercise: common(t)})
		if !errors.Is(err, os.ErrNotExist) {
			t.Errorf("got %v", err)
		}
	}
}

// BenchmarkTypes asks about 200 states of the course's solutions as they stand while somebody
// types. Run it with -benchtime=1x.
func BenchmarkTypes(b *testing.B) {
	files, err := filepath.Glob("../../lessons/course/*/exercises/*/solution.go")
	if err != nil || len(files) == 0 {
		b.Fatal("no solutions:", err)
	}
	c := newChecker(b, func(config *Config) { config.Parallel = 2 })
	var took []float64
	for b.Loop() {
		for n := range 200 {
			s := Submission{Source: edit(string(read(b, files[n%len(files)])), n), Exercise: common(b)}
			began := time.Now()
			if _, err := c.Types(b.Context(), s); err != nil {
				b.Fatal(err)
			}
			took = append(took, milliseconds(time.Since(began)))
		}
	}
	slices.Sort(took)
	b.ReportMetric(took[len(took)/2], "p50-ms")
	b.ReportMetric(took[len(took)*95/100], "p95-ms")
	b.ReportMetric(took[len(took)-1], "max-ms")
}

// edit is a file as it may stand while it is typed: whole, with a line more, with a name half
// written, or with a letter too few.
func edit(source string, n int) []byte {
	at := strings.Index(source, "return")
	switch n % 4 {
	case 0:
		source += fmt.Sprintf("\nvar edit%d = %d\n", n, n)
	case 1:
		source = source[:at] + fmt.Sprintf("edit%d := \"a\"\n\t", n) + source[at:]
	case 2:
		source = source[:at] + "retur" + source[at+len("return"):]
	case 3:
		cut := n * 7919 % len(source)
		source = source[:cut] + source[cut+1:]
	}
	return []byte(source)
}
