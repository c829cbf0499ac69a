package ring

import "slices"

// With returns the ring that also has n. Only keys that n takes change hands.
//
// It fails with a *[NodeError] if a node of this name is there already, and for what [New] refuses.
// To change a node's weight, use Without and then With: points keep their places, so a greater
// weight only adds some and a smaller one only takes some away.
//
// It merges the new points into the old: a few nanoseconds for each of the ring's points, most of
// them for the new ring's memory.
func (r *Ring) With(n Node) (*Ring, error) {
	if err := n.check(); err != nil {
		return nil, err
	}
	at, found := findNode(r.nodes, n.Name)
	if found {
		return nil, &NodeError{Name: n.Name, Reason: "the ring has a node of this name already"}
	}
	newcomer := []Node{n}
	counts, err := r.settings.count(newcomer, len(r.points))
	if err != nil {
		return nil, err
	}
	fresh := r.settings.place(newcomer, counts, at)
	nodes := slices.Insert(slices.Clone(r.nodes), at, n)
	return newRing(r.settings, nodes, merge(r.points, fresh, uint32(at))), nil
}

// merge returns points and the fresh points of a newcomer in order. The newcomer has become node
// at, so the nodes from there on have moved up by one.
func merge(points, fresh []point, at uint32) []point {
	merged := make([]point, len(points)+len(fresh))
	n := 0
	for _, f := range fresh {
		for len(points) > 0 {
			p := points[0].inserted(at)
			if f < p {
				break
			}
			merged[n] = p
			n++
			points = points[1:]
		}
		merged[n] = f
		n++
	}
	for _, p := range points {
		merged[n] = p.inserted(at)
		n++
	}
	return merged
}

// Without returns the ring that lacks the node called name. Only keys which that node had change
// hands. If there is no such node it returns r, which is that ring already.
//
// It costs a few nanoseconds for each of the ring's points.
func (r *Ring) Without(name string) *Ring {
	at, found := findNode(r.nodes, name)
	if !found {
		return r
	}
	leaver, gone := uint32(at), 0
	for _, p := range r.points {
		if p.node() == leaver {
			gone++
		}
	}
	points := make([]point, 0, len(r.points)-gone)
	for _, p := range r.points {
		if p.node() != leaver {
			points = append(points, p.deleted(leaver))
		}
	}
	nodes := slices.Delete(slices.Clone(r.nodes), at, at+1)
	return newRing(r.settings, nodes, points)
}
