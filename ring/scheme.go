package ring

import (
	"strconv"

	"github.com/cespare/xxhash/v2"
)

// A Scheme decides where keys and the points of nodes stand on the circle of 2³² positions.
// [Fast], [Classic], [Ketama] and [Libketama] are the schemes of this package; a program may
// bring its own.
//
// Both methods must be pure functions, safe for concurrent use. A node's point number k must
// depend on nothing but the node's name and k, so that more weight only adds points at the end.
type Scheme interface {
	// Position returns where key stands.
	Position(key string) uint32

	// AppendPoints appends the positions of the points of node that are numbered from … to-1 (from ≥ 0)
	// to dst, in this order, and returns the extended slice. It appends nothing if from ≥ to.
	AppendPoints(dst []uint32, node string, from, to int) []uint32
}

// Fast is the default scheme. It hashes a node's name once, with 64-bit xxHash, and mixes the
// result with the number of each point; a key stands at [XX] of it.
//
// As names meet only in 64 bits, two of them do not collide in families of points, as they can
// under [Classic] with a hash of 32 bits. A point costs about two nanoseconds and no memory.
type Fast struct{}

// Position returns [XX] of key.
func (Fast) Position(key string) uint32 { return XX(key) }

// AppendPoints takes point k from the upper half of the SplitMix64 sequence that begins at the
// node's hash.
func (Fast) AppendPoints(dst []uint32, node string, from, to int) []uint32 {
	base := xxhash.Sum64String(node)
	for k := from; k < to; k++ {
		dst = append(dst, uint32(splitMix64(base, uint64(k))>>32))
	}
	return dst
}

// splitMix64 returns number k of the SplitMix64 sequence whose state was seed: an odd step,
// which makes it pass through every state, and a mix in which all bits take part.
func splitMix64(seed, k uint64) uint64 {
	z := seed + (k+1)*0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Classic is the scheme of the lessons and of most home-made rings: a key stands at its hash, and
// point k of node "T-1" at the hash of "T-1#k". Nothing but digits follows the last #, so no two
// points of different names or numbers hash the same text.
//
// Making points allocates twice for each node. The hash must not be nil.
func Classic(hash Hash) Scheme { return classic{hash} }

type classic struct{ hash Hash }

func (c classic) Position(key string) uint32 { return c.hash(key) }

func (c classic) AppendPoints(dst []uint32, node string, from, to int) []uint32 {
	for from < to {
		until := min(to, from+classicBatch)
		dst = c.appendBatch(dst, node, from, until)
		from = until
	}
	return dst
}

// classicBatch bounds the text that is held at once for a node of very many points.
const classicBatch = 256

// appendBatch appends up to classicBatch points. It writes all their texts into one string and
// hashes the parts, because a string of its own for each point would be most of the work.
func (c classic) appendBatch(dst []uint32, node string, from, to int) []uint32 {
	var ends [classicBatch]int
	buf := make([]byte, 0, (to-from)*(len(node)+len("#1234")))
	for k := from; k < to; k++ {
		buf = append(buf, node...)
		buf = append(buf, '#')
		buf = strconv.AppendInt(buf, int64(k), 10)
		ends[k-from] = len(buf)
	}
	text, start := string(buf), 0
	for _, end := range ends[:to-from] {
		dst = append(dst, c.hash(text[start:end]))
		start = end
	}
	return dst
}
