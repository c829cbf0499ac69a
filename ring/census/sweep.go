package census

import "slices"

// sweep is the two rings of a change, walked together. Their points are sorted once; between
// two neighbouring points nothing can change, so each stretch is counted as a whole.
type sweep struct {
	sorted, spare []uint64 // position<<32 | place in the union
	stretches     []stretch
}

// stretch is the positions after the stretch before it, up to and including end. The first
// one begins after the last point of all, on the far side of zero.
type stretch struct {
	end     uint32
	rank    uint32 // letters at or before end
	was, is uint16 // owners before and after, as handles
	point   uint16 // whose point stands at end, as a handle
}

func (s *sweep) run(c *Census) {
	s.sort(c)
	s.assign(c)
	s.count(c)
}

// sort gathers the points of all towers of the union. They are appended tower by tower in the
// order of names, and the sort is stable: of equal positions the smaller name comes first.
func (s *sweep) sort(c *Census) {
	s.sorted = s.sorted[:0]
	for place, h := range c.change.union {
		for _, p := range c.pointsOf(h, c.change.points) {
			s.sorted = append(s.sorted, uint64(p)<<32|uint64(place))
		}
	}
	s.spare = slices.Grow(s.spare[:0], len(s.sorted))[:len(s.sorted)]
	s.sorted, s.spare = sortByHigh(s.sorted, s.spare)
}

// assign finds the owners of every stretch, going backwards: a stretch belongs to the next
// point that its ring has, and past the last point that is the first one.
func (s *sweep) assign(c *Census) {
	inBefore, inAfter := c.members(c.change.before), c.members(c.change.after)
	was, is := s.firstOf(c, inBefore), s.firstOf(c, inAfter)
	s.stretches = slices.Grow(s.stretches[:0], len(s.sorted))[:len(s.sorted)]
	for i := len(s.sorted) - 1; i >= 0; i-- {
		place, end := uint16(s.sorted[i]), uint32(s.sorted[i]>>32)
		h := c.change.union[place]
		if inBefore[place] {
			was = h
		}
		if inAfter[place] {
			is = h
		}
		s.stretches[i] = stretch{end: end, rank: uint32(c.crowd.rank(end)), was: was, is: is, point: h}
	}
}

// members tells, by place in the union, who belongs to a fleet.
func (c *Census) members(fleet []uint16) []bool {
	in := make([]bool, len(c.change.union))
	for _, h := range fleet {
		in[c.change.place[h]] = true
	}
	return in
}

func (s *sweep) firstOf(c *Census, in []bool) uint16 {
	for _, x := range s.sorted {
		if place := uint16(x); in[place] {
			return c.change.union[place]
		}
	}
	return nobody
}

func (s *sweep) count(c *Census) {
	ch, n := &c.change, c.Letters()
	held := make([]int, len(ch.union))
	flow, moved := c.flowFor(OnRing), 0
	tell := func(was, is uint16, letters int) {
		if is != nobody {
			held[ch.place[is]] += letters
		}
		if was == is {
			return
		}
		moved += letters
		if was != nobody && is != nobody {
			flow[int(ch.place[was])*len(ch.union)+int(ch.place[is])] += uint32(letters)
		}
	}
	rank := 0
	for i := range s.stretches {
		st := &s.stretches[i]
		tell(st.was, st.is, int(st.rank)-rank)
		rank = int(st.rank)
	}
	if len(s.stretches) > 0 {
		tell(s.stretches[0].was, s.stretches[0].is, n-rank)
	}
	c.settle(OnRing, moved, flow)
	c.loads = slices.Grow(c.loads[:0], len(ch.after))[:len(ch.after)]
	for i, h := range ch.after {
		c.loads[i] = held[ch.place[h]]
	}
}
