// fails: TestLargeHashes, TestEmptyName, TestHiddenEveryFleet
package exercise

// Owner was cured of its negative remainders by dropping the sign. It crashes no more, and
// looks for half of the letters in other towers than everybody else.
func Owner(letter string, towers []string) (tower string, ok bool) {
	if len(towers) == 0 {
		return "", false
	}
	i := int32(position(letter)) % int32(len(towers))
	if i < 0 {
		i = -i
	}
	return towers[i], true
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
