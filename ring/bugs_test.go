package ring

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Every test here is a fault that some library had. The name says the fault as it must not be.

func TestTheLastOneAddedDoesNotWinASharedPosition(t *testing.T) {
	points := fixed{"a": {100, 300}, "b": {100, 200}}
	ab := must(must(must(New(nil, Points(2), Using(points))).With(Node{Name: "a"})).With(Node{Name: "b"}))
	ba := must(must(must(New(nil, Points(2), Using(points))).With(Node{Name: "b"})).With(Node{Name: "a"}))
	same(t, "b after a, a after b", ab, ba)
	if got, _ := ab.OwnerAt(100); got != "a" {
		t.Errorf("owner at 100 = %q, want the smaller name", got)
	}
}

func TestRemovingANodeDoesNotDeleteAnothersPoint(t *testing.T) {
	r := fixed{"a": {100, 300}, "b": {100, 200}}.ring()
	for _, c := range []struct{ leaves, stays string }{{"a", "b"}, {"b", "a"}} {
		if got, _ := r.Without(c.leaves).OwnerAt(50); got != c.stays {
			t.Errorf("without %s, the owner at 50 is %q, want %q", c.leaves, got, c.stays)
		}
	}
}

func TestNameAndNumberDoNotRunTogether(t *testing.T) {
	text := Classic(func(point string) uint32 {
		if point == "node1#11" || point == "node11#1" {
			return 1
		}
		return Mixed(point)
	})
	first := text.AppendPoints(nil, "node1", 11, 12)
	second := text.AppendPoints(nil, "node11", 1, 2)
	if first[0] != 1 || second[0] != 1 {
		t.Errorf("point 11 of node1 and 1 of node11 do not hash node1#11 and node11#1")
	}
	// A name that ends as a point does is still told apart.
	for name, scheme := range schemes {
		if strings.HasPrefix(name, "8 bits") || name == "constant" {
			continue
		}
		points := slices.Concat(
			scheme.AppendPoints(nil, "node1", 0, 200), scheme.AppendPoints(nil, "node11", 0, 200),
			scheme.AppendPoints(nil, "node1#1", 0, 200), scheme.AppendPoints(nil, "node1-1", 0, 200),
		)
		slices.Sort(points)
		if distinct := len(slices.Compact(points)); distinct < 799 {
			t.Errorf("%s: 800 points stand at %d positions", name, distinct)
		}
	}
}

func TestRemovingAStrangerOrAddingTwiceKeepsTheCount(t *testing.T) {
	r := must(New(towers(3)))
	if _, err := r.With(Node{Name: "T-2", Weight: 5}); err == nil {
		t.Errorf("T-2 joined twice")
	}
	for range 5 {
		r = r.Without("T-9").Without("")
	}
	if got := r.Owners("key", 5); len(got) != 3 {
		t.Errorf("owners = %q, want three", got)
	}
}

func TestMoreCopiesThanNodesEnd(t *testing.T) {
	for name, scheme := range schemes {
		r := must(New(towers(3), Using(scheme)))
		if got := r.Owners("key", 1000); len(got) != 3 {
			t.Errorf("%s: owners = %q, want three", name, got)
		}
	}
}

func TestNeighbouringPointsOfANodeAreOneCopy(t *testing.T) {
	r := fixed{"a": {10, 11, 12}, "b": {13}}.ring()
	if got, want := r.Owners("5", 2), []string{"a", "b"}; !slices.Equal(got, want) {
		t.Errorf("owners = %q, want %q", got, want)
	}
}

func TestTheEndsOfTheCircleHaveOwnersAndCopies(t *testing.T) {
	r := fixed{"a": {10}, "b": {20}}.ring()
	for key, want := range map[string][]string{
		"0": {"a", "b"}, "15": {"b", "a"}, "21": {"a", "b"}, "4294967295": {"a", "b"},
	} {
		if got := r.Owners(key, 2); !slices.Equal(got, want) {
			t.Errorf("owners of %s = %q, want %q", key, got, want)
		}
	}
}

func TestLittleNoAndGreatWeight(t *testing.T) {
	r := must(New([]Node{{Name: "little", Weight: 1e-9}, {Name: "none"}}))
	if little, none := pointsOf(r, "little"), pointsOf(r, "none"); little != 1 || none != DefaultPoints {
		t.Errorf("little weight has %d points and none %d, want 1 and %d", little, none, DefaultPoints)
	}
	if _, err := New([]Node{{Name: "great", Weight: 1e7}}); err == nil {
		t.Errorf("a node got 1.6 billion points")
	}
}

func TestEqualWeightsGiveWholeNumbersOfPoints(t *testing.T) {
	// As parts of a sum, 40 points become 39.99999 for many numbers of nodes.
	for n := 1; n <= 100; n++ {
		r := must(New(caches(n), Points(40)))
		if len(r.points) != 40*n {
			t.Errorf("%d equal nodes have %d points, want %d", n, len(r.points), 40*n)
		}
	}
}

func TestPointsDoNotDependOnTheOtherWeights(t *testing.T) {
	before := must(New([]Node{{Name: "a", Weight: 1}, {Name: "b", Weight: 2}}))
	after := must(before.With(Node{Name: "huge", Weight: 50}))
	if m := Moved(before, after, numbered("user:", 5000)); m.Wrong != 0 || m.Moved == 0 {
		t.Errorf("%+v, want none wrong", m)
	}
}

func TestTheFifthKeyHasAPlace(t *testing.T) {
	b := NewBounded(must(New(towers(3))), 1.25)
	for key := range numbered("letter-", 5) {
		if _, ok := b.Add(key); !ok {
			t.Errorf("%s has no place", key)
		}
	}
	held := b.Held("T-1")
	b.Use(b.ring.Without("T-1"))
	b.Use(must(b.ring.With(Node{Name: "T-1"})))
	if got := b.Held("T-1"); held == 0 || got != 0 {
		t.Errorf("T-1 held %d, left and came back, and holds %d", held, got)
	}
}

func TestEveryNodeCanOwnEvenTheFirstAndLast(t *testing.T) {
	for name, p := range map[string]Placement{
		"ring":       must(New(towers(7))),
		"modulo":     NewModulo(names(towers(7))),
		"rendezvous": must(NewRendezvous(towers(7))),
		"bounded":    NewBounded(must(New(towers(7))), 2),
	} {
		if load := Spread(p, numbered("letter-", 2000)); load.Min == 0 {
			t.Errorf("%s: a node has nothing: %v", name, load.Nodes)
		}
	}
}

// Order is covered by TestOrderOfNodesAndOfChangesNeverMatters; maps by their absence here.
func TestTheListsOrderDoesNotPlaceKeys(t *testing.T) {
	forward, backward := towers(20), towers(20)
	slices.Reverse(backward)
	same(t, "reversed", must(New(backward)), must(New(forward)))
}

func TestAHashAboveTheSignBitHasAnOwner(t *testing.T) {
	for _, hash := range []uint32{0, math.MaxInt32, math.MaxInt32 + 1, math.MaxUint32} {
		m := NewModulo([]string{"a", "b", "c"}).HashedBy(func(string) uint32 { return hash })
		want := []string{"a", "b", "c"}[hash%3]
		if got, ok := m.Owner("key"); got != want || !ok {
			t.Errorf("hash %d belongs to %q, %v, want %q", hash, got, ok, want)
		}
	}
}

func TestBackendsThatDifferOnlyInThePortShareTheKeys(t *testing.T) {
	var nodes []Node
	for port := range 8 {
		nodes = append(nodes, Node{Name: "10.0.0.1:" + strconv.Itoa(8000+port)})
	}
	for name, p := range map[string]Placement{
		"fast":          must(New(nodes)),
		"classic mixed": must(New(nodes, Using(Classic(Mixed)))),
		"ketama":        must(New(nodes, Using(Ketama{}))),
		"libketama":     must(New(nodes, Using(Libketama{}))),
		"rendezvous":    must(NewRendezvous(nodes)),
	} {
		if load := Spread(p, numbered("user:", 20_000)); load.MinToMean < 0.7 || load.MaxToMean > 1.3 {
			t.Errorf("%s: from %.2f to %.2f of the fair share", name, load.MinToMean, load.MaxToMean)
		}
	}
}

func TestTheSearchForTheLastPositionEnds(t *testing.T) {
	for name, r := range map[string]*Ring{
		"a point there": fixed{"a": {0}, "b": {math.MaxUint32}}.ring(),
		"none there":    fixed{"a": {0}, "b": {math.MaxUint32 - 1}}.ring(),
	} {
		want := map[string]string{"a point there": "b", "none there": "a"}[name]
		if got, _ := r.OwnerAt(math.MaxUint32); got != want {
			t.Errorf("%s: owner of the last position = %q, want %q", name, got, want)
		}
		if arcs := Diff(r, r.Without("b")); len(arcs) != 1 {
			t.Errorf("%s: arcs %v, want one", name, arcs)
		}
	}
}
