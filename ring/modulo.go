package ring

import "slices"

// Modulo places keys by hash(key) mod n, the rule that the others improve upon: when n changes
// from N to M, only the part min(N,M)/lcm(N,M) of the keys stays. It is right where the number
// never changes, as for a fixed set of shards.
//
// A Modulo never changes, and any number of goroutines may use it at once.
type Modulo struct {
	names []string
	hash  Hash
}

// NewModulo returns modulo placement on the nodes of these names, by [Mixed]. The order of names
// is part of the rule: other than everywhere else, changing it moves keys. Names are not checked;
// one that is given twice gets two parts of the keys.
func NewModulo(names []string) *Modulo {
	return &Modulo{names: slices.Clone(names), hash: Mixed}
}

// HashedBy returns the placement on the same nodes by another hash, which must not be nil.
func (m *Modulo) HashedBy(hash Hash) *Modulo { return &Modulo{names: m.names, hash: hash} }

// Owner returns the node with the number hash(key) mod n, and false if there are no nodes. It
// allocates nothing.
func (m *Modulo) Owner(key string) (string, bool) {
	if len(m.names) == 0 {
		return "", false
	}
	// Unsigned throughout: as a signed number, half of all hashes would be negative.
	return m.names[m.hash(key)%uint32(len(m.names))], true
}

// Nodes returns the nodes in the order given, each with weight 1.
func (m *Modulo) Nodes() []Node {
	nodes := make([]Node, len(m.names))
	for i, name := range m.names {
		nodes[i] = Node{Name: name, Weight: 1}
	}
	return nodes
}
