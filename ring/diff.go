package ring

import "math"

// An Arc is a stretch of the circle whose keys changed hands: the positions from From to To, both
// of them included, and From ≤ To.
type Arc struct {
	From, To uint32
	Old, New string // the node that had it and the node that has it; "" where a ring was empty
}

// Contains says whether position lies in the arc.
func (a Arc) Contains(position uint32) bool { return a.From <= position && position <= a.To }

// Size returns the number of positions in the arc, 1 to 2³².
func (a Arc) Size() uint64 { return uint64(a.To-a.From) + 1 }

// Diff returns the arcs that have another owner in after than in before: what a storage behind
// the ring has to copy. They are in ascending order, do not overlap, and are as long as they can
// be, save that an arc which passes position 0 comes as two, the last and the first.
//
// Both rings must be made with the same scheme. If not, a key does not keep its position, and
// Diff speaks of positions only; use [Moved] then.
//
// It takes time in proportion to the points of both.
func Diff(before, after *Ring) []Arc {
	var arcs []Arc
	from := uint64(0)
	for b, a := 0, 0; b < len(before.points) || a < len(after.points); {
		end := min(nextPosition(before.points, b), nextPosition(after.points, a))
		arcs = appendArc(arcs, Arc{uint32(from), end, before.ownerFrom(b), after.ownerFrom(a)})
		from = uint64(end) + 1
		b = skipPosition(before.points, b, end)
		a = skipPosition(after.points, a, end)
	}
	// What lies above the last point of both belongs to the first point of each.
	if from <= math.MaxUint32 {
		arcs = appendArc(arcs, Arc{uint32(from), math.MaxUint32, before.ownerFrom(0), after.ownerFrom(0)})
	}
	return arcs
}

// nextPosition returns the position of point i, or the last of all after the last point.
func nextPosition(points []point, i int) uint32 {
	if i == len(points) {
		return math.MaxUint32
	}
	return points[i].position()
}

// skipPosition returns the index of the first point from i on that is above position.
func skipPosition(points []point, i int, position uint32) int {
	for i < len(points) && points[i].position() <= position {
		i++
	}
	return i
}

// ownerFrom returns the owner of point i or, after the last point, of the first; "" for an empty
// ring.
func (r *Ring) ownerFrom(i int) string {
	if len(r.points) == 0 {
		return ""
	}
	if i == len(r.points) {
		i = 0
	}
	return r.nodes[r.points[i].node()].Name
}

// appendArc appends arc if it changed hands, as a part of the last one where both are one change.
func appendArc(arcs []Arc, arc Arc) []Arc {
	if arc.Old == arc.New {
		return arcs
	}
	if n := len(arcs); n > 0 {
		last := &arcs[n-1]
		if last.To+1 == arc.From && last.Old == arc.Old && last.New == arc.New {
			last.To = arc.To
			return arcs
		}
	}
	return append(arcs, arc)
}
