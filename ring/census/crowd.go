package census

import (
	"math/bits"
	"strconv"

	"github.com/ringoftowers/towers/ring"
)

// crowd is the letters, sorted by position.
type crowd struct {
	position []uint32
	key      []uint64 // their side of a rendezvous score, in the same order

	// first[b] is the rank of the first letter whose position, shifted right by shift, is at
	// least b. There is about one bucket for every four letters, so a rank is found by
	// looking at one bucket.
	first []uint32
	shift uint8
}

func newCrowd(n int, seed string, hash ring.Hash) crowd {
	packed := make([]uint64, n)
	keys := make([]uint64, n)
	name := append([]byte(seed), "letter-"...)
	stem := len(name)
	for i := range n {
		name = strconv.AppendInt(name[:stem], int64(i), 10)
		s := string(name)
		packed[i] = uint64(hash(s))<<32 | uint64(i)
		keys[i] = ring.KeyHash(s)
	}
	packed, _ = sortByHigh(packed, make([]uint64, n))
	c := crowd{position: make([]uint32, n), key: make([]uint64, n)}
	for i, p := range packed {
		c.position[i] = uint32(p >> 32)
		c.key[i] = keys[uint32(p)]
	}
	c.index()
	return c
}

func (c *crowd) index() {
	width := max(1, bits.Len(uint(len(c.position)))-2)
	c.shift = uint8(32 - width)
	c.first = make([]uint32, 1<<width+1)
	b := 0
	for i, p := range c.position {
		for ; b <= int(p>>c.shift); b++ {
			c.first[b] = uint32(i)
		}
	}
	for ; b < len(c.first); b++ {
		c.first[b] = uint32(len(c.position))
	}
}

// rank is how many letters stand at or before position p.
func (c *crowd) rank(p uint32) int {
	b := p >> c.shift
	i, end := c.first[b], c.first[b+1]
	for i < end && c.position[i] <= p {
		i++
	}
	return int(i)
}
