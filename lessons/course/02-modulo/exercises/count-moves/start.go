package exercise

// Moved counts the letters whose tower under modulo has another name in the fleet after than in
// the fleet before, and how many of these moves were needless: both of the letter's towers stand
// in both fleets.
func Moved(letters, before, after []string) (moved, needless int) {
	return 0, 0
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
