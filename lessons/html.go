package lessons

import (
	"bytes"
	"errors"
	"fmt"
	"html"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer"
	goldhtml "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"

	"github.com/ringoftowers/towers/lessons/formula"
)

// newHTML makes the renderer of a page's prose. Most nodes are goldmark's to render; a writer
// of the converter stands before it for those that have to be checked or look different here.
func newHTML(c *converter) renderer.Renderer {
	return renderer.NewRenderer(renderer.WithNodeRenderers(
		util.Prioritized(writer{c}, 100),
		util.Prioritized(extension.NewTableHTMLRenderer(), 500),
		util.Prioritized(extension.NewStrikethroughHTMLRenderer(), 500),
		util.Prioritized(goldhtml.NewRenderer(), 1000),
	))
}

// A writer renders the nodes of a page that goldmark's own renderer should not.
type writer struct{ c *converter }

// RegisterFuncs tells goldmark what is rendered here.
func (w writer) RegisterFuncs(reg renderer.NodeRendererFuncRegisterer) {
	reg.Register(ast.KindText, w.text)
	reg.Register(ast.KindHeading, w.heading)
	reg.Register(ast.KindFencedCodeBlock, w.fenced)
	reg.Register(ast.KindCodeBlock, w.code)
	reg.Register(ast.KindLink, w.link)
	reg.Register(ast.KindAutoLink, w.autoLink)
	reg.Register(ast.KindImage, w.image)
	reg.Register(ast.KindRawHTML, w.rawHTML)
	reg.Register(ast.KindHTMLBlock, w.htmlBlock)
	reg.Register(extast.KindTable, w.table)
	reg.Register(extast.KindTableCell, w.cell)
	reg.Register(extast.KindTaskCheckBox, w.box)
	reg.Register(kindDirective, w.directive)
	reg.Register(kindFormula, w.formula)
	reg.Register(kindDisplay, w.display)
}

// put writes to goldmark's buffer, whose errors come back from its last flush.
func put(out util.BufWriter, parts ...string) {
	for _, p := range parts {
		_, _ = out.WriteString(p)
	}
}

// heading writes a heading that is no section: one of a lower level, or within something.
func (w writer) heading(out util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	h := n.(*ast.Heading)
	level := max(h.Level, 3)
	if !entering {
		put(out, fmt.Sprintf("</h%d>\n", level))
		return ast.WalkContinue, nil
	}
	id := w.c.headingID(h)
	switch {
	case h.Level < 3 && w.c.page.within():
		w.c.problem(h.Pos(), "`%s` in a task, which stands in a section of the lesson; expected `###`", strings.Repeat("#", h.Level))
	case h.Level < 3:
		w.c.problem(h.Pos(), "`%s` stands within something else; expected a section at the margin, or `###` here",
			strings.Repeat("#", h.Level))
	}
	if id == "" {
		put(out, fmt.Sprintf("<h%d>", level))
	} else {
		put(out, fmt.Sprintf(`<h%d id="%s">`, level, html.EscapeString(id)))
	}
	return ast.WalkContinue, nil
}

func (w writer) fenced(out util.BufWriter, src []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	f := n.(*ast.FencedCodeBlock)
	language := string(f.Language(src))
	text, ok := highlight(language, linesOf(n, src))
	if !ok {
		known := strings.Fields(languages)
		w.c.problem(f.Info.Segment.Start, "unknown language `%s`%s; expected %s", language, meant(language, known), oneOf(known))
	}
	put(out, `<pre class="code" tabindex="0"><code>`, text, "</code></pre>\n")
	return ast.WalkSkipChildren, nil
}

func (w writer) code(out util.BufWriter, src []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		put(out, `<pre class="code" tabindex="0"><code>`, html.EscapeString(linesOf(n, src)), "</code></pre>\n")
	}
	return ast.WalkSkipChildren, nil
}

// linesOf gives the text of a code block without its last line end.
func linesOf(n ast.Node, src []byte) string {
	var text strings.Builder
	for i := range n.Lines().Len() {
		line := n.Lines().At(i)
		text.Write(line.Value(src))
	}
	return strings.TrimRight(text.String(), "\n")
}

// link writes the link that was resolved, or just its words.
func (w writer) link(out util.BufWriter, src []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	l := n.(*ast.Link)
	to := string(unescape(l.Destination, false))
	href, err := w.c.links.resolve(to)
	switch {
	case !entering && err == nil:
		put(out, "</a>")
	case !entering:
	case err != nil:
		w.c.problem(targetAt(src, l), "%v", err)
	default:
		put(out, `<a href="`, escapeURL(href), `"`)
		if len(l.Title) > 0 {
			put(out, ` title="`, html.EscapeString(string(unescape(l.Title, false))), `"`)
		}
		put(out, ">")
	}
	return ast.WalkContinue, nil
}

// targetAt finds where a link's target is written: after its words, or for one that is
// defined elsewhere the link itself.
func targetAt(src []byte, l *ast.Link) int {
	at := min(max(l.Pos(), 0), len(src))
	end := at
	for c := l.LastChild(); c != nil; c = c.LastChild() {
		if t, ok := c.(*ast.Text); ok {
			end = t.Segment.Stop
		}
	}
	rest := src[end:]
	if i := bytes.IndexByte(rest, '\n'); i >= 0 {
		rest = rest[:i]
	}
	if i := bytes.Index(rest, l.Destination); i > 0 && bytes.HasPrefix(bytes.TrimLeft(rest, "`*_~$"), []byte("](")) {
		return end + i
	}
	return at
}

func (w writer) autoLink(out util.BufWriter, src []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	l := n.(*ast.AutoLink)
	to, label := string(l.URL(src)), html.EscapeString(string(l.Label(src)))
	if l.AutoLinkType == ast.AutoLinkEmail && !strings.HasPrefix(strings.ToLower(to), "mailto:") {
		to = "mailto:" + to
	}
	href, err := w.c.links.resolve(to)
	if err != nil {
		w.c.problem(l.Pos(), "%v", err)
		put(out, label)
		return ast.WalkContinue, nil
	}
	put(out, `<a href="`, escapeURL(href), `">`, label, "</a>")
	return ast.WalkContinue, nil
}

// image refuses images: nothing would serve their files. Their words stay.
func (w writer) image(_ util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		w.c.problem(n.Pos(), "lessons show no image files; expected `::ring{…}`, or words")
	}
	return ast.WalkContinue, nil
}

func (w writer) rawHTML(_ util.BufWriter, src []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		w.refuseHTML(n.Pos(), string(n.(*ast.RawHTML).Segments.Value(src)))
	}
	return ast.WalkSkipChildren, nil
}

func (w writer) htmlBlock(_ util.BufWriter, src []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		b := n.(*ast.HTMLBlock)
		text := string(b.Lines().Value(src))
		if b.HasClosure() {
			text += string(b.ClosureLine.Value(src))
		}
		w.refuseHTML(n.Pos(), text)
	}
	return ast.WalkSkipChildren, nil
}

// refuseHTML shows nothing of the author's HTML, and says so unless it is only a comment.
func (w writer) refuseHTML(at int, text string) {
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, "<!--") && strings.Index(text, "-->") == len(text)-len("-->") {
		return
	}
	w.c.problem(at, "HTML is not shown; expected Markdown, or `\\<` for the sign itself")
}

// table stands in a box of its own, which scrolls where the page is too narrow for it.
func (w writer) table(out util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		put(out, `<div class="table" tabindex="0"><table>`, "\n")
	} else {
		put(out, "</table></div>\n")
	}
	return ast.WalkContinue, nil
}

// cell writes a cell with its alignment as a class, since the page allows no style.
func (w writer) cell(out util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	tag := "td"
	if n.Parent().Kind() == extast.KindTableHeader {
		tag = "th"
	}
	if !entering {
		put(out, "</", tag, ">\n")
		return ast.WalkContinue, nil
	}
	put(out, "<", tag)
	switch n.(*extast.TableCell).Alignment {
	case extast.AlignRight:
		put(out, ` class="end"`)
	case extast.AlignCenter:
		put(out, ` class="center"`)
	}
	put(out, ">")
	return ast.WalkContinue, nil
}

// box writes the box of a list item that is no choice of a quiz, as the author wrote it.
func (w writer) box(out util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering && n.(*extast.TaskCheckBox).IsChecked {
		put(out, "[x] ")
	} else if entering {
		put(out, "[ ] ")
	}
	return ast.WalkContinue, nil
}

// directive refuses a directive in a place that has room for prose alone.
func (w writer) directive(_ util.BufWriter, src []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		d := n.(*directiveNode)
		w.c.problem(d.spot(src, d.at), "`%s%s` stands within something else; expected it at the margin of the page or within `:::details`",
			strings.Repeat(":", d.colons), d.name)
	}
	return ast.WalkSkipChildren, nil
}

func (w writer) formula(out util.BufWriter, src []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	f := n.(*formulaNode)
	if f.double {
		w.c.problem(f.at-2, "`$$` stands within a line; expected `$` here, or `$$…$$` alone")
	}
	put(out, w.math(f.tex, false, func(character int) int {
		return f.at + byteOf([]byte(f.tex), character)
	}))
	return ast.WalkContinue, nil
}

func (w writer) display(out util.BufWriter, src []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	d := n.(*displayNode)
	if !d.closed {
		w.c.problem(d.start, "`$$` is not closed; expected `$$` before the next empty line")
	}
	math := w.math(d.tex(src), true, func(character int) int { return d.at(src, character) })
	put(out, `<div class="display" tabindex="0">`, math, "</div>\n")
	return ast.WalkContinue, nil
}

// math renders a formula, or writes its TeX where it cannot be rendered. The place of a
// mistake is given by at, from a character of the TeX to an offset in the source.
func (w writer) math(tex string, display bool, at func(character int) int) string {
	if strings.TrimSpace(tex) == "" {
		w.c.problem(at(0), "an empty formula; expected TeX between the dollars")
		return ""
	}
	out, err := w.c.formulas.HTML(tex, display)
	if err == nil {
		return out
	}
	place := at(0)
	if mistake := (*formula.Error)(nil); errors.As(err, &mistake) {
		place = at(mistake.Offset)
	}
	w.c.problem(place, "%v", err)
	return formula.Plain(strings.TrimSpace(tex))
}

// unescape resolves what Markdown allows in text: \* and &amp; and &#42;.
func unescape(text []byte, raw bool) []byte {
	if raw {
		return text
	}
	return util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations(text)))
}

// escapeURL makes a checked URL an attribute's value.
func escapeURL(to string) string {
	return html.EscapeString(string(util.URLEscape([]byte(to), false)))
}
