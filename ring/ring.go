package ring

import (
	"iter"
	"slices"
)

// A Ring places keys by consistent hashing with virtual nodes. Every node has many points on a
// circle of 2³² positions, every key has one position, and a key belongs to the node whose
// point comes first at or after it, going round past the last. When a node joins it takes keys
// from everyone and moves none between the others; when it leaves, only its keys move.
//
// A Ring never changes, and any number of goroutines may use it at once. With and Without make
// new rings. Rings of the same nodes and options are the same in all they answer, whatever
// changes led to them.
//
// Points are ordered by position and, where positions are equal, by the name of their node. So
// of points at one position the first owns it and the others are shadowed: they answer nothing
// until it leaves.
//
// A ring keeps 10 to 12 bytes for each point, and 24 bytes and the name for each node.
//
// Make a Ring with [New].
type Ring struct {
	settings settings
	nodes    []Node  // by name
	points   []point // in order
	buckets  buckets // over points
}

// New returns the ring of these nodes, in any order. With no nodes it is an empty ring, to
// which nodes may be added.
//
// It fails with a *[NodeError] for an empty or repeated name, for a weight that is negative,
// infinite or not a number, and for the node that would bring the ring above [MaxPoints]; with
// an *[OptionError] for fewer than one point or no scheme.
//
// It takes time in proportion to the number of points, about 20 ns each.
func New(nodes []Node, opts ...Option) (*Ring, error) {
	s, err := newSettings(opts)
	if err != nil {
		return nil, err
	}
	sorted, err := sortNodes(nodes)
	if err != nil {
		return nil, err
	}
	counts, err := s.count(sorted, 0)
	if err != nil {
		return nil, err
	}
	return newRing(s, sorted, s.place(sorted, counts, 0)), nil
}

// newRing takes nodes in the order of names and their points in order.
func newRing(s settings, nodes []Node, points []point) *Ring {
	return &Ring{settings: s, nodes: nodes, points: points, buckets: newBuckets(points)}
}

// Owner returns the node that key belongs to: the owner of the first point at or after the
// key's position, going round past the last point. It reports false for an empty ring.
//
// It allocates nothing and takes the time of the scheme's hash and two or three memory accesses,
// whatever the size of the ring.
func (r *Ring) Owner(key string) (string, bool) {
	if len(r.points) == 0 {
		return "", false
	}
	return r.ownerAt(r.settings.scheme.Position(key)), true
}

// OwnerAt returns the node that a key standing at position would belong to, and false for an
// empty ring. Its cost is that of Owner without the hash.
func (r *Ring) OwnerAt(position uint32) (string, bool) {
	if len(r.points) == 0 {
		return "", false
	}
	return r.ownerAt(position), true
}

// Position returns where key stands on the circle, which its scheme alone decides.
func (r *Ring) Position(key string) uint32 { return r.settings.scheme.Position(key) }

// ownerAt is OwnerAt for a ring that is not empty.
func (r *Ring) ownerAt(position uint32) string {
	return r.nodes[r.points[r.first(position)].node()].Name
}

// first returns the index of the first point at or after position, going round. The ring must
// not be empty.
func (r *Ring) first(position uint32) int {
	i := r.buckets.search(r.points, position)
	// A position above the last point belongs to the first: the circle closes here.
	if i == len(r.points) {
		return 0
	}
	return i
}

// Owners returns the first n distinct nodes clockwise from key: its owner, then the node that
// would own it if the owner left, and so on; all nodes if there are fewer than n.
// It is [Ring.AppendOwners] to a new slice.
func (r *Ring) Owners(key string, n int) []string {
	n = min(n, len(r.nodes))
	if n <= 0 {
		return nil
	}
	return r.AppendOwners(make([]string, 0, n), key, n)
}

// AppendOwners appends the first n distinct nodes clockwise from key to dst and returns the
// extended slice; it appends all nodes if there are fewer than n, and none if n is not positive.
//
// It allocates nothing where dst has room. It is meant for a few copies of each key: every
// point that it passes is compared with the nodes found so far.
func (r *Ring) AppendOwners(dst []string, key string, n int) []string {
	n = min(n, len(r.nodes))
	if n <= 0 || len(r.points) == 0 {
		return dst
	}
	// Shadowed points count here: the node behind one is the next to own its position.
	first, found := r.first(r.settings.scheme.Position(key)), len(dst)
	for _, lap := range [2][]point{r.points[first:], r.points[:first]} {
		for _, p := range lap {
			name := r.nodes[p.node()].Name
			if slices.Contains(dst[found:], name) {
				continue
			}
			dst = append(dst, name)
			if len(dst)-found == n {
				return dst
			}
		}
	}
	return dst
}

// Nodes returns the nodes in the order of their names, as they were given to [New] or
// [Ring.With]. The slice is the caller's.
func (r *Ring) Nodes() []Node { return slices.Clone(r.nodes) }

// Points returns the positions of the points in ascending order, each with the node that owns
// it. Shadowed points own nothing and are left out, so that no position comes twice.
//
// A position's owner also owns all positions between the one before, exclusive, and it; the
// owner of the first, those after the last.
func (r *Ring) Points() iter.Seq2[uint32, Node] {
	return func(yield func(uint32, Node) bool) {
		for i, p := range r.points {
			if i > 0 && p.position() == r.points[i-1].position() {
				continue
			}
			if !yield(p.position(), r.nodes[p.node()]) {
				return
			}
		}
	}
}
