// Package census counts what a fixed crowd of letters does while a fleet of towers changes:
// who keeps how many, and how many change hands on a ring, under rendezvous and under modulo.
//
// The answers are those of package ring, key by key; what this package adds is speed. Letters
// stand sorted by position, so a ring is counted by walking its points once, not its letters;
// rendezvous remembers the best score of each letter, so a newcomer costs one comparison a
// letter; modulo counts remainders, not letters. One change of a hundred towers is counted for a
// million letters within one frame of a screen.
//
// It draws nothing and moves nothing: pictures are made from its views (Arcs, Ticks, Sample)
// by package web on the server and by a worker in the browser.
package census

import (
	"slices"
	"strconv"

	"github.com/ringoftowers/towers/ring"
)

// Rule is one of the placement rules that are compared.
type Rule uint8

// The rules, in the order in which pages list them.
const (
	OnRing Rule = iota
	Rendezvous
	Modulo
	rules // how many there are
)

// nobody owns a letter while the fleet is empty.
const nobody = ^uint16(0)

// Largest numbers that a census takes. A million letters take 30 MB; each rule keeps a count
// for every pair of the towers before and after, and modulo one for each of the least common
// multiple of their numbers, so with 256 towers that is a megabyte.
const (
	MaxTowers  = 256 // in a fleet
	MaxPoints  = 1000
	MaxLetters = 1_000_000
)

// Census holds the letters, the present change of the fleet, and what came of it. It is not
// safe for concurrent use.
type Census struct {
	scheme ring.Scheme
	crowd  crowd

	towers []tower        // every tower ever seen; its index is its handle
	handle map[int]uint16 // tower number → handle

	change     change
	sweep      sweep
	modulo     remainders
	rendezvous auction
	tally      [rules]Tally
	loads      []int // letters on the ring after the change, by place in change.after
}

// tower is what a tower contributes under each rule, computed when it is first met.
type tower struct {
	number int
	name   string
	seed   uint64   // its side of a rendezvous score
	points []uint32 // positions of T-n#0, T-n#1, …, as many as were needed so far
}

// change is a fleet before and after, as handles. The order before and after is that of the
// caller, because modulo depends on it; union is by name, because equal positions do.
type change struct {
	before, after []uint16
	union         []uint16
	place         []uint16 // handle → index in union
	points        int
}

// Tally is what one rule made of a change.
type Tally struct {
	Moved    int // letters whose owner is another one now
	Needless int // those of them whose two owners both stand before and after
	flow     []uint32
}

// New takes the letters seed+"letter-0" to seed+"letter-(n-1)" and stands them at the
// positions that hash gives, n being at most MaxLetters. It takes time in n·log n: about a
// tenth of a second for a million.
func New(n int, seed string, hash ring.Hash) *Census {
	return &Census{
		scheme: ring.Classic(hash),
		crowd:  newCrowd(min(max(n, 0), MaxLetters), seed, hash),
		handle: make(map[int]uint16),
	}
}

// Letters is the size of the crowd.
func (c *Census) Letters() int { return len(c.crowd.position) }

// Change makes before → after the change to count, every tower having points virtual nodes.
// Towers are given by number: 3 is "T-3". Numbers must not repeat within a fleet, and points
// is at least 1.
//
// Counting the same change with another number of points costs time in points × towers.
// A newcomer or leaver costs one pass over the letters beside that.
func (c *Census) Change(before, after []int, points int) {
	next := change{before: c.handles(before), after: c.handles(after), points: points}
	sameFleets := c.rendezvous.is != nil &&
		slices.Equal(next.before, c.change.before) && slices.Equal(next.after, c.change.after)
	c.change = c.united(next)
	c.sweep.run(c)
	if sameFleets {
		return
	}
	c.modulo.run(c)
	c.rendezvous.run(c)
}

func (c *Census) handles(numbers []int) []uint16 {
	hs := make([]uint16, len(numbers))
	for i, number := range numbers {
		h, met := c.handle[number]
		if !met {
			h = uint16(len(c.towers))
			name := "T-" + strconv.Itoa(number)
			c.towers = append(c.towers, tower{number: number, name: name, seed: ring.KeyHash(name)})
			c.handle[number] = h
		}
		hs[i] = h
	}
	return hs
}

// united fills in the union of the two fleets, by name, and where each tower stands in it.
func (c *Census) united(ch change) change {
	ch.union = append(slices.Clone(ch.before), ch.after...)
	slices.SortFunc(ch.union, func(a, b uint16) int {
		x, y := c.towers[a].name, c.towers[b].name
		switch {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
	ch.union = slices.Compact(ch.union)
	ch.place = make([]uint16, len(c.towers))
	for i, h := range ch.union {
		ch.place[h] = uint16(i)
	}
	return ch
}

// pointsOf are the first n points of a tower, by number, not by position.
func (c *Census) pointsOf(h uint16, n int) []uint32 {
	t := &c.towers[h]
	if have := len(t.points); have < n {
		t.points = c.scheme.AppendPoints(t.points, t.name, have, n)
	}
	return t.points[:n]
}

// Tally says what rule made of the change.
func (c *Census) Tally(rule Rule) Tally { return c.tally[rule] }

// Ideal is how many letters had to move at the least. What newcomers should take is their
// share of the fleet after, what leavers held on average is theirs of the fleet before; where
// some came and some left it is the larger of the two, since one move can serve both.
func (c *Census) Ideal() float64 {
	before, after := c.members(c.change.before), c.members(c.change.after)
	came, left := 0, 0
	for place := range c.change.union {
		switch {
		case !before[place]:
			came++
		case !after[place]:
			left++
		}
	}
	share := func(n int, fleet []uint16) float64 {
		if n == 0 {
			return 0
		}
		return float64(c.Letters()) * float64(n) / float64(len(fleet))
	}
	return max(share(came, c.change.after), share(left, c.change.before))
}

// Loads are the letters that each tower keeps on the ring after the change, in the order of
// the fleet given to Change. The slice is valid until the next change.
func (c *Census) Loads() []int { return c.loads }

// Flow is the letters of a rule that went from one tower to another.
type Flow struct{ From, To, Letters int }

// AppendFlows appends where the moved letters of a rule went, tower by tower. Letters that
// had no tower before, or have none now, are in no flow.
func (c *Census) AppendFlows(dst []Flow, rule Rule) []Flow {
	m := len(c.change.union)
	for i, n := range c.tally[rule].flow {
		if n != 0 {
			from, to := c.change.union[i/m], c.change.union[i%m]
			dst = append(dst, Flow{From: c.towers[from].number, To: c.towers[to].number, Letters: int(n)})
		}
	}
	return dst
}

// settle turns the traffic between towers into a tally.
func (c *Census) settle(rule Rule, moved int, flow []uint32) {
	before, after := c.members(c.change.before), c.members(c.change.after)
	t, m := Tally{Moved: moved, flow: flow}, len(c.change.union)
	for from := range m {
		if !before[from] || !after[from] {
			continue
		}
		for to, n := range flow[from*m : (from+1)*m] {
			if n != 0 && before[to] && after[to] {
				t.Needless += int(n)
			}
		}
	}
	c.tally[rule] = t
}

// flowFor empties a matrix of traffic for the present union, keeping its memory.
func (c *Census) flowFor(rule Rule) []uint32 {
	m := len(c.change.union)
	flow := slices.Grow(c.tally[rule].flow[:0], m*m)[:m*m]
	clear(flow)
	return flow
}
