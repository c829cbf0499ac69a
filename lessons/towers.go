package lessons

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	goldhtml "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"
)

// text writes text as goldmark does, and keeps the names of towers, such as T-12, in one piece:
// browsers break lines after their hyphens, and in a page that runs from right to left they
// would be turned round.
func (w writer) text(out util.BufWriter, src []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	t := n.(*ast.Text)
	value := t.Segment.Value(src)
	if t.IsRaw() {
		goldhtml.DefaultWriter.RawWrite(out, value)
		return ast.WalkContinue, nil
	}
	for len(value) > 0 {
		from, to := towerIn(value)
		goldhtml.DefaultWriter.Write(out, value[:from])
		if from < to {
			put(out, "<bdi>", string(value[from:to]), "</bdi>")
		}
		value = value[to:]
	}
	switch {
	case t.HardLineBreak():
		put(out, "<br>\n")
	case t.SoftLineBreak():
		put(out, "\n")
	}
	return ast.WalkContinue, nil
}

// towerIn finds the first name of a tower: T, a hyphen and figures, which are no part of a
// longer word. Where there is none both places are the end.
func towerIn(text []byte) (from, to int) {
	for at := 0; ; at = to {
		i := bytes.Index(text[at:], []byte("T-"))
		if i < 0 {
			return len(text), len(text)
		}
		from = at + i
		to = from + len("T-")
		for to < len(text) && text[to] >= '0' && text[to] <= '9' {
			to++
		}
		if to > from+len("T-") && (from == 0 || !inWord(text[from-1])) && (to == len(text) || !inWord(text[to])) {
			return from, to
		}
	}
}

// inWord tells bytes that go on a word. Those beyond ASCII are taken for letters.
func inWord(b byte) bool {
	return b == '-' || b == '#' || b == '_' || b >= '0' && b <= '9' || b >= 'A' && b <= 'Z' || b >= 'a' && b <= 'z' || b >= 0x80
}
