package census

import (
	"iter"
	"slices"
	"strconv"
	"testing"

	"github.com/ringoftowers/towers/ring"
	"pgregory.net/rapid"
)

// The census is only a quicker way of counting: package ring has the last word, letter by
// letter, whatever came before. A hash of 8 bits makes towers and letters meet on one place.
func TestAgreesWithPackageRing(t *testing.T) {
	tiny := func(key string) uint32 { return ring.Mixed(key) & 0xff << 24 }
	rapid.Check(t, func(t *rapid.T) {
		hash := rapid.SampledFrom([]ring.Hash{ring.Mixed, ring.FNV1a, tiny}).Draw(t, "hash")
		seed := rapid.SampledFrom([]string{"", "x:"}).Draw(t, "seed")
		letters := rapid.IntRange(0, 300).Draw(t, "letters")
		c := New(letters, seed, hash)
		after := drawFleet(t, "first")
		for range rapid.IntRange(1, 6).Draw(t, "changes") {
			before := after
			if rapid.Bool().Draw(t, "jumps") {
				before = drawFleet(t, "before")
			}
			after = drawFleet(t, "after")
			points := rapid.IntRange(1, 40).Draw(t, "points")
			c.Change(before, after, points)
			check(t, c, keys(seed, letters), hash, before, after, points)
		}
	})
}

func drawFleet(t *rapid.T, label string) []int {
	return rapid.SliceOfNDistinct(rapid.IntRange(1, 12), 0, 8, rapid.ID[int]).Draw(t, label)
}

func check(t *rapid.T, c *Census, keys iter.Seq[string], hash ring.Hash, before, after []int, points int) {
	placements := func(fleet []int) [rules]ring.Placement {
		onRing, err := ring.New(nodes(fleet), ring.Points(points), ring.Using(ring.Classic(hash)))
		if err != nil {
			t.Fatal(err)
		}
		rendezvous, err := ring.NewRendezvous(nodes(fleet))
		if err != nil {
			t.Fatal(err)
		}
		return [rules]ring.Placement{onRing, rendezvous, ring.NewModulo(names(fleet)).HashedBy(hash)}
	}
	was, is := placements(before), placements(after)
	for rule := range rules {
		want := ring.Moved(was[rule], is[rule], keys)
		got := c.Tally(rule)
		if got.Moved != want.Moved || c.Letters() != want.Total {
			t.Fatalf("rule %d, %v to %v: %d of %d moved, want %d of %d", rule, before, after, got.Moved, c.Letters(), want.Moved, want.Total)
		}
		if len(before) > 0 && len(after) > 0 && got.Needless != want.Wrong {
			t.Fatalf("rule %d, %v to %v: %d needlessly, want %d", rule, before, after, got.Needless, want.Wrong)
		}
		checkSample(t, c, rule, keys, hash, was[rule], is[rule])
	}
	load := ring.Spread(is[OnRing], keys)
	want := make(map[string]int)
	for _, n := range load.Nodes {
		want[n.Name] = n.Keys
	}
	for i, n := range c.Loads() {
		if node := names(after)[i]; n != want[node] {
			t.Fatalf("%s keeps %d letters, want %d", node, n, want[node])
		}
	}
	checkArcs(t, c, is[OnRing].(*ring.Ring))
}

// checkSample holds every letter's owners, before and after, against the placements.
func checkSample(t *rapid.T, c *Census, rule Rule, keys iter.Seq[string], hash ring.Hash, was, is ring.Placement) {
	type owners struct{ was, is string }
	want := make(map[uint32][]owners)
	for key := range keys {
		a, _ := was.Owner(key)
		b, _ := is.Owner(key)
		want[hash(key)] = append(want[hash(key)], owners{a, b})
	}
	for _, l := range c.AppendSample(nil, rule, c.Letters()) {
		got := owners{name(l.Was), name(l.Is)}
		i := slices.Index(want[l.Position], got)
		if i < 0 {
			t.Fatalf("rule %d: a letter at %d went from %q to %q, which none of %v did", rule, l.Position, got.was, got.is, want[l.Position])
		}
		want[l.Position] = slices.Delete(want[l.Position], i, i+1)
	}
}

// checkArcs asks the ring for the owner at both ends of every arc.
func checkArcs(t *rapid.T, c *Census, r *ring.Ring) {
	owner := make(map[uint32]string)
	for position, node := range r.Points() {
		if _, shadowed := owner[position]; !shadowed {
			owner[position] = node.Name
		}
	}
	arcs := c.AppendArcs(nil, 1<<20)
	for i, a := range arcs {
		if i > 0 && a.Tower == arcs[i-1].Tower {
			t.Fatalf("two arcs of %s stand side by side at %d", name(a.Tower), a.From)
		}
		if owner[a.To] != name(a.Tower) {
			t.Fatalf("the arc to %d is %s's, want %s's", a.To, name(a.Tower), owner[a.To])
		}
		if before := arcs[(i+len(arcs)-1)%len(arcs)]; before.To != a.From {
			t.Fatalf("an arc begins at %d, but the one before it ends at %d", a.From, before.To)
		}
	}
	ticked := make(map[uint32]bool)
	for _, tick := range c.AppendTicks(nil, 1<<20) {
		ticked[tick.Position] = true
	}
	if len(ticked) != len(owner) {
		t.Fatalf("ticks at %d positions, want %d", len(ticked), len(owner))
	}
}

func keys(seed string, n int) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range n {
			if !yield(seed + "letter-" + strconv.Itoa(i)) {
				return
			}
		}
	}
}

func name(tower int) string {
	if tower == 0 {
		return ""
	}
	return "T-" + strconv.Itoa(tower)
}

func names(fleet []int) []string {
	ns := make([]string, len(fleet))
	for i, tower := range fleet {
		ns[i] = name(tower)
	}
	return ns
}

func nodes(fleet []int) []ring.Node {
	ns := make([]ring.Node, len(fleet))
	for i, tower := range fleet {
		ns[i] = ring.Node{Name: name(tower)}
	}
	return ns
}

// A picture's sample of a big ring keeps every stretch that is wide enough to see.
func TestSampledArcsFollowTheRing(t *testing.T) {
	c := New(0, "", ring.Mixed)
	c.Change(towers(40), towers(40), 500)
	const cells = 512
	arcs := c.AppendArcs(nil, cells)
	if len(arcs) > cells {
		t.Fatalf("%d arcs, want at most %d", len(arcs), cells)
	}
	whole := c.AppendArcs(nil, 1<<20)
	for _, a := range arcs {
		middle := a.From + 1<<32/cells/2
		if got := ownerAt(whole, middle); got != a.Tower {
			t.Errorf("the sample gives %d to T-%d, want T-%d", middle, a.Tower, got)
		}
	}
	if ticks := c.AppendTicks(nil, cells); len(ticks) > cells {
		t.Errorf("%d ticks, want at most %d", len(ticks), cells)
	}
}

func ownerAt(arcs []Arc, position uint32) int {
	for _, a := range arcs[1:] {
		if a.From < position && position <= a.To {
			return a.Tower
		}
	}
	return arcs[0].Tower
}
