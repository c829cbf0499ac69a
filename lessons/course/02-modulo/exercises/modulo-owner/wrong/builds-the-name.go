// fails: TestListDecides, TestHiddenEveryFleet
package exercise

import "strconv"

// Owner believes that the towers are always called T-1, T-2, T-3 and so on.
func Owner(letter string, towers []string) (tower string, ok bool) {
	n := uint32(len(towers))
	if n == 0 {
		return "", false
	}
	return "T-" + strconv.FormatUint(uint64(position(letter)%n+1), 10), true
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
