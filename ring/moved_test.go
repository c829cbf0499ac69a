package ring

import (
	"slices"
	"testing"
)

// letters is a placement that lists each key's owner; keys without one have none.
type letters struct {
	owners map[string]string
	nodes  []Node
}

func (l letters) Owner(key string) (string, bool) {
	name, ok := l.owners[key]
	return name, ok
}

func (l letters) Nodes() []Node { return l.nodes }

func TestMovedTellsTheWrongOnes(t *testing.T) {
	a, b, c := Node{Name: "a"}, Node{Name: "b"}, Node{Name: "c"}
	heavy := Node{Name: "a", Weight: 2}
	for _, test := range []struct {
		what          string
		before, after letters
		want          Movement
	}{
		{
			"to a newcomer, and between the others",
			letters{map[string]string{"1": "a", "2": "b", "3": "a", "4": "a"}, []Node{a, b}},
			letters{map[string]string{"1": "c", "2": "c", "3": "b", "4": "a"}, []Node{a, b, c}},
			Movement{Moved: 3, Total: 5, Wrong: 1},
		},
		{
			"from a leaver, and between the others",
			letters{map[string]string{"1": "a", "2": "b", "3": "c", "4": "b"}, []Node{a, b, c}},
			letters{map[string]string{"1": "b", "2": "b", "3": "b", "4": "a"}, []Node{a, b}},
			Movement{Moved: 3, Total: 5, Wrong: 2},
		},
		{
			"to the one that gained",
			letters{map[string]string{"1": "b", "2": "a", "3": "b"}, []Node{a, b, c}},
			letters{map[string]string{"1": "a", "2": "b", "3": "c"}, []Node{heavy, b, c}},
			Movement{Moved: 3, Total: 5, Wrong: 2},
		},
		{
			"from the one that lost; a weight of 1 is that of 0",
			letters{map[string]string{"1": "a", "2": "b"}, []Node{heavy, b}},
			letters{map[string]string{"1": "b", "2": "a"}, []Node{a, {Name: "b", Weight: 1}}},
			Movement{Moved: 2, Total: 5, Wrong: 1},
		},
		{
			"from nobody",
			letters{nil, nil},
			letters{map[string]string{"1": "a"}, []Node{a}},
			Movement{Moved: 1, Total: 5},
		},
	} {
		keys := slices.Values([]string{"1", "2", "3", "4", "5"})
		if got := Moved(test.before, test.after, keys); got != test.want {
			t.Errorf("%s: %+v, want %+v", test.what, got, test.want)
		}
	}
}

func TestShareOfNoKeysIsNothing(t *testing.T) {
	if got := (Movement{}).Share(); got != 0 {
		t.Errorf("share = %v, want 0", got)
	}
	if got := (Movement{Moved: 1, Total: 4}).Share(); got != 0.25 {
		t.Errorf("share = %v, want 0.25", got)
	}
}
