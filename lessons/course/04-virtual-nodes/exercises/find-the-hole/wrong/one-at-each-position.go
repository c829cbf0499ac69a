// fails: TestAllItsPlacesGo, TestOthersKeepTheirPlaces, TestHiddenEveryTower
package exercise

import "strconv"

// A Point is one place of a tower on the circle.
type Point struct {
	Position uint32
	Tower    string
}

// Without takes one place off each position, and does not look whose it is.
func Without(ring []Point, tower string) []Point {
	gone := make(map[uint32]bool)
	for k := range 100 {
		gone[position(tower+"#"+strconv.Itoa(k))] = true
	}
	left := make([]Point, 0, len(ring))
	for _, p := range ring {
		if gone[p.Position] {
			delete(gone, p.Position)
			continue
		}
		left = append(left, p)
	}
	return left
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
