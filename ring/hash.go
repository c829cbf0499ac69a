package ring

import "github.com/cespare/xxhash/v2"

// A Hash gives every string a position on the circle of 2³² positions. It must be a pure
// function: rings that are to agree need hashes that agree.
type Hash func(key string) uint32

// Parameters of 32-bit FNV-1a.
const (
	fnvOffset uint32 = 0x811c9dc5
	fnvPrime  uint32 = 0x01000193
)

// FNV1a is the 32-bit FNV-1a hash of key. It is quick, and weak in a way that matters on a ring:
// strings which differ only in their last byte land next to each other (a multiple of the prime
// apart), so that the virtual nodes of one name do not scatter. [Mixed] mends that.
func FNV1a(key string) uint32 {
	h := fnvOffset
	for i := 0; i < len(key); i++ {
		h = (h ^ uint32(key[i])) * fnvPrime
	}
	return h
}

// Mixed is [FNV1a] followed by the finaliser of MurmurHash3, which makes every bit of the result
// depend on every bit before it. It is the default of [Modulo] and the hash of the lessons.
//
// The finaliser is a bijection: strings that collide under FNV1a still collide.
func Mixed(key string) uint32 { return fmix32(FNV1a(key)) }

// fmix32 is MurmurHash3's 32-bit finaliser, a bijection on uint32.
func fmix32(h uint32) uint32 {
	h ^= h >> 16
	h *= 0x85ebca6b
	h ^= h >> 13
	h *= 0xc2b2ae35
	return h ^ h>>16
}

// XX is the low half of the 64-bit xxHash of key with seed 0: as even as [MD5] and, for anything
// longer than a few bytes, quicker than [FNV1a].
func XX(key string) uint32 { return uint32(xxhash.Sum64String(key)) }
