package lessons

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// An attributes reads what a directive was given. Each question names an attribute, and by
// having been asked for the name is known: done then reports whatever nobody asked for. So
// what a directive takes is written down once, where it is used.
type attributes struct {
	c     *converter
	n     *directiveNode
	known []string
}

func (c *converter) attributes(n *directiveNode) *attributes {
	return &attributes{c: c, n: n}
}

// find gives the attribute of that name. Of two the first counts, and the second is a problem.
func (a *attributes) find(name string) (attribute, bool) {
	a.known = append(a.known, name)
	var found attribute
	ok := false
	for _, each := range a.n.attributes {
		if each.name != name {
			continue
		}
		if ok {
			a.problem(each.at, "`%s` is given twice; expected it once", name)
			continue
		}
		found, ok = each, true
	}
	return found, ok
}

// placeOf gives where the value of an attribute stands, or the directive's name if it has none.
// It does not count as a question for the attribute.
func (a *attributes) placeOf(name string) int {
	for _, each := range a.n.attributes {
		if each.name == name {
			return each.valueAt
		}
	}
	return a.n.nameAt
}

func (a *attributes) problem(at int, format string, args ...any) {
	a.c.problem(a.n.spot(a.c.src.text, at), format, args...)
}

// done reports the attributes that nobody asked for.
func (a *attributes) done() {
	for _, each := range a.n.attributes {
		if slices.Contains(a.known, each.name) {
			continue
		}
		expected := "expected none"
		if len(a.known) > 0 {
			expected = "expected " + oneOf(a.known)
		}
		a.problem(each.at, "unknown attribute `%s`%s; %s", each.name, meant(each.name, a.known), expected)
	}
}

// text gives the value as it is, or "".
func (a *attributes) text(name string) string {
	found, _ := a.find(name)
	return found.value
}

// required gives an attribute that has to be there; without it the directive has no sense.
func (a *attributes) required(name, example string) (attribute, bool) {
	found, ok := a.find(name)
	if !ok {
		a.problem(a.n.nameAt, "`%s` needs `%s`; expected for example `%s=%s`", a.n.name, name, name, example)
	}
	return found, ok
}

// integer gives a whole number from lowest to highest.
func (a *attributes) integer(name string, otherwise, lowest, highest int) int {
	found, ok := a.find(name)
	if !ok {
		return otherwise
	}
	n, err := strconv.Atoi(found.value)
	if err != nil || n < lowest || n > highest {
		a.problem(found.valueAt, "`%s=%s`; expected a whole number from %d to %d", name, found.value, lowest, highest)
		return otherwise
	}
	return n
}

// number gives a number from lowest to highest.
func (a *attributes) number(name string, otherwise, lowest, highest float64) float64 {
	found, ok := a.find(name)
	if !ok {
		return otherwise
	}
	x, ok := a.parse(found)
	if !ok {
		return otherwise
	}
	if x < lowest || x > highest {
		a.problem(found.valueAt, "`%s=%s`; expected a number from %.0f to %.0f", name, found.value, lowest, highest)
		return otherwise
	}
	return x
}

// parse reads a value as a number of any kind but infinity, and reports false for one that is none.
func (a *attributes) parse(found attribute) (float64, bool) {
	x, err := strconv.ParseFloat(found.value, 64)
	if err != nil || math.IsInf(x, 0) || math.IsNaN(x) {
		a.problem(found.valueAt, "`%s=%s`; expected a number such as 80.75", found.name, found.value)
		return 0, false
	}
	return x, true
}

// word gives one of the words, of which the first is meant where there is none.
func (a *attributes) word(name string, words ...string) string {
	found, ok := a.find(name)
	if !ok {
		return words[0]
	}
	if !slices.Contains(words, found.value) {
		a.problem(found.valueAt, "`%s=%s`%s; expected %s", name, found.value, meant(found.value, words), oneOf(words))
		return words[0]
	}
	return found.value
}

// words gives some of the words, separated by spaces, or all of them where there are none.
func (a *attributes) words(name string, words ...string) []string {
	found, ok := a.find(name)
	if !ok {
		return words
	}
	var some []string
	for word, at := range fields(found.value) {
		switch {
		case !slices.Contains(words, word):
			a.problem(found.valueAt+at, "`%s` in `%s`%s; expected %s, or several with spaces between",
				word, name, meant(word, words), oneOf(words))
		case slices.Contains(some, word):
			a.problem(found.valueAt+at, "`%s` stands twice in `%s`; expected it once", word, name)
		default:
			some = append(some, word)
		}
	}
	return some
}

// fields goes through the words of a value, each with its offset.
func fields(value string) func(yield func(word string, at int) bool) {
	return func(yield func(string, int) bool) {
		at := 0
		for part := range strings.SplitAfterSeq(value, " ") {
			if word := strings.TrimSuffix(part, " "); word != "" && !yield(word, at) {
				return
			}
			at += len(part)
		}
	}
}

// oneOf writes a list of words as what was expected.
func oneOf(words []string) string {
	if len(words) == 1 {
		return words[0]
	}
	return "one of " + strings.Join(words, ", ")
}

// meant writes a question after a word that is not known, if a known one is near.
func meant(word string, known []string) string {
	if near := nearest(word, known); near != "" {
		return " (did you mean `" + near + "`?)"
	}
	return ""
}
