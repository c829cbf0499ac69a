package census

// Arc is a stretch of the ring after the change that one tower keeps: the positions after
// From up to and including To, going round past zero where From ≥ To. An arc from a position
// to itself is the whole circle.
type Arc struct {
	From, To uint32
	Tower    int
}

// AppendArcs appends the arcs of the ring after the change, clockwise, neighbours of one
// tower as one; only the first and the last may be of the same tower. Of more than most stretches it takes an even sample: the circle is cut into
// most cells, and each is its middle's owner's. A picture has no use for more.
func (c *Census) AppendArcs(dst []Arc, most int) []Arc {
	ss := c.sweep.stretches
	if len(ss) == 0 || ss[0].is == nobody || most <= 0 {
		return dst
	}
	m := merger{arcs: dst, base: len(dst)}
	if len(ss) <= most {
		in := c.members(c.change.after)
		for _, s := range ss {
			if in[c.change.place[s.point]] {
				m.from = s.end // in the end, the last point: the first arc begins there
			}
		}
		for _, s := range ss {
			if in[c.change.place[s.point]] {
				m.add(s.end, s.is)
			}
		}
		return m.finish(c)
	}
	const turn = 1 << 32
	at := 0
	for cell := range most {
		begin, end := uint64(cell)*turn/uint64(most), uint64(cell+1)*turn/uint64(most)
		for middle := uint32((begin + end) / 2); at < len(ss) && ss[at].end < middle; {
			at++
		}
		owner := ss[0].is
		if at < len(ss) {
			owner = ss[at].is
		}
		m.add(uint32(end), owner)
	}
	return m.finish(c)
}

// merger joins neighbouring stretches of one owner to arcs.
type merger struct {
	arcs  []Arc
	base  int
	from  uint32 // where the open arc begins
	to    uint32
	owner uint16
	open  bool
}

func (m *merger) add(end uint32, owner uint16) {
	if m.open && end == m.to {
		return // a shadowed point: its stretch is empty
	}
	if m.open && owner != m.owner {
		m.close()
	}
	m.to, m.owner, m.open = end, owner, true
}

// close ends the open arc. Owners are handles until finish.
func (m *merger) close() {
	m.arcs = append(m.arcs, Arc{From: m.from, To: m.to, Tower: int(m.owner)})
	m.from = m.to
}

func (m *merger) finish(c *Census) []Arc {
	m.close()
	for i := range m.arcs[m.base:] {
		a := &m.arcs[m.base+i]
		a.Tower = c.towers[a.Tower].number
	}
	return m.arcs
}

// Tick is a virtual node of the ring after the change.
type Tick struct {
	Position uint32
	Tower    int
}

// AppendTicks appends the virtual nodes of the ring after the change, clockwise; of more than
// most, at most one for each of most equal cells of the circle.
func (c *Census) AppendTicks(dst []Tick, most int) []Tick {
	if most <= 0 {
		return dst
	}
	in := c.members(c.change.after)
	thin := len(c.sweep.stretches) > most
	next := uint64(0)
	for _, s := range c.sweep.stretches {
		if !in[c.change.place[s.point]] {
			continue
		}
		if cell := uint64(s.end) * uint64(most) >> 32; thin {
			if cell < next {
				continue
			}
			next = cell + 1
		}
		dst = append(dst, Tick{Position: s.end, Tower: c.towers[s.point].number})
	}
	return dst
}

// Home is the position of a tower's point number 0, where pictures plant it.
func (c *Census) Home(tower int) uint32 {
	return c.pointsOf(c.handles([]int{tower})[0], 1)[0]
}

// Letter is one letter as a picture needs it. Owners are tower numbers; 0 is nobody.
type Letter struct {
	Rank     int // its place among all letters by position
	Position uint32
	Was, Is  int
}

// AppendSample appends at most most letters, evenly taken by rank, with their owners under
// rule before and after the change.
func (c *Census) AppendSample(dst []Letter, rule Rule, most int) []Letter {
	n := c.Letters()
	if n == 0 || most <= 0 {
		return dst
	}
	step := (n + most - 1) / most
	owners := c.owners(rule)
	for i := 0; i < n; i += step {
		was, is := owners(i)
		dst = append(dst, Letter{Rank: i, Position: c.crowd.position[i], Was: c.number(was), Is: c.number(is)})
	}
	return dst
}

// owners gives a function from rank to owners, to be asked with rising ranks.
func (c *Census) owners(rule Rule) func(rank int) (was, is uint16) {
	switch rule {
	case Modulo:
		return func(i int) (uint16, uint16) { return c.named(c.change.before, i), c.named(c.change.after, i) }
	case Rendezvous:
		return func(i int) (uint16, uint16) { return c.rendezvous.was[i], c.rendezvous.is[i] }
	}
	ss, at := c.sweep.stretches, 0
	return func(i int) (uint16, uint16) {
		if len(ss) == 0 {
			return nobody, nobody
		}
		for at < len(ss) && int(ss[at].rank) <= i {
			at++
		}
		if at == len(ss) {
			return ss[0].was, ss[0].is
		}
		return ss[at].was, ss[at].is
	}
}

func (c *Census) number(h uint16) int {
	if h == nobody {
		return 0
	}
	return c.towers[h].number
}
