package ring

import (
	"math"
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

func TestBoundIsTheCeilingOfTheShare(t *testing.T) {
	for _, c := range []struct {
		load    float64
		nodes   int
		already int
		want    int
	}{
		{1.25, 3, 4, 3}, // 5 keys over 3 nodes: ⌈2.08⌉, where whole division gives 2 and one key has no place
		{1, 3, 0, 1},
		{1, 3, 3, 2},
		{1.1, 1, 9, 11}, // 1.1·10 is 11.000000000000002 in floating point
		{2, 4, 7, 4},
		{0.5, 2, 5, 3}, // taken as 1
		{math.NaN(), 2, 5, 3},
		{math.Inf(-1), 2, 5, 3},
		{math.Inf(1), 2, 5, math.MaxInt},
	} {
		b := NewBounded(must(New(towers(c.nodes))), c.load)
		for key := range numbered("letter-", c.already) {
			b.Add(key)
		}
		if got := b.Bound("T-1"); got != c.want {
			t.Errorf("load %v, %d nodes, one more than %d: bound %d, want %d", c.load, c.nodes, c.already, got, c.want)
		}
	}
}

func TestBoundFollowsTheWeight(t *testing.T) {
	b := NewBounded(must(New([]Node{{Name: "big", Weight: 3}, {Name: "small"}})), 1)
	for key := range numbered("letter-", 400) {
		b.Add(key)
	}
	if big, small := b.Held("big"), b.Held("small"); big != 300 || small != 100 {
		t.Errorf("big holds %d and small %d, want 300 and 100", big, small)
	}
}

func TestAHotKeyIsShared(t *testing.T) {
	r := must(New(towers(4)))
	owners := r.Owners("hot", 4)
	b := NewBounded(r, 1.25)
	for range 100 {
		b.Add("hot")
	}
	// The bound grows with each key, to ⌈31.25⌉ for the hundredth, and whenever it does the first
	// node is the first to have room.
	for i, want := range []int{32, 31, 31, 6} {
		if got := b.Held(owners[i]); got != want {
			t.Errorf("node %d clockwise holds %d, want %d", i, got, want)
		}
	}
	if got, _ := NewBounded(r, math.Inf(1)).Owner("hot"); got != owners[0] {
		t.Errorf("without a bound %q owns the key, want %q", got, owners[0])
	}
}

func TestBoundedOwnerIsWhereAddGoes(t *testing.T) {
	b := NewBounded(must(New(towers(5))), 1.1)
	for key := range numbered("letter-", 200) {
		want, _ := b.Owner(key)
		held := b.Held(want)
		if got, ok := b.Add(key); got != want || !ok || b.Held(want) != held+1 {
			t.Fatalf("%s: added to %q, %v, which now holds %d; want %q with %d", key, got, ok, b.Held(got), want, held+1)
		}
	}
	if !slices.Equal(b.Nodes(), towers(5)) {
		t.Errorf("nodes = %v, want those of the ring", b.Nodes())
	}
}

func TestBoundedOfNothing(t *testing.T) {
	b := NewBounded(must(New(nil)), 1.25)
	if name, ok := b.Add("key"); name != "" || ok {
		t.Errorf("added to %q, %v, want nowhere", name, ok)
	}
	if name, ok := b.Owner("key"); name != "" || ok {
		t.Errorf("owner = %q, %v, want none", name, ok)
	}
	b.Done("T-1")
	if b.Held("T-1") != 0 || b.Bound("T-1") != 0 {
		t.Errorf("a node that is not there holds %d of %d, want 0 of 0", b.Held("T-1"), b.Bound("T-1"))
	}
	b.Use(must(New(towers(1))))
	if name, _ := b.Add("key"); name != "T-1" {
		t.Errorf("after T-1 joined, added to %q", name)
	}
}

// Whatever comes and goes: loads add up, a key always has a place, and nobody is given more than
// the bound.
func TestBoundedKeepsItsBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawRing(t, 1)
		b := NewBounded(r, rapid.Float64Range(1, 3).Draw(t, "load"))
		held := make(map[string]int)
		check := func() {
			total := 0
			for _, n := range r.Nodes() {
				if got := b.Held(n.Name); got != held[n.Name] {
					t.Fatalf("%q holds %d, want %d", n.Name, got, held[n.Name])
				}
				total += held[n.Name]
			}
			if b.total != total {
				t.Fatalf("%d held in all, want %d", b.total, total)
			}
		}
		t.Repeat(map[string]func(*rapid.T){
			"": func(*rapid.T) { check() },
			"add": func(t *rapid.T) {
				key := rapid.StringMatching(`letter-[0-9]`).Draw(t, "key")
				bounds := make(map[string]int)
				for _, n := range r.Nodes() {
					bounds[n.Name] = b.Bound(n.Name)
				}
				name, ok := b.Add(key)
				if !ok {
					t.Fatalf("%s has no place", key)
				}
				held[name]++
				if held[name] > bounds[name] {
					t.Fatalf("%q was given %d, more than %d", name, held[name], bounds[name])
				}
				for _, passed := range r.Owners(key, len(r.nodes)) {
					if passed == name {
						break
					}
					if held[passed] < bounds[passed] {
						t.Fatalf("%q was passed with %d of %d", passed, held[passed], bounds[passed])
					}
				}
			},
			"done": func(t *rapid.T) {
				name := rapid.SampledFrom(names(r.nodes)).Draw(t, "node")
				b.Done(name)
				held[name] = max(0, held[name]-1)
			},
			"join": func(t *rapid.T) {
				r = must(r.With(drawNewcomer(t, r)))
				b.Use(r)
			},
			"leave": func(t *rapid.T) {
				if len(r.nodes) == 1 {
					return // Then no key has a place.
				}
				name := rapid.SampledFrom(names(r.nodes)).Draw(t, "node")
				r = r.Without(name)
				b.Use(r)
				delete(held, name)
			},
		})
	})
}

func TestBoundedIsSafeForConcurrentUse(t *testing.T) {
	r := must(New(towers(4)))
	b := NewBounded(r, 1.25)
	var workers sync.WaitGroup
	for range 4 {
		workers.Go(func() {
			for key := range numbered("letter-", 500) {
				name, _ := b.Add(key)
				b.Owner(key)
				b.Done(name)
			}
		})
	}
	workers.Go(func() {
		for range 100 {
			b.Use(r)
			b.Nodes()
		}
	})
	workers.Wait()
	for _, n := range r.Nodes() {
		if got := b.Held(n.Name); got != 0 {
			t.Errorf("%s still holds %d", n.Name, got)
		}
	}
}
