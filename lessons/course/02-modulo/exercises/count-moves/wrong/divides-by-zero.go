// fails: TestEmptyFleets, TestHiddenManyFleets
package exercise

import "slices"

// Moved forgets that a fleet may be empty, and divides by zero.
func Moved(letters, before, after []string) (moved, needless int) {
	for _, letter := range letters {
		p := position(letter)
		was := before[p%uint32(len(before))]
		is := after[p%uint32(len(after))]
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
