// fails: TestSharedPlace, TestHiddenOtherFleets
package exercise

import (
	"slices"
	"sort"
	"strconv"
)

// A Ring keeps a map from positions to towers. At a position that two towers share there is
// room for one only, and the last in the list gets it.
type Ring struct {
	positions []uint32 // sorted
	towers    map[uint32]string
}

// New gives a ring on which every tower has so many places: T-1#0, T-1#1 and so on.
func New(towers []string, places int) *Ring {
	r := &Ring{towers: make(map[uint32]string)}
	for _, tower := range towers {
		for k := range places {
			p := position(tower + "#" + strconv.Itoa(k))
			r.positions = append(r.positions, p)
			r.towers[p] = tower
		}
	}
	slices.Sort(r.positions)
	return r
}

// Owner names the tower that keeps letter: that of the first place at or after its position,
// going clockwise. It reports false if there are no towers.
func (r *Ring) Owner(letter string) (tower string, ok bool) {
	if len(r.positions) == 0 {
		return "", false
	}
	p := position(letter)
	i := sort.Search(len(r.positions), func(i int) bool { return r.positions[i] >= p })
	return r.towers[r.positions[i%len(r.positions)]], true
}

// position hashes a name: FNV-1a, then the finaliser of MurmurHash3, which spreads the bits.
func position(name string) uint32 {
	h := uint32(2166136261)
	for _, b := range []byte(name) {
		h ^= uint32(b)
		h *= 16777619
	}
	h ^= h >> 16
	h *= 0x85ebca6b
	h ^= h >> 13
	h *= 0xc2b2ae35
	return h ^ h>>16
}
