package exercise

// A Ring is a circle on which towers have their places. It does not change once it is built.
type Ring struct {
	// What has to stand here is yours to decide.
}

// New gives a ring on which every tower has so many places: T-1#0, T-1#1 and so on.
func New(towers []string, places int) *Ring {
	return &Ring{}
}

// Owner names the tower that keeps letter: that of the first place at or after its position,
// going clockwise. It reports false if there are no towers.
func (r *Ring) Owner(letter string) (tower string, ok bool) {
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
