package ring

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// The placements are those of the usual Go library over the same hash.
func TestRendezvousAgreesWithTheUsualLibrary(t *testing.T) {
	r := must(NewRendezvous([]Node{{Name: "a"}, {Name: "b"}, {Name: "c"}, {Name: "d"}, {Name: "e"}}))
	for key, want := range map[string]string{"foo": "d", "bar": "b", "baz": "a", "hello": "d"} {
		if got, ok := r.Owner(key); got != want || !ok {
			t.Errorf("owner of %q = %q, %v, want %q", key, got, ok, want)
		}
	}
}

func TestRendezvousOfNothing(t *testing.T) {
	r := must(NewRendezvous(nil))
	if name, ok := r.Owner("key"); name != "" || ok || len(r.Nodes()) != 0 {
		t.Errorf("owner = %q, %v among %v, want none", name, ok, r.Nodes())
	}
}

// drawKeyHash draws the usual hash or one of 8 bits, under which scores are often equal.
func drawKeyHash(t *rapid.T) func(string) uint64 {
	if rapid.Bool().Draw(t, "8 bits") {
		return func(key string) uint64 { return KeyHash(key) & 0xff }
	}
	return KeyHash
}

func rendezvous(nodes []Node, hash func(string) uint64) *Rendezvous {
	return must(NewRendezvous(nodes)).HashedBy(hash)
}

// With equal weights the plain comparison of scores decides, whatever the weight is.
func TestEqualWeightsAreDecidedByTheScoreAlone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		hash := drawKeyHash(t)
		nodes := drawNodes(t, 1, 8)
		weight := drawWeight(t)
		for i := range nodes {
			nodes[i].Weight = weight
		}
		r := rendezvous(nodes, hash)
		for key := range numbered("letter-", 100) {
			best, high := "", uint64(0)
			for _, n := range nodes {
				score := Score(hash(key), hash(n.Name))
				if best == "" || score > high || score == high && n.Name < best {
					best, high = n.Name, score
				}
			}
			if got, _ := r.Owner(key); got != best {
				t.Fatalf("owner of %s = %q, want %q", key, got, best)
			}
		}
	})
}

// The winner among all is found by groups; here it is found one against one.
func TestWeightedOwnerBeatsEveryOther(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		hash := drawKeyHash(t)
		nodes := drawNodes(t, 1, 8)
		r := rendezvous(nodes, hash)
		for key := range numbered("letter-", 100) {
			var best bid
			for i, n := range nodes {
				score := Score(hash(key), hash(n.Name))
				b := bid{attraction(score, n.weight()), score, n.Name}
				if i == 0 || b.beats(best) {
					best = b
				}
			}
			if got, _ := r.Owner(key); got != best.name {
				t.Fatalf("owner of %s = %q, want %q", key, got, best.name)
			}
		}
	})
}

func TestRendezvousMovesOnlyToOrFromTheChanged(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		hash := drawKeyHash(t)
		nodes := drawNodes(t, 1, 8)
		shuffled := rapid.Permutation(nodes).Draw(t, "order")
		all := rendezvous(nodes, hash)
		fewer := rendezvous(nodes[1:], hash)
		heavier := slices.Clone(nodes)
		heavier[0].Weight = heavier[0].weight() * rapid.Float64Range(1, 8).Draw(t, "factor")
		for _, c := range []struct {
			what          string
			before, after *Rendezvous
		}{
			{"leaving", all, fewer}, {"joining", fewer, all},
			{"gaining", all, rendezvous(heavier, hash)}, {"losing", rendezvous(heavier, hash), all},
		} {
			if m := Moved(c.before, c.after, numbered("letter-", 200)); m.Wrong != 0 {
				t.Fatalf("%s: %+v, want none wrong", c.what, m)
			}
		}
		if m := Moved(all, rendezvous(shuffled, hash), numbered("letter-", 200)); m.Moved != 0 {
			t.Fatalf("another order: %+v, want none moved", m)
		}
	})
}

func TestRendezvousSharesByWeight(t *testing.T) {
	nodes := caches(4)
	want := []float64{0.4, 0.4, 0.1, 0.1}
	for i := range nodes {
		nodes[i].Weight = want[i] * 10
	}
	load := Spread(must(NewRendezvous(nodes)), numbered("user:", 200_000))
	for i, n := range load.Nodes {
		if got := float64(n.Keys) / float64(load.Total); math.Abs(got-want[i]) > 0.003 {
			t.Errorf("%s has %.4f of the keys, want about %.1f", n.Name, got, want[i])
		}
	}
}

// Attraction must rise strictly with the upper 48 bits of the score, or a group's winner by score
// could offer less than one that it beat.
func TestAttractionRisesWithTheScore(t *testing.T) {
	check := func(t *rapid.T, score uint64, weight float64) {
		low, high := attraction(score, weight), attraction(score+1<<16, weight)
		if !(low < high) || !(low > 0) || math.IsInf(high, 0) {
			t.Fatalf("scores %x and %x attract %v and %v", score, score+1<<16, low, high)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		weight := rapid.Float64Range(0.001, 1000).Draw(t, "weight")
		check(t, rapid.Uint64Range(0, math.MaxUint64-1<<16).Draw(t, "score"), weight)
		check(t, 0, weight)
		check(t, math.MaxUint64-1<<16, weight)
	})
}
