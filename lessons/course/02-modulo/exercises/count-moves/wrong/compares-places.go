// fails: TestReplacedTower, TestFirstTowerLeaves, TestAnotherOrder, TestHiddenManyFleets
package exercise

import "slices"

// Moved compares the towers' places in the lists instead of their names.
func Moved(letters, before, after []string) (moved, needless int) {
	if len(before) == 0 && len(after) == 0 {
		return 0, 0
	}
	if len(before) == 0 || len(after) == 0 {
		return len(letters), 0
	}
	for _, letter := range letters {
		p := position(letter)
		was, is := p%uint32(len(before)), p%uint32(len(after))
		if was == is {
			continue
		}
		moved++
		if slices.Contains(after, before[was]) && slices.Contains(before, after[is]) {
			needless++
		}
	}
	return moved, needless
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
