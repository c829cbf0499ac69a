// fails: TestOnePlaceEach, TestHundredPlacesEach, TestShares, TestOrderOfTowers, TestSharedPlace, TestHiddenOtherFleets
package exercise

import (
	"sort"
	"strconv"
)

// A Ring is a circle on which towers have their places. It does not change once it is built.
type Ring struct {
	points []point
}

// A point is one place of a tower.
type point struct {
	position uint32
	tower    string
}

// New leaves the places in the order in which it made them, where no search can find its way.
func New(towers []string, places int) *Ring {
	points := make([]point, 0, len(towers)*places)
	for _, tower := range towers {
		for k := range places {
			points = append(points, point{position(tower + "#" + strconv.Itoa(k)), tower})
		}
	}
	return &Ring{points}
}

// Owner names the tower that keeps letter: that of the first place at or after its position,
// going clockwise. It reports false if there are no towers.
func (r *Ring) Owner(letter string) (tower string, ok bool) {
	if len(r.points) == 0 {
		return "", false
	}
	p := position(letter)
	i := sort.Search(len(r.points), func(i int) bool { return r.points[i].position >= p })
	return r.points[i%len(r.points)].tower, true
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
