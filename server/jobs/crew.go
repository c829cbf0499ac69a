package jobs

import (
	"sync"
	"time"
)

const (
	greetEvery = time.Second
	// forgetAfter is how long a worker counts that was not heard of.
	forgetAfter = 4 * greetEvery
	// leastWindow is how many submissions are in the stream when no worker is known.
	leastWindow = 2
)

// A crew is what is known of the workers.
type crew struct {
	mu      sync.Mutex
	now     func() time.Time
	members map[string]member
}

type member struct {
	slots int
	heard time.Time
}

func newCrew(now func() time.Time) *crew {
	return &crew{now: now, members: make(map[string]member)}
}

// greet takes note of a worker and reports whether it changes the number of hands.
func (c *crew) greet(g greeting) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	before := c.members[g.Worker].slots
	if g.Slots <= 0 {
		delete(c.members, g.Worker)
		return before > 0
	}
	c.members[g.Worker] = member{g.Slots, c.now()}
	return before != g.Slots
}

// count gives the workers that were heard of lately, and how many submissions they can have under
// way together.
func (c *crew) count() (workers, slots int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for name, m := range c.members {
		if c.now().Sub(m.heard) > forgetAfter {
			delete(c.members, name)
			continue
		}
		workers++
		slots += m.slots
	}
	return workers, slots
}

func (c *crew) slots() int {
	_, slots := c.count()
	return slots
}

// window is how many submissions the stream should hold: as many again as are under way, so
// that no hand waits for the next, and no more, so that the order stays ours.
func (c *crew) window() int { return max(leastWindow, 2*c.slots()) }
