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
	for len(positions) >= 4 && len(was) >= 4 && len(is) >= 4 {
		p, w, s := (*[4]uint32)(positions), (*[4]uint16)(was), (*[4]uint16)(is)
		a, b, c, e := d.remainder(p[0]), d.remainder(p[1]), d.remainder(p[2]), d.remainder(p[3])
		pairs[int(w[0])*stride+int(a)]++
		pairs[int(w[1])*stride+int(b)]++
		pairs[int(w[2])*stride+int(c)]++
		pairs[int(w[3])*stride+int(e)]++
		s[0], s[1], s[2], s[3] = uint16(a), uint16(b), uint16(c), uint16(e)
		positions, was, is = positions[4:], was[4:], is[4:]
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
		return Nobody
	}
	return fleet[rest]
}
