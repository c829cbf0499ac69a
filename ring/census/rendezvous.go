package census

import (
	"slices"

	"github.com/ringoftowers/towers/ring"
)

// auction remembers the best score that each letter was offered, and by whom, so that a
// newcomer has only to beat it. When a tower leaves, its letters alone are offered again.
type auction struct {
	best    []uint64
	was, is []uint16
	fleet   []uint16 // who bids for is
}

func (a *auction) run(c *Census) {
	if a.is == nil {
		n := c.Letters()
		a.best, a.was, a.is = make([]uint64, n), make([]uint16, n), make([]uint16, n)
		for i := range a.is {
			a.is[i] = Nobody
		}
	}
	a.become(c, c.change.before)
	copy(a.was, a.is)
	a.become(c, c.change.after)
	c.compare(Rendezvous, a.was, a.is)
}

// become lets towers leave and join until fleet bids.
func (a *auction) become(c *Census, fleet []uint16) {
	for _, h := range slices.Clone(a.fleet) {
		if !slices.Contains(fleet, h) {
			a.leave(c, h)
		}
	}
	for _, h := range fleet {
		if !slices.Contains(a.fleet, h) {
			a.join(c, h)
		}
	}
}

func (a *auction) join(c *Census, h uint16) {
	seed, first := c.towers[h].seed, len(a.fleet) == 0
	a.fleet = append(a.fleet, h)
	best, is := a.best[:len(c.crowd.key)], a.is[:len(c.crowd.key)]
	for i, key := range c.crowd.key {
		score := ring.Score(key, seed)
		if score > best[i] || first || score == best[i] && c.towers[h].name < c.towers[is[i]].name {
			best[i], is[i] = score, h
		}
	}
}

func (a *auction) leave(c *Census, h uint16) {
	a.fleet = slices.DeleteFunc(a.fleet, func(other uint16) bool { return other == h })
	for i, owner := range a.is {
		if owner == h {
			a.best[i], a.is[i] = a.offer(c, c.crowd.key[i])
		}
	}
}

// offer asks every tower of the fleet. Of equal scores the smaller name wins.
func (a *auction) offer(c *Census, key uint64) (best uint64, owner uint16) {
	owner = Nobody
	for _, h := range a.fleet {
		t := &c.towers[h]
		score := ring.Score(key, t.seed)
		if owner == Nobody || score > best || score == best && t.name < c.towers[owner].name {
			best, owner = score, h
		}
	}
	return best, owner
}
