// fails: TestEmptyFleets, TestHiddenManyFleets
package exercise

import "slices"

// Moved leaves out the letters that have no tower on one side.
func Moved(letters, before, after []string) (moved, needless int) {
	if len(before) == 0 || len(after) == 0 {
		return 0, 0
	}
	for _, letter := range letters {
		was, is := owner(letter, before), owner(letter, after)
		if was == is {
			continue
		}
		moved++
		if slices.Contains(after, was) && slices.Contains(before, is) {
			needless++
		}
	}
	return moved, needless
}

// owner names the tower that keeps letter, or gives "" if there is none.
func owner(letter string, towers []string) string {
	if len(towers) == 0 {
		return ""
	}
	return towers[position(letter)%uint32(len(towers))]
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
