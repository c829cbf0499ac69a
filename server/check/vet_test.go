package check

import (
	"fmt"
	"go/parser"
	"go/token"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestDirective(t *testing.T) {
	for _, c := range []struct{ comment, want string }{
		{"// words", ""},
		{"// go:build in words", ""},
		{"//go:build ignore", "//go:build"},
		{"//go:linkname a b.c", "//go:linkname"},
		{"// +build ignore", "// +build"},
		{"//+build ignore", "//+build"},
		{"//export Name", "//export"},
		{"//exported names", ""},
		{"//line a.go:1", "//line"},
		{"//line a.go:1:2", "//line"},
		{"//line up: the towers", ""},
		{"//line", ""},
		{"/*line a.go:1*/", "/*line"},
		{"/*line a.go:1:7*/", "/*line"},
		{"/* line a.go:1 */", ""},
		{"/*line a\n.go:1*/", "/*line"},
		{"/*line a\n\nb.go:1:7*/", "/*line"},
		{"/*line\na.go:1*/", ""},
		{"/*line up:\nthe towers*/", ""},
	} {
		if got := directive(c.comment); got != c.want {
			t.Errorf("directive(%q) = %q, want %q", c.comment, got, c.want)
		}
	}
}

func TestImportable(t *testing.T) {
	for _, c := range []struct {
		path  string
		kind  Kind
		added []string
		want  bool
	}{
		{"fmt", KindCode, nil, true},
		{"regexp", KindCode, nil, false},
		{"regexp", KindCode, []string{"regexp"}, true},
		{"os", KindCode, []string{"os"}, false},
		{"os/exec", KindCode, []string{"os/exec"}, false},
		{"reflect", KindCode, []string{"reflect"}, false},
		{"testing", KindCode, []string{"testing"}, false},
		{"testing", KindTests, nil, true},
		{"exercise", KindTests, nil, true},
		{"exercise", KindCode, nil, false},
		{"example.com/x", KindCode, []string{"example.com/x"}, false},
		{"", KindCode, []string{""}, false},
	} {
		if got := importable(c.path, c.kind, c.added); got != c.want {
			t.Errorf("importable(%q, %q, %v) = %v, want %v", c.path, c.kind, c.added, got, c.want)
		}
	}
}

// A test is what takes a *testing.T and nothing else, by whatever name the file knows the package.
func TestTestFuncs(t *testing.T) {
	const (
		usual = `import "testing"`
		must  = "wrong signature for TestX, must be: func TestX(t *testing.T)"
	)
	for _, c := range []struct{ imports, decl, want string }{
		{usual, "func TestX(t *testing.T) {}", ""},
		{usual, "func TestX(*testing.T) {}", ""},
		{usual, "func TestX(t (*(testing.T))) {}", ""},
		{"import `testing`", "func TestX(t *testing.T) {}", ""},
		{`import try "testing"`, "func TestX(t *try.T) {}", ""},
		{`import ("testing"; try "testing")`, "func TestX(t *try.T) {}", ""},
		{`import . "testing"`, "func TestX(t *T) {}", ""},
		{"", "func TestX(t *testing.T) {}", ""}, // the compiler knows better what is missing
		{usual, "func Testing(n int) {}", ""},
		{usual, "func (v V) TestX(n int) {}", ""},
		{usual, "func TestX(t testing.T) {}", must},
		{usual, "func TestX(n int) {}", must},
		{usual, "func TestX() {}", must},
		{usual, "func TestX(t *testing.T) int { return 0 }", must},
		{usual, "func TestX(t, u *testing.T) {}", must},
		{usual, "func TestX(t ...*testing.T) {}", must},
		{usual, "func TestX(t testing.TB) {}", must},
		{usual, "func TestX(t *testing.TB) {}", must},
		{usual, "func TestX(t *T) {}", must},
		{`import testing "exercise"; import try "testing"`, "func TestX(t *testing.T) {}", must},
		{usual, "func TestX[P any](t *testing.T) {}", "wrong signature for TestX, test functions cannot have type parameters"},
	} {
		file, err := parser.ParseFile(token.NewFileSet(), "x.go", "package exercise_test\n"+c.imports+"\n"+c.decl+"\n", 0)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if _, wrong := testFuncs(file); len(wrong) > 0 {
			got = wrong[0].why
		}
		if got != c.want {
			t.Errorf("%s; %s: got %q, want %q", c.imports, c.decl, got, c.want)
		}
	}
}

// Each test costs an instance on each program, so their number is not the learner's to choose.
func TestVetBoundsTheTests(t *testing.T) {
	for _, c := range []struct {
		kind  Kind
		tests int
		want  Outcome
	}{{KindTests, maxTests, ""}, {KindTests, maxTests + 1, TooLarge}} {
		src := "package exercise_test\n\nimport \"testing\"\n\n"
		for n := range c.tests {
			src += fmt.Sprintf("func Test%d(t *testing.T) {}\n", n)
		}
		v, found := vet([]byte(src), Exercise{Kind: c.kind}, len(src))
		switch {
		case c.want == "" && (len(found) > 0 || len(v.tests) != c.tests):
			t.Errorf("%d tests: %v, %d of them", c.tests, found, len(v.tests))
		case c.want != "" && (len(found) != 1 || found[0].outcome != c.want || found[0].Line != 5+maxTests):
			t.Errorf("%d tests: %v, want %s in line %d", c.tests, found, c.want, 5+maxTests)
		}
	}
}

// The lists must hold together: nothing that may be imported by default is forbidden.
func TestDefaultImportsAreImportable(t *testing.T) {
	for _, path := range DefaultImports() {
		if !importable(path, KindCode, nil) {
			t.Errorf("%s is a default import and refused", path)
		}
	}
}

func TestScanNesting(t *testing.T) {
	for _, c := range []struct {
		name, src string
		bad       bool
	}{
		{"brackets at the limit", strings.Repeat("(", maxNesting) + strings.Repeat(")", maxNesting), false},
		{"brackets above it", strings.Repeat("(", maxNesting+1), true},
		{"many side by side", strings.Repeat("(a)", 10*maxNesting), false},
		{"brackets in a string", `"` + strings.Repeat("(", 10*maxNesting) + `"`, false},
		{"brackets in a comment", "/*" + strings.Repeat("(", 10*maxNesting) + "*/", false},
		{"pointers", "var x " + strings.Repeat("*", maxPrefixes+1) + "int", true},
		{"channels", "var x " + strings.Repeat("chan ", maxPrefixes+1) + "int", true},
		{"functions", "var x " + strings.Repeat("func()", maxNesting) + "int", true},
		{"a long table", "{" + strings.Repeat("{1, -1},\n", 10*maxNesting) + "}", false},
	} {
		f, _ := scan([]byte(c.src))
		if bad := f != nil; bad != c.bad {
			t.Errorf("%s: got %v, want refused = %v", c.name, f, c.bad)
		}
	}
}

func TestTestNames(t *testing.T) {
	const head = "package exercise_test\n\nimport \"testing\"\n\n"
	for _, c := range []struct {
		src  string
		want []string
		err  string
	}{
		{head + "func TestA(t *testing.T) {}\nfunc Test(t *testing.T) {}\nfunc Test_b(t *testing.T) {}\n", []string{"TestA", "Test", "Test_b"}, ""},
		{head + "func Testing(t *testing.T) {}\nfunc TestA(t *testing.T) {}\nfunc (x T) TestB(t *testing.T) {}\ntype T int\n", []string{"TestA"}, ""},
		{head + "func TestA(t *testing.T) {}\nfunc TestC() {}\n", nil, "check_test.go:6:6: wrong signature for TestC, must be: func TestC(t *testing.T)"},
		{head + "func helper(t *testing.T) {}\n", nil, "no test"},
		{"package exercise\n", nil, "package must be exercise_test"},
		{"package exercise_test\n\nimport \"os\"\n", nil, "check_test.go:3:8: import \"os\""},
		{"package exercise_test\n\nfunc {", nil, "check_test.go:3:6"},
	} {
		got, err := TestNames([]byte(c.src))
		if !slices.Equal(got, c.want) || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("TestNames(%q) = %v, %v; want %v, %q", c.src, got, err, c.want, c.err)
		}
	}
}

func TestCheckTextPlaces(t *testing.T) {
	f := checkText([]byte("ok\nżółw\x00"))
	if f == nil || f.Line != 2 || f.Column != 8 {
		t.Errorf("got %v, want 2:8", f)
	}
}

// FuzzVet feeds arbitrary bytes to vet, which must answer and must not let an order to the
// toolchain through.
func FuzzVet(f *testing.F) {
	for _, seed := range []string{
		"package exercise\n", "package exercise\n//go:build x\n", "package exercise\nimport \"C\"\n",
		"\xef\xbb\xbfpackage exercise\r\n", "package exercise\nfunc f()\n", "package exercise\n/*line a:1*/", "package exercise\n/*line a\n:1*/",
		"package exercise\nvar a = [...]int{1,2}\n", "package exercise\nfunc f[T any](T) {}\n", "\x00", "((((",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		began := time.Now()
		v, found := vet(src, Exercise{}, DefaultLimits().Source)
		if took := time.Since(began); took > 3*time.Second {
			t.Errorf("vet took %v for %d bytes", took, len(src))
		}
		for _, problem := range found {
			if problem.Line < 1 || problem.Column < 0 || problem.Message == "" {
				t.Errorf("a finding without a place or words: %+v", problem)
			}
		}
		if len(found) > 0 {
			return
		}
		if strings.Contains(string(v.source), "\n//go:") && !strings.ContainsAny(string(v.source), "`*") {
			t.Errorf("an order to the toolchain went through:\n%s", src)
		}
	})
}

// FuzzBuild feeds arbitrary bytes through vet and the whole build. Whatever they are, the answer
// is a verdict with places in the learner's own file, and never an error of ours.
func FuzzBuild(f *testing.F) {
	for _, seed := range []string{
		"package exercise\nfunc Owner(letter string, towers []string) string { return letter }\n",
		"package exercise\nvar x = y\n", "package exercise\ntype T[P any] struct{ f *T[P] }\n",
		"package exercise\nfunc f() { goto l; l: }\n", "package exercise\nconst c = 1 << 600\n",
		"package exercise\nimport \"fmt\"\nvar _ = fmt.Sprint\nfunc Owner(a, b int) {}\n",
	} {
		f.Add([]byte(seed))
	}
	c := newChecker(f, nil)
	tests := read(f, "testdata/exercise/check_test.txt")
	f.Fuzz(func(t *testing.T, src []byte) {
		e := Exercise{Tests: tests, Limits: Limits{Build: 2e9, Test: 5e8}}
		v, err := c.Check(t.Context(), Submission{Source: src, Exercise: e})
		if err != nil {
			t.Fatalf("%v\n%q", err, src)
		}
		lines := strings.Count(string(src), "\n") + 1
		for _, d := range v.Diagnostics {
			if d.Line < 1 || d.Line > lines || d.File != "" {
				t.Errorf("a remark about a place that is not the learner's: %+v", d)
			}
		}
		noPaths(t, v)
	})
}

// Whatever nests without brackets is bounded by the file's size alone; vet must still be quick and
// small on it.
func TestVetIsCheapOnDeepFiles(t *testing.T) {
	const head = "package exercise\n\n"
	fill := func(before, repeat, after string) []byte {
		return []byte(head + before + strings.Repeat(repeat, (60<<10)/len(repeat)) + after)
	}
	for name, src := range map[string][]byte{
		"labels":      fill("func f() {\n", "a:", ";}\n"),
		"maps":        fill("var x ", "map[a]", "int\n"),
		"arrays":      fill("var x ", "[1]", "int\n"),
		"else ifs":    fill("func f() {\nif a {} ", "else if a {} ", "\n}\n"),
		"sums":        fill("var x = 1", "+1", "\n"),
		"selectors":   fill("var x = a", ".a", "\n"),
		"calls":       fill("var x = a", "()", "\n"),
		"indexes":     fill("var x = a", "[1]", "\n"),
		"comparisons": fill("var x = a", "==a&&a+a*a", "\n"),
		"results":     fill("var x ", "func(a) ", "int\n"),
		"commas":      fill("var x = []int{", "1,", "}\n"),
		"generics":    fill("var x ", "a[a],", "int\n"),
	} {
		began := time.Now()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, found := vet(src, Exercise{}, 64<<10)
		runtime.ReadMemStats(&after)
		grown := int64(after.TotalAlloc-before.TotalAlloc) + int64(after.StackSys) - int64(before.StackSys)
		if took := time.Since(began); took > 2*time.Second || grown > 128<<20 {
			t.Errorf("%s: %v and %d MiB, %d findings", name, took, grown>>20, len(found))
		}
		t.Logf("%s: %v, %d MiB, %d findings", name, time.Since(began), grown>>20, len(found))
	}
}
