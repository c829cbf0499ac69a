package ring

import (
	"cmp"
	"math"
	"slices"
	"strconv"
)

// A Node is something that keys can belong to: a server, a shard, a tower.
type Node struct {
	// Name identifies the node. It must not be empty, and no two nodes of a placement share it.
	Name string

	// Weight is the node's part relative to the others: of two nodes, one with twice the weight
	// gets about twice the keys. It must be finite and not negative; 0 means 1.
	Weight float64
}

// weight returns the weight that counts: 1 where none was given.
func (n Node) weight() float64 {
	if n.Weight == 0 {
		return 1
	}
	return n.Weight
}

// A Placement says which node each key belongs to. [Ring], [Rendezvous], [Modulo] and [Bounded] are
// placements; [Moved] and [Spread] measure any.
type Placement interface {
	// Owner returns the name of the node that key belongs to, and false if there is no node.
	Owner(key string) (name string, ok bool)

	// Nodes returns all nodes, in a slice that the caller may keep and change.
	Nodes() []Node
}

// A NodeError says that a node was refused and why. Errors of [New], [Ring.With] and
// [NewRendezvous] that concern a node are of type *NodeError.
type NodeError struct {
	Name   string // the node's name; empty if that is what is wrong
	Reason string // what is wrong with it, to be read after the name
}

// Error names the node and the reason.
func (e *NodeError) Error() string {
	return `ring: node "` + e.Name + `": ` + e.Reason
}

// check refuses a node that no placement could use.
func (n Node) check() error {
	switch {
	case n.Name == "":
		return &NodeError{Reason: "the name is empty"}
	case math.IsNaN(n.Weight), math.IsInf(n.Weight, 0), n.Weight < 0:
		weight := strconv.FormatFloat(n.Weight, 'g', -1, 64)
		return &NodeError{Name: n.Name, Reason: "weight " + weight + " is not a finite number of at least 0"}
	}
	return nil
}

// sortNodes returns a copy of nodes in the order of their names, or the error for the first of
// them, in this order, that is unusable or repeated.
func sortNodes(nodes []Node) ([]Node, error) {
	sorted := slices.Clone(nodes)
	slices.SortFunc(sorted, func(a, b Node) int { return cmp.Compare(a.Name, b.Name) })
	for i, n := range sorted {
		if err := n.check(); err != nil {
			return nil, err
		}
		if i > 0 && n.Name == sorted[i-1].Name {
			return nil, &NodeError{Name: n.Name, Reason: "the name is given more than once"}
		}
	}
	return sorted, nil
}

// findNode returns where the node called name is in nodes, which are in the order of their
// names, or where it would be.
func findNode(nodes []Node, name string) (at int, found bool) {
	return slices.BinarySearchFunc(nodes, name, func(n Node, name string) int {
		return cmp.Compare(n.Name, name)
	})
}
