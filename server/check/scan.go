package check

import (
	"bytes"
	"fmt"
	"go/scanner"
	"go/token"
	"regexp"
	"strings"
	"unicode/utf8"
)

const (
	maxNesting      = 250  // brackets open at once
	maxPrefixes     = 500  // tokens in a row that can nest without brackets, as in !!x and [][]int
	maxDeclarations = 1000 // top-level names and functions
)

// finding is what vet or the scan has to say against a file.
type finding struct {
	outcome Outcome
	Diagnostic
}

func (f *finding) Error() string { return fmt.Sprintf("%d:%d: %s", f.Line, f.Column, f.Message) }

func at(outcome Outcome, pos token.Position, format string, args ...any) *finding {
	return &finding{outcome, Diagnostic{Line: pos.Line, Column: pos.Column, Message: fmt.Sprintf(format, args...)}}
}

// checkText looks at the bytes before any Go is read: what is not plain UTF-8 text cannot be
// shown back with a sensible line and column. A byte order mark at the start is allowed.
func checkText(src []byte) *finding {
	if bytes.HasPrefix(src, []byte{0xff, 0xfe}) || bytes.HasPrefix(src, []byte{0xfe, 0xff}) {
		return at(BuildError, token.Position{Line: 1, Column: 1}, "the file is UTF-16; save it as UTF-8")
	}
	line, start := 1, 0
	for i := 0; i < len(src); {
		r, size := utf8.DecodeRune(src[i:])
		pos := token.Position{Line: line, Column: i - start + 1}
		switch {
		case r == 0:
			return at(BuildError, pos, "the file holds a NUL byte; it must be plain text")
		case r == utf8.RuneError && size == 1:
			return at(BuildError, pos, "the file is not valid UTF-8 here; save it as UTF-8")
		case r == '\n':
			line, start = line+1, i+1
		}
		i += size
	}
	return nil
}

// scan reads the file as tokens, without recursion, and finds what the parser must not see,
// nesting deep enough to cost it much stack, and the first comment that the toolchain would take
// for an order. Mistakes in the tokens themselves are left to the parser, which words them.
func scan(src []byte) (deep, order *finding) {
	set := token.NewFileSet()
	file := set.AddFile(learnerFile, -1, len(src))
	var s scanner.Scanner
	s.Init(file, src, func(token.Position, string) {}, scanner.ScanComments)

	depth, prefixes := 0, 0
	for {
		pos, tok, text := s.Scan()
		where := file.PositionFor(pos, false)
		switch tok {
		case token.EOF:
			return nil, order
		case token.COMMENT:
			if text := directive(text); text != "" && order == nil {
				order = at(Forbidden, where, "the comment %s gives an order to the toolchain, which an exercise may not; remove it", text)
			}
			continue
		case token.LPAREN, token.LBRACK, token.LBRACE:
			depth++
		case token.RPAREN, token.RBRACK, token.RBRACE:
			depth = max(0, depth-1)
		}
		if prefixes++; resets(tok) {
			prefixes = 0
		}
		if depth > maxNesting || prefixes > maxPrefixes {
			return at(TooLarge, where, "the code is nested too deep here (more than %d levels); flatten it", maxNesting), order
		}
	}
}

// resets reports whether tok ends a run of tokens that can nest without an operand between them,
// as "!!!!x" and "[][][]int" do.
func resets(tok token.Token) bool {
	return tok.IsLiteral() || tok == token.SEMICOLON || tok == token.COMMA || tok == token.ASSIGN
}

// lineOrder is a comment that would move the positions of what follows. The toolchain only
// obeys one that ends with a number after a colon, on however many lines it is.
var lineOrder = regexp.MustCompile(`(?s)^(//line |/\*line ).*:\d+(\*/)?\s*$`)

// directive returns the beginning of a comment that the toolchain would obey, or "".
func directive(comment string) string {
	for _, order := range []string{"//go:", "//export ", "//extern ", "//cgo_", "// +build", "//+build"} {
		if strings.HasPrefix(comment, order) {
			words := strings.Fields(comment)
			return strings.Join(words[:min(len(words), strings.Count(order, " +")+1)], " ")
		}
	}
	if lineOrder.MatchString(comment) {
		return comment[:len("//line")]
	}
	return ""
}
