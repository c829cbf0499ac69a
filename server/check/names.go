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
	tests, wrong := testFuncs(file)
	if len(wrong) > 0 {
		return nil, fmt.Errorf("%w: %s: %s", ErrExercise, set.PositionFor(wrong[0].pos, false), wrong[0].why)
	}
	if len(tests) == 0 {
		return nil, fmt.Errorf("%w: %s:1: there is no test in the file", ErrExercise, testFile)
	}
	return namesOf(tests), nil
}

// namesOf spells identifiers out.
func namesOf(identifiers []*ast.Ident) []string {
	var names []string
	for _, i := range identifiers {
		names = append(names, i.Name)
	}
	return names
}

// misshapen is a function that is named like a test and is none.
type misshapen struct {
	pos token.Pos // of its name
	why string
}

// testFuncs are the names of the functions that go test takes for tests, and those that it refuses
// because only their names are a test's. It words that as go test does.
func testFuncs(file *ast.File) (tests []*ast.Ident, wrong []misshapen) {
	testing := importedAs(file, "testing")
	for _, decl := range file.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok || f.Recv != nil || !isTestName(f.Name.Name) {
			continue
		}
		why := ""
		switch {
		case f.Type.TypeParams != nil:
			why = "test functions cannot have type parameters"
		case !takesT(f.Type, testing):
			why = fmt.Sprintf("must be: func %s(t *testing.T)", f.Name.Name)
		}
		if why != "" {
			wrong = append(wrong, misshapen{f.Name.Pos(), fmt.Sprintf("wrong signature for %s, %s", f.Name.Name, why)})
			continue
		}
		tests = append(tests, f.Name)
	}
	return tests, wrong
}

// importedAs are the names by which a file knows a package, "." among them if it needs none. A file
// that does not import it is taken to mean the package's own name, and the compiler tells it what
// it forgot.
func importedAs(file *ast.File, path string) []string {
	var names []string
	for _, spec := range file.Imports {
		switch found, err := strconv.Unquote(spec.Path.Value); {
		case err != nil || found != path:
		case spec.Name != nil:
			names = append(names, spec.Name.Name)
		default:
			names = append(names, path)
		}
	}
	if len(names) == 0 {
		return []string{path}
	}
	return names
}

// takesT reports whether a function has one parameter, a *testing.T, and no result. It asks for
// that very type: go test looks at the last name only, and leaves the rest to the compiler's
// remarks on a file that no learner sees.
func takesT(f *ast.FuncType, testing []string) bool {
	if f.Results != nil || len(f.Params.List) != 1 || len(f.Params.List[0].Names) > 1 {
		return false
	}
	pointer, ok := ast.Unparen(f.Params.List[0].Type).(*ast.StarExpr)
	if !ok {
		return false
	}
	switch t := ast.Unparen(pointer.X).(type) {
	case *ast.Ident:
		return t.Name == "T" && slices.Contains(testing, ".")
	case *ast.SelectorExpr:
		from, ok := t.X.(*ast.Ident)
		return ok && t.Sel.Name == "T" && slices.Contains(testing, from.Name)
	}
	return false
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
