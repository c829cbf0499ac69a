package ring

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestOwnerWrapsAround(t *testing.T) {
	for _, c := range []struct {
		what   string
		points fixed
		owners map[uint32]string
	}{
		{"two points inside", fixed{"low": {10}, "high": {4_000_000_000}}, map[uint32]string{
			0: "low", 9: "low", 10: "low", 11: "high",
			4_000_000_000: "high", 4_000_000_001: "low", math.MaxUint32: "low",
		}},
		{"points on both ends", fixed{"first": {0}, "last": {math.MaxUint32}}, map[uint32]string{
			0: "first", 1: "last", math.MaxUint32 - 1: "last", math.MaxUint32: "last",
		}},
		{"only the last position", fixed{"last": {math.MaxUint32}}, map[uint32]string{
			0: "last", 1 << 31: "last", math.MaxUint32: "last",
		}},
		{"only the first position", fixed{"first": {0}, "second": {1}}, map[uint32]string{
			0: "first", 1: "second", 2: "first", math.MaxUint32: "first",
		}},
	} {
		r := c.points.ring()
		for position, want := range c.owners {
			if got, ok := r.OwnerAt(position); got != want || !ok {
				t.Errorf("%s: owner at %d = %q, %v, want %q", c.what, position, got, ok, want)
			}
		}
	}
}

func TestEmptyRing(t *testing.T) {
	for what, r := range map[string]*Ring{
		"new":      must(New(nil)),
		"deserted": must(New(towers(1))).Without("T-1"),
	} {
		if name, ok := r.Owner("key"); name != "" || ok {
			t.Errorf("%s: owner = %q, %v, want none", what, name, ok)
		}
		if name, ok := r.OwnerAt(0); name != "" || ok {
			t.Errorf("%s: owner at 0 = %q, %v, want none", what, name, ok)
		}
		if owners := r.Owners("key", 3); len(owners) != 0 {
			t.Errorf("%s: owners = %q, want none", what, owners)
		}
		if nodes := r.Nodes(); len(nodes) != 0 {
			t.Errorf("%s: nodes = %v, want none", what, nodes)
		}
		for position, node := range r.Points() {
			t.Errorf("%s: a point of %v at %d, want none", what, node, position)
		}
		same(t, what, must(r.With(Node{Name: "T-1"})), must(New(towers(1))))
	}
}

func TestNumberOfPointsFollowsTheWeight(t *testing.T) {
	for _, c := range []struct {
		points int
		weight float64
		want   int
	}{
		{160, 0, 160}, {160, 1, 160}, {160, 2, 320}, {160, 0.5, 80},
		{100, 0.994, 99}, {100, 0.995, 100}, {10, 0.001, 1}, {1, 0.4, 1}, {1, 5e-324, 1},
		{40, 0.1 + 0.2, 12}, {3, 1.5, 5},
	} {
		r := must(New([]Node{{Name: "a", Weight: c.weight}}, Points(c.points)))
		if len(r.points) != c.want {
			t.Errorf("weight %v with %d points a unit: %d points, want %d", c.weight, c.points, len(r.points), c.want)
		}
	}
}

func TestNodesAndOptionsAreTheCallers(t *testing.T) {
	nodes := []Node{{Name: "b", Weight: 2}, {Name: "a"}}
	r := must(New(nodes))
	want := []Node{{Name: "a"}, {Name: "b", Weight: 2}}
	nodes[0].Name = "changed"
	if got := r.Nodes(); !slices.Equal(got, want) {
		t.Fatalf("nodes = %v, want %v", got, want)
	}
	r.Nodes()[0].Name = "changed"
	if got := r.Nodes(); !slices.Equal(got, want) {
		t.Errorf("a caller changed the ring's nodes to %v", got)
	}
}

func TestPointsLeaveOutShadows(t *testing.T) {
	r := fixed{"b": {5, 9}, "a": {9, 7}, "c": {9}}.ring()
	var got []string
	for position, node := range r.Points() {
		got = append(got, string(rune('0'+position))+node.Name)
	}
	if want := []string{"5b", "7a", "9a"}; !slices.Equal(got, want) {
		t.Errorf("points = %q, want %q", got, want)
	}
	for range r.Points() {
		break // Stopping early must not panic.
	}
}

func TestOwnersOfTwoCopiesAreTwoNodes(t *testing.T) {
	r := fixed{"a": {10, 11, 12}, "b": {20}, "c": {30, 31}}.ring()
	for _, c := range []struct {
		key  string
		n    int
		want string
	}{
		{"0", 1, "a"}, {"0", 2, "a b"}, {"0", 3, "a b c"}, {"0", 4, "a b c"}, {"0", math.MaxInt, "a b c"},
		{"11", 2, "a b"}, {"12", 2, "a b"}, {"13", 2, "b c"}, {"21", 2, "c a"}, {"31", 3, "c a b"},
		{"32", 3, "a b c"}, {"4294967295", 2, "a b"}, {"0", 0, ""}, {"0", -1, ""}, {"0", math.MinInt, ""},
	} {
		if got := strings.Join(r.Owners(c.key, c.n), " "); got != c.want {
			t.Errorf("%d owners of %s = %q, want %q", c.n, c.key, got, c.want)
		}
	}
	got := r.AppendOwners([]string{"a", "kept"}, "0", 2)
	if want := []string{"a", "kept", "a", "b"}; !slices.Equal(got, want) {
		t.Errorf("appended owners = %q, want %q", got, want)
	}
}

func TestLookUpsAllocateNothing(t *testing.T) {
	// Longer than what Go would copy to the stack.
	key := strings.Repeat("long ", 40)
	for name, scheme := range schemes {
		r := must(New(caches(20), Using(scheme)))
		dst := make([]string, 0, 3)
		allocatesNothing(t, name+": Owner", func() { r.Owner(key) })
		allocatesNothing(t, name+": AppendOwners", func() { r.AppendOwners(dst, key, 3) })
	}
	m := NewModulo(names(caches(20)))
	allocatesNothing(t, "modulo: Owner", func() { m.Owner(key) })
	h := must(NewRendezvous(append(caches(20), Node{Name: "big", Weight: 3})))
	allocatesNothing(t, "rendezvous: Owner", func() { h.Owner(key) })
	b := NewBounded(must(New(caches(20))), 1.25)
	allocatesNothing(t, "bounded: Add and Done", func() {
		name, _ := b.Add(key)
		b.Done(name)
	})
}

// A model is a ring as one would explain it: all points in a list, looked through from its start.
type model []modelPoint

type modelPoint struct {
	position uint32
	name     string
}

func newModel(r *Ring) model {
	var m model
	for _, n := range r.nodes {
		count := int(max(1, math.Round(float64(r.settings.points)*n.weight())))
		for _, position := range r.settings.scheme.AppendPoints(nil, n.Name, 0, count) {
			m = append(m, modelPoint{position, n.Name})
		}
	}
	slices.SortFunc(m, func(a, b modelPoint) int {
		return cmp.Or(cmp.Compare(a.position, b.position), cmp.Compare(a.name, b.name))
	})
	return m
}

// owners returns all nodes clockwise from position.
func (m model) owners(position uint32) []string {
	start := slices.IndexFunc(m, func(p modelPoint) bool { return p.position >= position })
	start = max(start, 0)
	var owners []string
	for _, p := range slices.Concat(m[start:], m[:start]) {
		if !slices.Contains(owners, p.name) {
			owners = append(owners, p.name)
		}
	}
	return owners
}

func TestRingIsItsModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawRing(t, 1)
		m := newModel(r)
		for key := range numbered("letter-", 100) {
			want := m.owners(r.Position(key))
			if got, _ := r.Owner(key); got != want[0] {
				t.Fatalf("owner of %s = %q, want %q", key, got, want[0])
			}
			if got := r.Owners(key, len(want)); !slices.Equal(got, want) {
				t.Fatalf("owners of %s = %q, want %q", key, got, want)
			}
		}
		// Every point's own position and both its neighbours, and the ends of the circle.
		positions := []uint32{0, math.MaxUint32}
		for _, p := range m {
			positions = append(positions, p.position-1, p.position, p.position+1)
		}
		for _, position := range positions {
			if got, _ := r.OwnerAt(position); got != m.owners(position)[0] {
				t.Fatalf("owner at %d = %q, want %q", position, got, m.owners(position)[0])
			}
		}
	})
}

// The nodes after the owner are those that own the key when the ones before have gone.
func TestOwnersAreTheOwnersAfterEachLoss(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawRing(t, 1)
		for key := range numbered("letter-", 50) {
			left := r
			for i, want := range r.Owners(key, len(r.nodes)) {
				if got, _ := left.Owner(key); got != want {
					t.Fatalf("%s: after %d losses %q owns it, want %q", key, i, got, want)
				}
				left = left.Without(want)
			}
		}
	})
}
