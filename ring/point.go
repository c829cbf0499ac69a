package ring

import "math/bits"

// A point is a position in the upper 32 bits and, in the lower, the index of its node in the
// order of names. Points compare as numbers, and so by position and then by name.
type point uint64

func newPoint(position, node uint32) point { return point(position)<<32 | point(node) }

func (p point) position() uint32 { return uint32(p >> 32) }
func (p point) node() uint32     { return uint32(p) }

// inserted returns p with its node's new index when another node has been inserted at index at.
func (p point) inserted(at uint32) point {
	if p.node() >= at {
		p++
	}
	return p
}

// deleted returns p with its node's new index when the node at index at has been deleted.
func (p point) deleted(at uint32) point {
	if p.node() > at {
		p--
	}
	return p
}

// place returns the points of nodes in order: counts[i] points for nodes[i], whose index in the
// ring is to be first+i.
func (s settings) place(nodes []Node, counts []int, first int) []point {
	total := 0
	for _, count := range counts {
		total += count
	}
	points := make([]point, 0, total)
	var positions []uint32
	for i, n := range nodes {
		positions = s.scheme.AppendPoints(positions[:0], n.Name, 0, counts[i])
		for _, position := range positions {
			points = append(points, newPoint(position, uint32(first+i)))
		}
	}
	return sortPoints(points)
}

// sortPoints sorts points that are in the order of their nodes, and returns them in points' or
// in another array. As the sort is stable, only positions have to be looked at: three rounds of
// counting by 11, 11 and 10 bits, which for many points is ten times faster than comparing.
func sortPoints(points []point) []point {
	const digit = 1<<11 - 1
	var counts [3][digit + 1]uint32
	for _, p := range points {
		counts[0][p>>32&digit]++
		counts[1][p>>43&digit]++
		counts[2][p>>54]++
	}
	spare := make([]point, len(points))
	for round := range counts {
		count := &counts[round]
		next := uint32(0)
		for d, c := range count {
			count[d] = next
			next += c
		}
		shift := 32 + 11*round
		for _, p := range points {
			d := p >> shift & digit
			spare[count[d]] = p
			count[d]++
		}
		points, spare = spare, points
	}
	return points
}

// buckets find the place of a position among points. They divide the circle into 2^k equal
// parts, with k such that there are one to two points for each part, and know where the points
// of each begin. It costs two to four bytes a point.
type buckets struct {
	starts []uint32 // starts[b] is the index of the first point in part b or later; one more ends it
	shift  int      // a position's part is its upper 32-shift bits
}

// newBuckets returns the buckets of points, which must be in order.
func newBuckets(points []point) buckets {
	if len(points) == 0 {
		return buckets{}
	}
	k := bits.Len(uint(len(points))) - 1
	b := buckets{starts: make([]uint32, 1<<k+1), shift: 32 - k}
	// Where a part has points, the end of its last is where the next part begins; a part without
	// points begins and ends where the one before it does. No branch here depends on positions,
	// which no processor could predict.
	for i, p := range points {
		b.starts[p.position()>>b.shift+1] = uint32(i) + 1
	}
	for part := 1; part < len(b.starts); part++ {
		b.starts[part] = max(b.starts[part], b.starts[part-1])
	}
	return b
}

// search returns the index of the first point at or after position, or len(points) if there is
// none. There must be points.
//
// With positions spread evenly it looks at one or two. A bad hash can heap points up in a few
// buckets; halving what is there keeps even the worst to O(log n).
func (b *buckets) search(points []point, position uint32) int {
	part := position >> b.shift
	low, high := b.starts[part], b.starts[part+1]
	target := newPoint(position, 0)
	const few = 8
	for high-low > few {
		if middle := low + (high-low)/2; points[middle] < target {
			low = middle + 1
		} else {
			high = middle
		}
	}
	for low < high && points[low] < target {
		low++
	}
	return int(low)
}
