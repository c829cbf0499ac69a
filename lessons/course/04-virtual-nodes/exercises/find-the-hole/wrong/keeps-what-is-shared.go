// fails: TestAllItsPlacesGo, TestHiddenEveryTower
package exercise

import "strconv"

// A Point is one place of a tower on the circle.
type Point struct {
	Position uint32
	Tower    string
}

// Without plays safe and leaves every position alone at which there is somebody else: of the
// tower that goes, eight places stay.
func Without(ring []Point, tower string) []Point {
	gone := make(map[uint32]bool)
	for k := range 100 {
		gone[position(tower+"#"+strconv.Itoa(k))] = true
	}
	left := make([]Point, 0, len(ring))
	for i, p := range ring {
		before := i > 0 && ring[i-1].Position == p.Position
		after := i+1 < len(ring) && ring[i+1].Position == p.Position
		if !gone[p.Position] || before || after {
			left = append(left, p)
		}
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
