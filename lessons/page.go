package lessons

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// A page is a Markdown file that was parsed but not yet turned into blocks: for that all
// the other pages' anchors have to be known.
type page struct {
	src      *source
	front    *front
	doc      ast.Node
	anchors  map[*ast.Heading]anchor // nil for a page that is shown within a lesson's: its headings have no ids
	ids      []string                // of the anchors, in their order
	problems []Problem               // of the file as a whole; those of headings are with the anchors
}

// An anchor is the id of a heading, and what is wrong with it.
type anchor struct {
	id       string
	mistakes []mistake // with offsets in the file
}

// parsePage parses a file with front matter. Front matter that is broken leaves the rest of
// the page as it is. That of a lesson still has to find its anchors.
func parsePage(p parser.Parser, file string, raw []byte) *page {
	pg := &page{}
	pg.src, pg.problems = newSource(file, raw)
	body := pg.readFront()
	// The front matter is blanked rather than cut off, so that every offset stays true.
	blanked := bytes.Clone(pg.src.text)
	for i := range body {
		if blanked[i] != '\n' {
			blanked[i] = ' '
		}
	}
	pg.doc = p.Parse(text.NewReader(blanked))
	return pg
}

// parseText parses a piece of Markdown that stands in a value of the front matter.
func parseText(p parser.Parser, file, value string) *page {
	pg := &page{}
	pg.src, pg.problems = newSource(file, []byte(value))
	pg.doc = p.Parse(text.NewReader(pg.src.text))
	return pg
}

// readFront reads what stands between two lines --- and gives the offset of the rest.
func (pg *page) readFront() int {
	src := pg.src
	pg.front = &front{src: src}
	if len(src.text) == 0 && len(pg.problems) > 0 {
		pg.front.broken = true // the file was refused as a whole
		return 0
	}
	if strings.TrimRight(src.line(0), " \t") != "---" {
		pg.front.broken = true
		pg.front.problem(0, "no front matter; expected the first line to be `---`, then `title: …`, then `---`")
		return 0
	}
	begin := min(src.lineEnd(0)+1, len(src.text))
	for line := 1; line < len(src.lines); line++ {
		if strings.TrimRight(src.line(line), " \t") == "---" {
			pg.front.read(src.text[begin:src.lines[line]])
			return src.lineEnd(src.lines[line])
		}
	}
	pg.front.problem(0, "the front matter has no end; expected a second line `---`")
	// It most likely ends where its author left an empty line.
	if i := bytes.Index(src.text, []byte("\n\n")); i >= 0 {
		pg.front.read(src.text[begin:max(begin, i+1)])
		return i
	}
	return len(src.text)
}

// within reports whether a page is shown within a lesson's, as a task is and a hint.
func (pg *page) within() bool { return pg.anchors == nil }

// findAnchors gives every heading its id: the one in {#…}, or one made of its words.
func (pg *page) findAnchors() {
	pg.anchors = make(map[*ast.Heading]anchor)
	first := make(map[string]*ast.Heading)
	again := make(map[string]int) // how often an id was already given a number
	for h := range headings(pg.doc) {
		id, complaint := headingID(h, pg.src.text)
		a := anchor{}
		if complaint != "" {
			a.mistakes = append(a.mistakes, mistake{pg.attributesAt(h), complaint})
		}
		if reserved(id) {
			a.mistakes = append(a.mistakes, mistake{pg.attributesAt(h), fmt.Sprintf(
				"the id `%s` belongs to the page itself; expected another one, as in `{#%s}`", id, unreserved(id))})
		}
		if id == "" {
			id = slug(plain(h, pg.src.text))
		}
		if id == "" {
			id = fmt.Sprintf("section-%d", len(pg.anchors)+1)
		}
		id = unreserved(id)
		a.id = id
		if other := first[id]; other != nil {
			for taken := true; taken; {
				again[id]++
				a.id = unreserved(fmt.Sprintf("%s-%d", id, again[id]+1))
				_, taken = first[a.id]
			}
			a.mistakes = append(a.mistakes, mistake{pg.attributesAt(h), fmt.Sprintf(
				"the id `%s` is taken by line %d; expected another one, as in `{#%s}`", id, pg.src.lineOf(other.Pos()), a.id)})
		}
		first[a.id] = h
		pg.anchors[h] = a
		pg.ids = append(pg.ids, a.id)
	}
}

// headings goes through all headings of a tree, from top to bottom.
func headings(doc ast.Node) func(yield func(*ast.Heading) bool) {
	return func(yield func(*ast.Heading) bool) {
		// The walk's own error is nil, since the function below gives none.
		_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			if h, ok := n.(*ast.Heading); ok && entering {
				if !yield(h) {
					return ast.WalkStop, nil
				}
				return ast.WalkSkipChildren, nil
			}
			return ast.WalkContinue, nil
		})
	}
}

// headingID gives the id that the author wrote, or "", and what is wrong with it.
func headingID(h *ast.Heading, src []byte) (id, complaint string) {
	for _, a := range h.Attributes() {
		value, ok := a.Value.([]byte)
		switch {
		case string(a.Name) != "id" || !ok:
			complaint = fmt.Sprintf("a heading takes no attribute `%s`; expected only `{#id}`", a.Name)
		case !identifier.Match(value):
			complaint = fmt.Sprintf("`%s` is no id; expected letters, digits, - and _", value)
		default:
			id = string(value)
		}
	}
	if text := plain(h, src); len(h.Attributes()) == 0 && strings.HasSuffix(text, "}") && strings.Contains(text, "{#") {
		complaint = "the id cannot be read; expected `{#id}` with letters, digits, - and _"
	}
	return id, complaint
}

// attributesAt gives where a heading's {…} stands, or else the heading itself.
func (pg *page) attributesAt(h *ast.Heading) int {
	at := max(h.Pos(), 0)
	line := bytes.TrimRight(pg.src.text[at:pg.src.lineEnd(at)], " \t")
	if !bytes.HasSuffix(line, []byte("}")) {
		return at
	}
	return at + max(bytes.LastIndexByte(line, '{'), 0)
}

// slug makes an id of words: "Why four in five?" becomes "why-four-in-five".
func slug(title string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(title), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}), "-")
}

// plain gives the text of a node without any markup.
func plain(n ast.Node, src []byte) string {
	var out strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Text:
			out.Write(unescape(n.Segment.Value(src), n.IsRaw()))
			if n.SoftLineBreak() || n.HardLineBreak() {
				out.WriteByte(' ')
			}
		case *ast.String:
			out.Write(n.Value)
		case *ast.AutoLink:
			out.Write(n.Label(src))
		case *formulaNode:
			out.WriteString(n.tex)
		case *ast.RawHTML:
			return ast.WalkSkipChildren, nil
		}
		return ast.WalkContinue, nil
	})
	return strings.TrimSpace(out.String())
}
