package check

import (
	"container/list"
	"sync"
)

// heaviest is how many bytes of text all kept verdicts may have together. What a program printed
// is in its verdict, and may be a megabyte.
const heaviest = 32 << 20

// tooHeavy is what one verdict may weigh to be kept at all: the others are worth more than one that
// takes the place of so many.
const tooHeavy = heaviest / 8

// piece is about what a part of a verdict takes besides its texts, in bytes.
const piece = 256

// cache keeps the verdicts that were asked for last, so many of them and so many bytes at most.
// Nil keeps none.
type cache struct {
	mu     sync.Mutex
	size   int
	order  *list.List // of cached, the last used first
	byKey  map[string]*list.Element
	weight int // of all that are kept
}

type cached struct {
	key     string
	verdict Verdict
	weight  int
}

func newCache(size int) *cache {
	if size < 0 {
		return nil
	}
	return &cache{size: size, order: list.New(), byKey: make(map[string]*list.Element)}
}

func (c *cache) get(key string) (Verdict, bool) {
	if c == nil {
		return Verdict{}, false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.byKey[key]
	if !ok {
		return Verdict{}, false
	}
	c.order.MoveToFront(e)
	return e.Value.(cached).verdict, true
}

func (c *cache) put(key string, v Verdict) {
	if c == nil {
		return
	}
	v.Parts = Parts{}
	kept := cached{key, v, weigh(v)}
	if kept.weight > tooHeavy {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.byKey[key]; ok {
		c.remove(e)
	}
	c.byKey[key] = c.order.PushFront(kept)
	c.weight += kept.weight
	for c.order.Len() > c.size || c.weight > heaviest {
		c.remove(c.order.Back())
	}
}

func (c *cache) remove(e *list.Element) {
	gone := c.order.Remove(e).(cached)
	delete(c.byKey, gone.key)
	c.weight -= gone.weight
}

// weigh adds up the texts of a verdict, in bytes, with something for each piece.
func weigh(v Verdict) int {
	sum := piece + len(v.Message) + len(v.Command)
	for _, d := range v.Diagnostics {
		sum += piece + len(d.Message)
	}
	return sum + weighTests(v.Tests)
}

func weighTests(tests []Test) int {
	sum := 0
	for _, t := range tests {
		sum += piece + len(t.Name) + len(t.Output) + len(t.Message) + weighTests(t.Subtests)
	}
	return sum
}
