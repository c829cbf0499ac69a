package census

import (
	"math/bits"
	"slices"
)

// remainders remembers which tower each letter's remainder named, before and after.
type remainders struct {
	was, is []uint16
	fleet   []uint16 // the fleet that is was made for
}

func (r *remainders) run(c *Census) {
	n := c.Letters()
	if r.is == nil {
		r.was, r.is = make([]uint16, n), make([]uint16, n)
		r.place(c, r.is, nil)
	}
	if slices.Equal(r.fleet, c.change.before) {
		r.was, r.is = r.is, r.was
	} else {
		r.place(c, r.was, c.change.before)
	}
	r.place(c, r.is, c.change.after)
	r.fleet = c.change.after
	c.compare(Modulo, r.was, r.is)
}

// place writes the owner of each letter: position mod the size of the fleet, in its order.
//
// The division is a multiplication by the rounded-down reciprocal, which is at most one too
// small, then one correction: a division for each of a million letters would not fit a frame.
func (r *remainders) place(c *Census, owner []uint16, fleet []uint16) {
	if len(fleet) == 0 {
		for i := range owner {
			owner[i] = Nobody
		}
		return
	}
	n := uint64(len(fleet))
	shift := uint8(32 + bits.Len64(n) - 1)
	reciprocal := (uint64(1) << shift) / n
	for i, p := range c.crowd.position[:len(owner)] {
		rest := uint64(p) - uint64(p)*reciprocal>>shift*n
		if rest >= n {
			rest -= n
		}
		owner[i] = fleet[rest]
	}
}

// compare counts letter by letter: for the rules whose owners have no stretches.
func (c *Census) compare(rule Rule, was, is []uint16) {
	ch, flow, moved := &c.change, c.flowFor(rule), 0
	is = is[:len(was)]
	for i, w := range was {
		h := is[i]
		if w == h {
			continue
		}
		moved++
		if w != Nobody && h != Nobody {
			flow[int(ch.place[w])*len(ch.union)+int(ch.place[h])]++
		}
	}
	c.settle(rule, moved, flow)
}
