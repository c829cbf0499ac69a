// fails: TestListDecides, TestListIsLeftAlone, TestHiddenEveryFleet
package exercise

import "slices"

// Owner sorts the towers first, so that their order shall not matter. But here the order is the
// rule, and the list belongs to the caller.
func Owner(letter string, towers []string) (tower string, ok bool) {
	if len(towers) == 0 {
		return "", false
	}
	slices.Sort(towers)
	return towers[position(letter)%uint32(len(towers))], true
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
