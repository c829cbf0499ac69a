package lessons

import (
	"fmt"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
)

// predict makes :::predict{answer=…}: what stands before a line --- asks, the rest answers.
func (c *converter) predict(n *directiveNode) Block {
	a := c.attributes(n)
	p := Predict{ID: c.question(a, "predict")}
	answered := a.answer(&p)
	a.done()
	var line ast.Node
	for child := n.FirstChild(); child != nil && line == nil; child = child.NextSibling() {
		if child.Kind() == ast.KindThematicBreak {
			line = child
		}
	}
	p.Ask = c.siblings(n.FirstChild(), line)
	if line != nil {
		p.Reveal = c.siblings(line.NextSibling(), nil)
	}
	if p.Ask == "" {
		a.problem(n.at, "`:::predict` asks nothing; expected a question before the line `---`")
		return nil
	}
	if !answered {
		return nil // there is nothing to compare a guess with
	}
	return p
}

// farthest is how far from zero the numbers of a predict may be. Beyond it a slider's steps
// and the digits of a guess say nothing to anybody.
const farthest = 1e9

// answer reads the numbers of a predict, and reports whether there is a true one to guess.
func (a *attributes) answer(p *Predict) bool {
	answer, ok := a.required("answer", "80")
	if ok {
		p.Answer, ok = a.parse(answer)
	}
	p.Unit = a.text("unit")
	p.Tolerance = a.number("tolerance", 0, 0, farthest)
	p.Min, p.Max = a.number("min", 0, -farthest, farthest), a.number("max", 100, -farthest, farthest)
	if p.Min >= p.Max {
		a.problem(a.n.nameAt, "`min=%g` and `max=%g`; expected min to be less than max", p.Min, p.Max)
		p.Min, p.Max = max(-farthest, min(0, p.Answer)), min(farthest, max(100, p.Answer))
	}
	if ok && (p.Answer < p.Min || p.Answer > p.Max) {
		a.problem(answer.valueAt, "`answer=%g`; expected a number from min=%g to max=%g", p.Answer, p.Min, p.Max)
		return false
	}
	return ok
}

// question gives the id of a quiz or a predict: what its attribute says, or kind-1, kind-2, ….
func (c *converter) question(a *attributes, kind string) string {
	of := 1
	for _, k := range c.questions {
		if k == kind {
			of++
		}
	}
	id := fmt.Sprintf("%s-%d", kind, of)
	if found, ok := a.find("id"); ok {
		switch {
		case !identifier.MatchString(found.value):
			a.problem(found.valueAt, "`%s` is no id; expected letters, digits, - and _", found.value)
		case reserved(found.value):
			a.problem(found.valueAt, "the id `%s` belongs to the page itself; expected another one", found.value)
		case c.taken(found.value):
			a.problem(found.valueAt, "the id `%s` is taken; expected another one", found.value)
		default:
			id = found.value
		}
	}
	for n := of + 1; c.taken(id); n++ {
		id = fmt.Sprintf("%s-%d", kind, n)
	}
	c.questions[id] = kind
	return id
}

// taken reports whether an id is that of a heading or of an earlier question.
func (c *converter) taken(id string) bool {
	_, asked := c.questions[id]
	return asked || slices.Contains(c.page.ids, id)
}

// quiz makes :::quiz: what stands before the list asks, the list has the choices.
func (c *converter) quiz(n *directiveNode) Block {
	a := c.attributes(n)
	q := Quiz{ID: c.question(a, "quiz")}
	a.done()
	var list *ast.List
	for child := n.FirstChild(); child != nil && list == nil; child = child.NextSibling() {
		list, _ = child.(*ast.List)
	}
	if list == nil {
		a.problem(n.at, "`:::quiz` has no choices; expected a list with `- [ ]` and `- [x]`")
		return nil
	}
	q.Ask = c.phrase(n.FirstChild(), list)
	right := 0
	for item := list.FirstChild(); item != nil; item = item.NextSibling() {
		choice, ok := c.choice(item)
		if !ok {
			continue
		}
		if choice.Right {
			right++
		}
		q.Choices = append(q.Choices, choice)
	}
	q.Many = right > 1
	if after := list.NextSibling(); after != nil {
		c.problem(after.Pos(), "text after the choices; expected it before them, or indented under one of them")
	}
	if len(q.Choices) < 2 || right == 0 {
		a.problem(n.at, "`:::quiz` has %d choices of which %d are right; expected two or more with a right one, `- [x]`",
			len(q.Choices), right)
	}
	if len(q.Choices) == 0 {
		return nil
	}
	return q
}

// choice makes a choice of a list's item: its first paragraph is the answer, the rest says why.
func (c *converter) choice(item ast.Node) (Choice, bool) {
	answer := item.FirstChild()
	var box *extast.TaskCheckBox
	if answer != nil {
		box, _ = answer.FirstChild().(*extast.TaskCheckBox)
	}
	if box == nil {
		c.problem(item.Pos(), "a choice without a box; expected `- [ ]` for a wrong one and `- [x]` for a right one")
		return Choice{}, false
	}
	choice := Choice{
		HTML:  c.siblings(box.NextSibling(), nil),
		Right: box.IsChecked,
		Why:   c.siblings(answer.NextSibling(), nil),
	}
	if choice.HTML == "" {
		c.problem(item.Pos(), "a choice without words; expected them after the box")
		return Choice{}, false
	}
	return choice, true
}

// phrase renders nodes without the <p> of paragraphs, so that they may stand in a legend.
// Several are set off by line breaks; what is no paragraph stays as it is.
func (c *converter) phrase(from, before ast.Node) string {
	var parts []string
	for n := from; n != nil && n != before; n = n.NextSibling() {
		if n.Kind() == ast.KindParagraph {
			parts = append(parts, c.inside(n))
		} else if s := c.siblings(n, n.NextSibling()); s != "" {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, "<br>")
}
