package web

import (
	"html"
	"regexp"
	"strings"

	"github.com/microcosm-cc/bluemonday"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	goldhtml "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// noteHTML makes HTML of a note's Markdown. The note's writer is the only one who sees it, and
// still nothing in it can run, load or look like anything but a note: HTML in it is text, a
// picture is a link, a heading is a bold line. It takes some 60 µs for a usual note.
//
// What the Markdown gives is cleaned once more by rules of its own, so that a mistake in one of
// the two lets nothing through.
func noteHTML(body string) string {
	var b strings.Builder
	if intricate(body) || noteMarkdown().Convert([]byte(body), &b) != nil {
		return "<p>" + strings.ReplaceAll(html.EscapeString(body), "\n", "<br>\n") + "</p>\n"
	}
	return notePolicy().Sanitize(b.String())
}

// intricate reports whether a text has more marks than anybody writes who means something by
// them. Markdown that is made to be slow takes a time that grows with the square of its marks,
// 10 KB of them up to 170 ms, and it would be taken with every look at the page. Below the limit
// it is 12 ms, and nearly all of any program in a note stays far below it.
func intricate(body string) bool {
	const deepest, most = 10, 2000
	marks := 0
	for line := range strings.Lines(body) {
		if nesting(line) > deepest {
			return true
		}
		for _, r := range line {
			if strings.ContainsRune("[]*_<>`~!", r) {
				marks++
			}
		}
	}
	return marks > most
}

// nesting counts the quotes and lists that a line begins with.
func nesting(line string) int {
	n := 0
	for {
		line = strings.TrimLeft(strings.TrimLeft(line, " \t"), "0123456789")
		if line == "" || !strings.ContainsRune(">-+*.)", rune(line[0])) {
			return n
		}
		line = line[1:]
		n++
	}
}

func noteMarkdown() goldmark.Markdown {
	return goldmark.New(
		goldmark.WithExtensions(extension.Strikethrough, extension.Linkify),
		goldmark.WithParserOptions(parser.WithASTTransformers(util.Prioritized(outward{}, 500))),
		goldmark.WithRendererOptions(
			goldhtml.WithHardWraps(), // a line is a line, as in a letter
			renderer.WithNodeRenderers(util.Prioritized(noteWriter{}, 100)),
		),
	)
}

func notePolicy() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowElements("p", "br", "em", "strong", "del", "code", "pre", "ul", "ol", "li", "blockquote", "hr")
	p.AllowAttrs("href").OnElements("a")
	p.AllowAttrs("rel").Matching(regexp.MustCompile("^" + outwardRel + "$")).OnElements("a")
	p.AllowURLSchemes("http", "https", "mailto")
	p.AllowRelativeURLs(true)
	p.RequireParseableURLs(true)
	p.RequireNoFollowOnLinks(true)
	return p
}

// outwardRel keeps a page that a note leads to from being counted as recommended, and from
// getting hold of ours.
const outwardRel = "nofollow noopener"

// outward marks every link of a note as leading away.
type outward struct{}

// Transform is what goldmark calls.
func (outward) Transform(doc *ast.Document, _ text.Reader, _ parser.Context) {
	// The walk's own error is nil, since the function below gives none.
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering && (n.Kind() == ast.KindLink || n.Kind() == ast.KindAutoLink) {
			n.SetAttributeString("rel", []byte(outwardRel))
		}
		return ast.WalkContinue, nil
	})
}

// A noteWriter renders what in a note is not what it would be elsewhere.
type noteWriter struct{}

// RegisterFuncs tells goldmark what is rendered here.
func (w noteWriter) RegisterFuncs(reg renderer.NodeRendererFuncRegisterer) {
	reg.Register(ast.KindHeading, w.heading)
	reg.Register(ast.KindImage, w.image)
	reg.Register(ast.KindRawHTML, w.rawHTML)
	reg.Register(ast.KindHTMLBlock, w.htmlBlock)
}

// heading writes a bold line: the headings of the page are the lesson's.
func (noteWriter) heading(out util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
	_, err := out.WriteString(map[bool]string{true: "<p><strong>", false: "</strong></p>\n"}[entering])
	return ast.WalkContinue, err
}

// image writes a link to the picture, with its words.
func (noteWriter) image(out util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		_, err := out.WriteString("</a>")
		return ast.WalkContinue, err
	}
	to := util.EscapeHTML(util.URLEscape(n.(*ast.Image).Destination, true))
	_, err := out.WriteString(`<a href="` + string(to) + `" rel="` + outwardRel + `">`)
	return ast.WalkContinue, err
}

func (noteWriter) rawHTML(out util.BufWriter, src []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	segments := n.(*ast.RawHTML).Segments
	for i := range segments.Len() {
		at := segments.At(i)
		if _, err := out.WriteString(html.EscapeString(string(at.Value(src)))); err != nil {
			return ast.WalkStop, err
		}
	}
	return ast.WalkSkipChildren, nil
}

func (noteWriter) htmlBlock(out util.BufWriter, src []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	block := n.(*ast.HTMLBlock)
	var text strings.Builder
	for i := range block.Lines().Len() {
		line := block.Lines().At(i)
		text.Write(line.Value(src))
	}
	if block.HasClosure() {
		text.Write(block.ClosureLine.Value(src))
	}
	_, err := out.WriteString("<p>" + html.EscapeString(strings.TrimRight(text.String(), "\n")) + "</p>\n")
	return ast.WalkContinue, err
}
