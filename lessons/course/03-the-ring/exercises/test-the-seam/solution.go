package exercise

import "sort"

// A Point is one place of a tower on the circle.
type Point struct {
	Position uint32
	Tower    string
}

// Owner names the tower that keeps what lies at position: that of the first point at or after
// it, going clockwise, and over the top of the circle if need be. The points are sorted by
// position; of those that share one, the first counts. It reports false if there are none.
func Owner(points []Point, position uint32) (tower string, ok bool) {
	if len(points) == 0 {
		return "", false
	}
	// Search gives the first index for which the answer is yes, so that of several points at
	// one position it finds the first; and len(points) if the answer is always no.
	i := sort.Search(len(points), func(i int) bool { return points[i].Position >= position })
	// Past the last point comes the first: here the circle closes.
	return points[i%len(points)].Tower, true
}
