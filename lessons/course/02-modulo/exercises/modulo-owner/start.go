package exercise

// Owner names the tower that keeps letter: the remainder of the letter's position, divided by
// the number of towers, is the tower's place in the list. It reports false if there are none.
func Owner(letter string, towers []string) (tower string, ok bool) {
	return "", false
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
