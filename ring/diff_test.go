package ring

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestDiff(t *testing.T) {
	points := fixed{"a": {100}, "b": {200}, "c": {150}, "d": {math.MaxUint32}, "e": {0}, "f": {100}, "g": {120, 150}}
	with := func(names ...string) *Ring {
		some := fixed{}
		for _, name := range names {
			some[name] = points[name]
		}
		return some.ring()
	}
	const top = math.MaxUint32
	for _, c := range []struct {
		what          string
		before, after *Ring
		want          []Arc
	}{
		{"nothing", with("a", "b"), with("a", "b"), nil},
		{"nothing, empty", with(), with(), nil},
		{"first of all", with(), with("a"), []Arc{{0, top, "", "a"}}},
		{"last of all", with("d"), with(), []Arc{{0, top, "d", ""}}},
		{"in the middle", with("a", "b"), with("a", "b", "c"), []Arc{{101, 150, "b", "c"}}},
		{"leaving", with("a", "b", "c"), with("a", "b"), []Arc{{101, 150, "c", "b"}}},
		{"two points are one arc", with("a", "b"), with("a", "b", "g"), []Arc{{101, 150, "b", "g"}}},
		{"past zero", with("b", "c"), with("a", "b", "c"), []Arc{{0, 100, "c", "a"}, {201, top, "c", "a"}}},
		{"on the last position", with("a", "b"), with("a", "b", "d"), []Arc{{201, top, "a", "d"}}},
		{"on the first position", with("a", "b"), with("a", "b", "e"), []Arc{{0, 0, "a", "e"}, {201, top, "a", "e"}}},
		{"shadowed", with("a", "b"), with("a", "b", "f"), nil},
		{"out of the shadow", with("a", "b", "f"), with("b", "f"), []Arc{{0, 100, "a", "f"}, {201, top, "a", "f"}}},
		{"one for another", with("a", "b"), with("b", "c"), []Arc{
			{0, 100, "a", "c"}, {101, 150, "b", "c"}, {201, top, "a", "c"},
		}},
	} {
		got := Diff(c.before, c.after)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: arcs %v, want %v", c.what, got, c.want)
		}
	}
}

func TestArc(t *testing.T) {
	whole := Arc{From: 0, To: math.MaxUint32}
	if got := whole.Size(); got != 1<<32 {
		t.Errorf("the whole circle has %d positions, want 2³²", got)
	}
	one := Arc{From: 7, To: 7}
	if one.Size() != 1 || !one.Contains(7) || one.Contains(6) || one.Contains(8) {
		t.Errorf("arc %v has other positions than 7", one)
	}
}

// Key by key, what Diff says is what two look-ups say.
func TestDiffAgreesWithMoved(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before := drawRing(t, 0)
		after := before
		for range rapid.IntRange(0, 4).Draw(t, "changes") {
			if n := len(after.nodes); n > 0 && rapid.Bool().Draw(t, "leave") {
				after = after.Without(after.nodes[rapid.IntRange(0, n-1).Draw(t, "leaver")].Name)
			} else {
				after = must(after.With(drawNewcomer(t, after)))
			}
		}
		arcs := Diff(before, after)
		checkArcs(t, arcs)

		inArcs := 0
		for key := range numbered("letter-", 300) {
			if checkChange(t, arcs, before, after, before.Position(key)) {
				inArcs++
			}
		}
		if m := Moved(before, after, numbered("letter-", 300)); m.Moved != inArcs || m.Total != 300 {
			t.Fatalf("moved %+v, but the arcs have %d of the keys", m, inArcs)
		}
		for _, arc := range arcs {
			for _, position := range []uint32{arc.From - 1, arc.From, arc.To, arc.To + 1} {
				checkChange(t, arcs, before, after, position)
			}
		}
	})
}

// checkArcs fails unless arcs ascend without overlap and none could be joined to the one before.
func checkArcs(t *rapid.T, arcs []Arc) {
	for i, arc := range arcs {
		if arc.From > arc.To || arc.Old == arc.New {
			t.Fatalf("arc %+v is no change", arc)
		}
		if i == 0 {
			continue
		}
		last := arcs[i-1]
		if arc.From <= last.To {
			t.Fatalf("arc %+v does not follow %+v", arc, last)
		}
		if arc.From == last.To+1 && arc.Old == last.Old && arc.New == last.New {
			t.Fatalf("arcs %+v and %+v are one", last, arc)
		}
	}
}

// checkChange fails unless arcs say of position what both rings say, and returns whether it changed.
func checkChange(t *rapid.T, arcs []Arc, before, after *Ring, position uint32) bool {
	was, _ := before.OwnerAt(position)
	is, _ := after.OwnerAt(position)
	i := slices.IndexFunc(arcs, func(a Arc) bool { return a.Contains(position) })
	switch {
	case i < 0 && was != is:
		t.Fatalf("%d went from %q to %q, and no arc says so", position, was, is)
	case i >= 0 && (arcs[i].Old != was || arcs[i].New != is):
		t.Fatalf("%d went from %q to %q, and the arc says %+v", position, was, is, arcs[i])
	}
	return i >= 0
}
