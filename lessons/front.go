package lessons

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// A front is the front matter of a page: YAML between two lines ---. It is read by asking for
// keys, as [attributes] are; done reports the keys that nobody asked for.
//
// YAML is read into nodes rather than into a struct, because only nodes know their places.
type front struct {
	src      *source
	root     *yaml.Node // a mapping, or nil
	broken   bool       // it could not be read, so that asking for what is missing is idle
	known    []string
	problems []Problem
}

func (f *front) problem(offset int, format string, args ...any) {
	f.problems = append(f.problems, f.src.problem(offset, format, args...))
}

// at gives where a node stands in the file. YAML counts its lines from the one after ---.
func (f *front) at(n *yaml.Node) int { return f.src.offset(n.Line+1, n.Column) }

// complaint is how yaml.v3 words an error; it tells no column.
var complaint = regexp.MustCompile(`^yaml: (?:line (\d+): )?(?s:(.*))$`)

// read reads the YAML, which begins on the second line of the file.
func (f *front) read(text []byte) {
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		f.broken = true
		line, message := 1, err.Error()
		if m := complaint.FindStringSubmatch(message); m != nil {
			if n, err := strconv.Atoi(m[1]); err == nil {
				line = n
			}
			message = m[2]
		}
		at := f.src.offset(line+1, 1)
		indent := len(f.src.line(line)) - len(strings.TrimLeft(f.src.line(line), " "))
		f.problem(at+indent, "the front matter is no YAML: %s", message)
		return
	}
	if len(doc.Content) == 0 {
		return // empty; what is missing will be said
	}
	if doc.Content[0].Kind != yaml.MappingNode {
		f.broken = true
		f.problem(f.at(doc.Content[0]), "expected lines such as `title: The ring`")
		return
	}
	f.root = doc.Content[0]
}

// find gives the value of a key, or nil.
func (f *front) find(key string) *yaml.Node {
	f.known = append(f.known, key)
	if f.root == nil {
		return nil
	}
	var found *yaml.Node
	for i := 0; i+1 < len(f.root.Content); i += 2 {
		switch k := f.root.Content[i]; {
		case k.Value != key:
		case found != nil:
			f.problem(f.at(k), "`%s` is given twice; expected it once", key)
		default:
			found = f.root.Content[i+1]
		}
	}
	return found
}

// done reports the keys that nobody asked for.
func (f *front) done() {
	if f.root == nil {
		return
	}
	for i := 0; i+1 < len(f.root.Content); i += 2 {
		if k := f.root.Content[i]; !slices.Contains(f.known, k.Value) {
			f.problem(f.at(k), "unknown key `%s`%s; expected %s", k.Value, meant(k.Value, f.known), oneOf(f.known))
		}
	}
}

// text gives one line of text. Where it is missing but needed, example says what was expected.
func (f *front) text(key, example string) string {
	n := f.find(key)
	if n == nil {
		if example != "" && !f.broken {
			f.problem(0, "the front matter has no `%s`; expected for example `%s: %s`", key, key, example)
		}
		return ""
	}
	value, ok := f.scalar(n)
	if !ok || value == "" {
		f.problem(f.at(n), "`%s`; expected text", key)
		return ""
	}
	return value
}

// scalar gives what a node says if it is no list and no mapping, with all white space made one.
func (f *front) scalar(n *yaml.Node) (string, bool) {
	if n.Kind != yaml.ScalarNode {
		return "", false
	}
	return strings.Join(strings.Fields(n.Value), " "), true
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
	value, _ := f.scalar(n)
	if !slices.Contains(words, value) {
		f.problem(f.at(n), "`%s: %s`%s; expected %s", key, value, meant(value, words), oneOf(words))
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
	value, _ := f.scalar(n)
	i, err := strconv.Atoi(value)
	if err != nil || i < lowest || i > highest {
		f.problem(f.at(n), "`%s: %s`; expected a whole number from %d to %d", key, value, lowest, highest)
		return otherwise
	}
	return i
}

// An entry is one text of a list, and where it stands.
type entry struct {
	text string
	at   int
}

// entry gives one text with its place; it may be missing.
func (f *front) entry(key string) entry {
	text := f.text(key, "")
	if text == "" {
		return entry{}
	}
	f.known = f.known[:len(f.known)-1] // text has asked already
	return entry{text, f.at(f.find(key))}
}

// list gives the texts of a list, which may be missing.
func (f *front) list(key, example string) []entry {
	n := f.find(key)
	if n == nil {
		return nil
	}
	if n.Kind != yaml.SequenceNode {
		f.problem(f.at(n), "`%s`; expected a list, as in `%s: %s`", key, key, example)
		return nil
	}
	var all []entry
	for _, item := range n.Content {
		if item.Kind != yaml.ScalarNode || strings.TrimSpace(item.Value) == "" {
			f.problem(f.at(item), "`%s` has an entry that is no text; expected a list, as in `%s: %s`", key, key, example)
			continue
		}
		all = append(all, entry{item.Value, f.at(item)})
	}
	return all
}

// mapping gives the keys under a key, to be read in the same way, or an empty one.
func (f *front) mapping(key, example string) *front {
	sub := &front{src: f.src}
	n := f.find(key)
	switch {
	case n == nil:
	case n.Kind != yaml.MappingNode:
		f.problem(f.at(n), "`%s`; expected lines under it, such as `%s`", key, example)
	default:
		sub.root = n
	}
	return sub
}

// quantity gives what parse makes of a text, or the zero value if there is none. What parse
// refuses is a problem, with its error for the reason.
func quantity[T any](f *front, key string, parse func(string) (T, error)) T {
	var none T
	n := f.find(key)
	if n == nil {
		return none
	}
	value, _ := f.scalar(n)
	got, err := parse(value)
	if err != nil {
		f.problem(f.at(n), "%s", fmt.Sprintf("`%s: %s`; expected %v", key, value, err))
		return none
	}
	return got
}
