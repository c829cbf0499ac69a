package ring

import (
	"slices"
	"testing"
)

func TestModulo(t *testing.T) {
	// Key 7 as the number 7, as the lesson does it by hand.
	byNumber := func(key string) uint32 { return fixed{}.Position(key) }
	for _, c := range []struct {
		towers int
		want   string
	}{{4, "T-4"}, {5, "T-3"}} {
		m := NewModulo(names(towers(c.towers))).HashedBy(byNumber)
		if got, ok := m.Owner("7"); got != c.want || !ok {
			t.Errorf("7 mod %d is %q, %v, want %q", c.towers, got, ok, c.want)
		}
	}
}

func TestModuloKeepsTheOrderGiven(t *testing.T) {
	given := []string{"b", "a", "b"}
	m := NewModulo(given)
	given[0] = "changed"
	want := []Node{{"b", 1}, {"a", 1}, {"b", 1}}
	if got := m.Nodes(); !slices.Equal(got, want) {
		t.Errorf("nodes = %v, want %v", got, want)
	}
	for key := range numbered("letter-", 100) {
		got, _ := m.Owner(key)
		if want := []string{"b", "a", "b"}[Mixed(key)%3]; got != want {
			t.Errorf("owner of %s = %q, want %q", key, got, want)
		}
	}
}

func TestModuloOfNothing(t *testing.T) {
	if name, ok := NewModulo(nil).Owner("key"); name != "" || ok {
		t.Errorf("owner = %q, %v, want none", name, ok)
	}
}
