package census

import (
	"math/bits"
	"slices"
)

// remainders remembers each letter's remainder before and after: its tower's place in the
// fleet. Pairs of remainders are counted, and turned into towers only in the end.
type remainders struct {
	was, is           []uint16
	wasFleet, isFleet []uint16
	pairs             []uint32
}

func (r *remainders) run(c *Census) {
	n := c.Letters()
	if r.is == nil {
		r.was, r.is = make([]uint16, n), make([]uint16, n)
	}
	if !slices.Equal(r.isFleet, c.change.before) {
		r.divide(c.crowd.position, r.is, c.change.before)
	}
	r.was, r.is = r.is, r.was
	r.wasFleet, r.isFleet = c.change.before, c.change.after
	if len(r.wasFleet) == 0 || len(r.isFleet) == 0 {
		r.divide(c.crowd.position, r.is, r.isFleet)
		c.settle(Modulo, movedWithout(n, r.wasFleet, r.isFleet), c.flowFor(Modulo))
		return
	}
	r.pair(c.crowd.position)
	r.settle(c)
}

// movedWithout is how many letters change hands when a fleet before or after is empty.
func movedWithout(letters int, before, after []uint16) int {
	if len(before) == len(after) {
		return 0
	}
	return letters
}

// A divider finds remainders by multiplying with the rounded-down reciprocal, which is at most
// one too small, and correcting once: divisions for a million letters would not fit a frame.
type divider struct {
	n, reciprocal uint64
	shift         uint8
}

func newDivider(n int) divider {
	shift := uint8(32 + bits.Len(uint(n)) - 1)
	return divider{n: uint64(n), reciprocal: uint64(1) << shift / uint64(n), shift: shift}
}

func (d divider) remainder(p uint32) uint64 {
	rest := uint64(p) - uint64(p)*d.reciprocal>>d.shift*d.n
	if rest >= d.n {
		rest -= d.n
	}
	return rest
}

func (r *remainders) divide(positions []uint32, rest []uint16, fleet []uint16) {
	if len(fleet) == 0 {
		clear(rest)
		return
	}
	d := newDivider(len(fleet))
	rest = rest[:len(positions)]
	for i, p := range positions {
		rest[i] = uint16(d.remainder(p))
	}
}

// pair divides by the size of the new fleet and counts how often each pair of remainders
// comes up. There is no branch in the loop, and four letters go in each round: in WebAssembly
// made by Go every turn of a loop costs more than the work of one letter.
func (r *remainders) pair(positions []uint32) {
	stride := len(r.isFleet)
	r.pairs = slices.Grow(r.pairs[:0], len(r.wasFleet)*stride)[:len(r.wasFleet)*stride]
	clear(r.pairs)
	d, pairs := newDivider(stride), r.pairs
	was, is := r.was, r.is
	for len(positions) >= 8 && len(was) >= 8 && len(is) >= 8 {
		p, w, s := (*[8]uint32)(positions), (*[8]uint16)(was), (*[8]uint16)(is)
		r0, r1, r2, r3 := d.remainder(p[0]), d.remainder(p[1]), d.remainder(p[2]), d.remainder(p[3])
		r4, r5, r6, r7 := d.remainder(p[4]), d.remainder(p[5]), d.remainder(p[6]), d.remainder(p[7])
		pairs[int(w[0])*stride+int(r0)]++
		pairs[int(w[1])*stride+int(r1)]++
		pairs[int(w[2])*stride+int(r2)]++
		pairs[int(w[3])*stride+int(r3)]++
		pairs[int(w[4])*stride+int(r4)]++
		pairs[int(w[5])*stride+int(r5)]++
		pairs[int(w[6])*stride+int(r6)]++
		pairs[int(w[7])*stride+int(r7)]++
		s[0], s[1], s[2], s[3] = uint16(r0), uint16(r1), uint16(r2), uint16(r3)
		s[4], s[5], s[6], s[7] = uint16(r4), uint16(r5), uint16(r6), uint16(r7)
		positions, was, is = positions[8:], was[8:], is[8:]
	}
	for i, p := range positions {
		rest := d.remainder(p)
		pairs[int(was[i])*stride+int(rest)]++
		is[i] = uint16(rest)
	}
}

// settle reads the pairs as traffic between towers.
func (r *remainders) settle(c *Census) {
	flow, moved, m := c.flowFor(Modulo), 0, len(c.change.union)
	for i, n := range r.pairs {
		from, to := r.wasFleet[i/len(r.isFleet)], r.isFleet[i%len(r.isFleet)]
		if n != 0 && from != to {
			moved += int(n)
			flow[int(c.change.place[from])*m+int(c.change.place[to])] += n
		}
	}
	c.settle(Modulo, moved, flow)
}

// owners are the towers that a letter's remainders name.
func (r *remainders) owners(rank int) (was, is uint16) {
	return named(r.wasFleet, r.was[rank]), named(r.isFleet, r.is[rank])
}

func named(fleet []uint16, rest uint16) uint16 {
	if len(fleet) == 0 {
		return nobody
	}
	return fleet[rest]
}
