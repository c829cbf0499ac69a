package ring

import "github.com/cespare/xxhash/v2"

// KeyHash is the hash that [Rendezvous] takes of a key and of a node's name: 64-bit xxHash with
// seed 0. It also suits [Jump].
func KeyHash(key string) uint64 { return xxhash.Sum64String(key) }

// Score says how strongly a node, given by the [KeyHash] of its name, attracts a key, given by its
// own. The node with the highest score has the key; of equal scores, the one with the smaller name.
//
// It is one round of xorshift64* over the difference of the two, as in the Go libraries that
// users of rendezvous hashing know, so placements agree with theirs. For one key it is a
// bijection of the node's hash: only nodes whose names collide in all 64 bits can draw.
func Score(key, node uint64) uint64 {
	x := key ^ node
	x ^= x >> 12
	x ^= x << 25
	x ^= x >> 27
	return x * 2685821657736338717
}
