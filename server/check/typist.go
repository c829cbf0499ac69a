package check

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"slices"
	"strings"
)

// typist type-checks files with the packages of one toolchain. It lives in a types child only:
// there are small files on which the type checker never ends, and a goroutine cannot be stopped.
type typist struct {
	set      *token.FileSet
	language string
	packages packages
	solution []byte         // the last one that was imported
	exercise *types.Package // what it exports
}

// packages are what a file may import, all of them loaded.
type packages map[string]*types.Package

// Import gives a package by its path; types.Importer asks for it.
func (p packages) Import(path string) (*types.Package, error) {
	if found, ok := p[path]; ok {
		return found, nil
	}
	return nil, fmt.Errorf("%q is not among the packages for exercises", path)
}

// newTypist loads every package that a program may import, which takes some 20 ms.
func newTypist(setup typesSetup) (*typist, error) {
	t := &typist{set: token.NewFileSet(), language: setup.Language, packages: make(packages)}
	from := importer.ForCompiler(t.set, "gc", func(path string) (io.ReadCloser, error) {
		file, ok := setup.Packages[path]
		if !ok {
			return nil, fmt.Errorf("%q is not prepared", path)
		}
		return os.Open(file)
	})
	for _, path := range KnownImports() {
		pkg, err := from.Import(path)
		if err != nil {
			return nil, fmt.Errorf("load package %s: %w", path, err)
		}
		t.packages[path] = pkg
	}
	return t, nil
}

// check gives what the type checker has to say on one file.
func (t *typist) check(job typesJob, source []byte) (reply typesReply) {
	defer func() {
		// The type checker has bugs that small files find; what it had loaded is then not to be
		// trusted any more.
		if bug := recover(); bug != nil {
			reply = typesReply{Beyond: fmt.Sprint(bug), Last: true}
		}
	}()
	if !job.Tests {
		found, _ := t.file(learnerPackage, learnerFile, source, false)
		return typesReply{Found: found}
	}
	if err := t.load(job.Solution); err != nil {
		return typesReply{Fault: err.Error()}
	}
	found, _ := t.file(testPackage, learnersTests, source, false)
	return typesReply{Found: found}
}

// load makes the solution's exported names the package that tests import. Of its functions' bodies
// nothing is looked at.
func (t *typist) load(solution []byte) error {
	if t.exercise != nil && bytes.Equal(t.solution, solution) {
		return nil
	}
	// Should this one be faulty, the last is not there any more either.
	delete(t.packages, learnerPackage)
	t.solution, t.exercise = nil, nil
	found, pkg := t.file(learnerPackage, learnerFile, solution, true)
	if len(found) > 0 {
		return fmt.Errorf("line %d: %s", found[0].Line, found[0].Message)
	}
	t.packages[learnerPackage] = pkg
	t.solution, t.exercise = solution, pkg
	return nil
}

const (
	plenty        = 1000 // remarks that are collected, of which the first ten are told
	longestRemark = 1000 // bytes of one; a type can be a long word
)

// file type-checks one file as a package of its own. The remarks are in the file's order, as the
// compiler's are.
func (t *typist) file(path, name string, source []byte, surface bool) ([]Diagnostic, *types.Package) {
	parsed, err := parser.ParseFile(t.set, name, source, parser.SkipObjectResolution|parser.AllErrors)
	if parsed != nil {
		defer func() { t.set.RemoveFile(t.set.File(parsed.FileStart)) }()
	}
	if err != nil {
		return remarks(syntaxFindings(err, source)), nil
	}
	var found []Diagnostic
	config := types.Config{
		GoVersion:        t.language,
		Importer:         t.packages,
		Sizes:            types.SizesFor("gc", "wasm"),
		IgnoreFuncBodies: surface,
		Error: func(err error) {
			if len(found) < plenty {
				found = t.add(found, name, err)
			}
		},
	}
	pkg, _ := config.Check(path, t.set, []*ast.File{parsed}, nil) // its error is the first that Error got
	slices.SortStableFunc(found, func(a, b Diagnostic) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	found = slices.Compact(found)
	return found[:min(len(found), maxDiagnostics)], pkg
}

// add appends a remark. One that begins with a tab goes on with the one before it and names
// another place, which the compiler writes out.
func (t *typist) add(found []Diagnostic, file string, err error) []Diagnostic {
	var said types.Error
	if !errors.As(err, &said) {
		return found
	}
	pos := said.Fset.PositionFor(said.Pos, false)
	if pos.Filename != file {
		pos = token.Position{Filename: file, Line: 1, Column: 1}
	}
	if len(said.Msg) > longestRemark {
		said.Msg = strings.ToValidUTF8(said.Msg[:longestRemark], "") + "…"
	}
	if more, ok := strings.CutPrefix(said.Msg, "\t"); ok {
		if len(found) > 0 {
			found[len(found)-1].Message += fmt.Sprintf("\n\t%s: %s", pos, more)
		}
		return found
	}
	return append(found, Diagnostic{Line: pos.Line, Column: max(1, pos.Column), Message: said.Msg})
}
