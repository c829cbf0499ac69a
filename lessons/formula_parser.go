package lessons

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// A formulaNode is $…$ within a line.
type formulaNode struct {
	ast.BaseInline
	tex    string
	at     int  // where the TeX begins in the source
	double bool // it was written $$…$$, which has to stand alone
}

func (n *formulaNode) Kind() ast.NodeKind         { return kindFormula }
func (n *formulaNode) Dump(src []byte, level int) { ast.DumpHelper(n, src, level, nil, nil) }

// A formulaParser finds $…$ in a line. A dollar opens a formula if no space follows, and
// closes it if no space precedes and no digit follows; so "$5 and $6" has no formula.
type formulaParser struct{}

func (formulaParser) Trigger() []byte { return []byte{'$'} }

func (formulaParser) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, segment := block.PeekLine()
	mark := 1
	if len(line) > 1 && line[1] == '$' {
		mark = 2
	}
	end := closing(line, mark)
	if end < 0 {
		return nil
	}
	block.Advance(end + mark)
	at := segment.Start - segment.Padding + mark
	return &formulaNode{tex: string(line[mark:end]), at: at, double: mark == 2}
}

// closing finds the dollars that close the formula which the first mark bytes of the line
// open, or gives -1.
func closing(line []byte, mark int) int {
	if len(line) <= mark || line[mark] == ' ' || line[mark] == '\n' {
		return -1
	}
	for i := mark; i < len(line); i++ {
		switch {
		case line[i] == '\\':
			i++
		case !bytes.HasPrefix(line[i:], []byte("$$")[:mark]):
		case mark == 2:
			return i
		case line[i-1] == ' ' || i+1 < len(line) && '0' <= line[i+1] && line[i+1] <= '9':
			return -1 // a sum of money, and so was the first one
		default:
			return i
		}
	}
	return -1
}

// A displayNode is $$…$$ alone, on one line or several.
type displayNode struct {
	ast.BaseBlock
	pieces []text.Segment // the TeX, line by line, as it stands in the source
	start  int            // of the opening dollars
	closed bool
}

func (n *displayNode) Kind() ast.NodeKind         { return kindDisplay }
func (n *displayNode) IsRaw() bool                { return true }
func (n *displayNode) Dump(src []byte, level int) { ast.DumpHelper(n, src, level, nil, nil) }

// tex gives the TeX, and at the place in the source of its character number n.
func (n *displayNode) tex(src []byte) string {
	lines := make([]string, len(n.pieces))
	for i, p := range n.pieces {
		lines[i] = string(src[p.Start:p.Stop])
	}
	return strings.Join(lines, "\n")
}

func (n *displayNode) at(src []byte, character int) int {
	for _, p := range n.pieces {
		long := utf8.RuneCount(src[p.Start:p.Stop])
		if character <= long {
			return p.Start + byteOf(src[p.Start:p.Stop], character)
		}
		character -= long + 1
	}
	return n.start
}

// byteOf gives the offset in bytes of a character by its number from 0.
func byteOf(text []byte, character int) int {
	at := 0
	for ; character > 0 && at < len(text); character-- {
		_, size := utf8.DecodeRune(text[at:])
		at += size
	}
	return at
}

// A displayParser finds $$…$$ that stands alone. It ends at the closing dollars or, since TeX
// allows no empty line in a formula, at the next empty line.
type displayParser struct{}

func (displayParser) Trigger() []byte                             { return []byte{'$'} }
func (displayParser) CanInterruptParagraph() bool                 { return true }
func (displayParser) CanAcceptIndentedLine() bool                 { return false }
func (displayParser) Close(ast.Node, text.Reader, parser.Context) {}

func (displayParser) Open(_ ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, segment := reader.PeekLine()
	pos := pc.BlockOffset()
	if pos < 0 || !bytes.HasPrefix(line[pos:], []byte("$$")) {
		return nil, parser.NoChildren
	}
	n := &displayNode{start: segment.Start - segment.Padding + pos}
	rest := bytes.TrimRight(line[pos+2:], " \t\n")
	if i := bytes.Index(rest, []byte("$$")); i >= 0 && i < len(rest)-2 {
		return nil, parser.NoChildren // text follows: not alone
	}
	n.take(rest, n.start+2)
	reader.AdvanceToEOL()
	return n, parser.NoChildren
}

func (displayParser) Continue(node ast.Node, reader text.Reader, _ parser.Context) parser.State {
	n := node.(*displayNode)
	line, segment := reader.PeekLine()
	line = bytes.TrimRight(line, " \t\n")
	if n.closed || len(line) == 0 {
		return parser.Close
	}
	// The padding of a list's tab is not in the source, and means nothing to TeX.
	n.take(line[min(segment.Padding, len(line)):], segment.Start)
	reader.AdvanceToEOL()
	return parser.Continue | parser.NoChildren
}

// take adds a line of TeX that begins at start in the source, and sees whether it is the last.
func (n *displayNode) take(line []byte, start int) {
	if body, ok := bytes.CutSuffix(line, []byte("$$")); ok {
		n.closed, line = true, body
	}
	n.pieces = append(n.pieces, text.NewSegment(start, start+len(line)))
}
