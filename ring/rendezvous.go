package ring

import (
	"math"
	"slices"

	"github.com/cespare/xxhash/v2"
)

// KeyHash is the hash that [Rendezvous] takes of a key and of a node's name: 64-bit xxHash with
// seed 0. It also suits [Jump].
func KeyHash(key string) uint64 { return xxhash.Sum64String(key) }

// Score says how strongly a node, given by the [KeyHash] of its name, attracts a key, given by its
// own. The node with the highest score has the key; of equal scores, the one with the smaller name.
//
// It is one round of xorshift64* over the difference of the two, as in the Go libraries that
// users of rendezvous hashing know, so placements agree with theirs. For one key it is a
// bijection of the node's hash: only nodes whose names collide in all 64 bits can draw.
func Score(key, node uint64) uint64 {
	x := key ^ node
	x ^= x >> 12
	x ^= x << 25
	x ^= x >> 27
	return x * 2685821657736338717
}

// Rendezvous places keys by highest random weight: every node draws a score for the key, from the
// hashes of both, and the highest has it. It spreads keys as evenly as chance allows with nothing
// to tune, and a node that joins or leaves moves only its own keys. A look-up asks every node.
//
// Of two nodes, one with twice the weight gets twice the keys. Weights count only in relation, and
// a change of one moves keys only to or from its node.
//
// A Rendezvous never changes, and any number of goroutines may use it at once.
type Rendezvous struct {
	nodes  []Node // by name
	groups []group
	hash   func(string) uint64
}

// A group is the nodes of one weight. Among them the plain score decides, so a fleet of equals
// is compared in whole numbers, and each further weight costs one logarithm a look-up.
type group struct {
	weight float64
	nodes  []contestant // by name
}

type contestant struct {
	name string
	hash uint64
}

// NewRendezvous returns rendezvous placement on these nodes, in any order, by [KeyHash]. It fails
// with a *[NodeError] for an empty or repeated name and for a weight that is negative, infinite
// or not a number.
func NewRendezvous(nodes []Node) (*Rendezvous, error) {
	sorted, err := sortNodes(nodes)
	if err != nil {
		return nil, err
	}
	return newRendezvous(sorted, KeyHash), nil
}

// HashedBy returns the placement of the same nodes by another hash, for keys and for names. It
// must not be nil, and should be well mixed in all 64 bits.
func (r *Rendezvous) HashedBy(hash func(string) uint64) *Rendezvous {
	return newRendezvous(r.nodes, hash)
}

// newRendezvous takes nodes in the order of their names.
func newRendezvous(nodes []Node, hash func(string) uint64) *Rendezvous {
	r := &Rendezvous{nodes: nodes, hash: hash}
	for _, n := range nodes {
		i := slices.IndexFunc(r.groups, func(g group) bool { return g.weight == n.weight() })
		if i < 0 {
			i = len(r.groups)
			r.groups = append(r.groups, group{weight: n.weight()})
		}
		g := &r.groups[i]
		g.nodes = append(g.nodes, contestant{name: n.Name, hash: hash(n.Name)})
	}
	return r
}

// Owner returns the node with the highest score for key, and false if there are no nodes. It
// allocates nothing and takes about a nanosecond a node, and some twenty for each weight that
// differs from the others.
func (r *Rendezvous) Owner(key string) (string, bool) {
	if len(r.groups) == 0 {
		return "", false
	}
	hash := r.hash(key)
	best := r.groups[0].winner(hash)
	if len(r.groups) == 1 {
		return best.name, true
	}
	best.attraction = attraction(best.score, r.groups[0].weight)
	for i := range r.groups[1:] {
		g := &r.groups[i+1]
		w := g.winner(hash)
		w.attraction = attraction(w.score, g.weight)
		if w.beats(best) {
			best = w
		}
	}
	return best.name, true
}

// Nodes returns the nodes in the order of their names, as they were given. The slice is the
// caller's.
func (r *Rendezvous) Nodes() []Node { return slices.Clone(r.nodes) }

// A bid is what the best node of a group offers for a key.
type bid struct {
	attraction float64
	score      uint64
	name       string
}

// winner returns the bid of the node with the highest score, the first by name of equals. It
// leaves attraction to the caller, as a single group has no need of it.
func (g *group) winner(key uint64) bid {
	best, high := 0, Score(key, g.nodes[0].hash)
	for i := 1; i < len(g.nodes); i++ {
		if score := Score(key, g.nodes[i].hash); score > high {
			best, high = i, score
		}
	}
	return bid{score: high, name: g.nodes[best].name}
}

// beats orders all bids there can be, so that the best of any nodes is the best of the best of
// their parts. Without that, a newcomer could move a key between two others.
func (b bid) beats(other bid) bool {
	if b.attraction != other.attraction {
		return b.attraction > other.attraction
	}
	if b.score != other.score {
		return b.score > other.score
	}
	return b.name < other.name
}

// attraction turns an even score into one whose chance of being the highest is in proportion to
// weight: -w/ln(u), for u between 0 and 1.
//
// It must never fall where score rises, or the groups would not agree with the plain order. So u
// has only the upper 48 bits, a step of which changes the logarithm by far more than the last
// place in which implementations of it differ. For the same reason placements agree on all
// platforms, but for keys in a part of 2⁻⁴⁸ or less.
func attraction(score uint64, weight float64) float64 {
	u := (float64(score>>16) + 0.5) / (1 << 48)
	return -weight / math.Log(u)
}
