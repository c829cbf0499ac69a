package ring

import (
	"slices"
	"strconv"
	"testing"
)

// sizes are the fleets of which figures are told: nodes of 160 points.
var sizes = []int{8, 100, 1000}

// benchKeys are enough to keep the branch predictor honest and few enough to stay in the cache.
func benchKeys() []string { return slices.Collect(numbered("user:", 1<<12)) }

// BenchmarkOwner compares looking up keys, hashing included, in rings of growing size with a
// binary search in a sorted slice, which is what a ring is usually made of.
func BenchmarkOwner(b *testing.B) {
	keys := benchKeys()
	for _, n := range sizes {
		r := must(New(caches(n)))
		b.Run("ring/"+strconv.Itoa(n)+"x160", func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				r.Owner(keys[i%len(keys)])
			}
		})
		s := newSortedSlice(r)
		b.Run("sorted slice/"+strconv.Itoa(n)+"x160", func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				s.owner(keys[i%len(keys)])
			}
		})
	}
}

// BenchmarkOwnerAt is BenchmarkOwner without the hash: the search alone.
func BenchmarkOwnerAt(b *testing.B) {
	for _, n := range sizes {
		r := must(New(caches(n)))
		b.Run("ring/"+strconv.Itoa(n)+"x160", func(b *testing.B) {
			for i := uint32(0); b.Loop(); i++ {
				r.OwnerAt(fmix32(i))
			}
		})
		s := newSortedSlice(r)
		b.Run("sorted slice/"+strconv.Itoa(n)+"x160", func(b *testing.B) {
			for i := uint32(0); b.Loop(); i++ {
				s.ownerAt(fmix32(i))
			}
		})
	}
}

// A sortedSlice is the plain ring: positions in order, searched by halving.
type sortedSlice struct {
	positions []uint32
	owners    []string
}

func newSortedSlice(r *Ring) sortedSlice {
	var s sortedSlice
	for position, node := range r.Points() {
		s.positions = append(s.positions, position)
		s.owners = append(s.owners, node.Name)
	}
	return s
}

func (s sortedSlice) owner(key string) string { return s.ownerAt(XX(key)) }

func (s sortedSlice) ownerAt(position uint32) string {
	i, _ := slices.BinarySearch(s.positions, position)
	if i == len(s.positions) {
		i = 0
	}
	return s.owners[i]
}

func BenchmarkOwners(b *testing.B) {
	keys := benchKeys()
	r := must(New(caches(100)))
	var dst [3]string
	for i := 0; b.Loop(); i++ {
		r.AppendOwners(dst[:0], keys[i%len(keys)], len(dst))
	}
}

func BenchmarkNew(b *testing.B) {
	for name, scheme := range map[string]Scheme{"fast": Fast{}, "classic mixed": Classic(Mixed), "ketama": Ketama{}} {
		for _, n := range sizes {
			nodes := caches(n)
			b.Run(name+"/"+strconv.Itoa(n)+"x160", func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					must(New(nodes, Using(scheme)))
				}
			})
		}
	}
}

func BenchmarkChange(b *testing.B) {
	for _, n := range sizes {
		r := must(New(caches(n)))
		b.Run("With/"+strconv.Itoa(n)+"x160", func(b *testing.B) {
			for b.Loop() {
				must(r.With(Node{Name: "newcomer"}))
			}
		})
		b.Run("Without/"+strconv.Itoa(n)+"x160", func(b *testing.B) {
			for b.Loop() {
				r.Without("cache-05")
			}
		})
	}
}

func BenchmarkDiff(b *testing.B) {
	r := must(New(caches(100)))
	after := must(r.With(Node{Name: "newcomer"}))
	for b.Loop() {
		Diff(r, after)
	}
}

func BenchmarkRendezvous(b *testing.B) {
	keys := benchKeys()
	for _, n := range []int{8, 30, 100} {
		equal := caches(n)
		unequal := slices.Clone(equal)
		for i := range unequal {
			unequal[i].Weight = float64(1 + i%2*3)
		}
		for name, nodes := range map[string][]Node{"equal": equal, "two weights": unequal} {
			h := must(NewRendezvous(nodes))
			b.Run(name+"/"+strconv.Itoa(n), func(b *testing.B) {
				for i := 0; b.Loop(); i++ {
					h.Owner(keys[i%len(keys)])
				}
			})
		}
	}
}

func BenchmarkOtherRules(b *testing.B) {
	keys := benchKeys()
	b.Run("modulo", func(b *testing.B) {
		m := NewModulo(names(caches(100)))
		for i := 0; b.Loop(); i++ {
			m.Owner(keys[i%len(keys)])
		}
	})
	b.Run("jump", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			Jump(KeyHash(keys[i%len(keys)]), 100)
		}
	})
	b.Run("bounded", func(b *testing.B) {
		bounded := NewBounded(must(New(caches(100))), 1.25)
		for i := 0; b.Loop(); i++ {
			name, _ := bounded.Add(keys[i%len(keys)])
			if i%2 == 1 {
				bounded.Done(name)
			}
		}
	})
}

func BenchmarkHash(b *testing.B) {
	keys := benchKeys()
	for name, hash := range map[string]Hash{"FNV1a": FNV1a, "Mixed": Mixed, "XX": XX, "MD5": MD5, "CRC32": Ketama{}.Position} {
		b.Run(name, func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				hash(keys[i%len(keys)])
			}
		})
	}
}
