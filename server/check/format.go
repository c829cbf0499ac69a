package check

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
)

// Format lays a learner's file out as gofmt does. Either it returns the formatted file or, when
// there is something in it that it cannot read, what that is and where.
//
// It uses the parser and the printer alone and refuses first what would cost them much, so it may
// be called in a server's own process: a learner's file takes a millisecond, the worst that we
// know of about half a second. It does not mind what a submission would be refused for, such as
// an import. A file may have 64 KiB, which is what an exercise allows unless it says otherwise.
func Format(source []byte) (formatted []byte, found []Diagnostic) {
	src, _, bad := legible(source, DefaultLimits().Source)
	if len(bad) > 0 {
		return nil, remarks(bad)
	}
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, learnerFile, src, parser.SkipObjectResolution|parser.AllErrors|parser.ParseComments)
	if err != nil {
		return nil, remarks(syntaxFindings(err, src))
	}
	if f := tooDeep(set, file); f != nil {
		return nil, []Diagnostic{f.Diagnostic}
	}
	var out bytes.Buffer
	if err := format.Node(&out, set, file); err != nil {
		return nil, []Diagnostic{{Line: 1, Column: 1, Message: fmt.Sprintf("this file cannot be formatted: %v", err)}}
	}
	return out.Bytes(), nil
}

// The printer's time grows with the size of the file times the depth of its syntax, and operators,
// calls and indexes in a row are deep without a bracket: 60 KB of them took it seconds. Ordinary
// code of that size has a seventh of maxWeight, which is the sum of all depths.
const (
	maxDepth  = 600
	maxWeight = 1_000_000
)

// tooDeep finds where the syntax gets deeper than the printer can bear.
func tooDeep(set *token.FileSet, file *ast.File) *finding {
	var deep *finding
	depth, weight := 0, 0
	ast.Inspect(file, func(n ast.Node) bool {
		switch {
		case n == nil:
			depth--
			return true
		case deep != nil:
			return false
		case depth == maxDepth || weight > maxWeight:
			deep = at(TooLarge, set.PositionFor(n.Pos(), false),
				"the code is too long and nested too deep here to be formatted; break it into several statements")
			return false
		}
		depth++
		weight += depth
		return true
	})
	return deep
}

// remarks are findings without the verdict that each would lead to.
func remarks(found []finding) []Diagnostic {
	said := make([]Diagnostic, len(found))
	for n, f := range found {
		said[n] = f.Diagnostic
	}
	return said
}
