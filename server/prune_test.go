package server

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

func TestPrune(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{
			"a hidden test with all that only it uses",
			`package exercise_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"exercise"
)

// shared is used by both.
func shared() int { return exercise.N + deep }

const deep = 1

// TestShown shows.
func TestShown(t *testing.T) { fmt.Println(shared()) }

// What comes now is hidden.

// TestHiddenOne hides.
func TestHiddenOne(t *testing.T) {
	slow(rand.IntN(shared())) // why
} // the end

// slow is for the hidden one.
func slow(n int) { slower(n) }

func slower(n int) { slices.Sort([]int{n}) }

// No more comes.
`,
			`package exercise_test

import (
	"fmt"
	"testing"

	"exercise"
)

// shared is used by both.
func shared() int { return exercise.N + deep }

const deep = 1

// TestShown shows.
func TestShown(t *testing.T) { fmt.Println(shared()) }
`,
		},
		{
			"types with their methods, and groups",
			`package exercise_test

import "testing"
import "os"

type kept struct{}

func (k *kept) String() string { return string(first) }

type gone[T any] struct{ t T }

func (g *gone[T]) Get() T { return g.t }

var (
	// first stays.
	first = 'a'
	// second goes.
	second = os.Args
	third, fourth = 3, 4 // of which one stays
)

var (
	fifth = second
	sixth = 6
)

const (
	zero = iota
	one
)

func TestShown(t *testing.T) { _, _, _ = kept{}, third, one }

func TestHidden(t *testing.T) { _, _ = gone[int]{}, fifth }
`,
			`package exercise_test

import "testing"

type kept struct{}

func (k *kept) String() string { return string(first) }

var (
	// first stays.
	first         = 'a'
	third, fourth = 3, 4 // of which one stays
)

const (
	zero = iota
	one
)

func TestShown(t *testing.T) { _, _, _ = kept{}, third, one }
`,
		},
		{
			"what stands alone and what has a name of its own",
			"package exercise_test\n\nimport (\n\t. \"strings\"\n\t_ \"embed\"\n\tquick \"testing/quick\"\n\tt \"testing\"\n)\n\nvar _ = 1\n\nfunc init() {}\n\nfunc BenchmarkB(b *t.B) {}\n\nfunc TestHiddenQ(q *t.T) { quick.Check(nil, nil) }\n",
			"package exercise_test\n\nimport (\n\t_ \"embed\"\n\t. \"strings\"\n\tt \"testing\"\n)\n\nvar _ = 1\n\nfunc init() {}\n\nfunc BenchmarkB(b *t.B) {}\n",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := prune(c.src, isShownTest)
			if err != nil || got != c.want {
				t.Errorf("%v\n--- got\n%s\n--- want\n%s", err, got, c.want)
			}
			again, err := prune(got, isShownTest)
			if err != nil || again != got {
				t.Errorf("pruned twice: %v\n%s", err, again)
			}
		})
	}
	if _, err := prune("no Go", isShownTest); err == nil {
		t.Error("what is no Go is pruned")
	}
}

func TestOutline(t *testing.T) {
	const program = `package exercise

import (
	"sort"
	"strings"
)

// A Point is a place.
type Point struct{ tag }

type tag string

// Text is kept, and empty.
func (p Point) Text() string { return strings.ToUpper(string(p.tag)) }

// Owner is what there is to write.
func Owner(points []Point) (tower string, ok bool) {
	return helper(points), true
}

func helper(points []Point) string {
	sort.Slice(points, nil)
	return ""
}
`
	const want = `package exercise

// A Point is a place.
type Point struct{ tag }

type tag string

// Text is kept, and empty.
func (p Point) Text() string {
	panic("Text is not written yet")
}

// Owner is what there is to write.
func Owner(points []Point) (tower string, ok bool) {
	panic("Owner is not written yet")
}
`
	got, err := outline(program)
	if err != nil || got != want {
		t.Errorf("%v\n--- got\n%s\n--- want\n%s", err, got, want)
	}
}

// Whatever is pruned is still Go and has its shown tests.
func FuzzPrune(f *testing.F) {
	f.Add("package p\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) {}\n\nfunc TestHiddenB(t *testing.T) {}\n")
	f.Add("package p; var (a=1;b=2); func TestA(){_=a}; const c = `\n`")
	f.Add("package p /* a */ ; import (\"a\";\"b\" /* c */) // d\ntype (A int; B A)\nfunc (B) m() {}")
	f.Fuzz(func(t *testing.T, src string) {
		before, err := parser.ParseFile(token.NewFileSet(), "", src, 0)
		if err != nil {
			return
		}
		got, err := prune(src, isShownTest)
		if err != nil {
			return // declarations that share a line may not come apart
		}
		after, err := parser.ParseFile(token.NewFileSet(), "", got, 0)
		if err != nil {
			t.Fatalf("%v in\n%s", err, got)
		}
		if a, b := shown(before), shown(after); a != b {
			t.Errorf("the tests %s became %s", a, b)
		}
	})
}

// shown lists the functions that a file shows.
func shown(file *ast.File) string {
	var names []string
	for _, decl := range file.Decls {
		if d, ok := decl.(*ast.FuncDecl); ok && d.Recv == nil && isShownTest(d.Name.Name) {
			names = append(names, d.Name.Name)
		}
	}
	return strings.Join(names, " ")
}
