package lessons

import (
	"bytes"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// goldmark numbers the kinds of nodes as programs ask for them, so these cannot be constants.
var (
	kindDirective = ast.NewNodeKind("Directive")
	kindFormula   = ast.NewNodeKind("Formula")
	kindDisplay   = ast.NewNodeKind("DisplayFormula")
)

// A directiveNode is a directive in the tree that goldmark makes of a lesson. What is written
// within a container are its children.
type directiveNode struct {
	ast.BaseBlock
	directive
	start  int  // where the directive's line begins in the source
	end    int  // just after its last character
	closed bool // a container whose ::: was found

	childless bool // a container too deep to have anything in it
}

func (n *directiveNode) Kind() ast.NodeKind         { return kindDirective }
func (n *directiveNode) Dump(src []byte, level int) { ast.DumpHelper(n, src, level, nil, nil) }

// leaf reports whether the directive is all on one line: a leaf, or a ::: that closes nothing.
func (n *directiveNode) leaf() bool { return n.colons == 2 || n.name == "" || n.childless }

// A directiveParser finds directives among the blocks of a lesson.
type directiveParser struct{}

func (directiveParser) Trigger() []byte             { return []byte{':'} }
func (directiveParser) CanInterruptParagraph() bool { return true }

// CanAcceptIndentedLine is false: from four spaces on a line is code.
func (directiveParser) CanAcceptIndentedLine() bool { return false }

func (directiveParser) Open(_ ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, segment := reader.PeekLine()
	trimmed := bytes.TrimRight(line, " \t\n")
	d, ok := scanDirective(string(trimmed))
	if !ok {
		return nil, parser.NoChildren
	}
	// In a list the line may begin with spaces that stand in for a tab and are not in the source.
	start := segment.Start - segment.Padding
	n := &directiveNode{directive: d, start: start, end: start + len(trimmed)}
	reader.AdvanceToEOL()
	if n.leaf() {
		return n, parser.NoChildren
	}
	if containers(pc) >= deepest {
		n.childless = true
		return n, parser.NoChildren
	}
	return n, parser.HasChildren
}

// deepest is how many containers within each other still find their own :::. It is one too
// many already for the author, who is told so; this keeps thousands from taking minutes.
const deepest = 4

// containers counts the containers that are open.
func containers(pc parser.Context) int {
	n := 0
	for _, b := range pc.OpenedBlocks() {
		if d, ok := b.Node.(*directiveNode); ok && !d.leaf() {
			n++
		}
	}
	return n
}

func (directiveParser) Continue(node ast.Node, reader text.Reader, pc parser.Context) parser.State {
	n := node.(*directiveNode)
	if n.leaf() {
		return parser.Close
	}
	line, _ := reader.PeekLine()
	line = bytes.TrimRight(line, " \t\n")
	switch d, ok := scanDirective(string(line)); {
	case ok && d.name == "" && d.at < 4 && innermost(n, pc):
		n.closed = true
		reader.AdvanceToEOL()
		return parser.Close
	case isSection(line) && innermost(n, pc):
		// Its ::: was forgotten. Without this it would take all the rest of the page with it.
		return parser.Close
	}
	return parser.Continue | parser.HasChildren
}

// isSection reports whether a line is a heading of the first or second level, which no
// container may have.
func isSection(line []byte) bool {
	text := bytes.TrimLeft(line, " ")
	marks := len(text) - len(bytes.TrimLeft(text, "#"))
	return len(line)-len(text) < 4 && (marks == 1 || marks == 2) && (len(text) == marks || text[marks] == ' ')
}

func (directiveParser) Close(ast.Node, text.Reader, parser.Context) {}

// innermost reports whether a ::: that comes now is meant for n: not for another container
// within it, and not for a code block or a formula, where it is just text.
func innermost(n *directiveNode, pc parser.Context) bool {
	within := false
	for _, b := range pc.OpenedBlocks() {
		if b.Node == n {
			within = true
			continue
		}
		if !within {
			continue
		}
		switch inner := b.Node.(type) {
		case *directiveNode:
			if !inner.leaf() {
				return false
			}
		case *displayNode:
			if !inner.closed {
				return false
			}
		case *ast.FencedCodeBlock:
			return false
		}
	}
	return true
}

// spot turns an offset within a directive's line into one in the source. It is at a character's
// beginning even where a tab of a list was taken apart.
func (n *directiveNode) spot(src []byte, at int) int {
	at = min(max(n.start+at, 0), len(src))
	for at > 0 && at < len(src) && !utf8.RuneStart(src[at]) {
		at--
	}
	return at
}
