package ring

import (
	"math"
	"sync"
)

// Bounded places keys by consistent hashing with bounded loads: no node takes more than a given
// multiple of the average, and a key that finds its owner full goes on clockwise to the next
// node with room. It tames hot keys, which a ring alone sends to one node however hot they are.
//
// It counts what it has given out: [Bounded.Add] for each request (or connection, or item) that
// begins, [Bounded.Done] for each that ends. The bound of a node, with m things held in all,
// one more to come, and weight w of the weight W of all nodes, is ⌈load·(m+1)·w/W⌉; so for equal
// nodes it is ⌈load·(m+1)/n⌉. Together the bounds hold at least m+1, so every key has a place.
//
// Unlike the other placements, a Bounded changes. It is safe for concurrent use. It keeps one
// number for each node and nothing for a key.
type Bounded struct {
	mu     sync.Mutex
	load   float64
	ring   *Ring
	held   []int   // by node, as in ring.nodes
	total  int     // the sum of held
	weight float64 // the sum of all weights
}

// NewBounded returns bounded placement on the nodes of r, holding nothing yet. The load is the
// most that a node may have, in terms of the average: 1.25 allows a quarter more. At 1, or
// anything less or not a number, nodes are kept as equal as whole numbers can be, and keys wander
// far; at +Inf it is the ring alone.
func NewBounded(r *Ring, load float64) *Bounded {
	if !(load >= 1) {
		load = 1
	}
	b := &Bounded{load: load, ring: &Ring{}}
	b.Use(r)
	return b
}

// Use goes on with another ring, usually one With or Without a node of the present one. Nodes of
// both keep what they hold. What a node held that is gone is forgotten: whoever waits for it must
// call Add again.
func (b *Bounded) Use(r *Ring) {
	b.mu.Lock()
	defer b.mu.Unlock()
	held, total, weight := make([]int, len(r.nodes)), 0, 0.0
	for i, n := range r.nodes {
		if was, found := findNode(b.ring.nodes, n.Name); found {
			held[i] = b.held[was]
			total += held[i]
		}
		weight += n.weight()
	}
	b.ring, b.held, b.total, b.weight = r, held, total, weight
}

// Add gives key to the first node clockwise that has room, counts it there, and returns the
// node's name, with which to call Done. It reports false for an empty ring. The same key added
// twice counts twice, and may go to two nodes.
//
// It allocates nothing. For loads above 1 it passes an expected constant number of nodes.
func (b *Bounded) Add(key string) (string, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	node, ok := b.place(key)
	if !ok {
		return "", false
	}
	b.held[node]++
	b.total++
	return b.ring.nodes[node].Name, true
}

// Done says that the node called name has finished one of the things it was given. It does
// nothing if the node holds nothing or has left.
func (b *Bounded) Done(name string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if node, found := findNode(b.ring.nodes, name); found && b.held[node] > 0 {
		b.held[node]--
		b.total--
	}
}

// Owner returns the node that Add would give key to now, and counts nothing.
func (b *Bounded) Owner(key string) (string, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	node, ok := b.place(key)
	if !ok {
		return "", false
	}
	return b.ring.nodes[node].Name, true
}

// Nodes returns the nodes of the present ring in the order of their names.
func (b *Bounded) Nodes() []Node {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.ring.Nodes()
}

// Held returns how many things the node called name holds, 0 if it is not there.
func (b *Bounded) Held(name string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	if node, found := findNode(b.ring.nodes, name); found {
		return b.held[node]
	}
	return 0
}

// Bound returns how many things the node called name may hold, counting the next one to come; 0
// if it is not there. A node can hold more for a while after others have finished theirs.
func (b *Bounded) Bound(name string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	if node, found := findNode(b.ring.nodes, name); found {
		return b.bound(node)
	}
	return 0
}

// place returns the first node clockwise from key with room for one more, as an index.
func (b *Bounded) place(key string) (node int, ok bool) {
	points := b.ring.points
	if len(points) == 0 {
		return 0, false
	}
	first := b.ring.first(b.ring.Position(key))
	for _, lap := range [2][]point{points[first:], points[:first]} {
		for _, p := range lap {
			if node := int(p.node()); b.held[node] < b.bound(node) {
				return node, true
			}
		}
	}
	// Only rounding brings us here, with more than 10¹² things held. The owner takes it.
	return int(points[first].node()), true
}

// bound returns how many things a node may hold, once there is one more of them.
//
// The product is taken down by a little before it is rounded up, or 1.1·10 would be bound to 12:
// it is 11.000000000000002. The bounds together still hold all, up to 10¹² things.
func (b *Bounded) bound(node int) int {
	share := b.load * float64(b.total+1) * b.ring.nodes[node].weight() / b.weight
	bound := math.Ceil(share * (1 - 1e-12))
	if bound >= math.MaxInt {
		return math.MaxInt
	}
	return max(1, int(bound))
}
