package check

import (
	"bytes"
	"errors"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"strconv"
	"strings"
)

// The names by which the toolchain knows the parts of a submission. The learner chooses none.
const (
	learnerPackage = "exercise"
	testPackage    = "exercise_test"
	learnerFile    = "exercise.go"
	testFile       = "check_test.go"
	learnersTests  = "exercise_test.go" // the learner's file where learners write the tests
)

// byteOrderMark is what some editors put before the text.
var byteOrderMark = []byte("\xef\xbb\xbf")

// vetted is a learner's file that may be compiled.
type vetted struct {
	source  []byte // without a byte order mark
	declare map[string]declaration
	tests   []string // names of the test functions; only for KindTests
}

// declaration is one top-level declaration of a file, quoted for messages.
type declaration struct {
	Text         string // as "func Owner(letter string, towers int) string"
	Line, Column int
}

// vet decides whether a file may be compiled at all, from its text and its syntax alone. It
// takes time and memory linear in the file's size, whatever the file holds.
func vet(src []byte, e Exercise, limit int) (vetted, []finding) {
	v, file, found := vetSyntax(src, e, limit)
	if len(found) > 0 {
		return vetted{}, found
	}
	if e.Kind == KindTests {
		tests, _ := testFuncs(file) // inspect has refused the misshapen
		v.tests = namesOf(tests)
		if len(v.tests) == 0 {
			return vetted{}, []finding{*at(BuildError, token.Position{Line: 1, Column: 1},
				"the file has no test; write a function such as func TestOwner(t *testing.T)")}
		}
	}
	return v, nil
}

// vetSyntax is vet without the rule that a file of tests must hold one: a file that is still
// being written need not.
func vetSyntax(src []byte, e Exercise, limit int) (vetted, *ast.File, []finding) {
	src, order, found := legible(src, limit)
	if len(found) > 0 {
		return vetted{}, nil, found
	}
	if order != nil {
		return vetted{}, nil, []finding{*order}
	}
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, learnerFile, src, parser.SkipObjectResolution|parser.AllErrors)
	if err != nil {
		return vetted{}, nil, syntaxFindings(err, src)
	}
	if found := inspect(set, file, e); len(found) > 0 {
		return vetted{}, nil, found
	}
	return vetted{source: src, declare: declarations(set, file, src)}, file, nil
}

// legible says whether a file is text that the parser may read at all: not too large, plain
// UTF-8, and not nested so deep that reading it costs much. It returns the text without a byte
// order mark, and the first comment in it that gives the toolchain an order, if there is one.
func legible(src []byte, limit int) (text []byte, order *finding, found []finding) {
	if len(src) > limit {
		return nil, nil, []finding{*at(TooLarge, token.Position{Line: 1, Column: 1},
			"the file has %d bytes; at most %d are allowed", len(src), limit)}
	}
	if f := checkText(src); f != nil {
		return nil, nil, []finding{*f}
	}
	text = bytes.TrimPrefix(src, byteOrderMark)
	deep, order := scan(text)
	if deep != nil {
		return nil, nil, []finding{*deep}
	}
	return text, order, nil
}

// maxTests is how many tests a learner may write. Each takes an instance of its own on each of the
// exercise's programs, and a place in the verdict.
const maxTests = 50

// maxDiagnostics is how many mistakes are told at once; the compiler tells ten too.
const maxDiagnostics = 10

func syntaxFindings(err error, src []byte) []finding {
	if len(bytes.TrimSpace(src)) == 0 {
		return []finding{*at(BuildError, token.Position{Line: 1, Column: 1},
			"the file is empty; it must begin with: package exercise")}
	}
	var list scanner.ErrorList
	if !errors.As(err, &list) {
		return []finding{*at(BuildError, token.Position{Line: 1, Column: 1}, "%v", err)}
	}
	// Each takes time in proportion to the file, and so many are never told.
	list = list[:min(len(list), plenty)]
	for _, e := range list {
		// A //line comment may have moved the line and column, and only they: the offset is true.
		e.Pos.Line, e.Pos.Column = place(src, e.Pos.Offset)
	}
	list.RemoveMultiples()
	var found []finding
	for _, e := range list[:min(len(list), maxDiagnostics)] {
		if strings.HasSuffix(e.Msg, "found 'EOF'") {
			e.Msg = "the file ends here, but a bracket or brace is still open"
		}
		found = append(found, *at(BuildError, e.Pos, "%s", e.Msg))
	}
	return found
}

// place is the line and the column, both from 1 and the column in bytes, of an offset. The end of
// a file is on its last line, not on the one that its last newline would begin.
func place(src []byte, offset int) (line, column int) {
	before := src[:min(offset, len(src))]
	text := before
	if len(before) == len(src) {
		text = bytes.TrimSuffix(before, []byte("\n"))
	}
	return 1 + bytes.Count(text, []byte("\n")), len(before) - bytes.LastIndexByte(text, '\n')
}

// inspect applies the rules that need the syntax: the package's name, the imports, functions
// whose body is elsewhere, tests that go test would not take, and the number of names. It gives
// the first ten findings.
func inspect(set *token.FileSet, file *ast.File, e Exercise) []finding {
	var found []finding
	add := func(outcome Outcome, pos token.Pos, format string, args ...any) {
		if len(found) < maxDiagnostics {
			found = append(found, *at(outcome, set.PositionFor(pos, false), format, args...))
		}
	}
	want := learnerPackage
	if e.Kind == KindTests {
		want = testPackage
	}
	if file.Name.Name != want {
		add(BuildError, file.Name.Pos(), "the file must begin with \"package %s\", not \"package %s\"", want, file.Name.Name)
	}
	inspectImports(file, e, add)
	inspectDeclarations(file, add)
	if e.Kind == KindTests {
		tests, wrong := testFuncs(file)
		for _, f := range wrong {
			add(BuildError, f.pos, "%s", f.why)
		}
		if len(tests) > maxTests {
			add(TooLarge, tests[maxTests].Pos(), "the file has %d tests; at most %d are allowed, so put some together", len(tests), maxTests)
		}
	}
	return found
}

// report takes one finding.
type report func(outcome Outcome, pos token.Pos, format string, args ...any)

func inspectImports(file *ast.File, e Exercise, add report) {
	for _, spec := range file.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		switch {
		case err != nil || !importable(path, e.Kind, e.Imports):
			add(Forbidden, spec.Pos(), "this exercise may not import %s", spec.Path.Value)
		case spec.Name != nil && spec.Name.Name == ".":
			add(Forbidden, spec.Pos(), "a dot import hides where names come from; import %s by its name", spec.Path.Value)
		}
	}
}

func inspectDeclarations(file *ast.File, add report) {
	count := 0
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			count++
			if d.Body == nil {
				add(Forbidden, d.Pos(), "the function %s has no body; write one in braces", d.Name.Name)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				count++
				if v, ok := spec.(*ast.ValueSpec); ok {
					count += len(v.Names) - 1
				}
			}
		}
		if count > maxDeclarations {
			add(TooLarge, decl.Pos(), "the file declares more than %d names; use fewer", maxDeclarations)
			break
		}
	}
}
