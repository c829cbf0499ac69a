package check

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// hiddenPrefix begins the names of tests whose text only the instructor sees.
const hiddenPrefix = "TestHidden"

// ErrExercise is matched by every error that says that an exercise itself, not a submission, is
// at fault.
var ErrExercise = errors.New("the exercise is at fault")

// TestNames returns the names of the top-level tests that a check_test.go declares, in its order.
// The error matches ErrExercise and says what is wrong with the file, with its line.
func TestNames(src []byte) ([]string, error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, testFile, src, parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrExercise, err)
	}
	if file.Name.Name != testPackage {
		return nil, fmt.Errorf("%w: %s:1: the package must be %s, not %s", ErrExercise, testFile, testPackage, file.Name.Name)
	}
	for _, spec := range file.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil || path != learnerPackage && !slices.Contains(KnownImports(), path) {
			return nil, fmt.Errorf("%w: %s: import %s is not among those prepared for exercises",
				ErrExercise, set.PositionFor(spec.Pos(), false), spec.Path.Value)
		}
	}
	names := testNames(file)
	if len(names) == 0 {
		return nil, fmt.Errorf("%w: %s:1: there is no test in the file", ErrExercise, testFile)
	}
	return names, nil
}

// testNames are the functions that go test would take for tests.
func testNames(file *ast.File) []string {
	var names []string
	for _, decl := range file.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok || f.Recv != nil || f.Type.TypeParams != nil || !isTestName(f.Name.Name) {
			continue
		}
		if params := f.Type.Params.List; len(params) == 1 && len(params[0].Names) <= 1 && f.Type.Results == nil {
			names = append(names, f.Name.Name)
		}
	}
	return names
}

// isTestName is go test's rule: Test, then nothing or something that is not a lower-case letter.
func isTestName(name string) bool {
	rest, ok := strings.CutPrefix(name, "Test")
	if !ok || name == "TestMain" {
		return false
	}
	r, _ := utf8.DecodeRuneInString(rest)
	return rest == "" || !unicode.IsLower(r)
}

// declarations quotes each top-level declaration of a file by its name, without bodies. A
// method's name has a dot before it.
func declarations(set *token.FileSet, file *ast.File, src []byte) map[string]declaration {
	found := make(map[string]declaration)
	put := func(key string, name *ast.Ident, text string) {
		pos := set.PositionFor(name.Pos(), false)
		found[key] = declaration{Text: text, Line: pos.Line, Column: pos.Column}
	}
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			head := quote(set, src, d.Pos(), d.Type.End())
			if d.Recv == nil {
				put(d.Name.Name, d.Name, head)
			} else {
				put("."+d.Name.Name, d.Name, head)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch s := spec.(type) {
				case *ast.TypeSpec:
					put(s.Name.Name, s.Name, "type "+s.Name.Name)
				case *ast.ValueSpec:
					for _, name := range s.Names {
						put(name.Name, name, d.Tok.String()+" "+name.Name)
					}
				}
			}
		}
	}
	return found
}

// quote is a piece of the source on one line, cut where it grows long.
func quote(set *token.FileSet, src []byte, from, to token.Pos) string {
	start, end := set.PositionFor(from, false).Offset, set.PositionFor(to, false).Offset
	text := strings.Join(strings.Fields(string(src[start:min(end, len(src))])), " ")
	if len(text) > 200 {
		text = strings.ToValidUTF8(text[:200], "") + "…"
	}
	return text
}

// declarationsOf is declarations of a file that need not be right; a broken one has none.
func declarationsOf(src []byte) map[string]declaration {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, learnerFile, src, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	return declarations(set, file, src)
}

// isHidden reports whether a test's text is for the instructor only.
func isHidden(name string) bool { return strings.HasPrefix(name, hiddenPrefix) }
