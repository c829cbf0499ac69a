package lessons

import (
	"fmt"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/renderer"

	"github.com/ringoftowers/towers/lessons/formula"
)

// A converter turns one page into blocks. It is used once.
type converter struct {
	src      *source
	page     *page
	links    *links
	formulas *formula.Renderer
	html     renderer.Renderer
	allowed  []string // the directives that make sense in this kind of page

	exercises []*Exercise // that ::exercise may lead to
	used      int         // how many of them were
	figures   int
	letters   int               // in all figures that are drawn
	questions map[string]string // ids given to a quiz or a predict, and to which
	depth     int               // of containers around

	problems []Problem // all, in the order in which they were found
	unplaced int       // from which on they stand nowhere in the blocks yet
}

// The directives of a lesson, and those of a task. A task is shown within its lesson's page, so
// it has none that have an id there or a number.
const (
	lessonDirectives = "ring exercise predict details quiz note rule"
	taskDirectives   = "details note rule"
)

// newConverter makes a converter for a page that may have those directives. Exercises may be nil.
func newConverter(pg *page, to *links, formulas *formula.Renderer, exercises []*Exercise, directives string) *converter {
	c := &converter{
		src: pg.src, page: pg, links: to, formulas: formulas, allowed: strings.Fields(directives),
		exercises: exercises, questions: make(map[string]string),
	}
	c.html = newHTML(c)
	return c
}

// mostProblems is how many problems of one page are told. An author mends no more at a time,
// and most of so many are one slip that was taken over everywhere.
const mostProblems = 100

// problem notes a mistake. It will stand in the page after the block that is being made.
func (c *converter) problem(offset int, format string, args ...any) {
	switch n := len(c.problems); {
	case n == mostProblems:
		c.problems = append(c.problems, c.src.problem(offset, "there are more mistakes from here on; mend the first ones to see them"))
	case n < mostProblems:
		c.problems = append(c.problems, c.src.problem(offset, format, args...))
	}
}

// blocks makes blocks of what stands under a node: the whole page, or a container.
func (c *converter) blocks(parent ast.Node) []Block {
	var out []Block
	var prose strings.Builder
	flush := func() {
		if prose.Len() > 0 {
			out = append(out, HTML{prose.String()})
			prose.Reset()
		}
	}
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		if b := c.block(n); b != nil {
			flush()
			out = append(out, b)
		} else if n.Kind() != kindDirective {
			c.write(&prose, n)
		}
		if c.unplaced < len(c.problems) {
			flush()
			sortProblems(c.problems[c.unplaced:])
			for _, p := range c.problems[c.unplaced:] {
				out = append(out, p)
			}
			c.unplaced = len(c.problems)
		}
	}
	flush()
	return out
}

// block makes a block of a node, or gives nil for one that is prose or cannot be shown.
func (c *converter) block(n ast.Node) Block {
	switch n := n.(type) {
	case *directiveNode:
		return c.directive(n)
	case *ast.Heading:
		if n.Level <= 2 && c.depth == 0 && !c.page.within() {
			return c.section(n)
		}
	}
	return nil
}

// section makes a heading of the second level. One of the first level is taken for it.
func (c *converter) section(h *ast.Heading) Block {
	if h.Level == 1 {
		c.problem(h.Pos(), "`#` is the title, which stands in the front matter; expected `##` for a section")
	}
	return Heading{ID: c.headingID(h), HTML: c.inside(h)}
}

// headingID gives a heading's id, or "" where it has none, and reports what is wrong with it and with the heading.
func (c *converter) headingID(h *ast.Heading) string {
	a := c.page.anchors[h]
	if c.page.within() && len(h.Attributes()) > 0 {
		c.problem(c.page.attributesAt(h), "a heading of a task has no id, since the task stands in the lesson's page; expected it without `{…}`")
	}
	for _, m := range a.mistakes {
		c.problem(m.at, "%s", m.message)
	}
	if !h.HasChildren() {
		c.problem(h.Pos(), "a heading without words; expected text after the #")
	}
	return a.id
}

// sections lists the headings of the second level that stand outside of containers.
func (c *converter) sections() []Section {
	var all []Section
	for n := c.page.doc.FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok && h.Level <= 2 {
			all = append(all, Section{ID: c.page.anchors[h].id, Title: plain(h, c.src.text)})
		}
	}
	return all
}

// write renders a node with all that is under it.
func (c *converter) write(out *strings.Builder, n ast.Node) {
	if err := c.html.Render(out, c.src.text, n); err != nil {
		// Only a writer that fails makes rendering fail, and a Builder does not.
		c.problem(n.Pos(), "this cannot be shown: %v", err)
	}
}

// inside renders all that is under a node, but not the node itself: a paragraph without its <p>.
func (c *converter) inside(parent ast.Node) string { return c.siblings(parent.FirstChild(), nil) }

// siblings renders nodes from one to just before another.
func (c *converter) siblings(from, before ast.Node) string {
	var out strings.Builder
	for n := from; n != nil && n != before; n = n.NextSibling() {
		c.write(&out, n)
	}
	return strings.TrimSpace(out.String())
}

// directive makes the block of a directive, or nil where none can be made.
func (c *converter) directive(n *directiveNode) Block {
	for _, m := range n.mistakes {
		c.problem(n.spot(c.src.text, m.at), "%s", m.message)
	}
	at := n.spot(c.src.text, n.at)
	switch {
	case n.name == "":
		c.problem(at, "`:::` closes nothing; expected a container such as `:::note` above it")
		return nil
	case c.page.within() && slices.Contains(strings.Fields(lessonDirectives), n.name) && !slices.Contains(c.allowed, n.name):
		c.problem(n.spot(c.src.text, n.nameAt), "`%s` has no place in a task; expected text, notes, rules and details", n.name)
		return nil
	case !slices.Contains(c.allowed, n.name):
		c.problem(n.spot(c.src.text, n.nameAt), "unknown directive `%s`%s; expected %s",
			n.name, meant(n.name, c.allowed), oneOf(c.allowed))
		return nil
	}
	leaf := n.name == "ring" || n.name == "exercise"
	switch {
	case leaf && n.colons > 2:
		c.problem(at, "`%s` is alone on its line; expected `::%s` with two colons, and no `:::` after it", n.name, n.name)
	case !leaf && n.colons == 2:
		c.problem(at, "`%s` has content; expected `:::%s` with three colons, and `:::` on a line after it", n.name, n.name)
		return nil
	case !leaf && !n.closed:
		c.problem(at, "`:::%s` is not closed; expected a line `:::` after it", n.name)
	}
	if !leaf && c.depth > 0 {
		c.problem(at, "`:::%s` stands within another container; expected it before or after that", n.name)
	}
	return c.build(n)
}

// build makes the block of a directive whose name is known.
func (c *converter) build(n *directiveNode) Block {
	c.depth++
	defer func() { c.depth-- }()
	switch n.name {
	case "ring":
		return c.ring(n)
	case "exercise":
		return c.exercise(n)
	case "predict":
		return c.predict(n)
	case "details":
		return c.details(n)
	case "quiz":
		return c.quiz(n)
	case "note":
		return c.note(n)
	case "rule":
		return c.rule(n)
	}
	panic(fmt.Sprintf("lessons: the directive %s is allowed but nobody makes it", n.name))
}
