package lessons

import (
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A goFile is a Go file of an exercise, parsed but not type-checked.
type goFile struct {
	src      *source
	set      *token.FileSet
	tree     *ast.File // what could be parsed; may be nil
	problems []Problem
}

// parseGo parses a file, which should be of that package.
func parseGo(file string, raw []byte, pkg string) *goFile {
	g := &goFile{set: token.NewFileSet()}
	g.src, g.problems = newSource(file, raw)
	tree, err := parser.ParseFile(g.set, "", g.src.text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		g.problems = append(g.problems, g.syntax(err))
		return g
	}
	g.tree = tree
	if tree.Name.Name != pkg {
		g.problem(tree.Name.Pos(), "package `%s`; expected `package %s`", tree.Name.Name, pkg)
	}
	return g
}

// syntax makes a problem of the first of the parser's errors.
func (g *goFile) syntax(err error) Problem {
	list, ok := err.(scanner.ErrorList)
	if !ok || len(list) == 0 {
		return g.src.problem(0, "this is no Go: %v", err)
	}
	return g.src.problem(list[0].Pos.Offset, "this is no Go: %s", list[0].Msg)
}

func (g *goFile) problem(pos token.Pos, format string, args ...any) {
	// Not the position after //line comments: the problem is in this very file.
	g.problems = append(g.problems, g.src.problem(g.set.PositionFor(pos, false).Offset, format, args...))
}

// imports gives the import paths of the file and where each stands.
func (g *goFile) imports() []entry {
	if g.tree == nil {
		return nil
	}
	var all []entry
	for _, spec := range g.tree.Imports {
		if path, err := strconv.Unquote(spec.Path.Value); err == nil {
			all = append(all, entry{path, g.set.PositionFor(spec.Pos(), false).Offset})
		}
	}
	return all
}

// testNames gives the names of the top-level tests in a file, in their order: the functions
// that go test would run.
func testNames(tree *ast.File) []string {
	var names []string
	for f := range testFuncs(tree) {
		if isTest(f.Name.Name) {
			names = append(names, f.Name.Name)
		}
	}
	return names
}

// testFuncs goes through the functions that have the shape of a test and a name that begins
// like one's.
func testFuncs(tree *ast.File) func(yield func(*ast.FuncDecl) bool) {
	return func(yield func(*ast.FuncDecl) bool) {
		for _, decl := range tree.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || f.Recv != nil || f.Type.TypeParams != nil || !strings.HasPrefix(f.Name.Name, "Test") {
				continue
			}
			if takesT(f.Type) && !yield(f) {
				return
			}
		}
	}
}

// takesT reports whether a function takes one *testing.T and gives nothing.
func takesT(f *ast.FuncType) bool {
	if f.Results != nil || len(f.Params.List) != 1 || len(f.Params.List[0].Names) > 1 {
		return false
	}
	star, ok := f.Params.List[0].Type.(*ast.StarExpr)
	if !ok {
		return false
	}
	switch t := star.X.(type) {
	case *ast.SelectorExpr:
		return t.Sel.Name == "T"
	case *ast.Ident: // import . "testing"
		return t.Name == "T"
	}
	return false
}

// isTest is go test's rule for a name, but for a bare Test, which says nothing to a learner.
func isTest(name string) bool {
	r, _ := utf8.DecodeRuneInString(strings.TrimPrefix(name, "Test"))
	return r != utf8.RuneError && !unicode.IsLower(r)
}

// checkTests gives the names of the tests in a check_test.go, and reports what is wrong with them.
func (g *goFile) checkTests() []string {
	if g.tree == nil {
		return nil
	}
	seen := make(map[string]bool)
	for f := range testFuncs(g.tree) {
		switch name := f.Name.Name; {
		case name == "Test":
			g.problem(f.Name.Pos(), "a test without a name; expected one that says what it tests, such as `TestWrapsAround`")
		case !isTest(name):
			g.problem(f.Name.Pos(), "`%s` is no test for go test; expected a capital letter after `Test`", name)
		case seen[name]:
			g.problem(f.Name.Pos(), "`%s` is declared twice; expected one test of that name", name)
		default:
			seen[name] = true
		}
		g.checkSubtests(f)
	}
	names := testNames(g.tree)
	if len(names) == 0 {
		g.problem(g.tree.Name.Pos(), "no tests; expected functions such as `func TestWrapsAround(t *testing.T)`")
	}
	return names
}

// checkSubtests reports t.Run("", …).
func (g *goFile) checkSubtests(f *ast.FuncDecl) {
	ast.Inspect(f, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) != 2 {
			return true
		}
		selector, ok := call.Fun.(*ast.SelectorExpr)
		if !ok || selector.Sel.Name != "Run" {
			return true
		}
		name, ok := call.Args[0].(*ast.BasicLit)
		if ok && (name.Value == `""` || name.Value == "``") {
			g.problem(name.Pos(), "a test without a name; expected one that says what it tests")
		}
		return true
	})
}

// failsPrefix begins the first line of a wrong file.
const failsPrefix = "// fails:"

// fails gives the tests that a wrong file says it fails, each with its place.
func (g *goFile) fails(checks []string) []entry {
	line := g.src.line(0)
	rest, ok := strings.CutPrefix(line, failsPrefix)
	if !ok || strings.TrimSpace(rest) == "" {
		example := "TestName"
		if len(checks) > 0 {
			example = checks[0]
		}
		g.problems = append(g.problems, g.src.problem(0,
			"the first line says not where this fails; expected `%s %s`, or several with commas between", failsPrefix, example))
		return nil
	}
	var all []entry
	at := len(failsPrefix)
	for part := range strings.SplitAfterSeq(rest, ",") {
		name := strings.TrimSpace(strings.TrimSuffix(part, ","))
		place := at + len(part) - len(strings.TrimLeft(part, " \t"))
		at += len(part)
		switch {
		case name == "":
			g.problems = append(g.problems, g.src.problem(place, "a comma too many; expected the name of a test"))
		case len(checks) > 0 && !slices.Contains(checks, name):
			g.problems = append(g.problems, g.src.problem(place, "no test `%s`%s; expected %s", name, meant(name, checks), oneOf(checks)))
		case slices.ContainsFunc(all, func(e entry) bool { return e.text == name }):
			g.problems = append(g.problems, g.src.problem(place, "`%s` stands twice; expected it once", name))
		default:
			all = append(all, entry{name, place})
		}
	}
	return all
}
