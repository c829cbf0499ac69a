// fails: TestNoPoints
package exercise

import "sort"

// A Point is one place of a tower on the circle.
type Point struct {
	Position uint32
	Tower    string
}

// Owner forgets that a ring may be empty, and divides by zero.
func Owner(points []Point, position uint32) (tower string, ok bool) {
	i := sort.Search(len(points), func(i int) bool { return points[i].Position >= position })
	return points[i%len(points)].Tower, true
}
