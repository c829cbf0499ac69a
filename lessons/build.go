package lessons

import "slices"

// Limits on the figures of one lesson. The server draws each of them for the page, and the
// reader's browser once more: so many are a second's work, and far more than a lesson needs.
const (
	mostTowers  = 128       // of one figure, with the one that arrives
	mostRings   = 12        // of a lesson
	mostLetters = 2_000_000 // of all figures of a lesson together
)

// ring makes ::ring{…}. A figure beyond the limits of its lesson is not drawn, but keeps its
// number, so that links to the others stay true.
func (c *converter) ring(n *directiveNode) Block {
	a := c.attributes(n)
	c.figures++
	r := Ring{
		Figure:  c.figures,
		Lead:    n.Parent() == c.page.doc && n.PreviousSibling() == nil,
		Towers:  a.integer("towers", 4, 0, mostTowers),
		Points:  a.integer("points", 100, 1, 1000),
		Letters: a.integer("letters", 2000, 0, 1_000_000),
		Hash:    a.word("hash", "mixed", "fnv1a", "md5", "xx"),
		Compare: a.words("compare", "modulo", "rendezvous"),
		Seed:    a.text("seed"),
		Arrives: a.integer("arrives", 0, 0, 1),
		Follow:  a.word("follow", "ring", "rendezvous", "modulo"),
		Caption: a.text("caption"),
	}
	a.done()
	if r.Follow != "ring" && !slices.Contains(r.Compare, r.Follow) {
		a.problem(a.placeOf("follow"), "`follow=%s` follows a rule that is not shown; expected %s, or %s in `compare` too",
			r.Follow, oneOf(append([]string{"ring"}, r.Compare...)), r.Follow)
		r.Follow = "ring"
	}
	if r.Towers+r.Arrives > mostTowers {
		a.problem(a.placeOf("arrives"), "`arrives=%d` after `towers=%d`; expected at most %d towers together", r.Arrives, r.Towers, mostTowers)
		r.Arrives = 0
	}
	switch {
	case c.figures > mostRings:
		a.problem(n.at, "`::ring` once more; expected at most %d in a lesson", mostRings)
		return nil
	case c.letters+r.Letters > mostLetters:
		a.problem(a.placeOf("letters"), "`letters=%d` after %d in the rings above; expected at most %d in a lesson", r.Letters, c.letters, mostLetters)
		return nil
	}
	c.letters += r.Letters
	return r
}

// exercise makes ::exercise{id=…}.
func (c *converter) exercise(n *directiveNode) Block {
	a := c.attributes(n)
	found, ok := a.required("id", "owner")
	a.done()
	if !ok {
		return nil
	}
	id := found.value
	ids := make([]string, len(c.exercises))
	for i, e := range c.exercises {
		ids[i] = e.ID
		if e.ID != id {
			continue
		}
		if e.Number != 0 {
			a.problem(found.valueAt, "the exercise `%s` stands twice; expected it once", id)
			return nil
		}
		c.used++
		e.Number = c.used
		return ExerciseLink{Exercise: e, Number: e.Number}
	}
	expected := "expected a folder exercises/" + id + " in this lesson"
	if len(ids) > 0 {
		expected = "expected " + oneOf(ids)
	}
	a.problem(found.valueAt, "unknown exercise `%s`%s; %s", id, meant(id, ids), expected)
	return nil
}

// details makes :::details{title=…}.
func (c *converter) details(n *directiveNode) Block {
	a := c.attributes(n)
	d := Details{Title: a.text("title"), Aside: a.text("aside")}
	a.done()
	if d.Title == "" {
		d.Title = "Under the hood"
	}
	d.Body = c.blocks(n)
	return d
}

// note makes :::note{title=…}.
func (c *converter) note(n *directiveNode) Block {
	a := c.attributes(n)
	note := Note{Title: a.text("title")}
	a.done()
	if note.Title == "" {
		note.Title = "Note"
	}
	note.HTML = c.inside(n)
	if note.HTML == "" {
		a.problem(n.at, "`:::note` is empty; expected text before the line `:::`")
		return nil
	}
	return note
}

// rule makes :::rule.
func (c *converter) rule(n *directiveNode) Block {
	a := c.attributes(n)
	a.done()
	rule := Rule{HTML: c.inside(n)}
	if rule.HTML == "" {
		a.problem(n.at, "`:::rule` is empty; expected the sentence to remember before the line `:::`")
		return nil
	}
	return rule
}
