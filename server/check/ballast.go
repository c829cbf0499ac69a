package check

import (
	"crypto/sha256"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
)

const (
	// mostBallast is how many functions are added at most before a program's own, and as many after
	// them: a guess at an address will miss, and the compiler hardly notices.
	mostBallast = 32
	ballastName = "ballastOfTowers"
)

// ballasted gives a program of an exercise functions and variables that do nothing, some before
// its own and some after. How many depends on the seed. Where learners write the tests, these can
// print where a program's parts lie, and so could know the solution by that instead of by what it
// does; but they meet the same addresses never again, because the seed holds their own text.
//
// The lines of the program stay where they were. A program that does not parse is given back as it
// is, for the compiler to say why.
func ballasted(source []byte, seed ...[]byte) []byte {
	h := sha256.New()
	for _, part := range seed {
		fmt.Fprintf(h, "%d\n%s", len(part), part)
	}
	random := h.Sum(nil)
	file, err := parser.ParseFile(token.NewFileSet(), learnerFile, source, parser.ImportsOnly)
	if err != nil {
		return source
	}
	head := file.Name.End()
	for _, decl := range file.Decls {
		if imports, ok := decl.(*ast.GenDecl); ok && imports.Tok == token.IMPORT {
			head = imports.End()
		}
	}
	at := int(head - file.FileStart)
	few := func(n byte) int { return 1 + int(n)%mostBallast }
	// Each function shortens the text by a byte, so that none is left out for doing nothing.
	idle := fmt.Sprintf("func init() { %s = %[1]s[1:] }", ballastName)
	text := strings.Repeat("-", 2*mostBallast+32*few(random[0]))
	return fmt.Appendf(nil, "%s; var %s = %q%s%s\n%s\n", source[:at], ballastName, text,
		strings.Repeat("; "+idle, few(random[1])), source[at:], strings.Repeat(idle+"\n", few(random[2])))
}
