package check

import (
	"container/list"
	"sync"
)

// cache keeps the verdicts that were asked for last. Nil keeps none.
type cache struct {
	mu    sync.Mutex
	size  int
	order *list.List // of cached, the last used first
	byKey map[string]*list.Element
}

type cached struct {
	key     string
	verdict Verdict
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
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.byKey[key]; ok {
		e.Value = cached{key, v}
		c.order.MoveToFront(e)
		return
	}
	c.byKey[key] = c.order.PushFront(cached{key, v})
	if c.order.Len() > c.size {
		last := c.order.Back()
		c.order.Remove(last)
		delete(c.byKey, last.Value.(cached).key)
	}
}
