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
			a.is[i] = nobody
		}
	}
	a.become(c, c.change.before, func(uint16, uint16) {})
	copy(a.was, a.is)
	flow, moved, m := c.flowFor(Rendezvous), 0, len(c.change.union)
	if turnover(c.change.before, c.change.after) == 1 {
		// Nobody moves twice, so the moves can be counted while they are made.
		a.become(c, c.change.after, func(was, is uint16) {
			moved++
			if was != nobody && is != nobody {
				flow[int(c.change.place[was])*m+int(c.change.place[is])]++
			}
		})
		c.settle(Rendezvous, moved, flow)
		return
	}
	a.become(c, c.change.after, func(uint16, uint16) {})
	for i, was := range a.was {
		is := a.is[i]
		if was == is {
			continue
		}
		moved++
		if was != nobody && is != nobody {
			flow[int(c.change.place[was])*m+int(c.change.place[is])]++
		}
	}
	c.settle(Rendezvous, moved, flow)
}

// turnover is how many towers came or went.
func turnover(before, after []uint16) int {
	n := 0
	for _, h := range before {
		if !slices.Contains(after, h) {
			n++
		}
	}
	for _, h := range after {
		if !slices.Contains(before, h) {
			n++
		}
	}
	return n
}

// become lets towers leave and join until fleet bids, and tells of every letter that changes
// hands on the way.
func (a *auction) become(c *Census, fleet []uint16, moved func(was, is uint16)) {
	for _, h := range slices.Clone(a.fleet) {
		if !slices.Contains(fleet, h) {
			a.leave(c, h, moved)
		}
	}
	for _, h := range fleet {
		if !slices.Contains(a.fleet, h) {
			a.join(c, h, moved)
		}
	}
}

// join lets a tower bid for every letter. Most bids lose, so eight are compared at once, without
// a branch for each, and looked at one by one only if some of them may have won.
func (a *auction) join(c *Census, h uint16, moved func(was, is uint16)) {
	seed, keys, best := c.towers[h].seed, c.crowd.key, a.best
	first := len(a.fleet) == 0
	a.fleet = append(a.fleet, h)
	i := 0
	for ; len(keys) >= 8 && len(best) >= 8 && !first; i += 8 {
		k, b := (*[8]uint64)(keys), (*[8]uint64)(best)
		wins := beats(ring.Score(k[0], seed), b[0]) | beats(ring.Score(k[1], seed), b[1]) |
			beats(ring.Score(k[2], seed), b[2]) | beats(ring.Score(k[3], seed), b[3]) |
			beats(ring.Score(k[4], seed), b[4]) | beats(ring.Score(k[5], seed), b[5]) |
			beats(ring.Score(k[6], seed), b[6]) | beats(ring.Score(k[7], seed), b[7])
		if wins != 0 {
			for j, key := range k {
				a.bid(c, i+j, h, ring.Score(key, seed), moved)
			}
		}
		keys, best = keys[8:], best[8:]
	}
	for j, key := range keys {
		a.bid(c, i+j, h, ring.Score(key, seed), moved)
	}
}

// beats is 1 if a score is at least as good as the best, else 0.
func beats(score, best uint64) uint8 {
	n := uint8(0)
	if score >= best {
		n = 1
	}
	return n
}

// bid offers a score for a letter. Of equal scores the smaller name wins.
func (a *auction) bid(c *Census, letter int, h uint16, score uint64, moved func(was, is uint16)) {
	best, owner := a.best[letter], a.is[letter]
	if owner == nobody || score > best || score == best && c.towers[h].name < c.towers[owner].name {
		a.best[letter], a.is[letter] = score, h
		moved(owner, h)
	}
}

func (a *auction) leave(c *Census, h uint16, moved func(was, is uint16)) {
	a.fleet = slices.DeleteFunc(a.fleet, func(other uint16) bool { return other == h })
	seeds := make([]uint64, len(a.fleet))
	for i, other := range a.fleet {
		seeds[i] = c.towers[other].seed
	}
	for i, owner := range a.is {
		if owner == h {
			a.best[i], a.is[i] = a.offer(c, c.crowd.key[i], seeds)
			moved(h, a.is[i])
		}
	}
}

// offer asks every tower of the fleet.
func (a *auction) offer(c *Census, key uint64, seeds []uint64) (best uint64, owner uint16) {
	winner := -1
	for i, seed := range seeds {
		score := ring.Score(key, seed)
		if winner >= 0 && score < best {
			continue
		}
		if winner >= 0 && score == best && c.towers[a.fleet[i]].name > c.towers[a.fleet[winner]].name {
			continue
		}
		best, winner = score, i
	}
	if winner < 0 {
		return 0, nobody
	}
	return best, a.fleet[winner]
}
