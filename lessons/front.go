package lessons

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// A front is the front matter of a page: YAML between two lines ---. It is read by asking for
// keys, as [attributes] are; done reports the keys that nobody asked for.
//
// YAML is read into nodes rather than into a struct, because only nodes know their places.
type front struct {
	src      *source
	values   []*ast.MappingValueNode
	broken   bool // it could not be read, so that asking for what is missing is idle
	known    []string
	problems []Problem
}

func (f *front) problem(offset int, format string, args ...any) {
	f.problems = append(f.problems, f.src.problem(offset, format, args...))
}

// at gives where a token stands in the file. YAML counts its lines from the one after ---.
func (f *front) at(t *token.Token) int {
	if t == nil || t.Position == nil {
		return 0
	}
	return f.src.offset(t.Position.Line+1, t.Position.Column)
}

// read reads the YAML, which begins on the second line of the file.
func (f *front) read(text []byte) {
	file, err := parser.ParseBytes(text, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		f.broken = true
		at, message := 0, err.Error()
		if wrong := (*yaml.SyntaxError)(nil); errors.As(err, &wrong) {
			at, message = f.at(wrong.Token), wrong.Message
		}
		f.problem(at, "the front matter is no YAML: %s", message)
		return
	}
	if len(file.Docs) == 0 || file.Docs[0].Body == nil {
		return // empty; what is missing will be said
	}
	switch body := file.Docs[0].Body.(type) {
	case *ast.MappingNode:
		f.values = body.Values
	case *ast.MappingValueNode:
		f.values = []*ast.MappingValueNode{body}
	default:
		f.broken = true
		f.problem(f.at(body.GetToken()), "expected lines such as `title: The ring`")
	}
}

// find gives the value of a key, or nil.
func (f *front) find(key string) ast.Node {
	f.known = append(f.known, key)
	var found ast.Node
	for _, v := range f.values {
		switch {
		case keyOf(v) != key:
		case found != nil:
			f.problem(f.at(v.Key.GetToken()), "`%s` is given twice; expected it once", key)
		default:
			found = v.Value
		}
	}
	return found
}

func keyOf(v *ast.MappingValueNode) string { return v.Key.GetToken().Value }

// done reports the keys that nobody asked for.
func (f *front) done() {
	for _, v := range f.values {
		if key := keyOf(v); !slices.Contains(f.known, key) {
			f.problem(f.at(v.Key.GetToken()), "unknown key `%s`%s; expected %s", key, meant(key, f.known), oneOf(f.known))
		}
	}
}

// text gives one line of text. Where it is missing but needed, example says what was expected.
func (f *front) text(key, example string) string { return f.entry(key, example).text }

// entry gives what text does, with its place.
func (f *front) entry(key, example string) entry {
	n := f.find(key)
	if n == nil {
		if example != "" && !f.broken {
			f.problem(0, "the front matter has no `%s`; expected for example `%s: %s`", key, key, example)
		}
		return entry{}
	}
	value, ok := scalar(n)
	if !ok || value == "" {
		f.problem(f.at(n.GetToken()), "`%s`; expected text", key)
		return entry{}
	}
	return entry{value, f.at(n.GetToken())}
}

// scalar gives what a node says if it is no list and no mapping, with all white space made one.
func scalar(n ast.Node) (string, bool) {
	text := ""
	switch n := n.(type) {
	case *ast.StringNode:
		text = n.Value
	case *ast.LiteralNode:
		text = n.Value.Value
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		text = n.GetToken().Value
	default:
		return "", false
	}
	return strings.Join(strings.Fields(text), " "), true
}

// word gives one of the words. The first is meant where there is none, unless it is needed.
func (f *front) word(key string, needed bool, words ...string) string {
	n := f.find(key)
	if n == nil {
		if needed && !f.broken {
			f.problem(0, "the front matter has no `%s`; expected %s", key, oneOf(words))
		}
		return words[0]
	}
	value, _ := scalar(n)
	if !slices.Contains(words, value) {
		f.problem(f.at(n.GetToken()), "`%s: %s`%s; expected %s", key, value, meant(value, words), oneOf(words))
		return words[0]
	}
	return value
}

// integer gives a whole number from lowest to highest. Where none is given otherwise is meant,
// unless that is not itself such a number: then one is needed.
func (f *front) integer(key string, otherwise, lowest, highest int) int {
	n := f.find(key)
	if n == nil {
		if (otherwise < lowest || otherwise > highest) && !f.broken {
			f.problem(0, "the front matter has no `%s`; expected a whole number from %d to %d", key, lowest, highest)
		}
		return otherwise
	}
	value, _ := scalar(n)
	i, err := strconv.Atoi(value)
	if err != nil || i < lowest || i > highest {
		f.problem(f.at(n.GetToken()), "`%s: %s`; expected a whole number from %d to %d", key, value, lowest, highest)
		return otherwise
	}
	return i
}

// An entry is one text of a list, and where it stands.
type entry struct {
	text string
	at   int
}

// list gives the texts of a list, which may be missing.
func (f *front) list(key, example string) []entry {
	n := f.find(key)
	if n == nil {
		return nil
	}
	list, ok := n.(*ast.SequenceNode)
	if !ok {
		f.problem(f.at(n.GetToken()), "`%s`; expected a list, as in `%s: %s`", key, key, example)
		return nil
	}
	var all []entry
	for _, item := range list.Values {
		text, ok := scalar(item)
		if !ok || text == "" {
			f.problem(f.at(item.GetToken()), "`%s` has an entry that is no text; expected a list, as in `%s: %s`", key, key, example)
			continue
		}
		all = append(all, entry{text, f.at(item.GetToken())})
	}
	return all
}

// mapping gives the keys under a key, to be read in the same way, or an empty one.
func (f *front) mapping(key, example string) *front {
	under := &front{src: f.src}
	switch n := f.find(key).(type) {
	case nil:
	case *ast.MappingNode:
		under.values = n.Values
	case *ast.MappingValueNode:
		under.values = []*ast.MappingValueNode{n}
	default:
		f.problem(f.at(n.GetToken()), "`%s`; expected lines under it, such as `%s`", key, example)
	}
	return under
}

// quantity gives what parse makes of a text, or the zero value if there is none. What parse
// refuses is a problem, with its error for the reason.
func quantity[T any](f *front, key string, parse func(string) (T, error)) T {
	var none T
	n := f.find(key)
	if n == nil {
		return none
	}
	value, _ := scalar(n)
	got, err := parse(value)
	if err != nil {
		f.problem(f.at(n.GetToken()), "`%s: %s`; expected %v", key, value, err)
		return none
	}
	return got
}
