package ring

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestOrderOfNodesAndOfChangesNeverMatters(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		nodes := drawNodes(t, 0, 8)
		opts := []Option{Points(rapid.IntRange(1, 20).Draw(t, "points")), Using(drawScheme(t))}
		want := must(New(nodes, opts...))

		shuffled := rapid.Permutation(nodes).Draw(t, "order")
		same(t, "listed in another order", must(New(shuffled, opts...)), want)

		grown := must(New(nil, opts...))
		for _, n := range shuffled {
			grown = must(grown.With(n))
		}
		same(t, "joined one by one", grown, want)
	})
}

func TestLeavingUndoesJoining(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before := drawRing(t, 0)
		newcomer := drawNewcomer(t, before)
		nodes, points := slices.Clone(before.nodes), slices.Clone(before.points)

		after := must(before.With(newcomer))
		same(t, "joined and left", after.Without(newcomer.Name), before)
		if !slices.Equal(before.nodes, nodes) || !slices.Equal(before.points, points) {
			t.Fatalf("joining changed the ring that was joined")
		}
		for _, n := range after.nodes {
			same(t, "left and joined", must(after.Without(n.Name).With(n)), after)
		}
	})
}

func TestLeavingOfAStrangerChangesNothing(t *testing.T) {
	r := must(New(towers(3)))
	if got := r.Without("T-9"); got != r {
		t.Errorf("another ring came back, want the same one")
	}
	if got := must(New(nil)).Without(""); len(got.Nodes()) != 0 {
		t.Errorf("nodes = %v, want none", got.Nodes())
	}
}

// Only the letters that the newcomer takes may move, whatever the fleet and the hash, and none
// but those that it gives back when it leaves.
func TestJoiningMovesOnlyToTheNewcomer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before := drawRing(t, 0)
		newcomer := drawNewcomer(t, before)
		after := must(before.With(newcomer))
		for key := range numbered("letter-", 200) {
			was, _ := before.Owner(key)
			is, _ := after.Owner(key)
			if was != is && is != newcomer.Name {
				t.Fatalf("%q went from %q to %q, though %q joined", key, was, is, newcomer.Name)
			}
		}
		if m := Moved(before, after, numbered("letter-", 200)); m.Wrong != 0 {
			t.Fatalf("joining: %+v, want none wrong", m)
		}
		if m := Moved(after, before, numbered("letter-", 200)); m.Wrong != 0 {
			t.Fatalf("leaving: %+v, want none wrong", m)
		}
	})
}

func TestWeightOnlyAddsOrTakesTheLastPoints(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before := drawRing(t, 1)
		light := before.nodes[rapid.IntRange(0, len(before.nodes)-1).Draw(t, "node")]
		heavy := Node{Name: light.Name, Weight: light.weight() * rapid.Float64Range(1, 4).Draw(t, "factor")}
		after := must(before.Without(light.Name).With(heavy))

		scheme := before.settings.scheme
		was := scheme.AppendPoints(nil, light.Name, 0, pointsOf(before, light.Name))
		is := scheme.AppendPoints(nil, light.Name, 0, pointsOf(after, light.Name))
		if len(is) < len(was) || !slices.Equal(is[:len(was)], was) {
			t.Fatalf("points of weight %v are not the first of weight %v", light.weight(), heavy.Weight)
		}
		for _, n := range before.nodes {
			if n.Name != light.Name && pointsOf(before, n.Name) != pointsOf(after, n.Name) {
				t.Fatalf("%q has other points, though only %q changed", n.Name, light.Name)
			}
		}
		for key := range numbered("letter-", 200) {
			was, _ := before.Owner(key)
			if is, _ := after.Owner(key); was != is && is != light.Name {
				t.Fatalf("%q went from %q to %q, though %q gained", key, was, is, light.Name)
			}
		}
		if m := Moved(before, after, numbered("letter-", 200)); m.Wrong != 0 {
			t.Fatalf("gaining: %+v, want none wrong", m)
		}
		if m := Moved(after, before, numbered("letter-", 200)); m.Wrong != 0 {
			t.Fatalf("losing: %+v, want none wrong", m)
		}
	})
}

// pointsOf counts the points of a node, shadowed ones too.
func pointsOf(r *Ring, name string) int {
	at, _ := findNode(r.nodes, name)
	count := 0
	for _, p := range r.points {
		if p.node() == uint32(at) {
			count++
		}
	}
	return count
}
