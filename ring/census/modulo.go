package census

import (
	"math/bits"
	"slices"
)

// remainders counts under modulo. A letter's towers before and after follow from one number,
// its position modulo the least common multiple of the two fleets' sizes: the letters are
// counted by that, and the counts, ten thousand for a hundred towers, are read as moves in the end.
type remainders struct {
	counts []uint32
}

func (r *remainders) run(c *Census) {
	before, after := c.change.before, c.change.after
	flow := c.flowFor(Modulo)
	if len(before) == 0 || len(after) == 0 {
		moved := 0
		if len(before) != len(after) {
			moved = c.Letters()
		}
		c.settle(Modulo, moved, flow)
		return
	}
	r.count(c.crowd.position, lcm(len(before), len(after)))
	moved, m := 0, len(c.change.union)
	for rest, n := range r.counts {
		from, to := before[rest%len(before)], after[rest%len(after)]
		if n != 0 && from != to {
			moved += int(n)
			flow[int(c.change.place[from])*m+int(c.change.place[to])] += n
		}
	}
	c.settle(Modulo, moved, flow)
}

// count counts positions by their remainder. There is no branch in the loop, and eight letters
// go in each round: in WebAssembly made by Go a turn of a loop costs more than one letter.
func (r *remainders) count(positions []uint32, n int) {
	r.counts = slices.Grow(r.counts[:0], n)[:n]
	clear(r.counts)
	d, counts := newDivider(n), r.counts
	for ; len(positions) >= 8; positions = positions[8:] {
		p := (*[8]uint32)(positions)
		counts[d.remainder(p[0])]++
		counts[d.remainder(p[1])]++
		counts[d.remainder(p[2])]++
		counts[d.remainder(p[3])]++
		counts[d.remainder(p[4])]++
		counts[d.remainder(p[5])]++
		counts[d.remainder(p[6])]++
		counts[d.remainder(p[7])]++
	}
	for _, p := range positions {
		counts[d.remainder(p)]++
	}
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
	rest := uint64(p) - uint64(p)*d.reciprocal>>(d.shift&63)*d.n
	if rest >= d.n {
		rest -= d.n
	}
	return rest
}

func lcm(a, b int) int {
	product := a * b
	for b != 0 {
		a, b = b, a%b
	}
	return product / a
}

// named is the tower that a letter's remainder names.
func (c *Census) named(fleet []uint16, rank int) uint16 {
	if len(fleet) == 0 {
		return nobody
	}
	return fleet[int(c.crowd.position[rank])%len(fleet)]
}
