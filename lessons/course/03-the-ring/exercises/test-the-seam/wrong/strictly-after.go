// fails: TestExactlyOnAPoint, TestSharedPosition
package exercise

import "sort"

// A Point is one place of a tower on the circle.
type Point struct {
	Position uint32
	Tower    string
}

// Owner sends a letter that lies exactly on a point on to the next one.
func Owner(points []Point, position uint32) (tower string, ok bool) {
	if len(points) == 0 {
		return "", false
	}
	i := sort.Search(len(points), func(i int) bool { return points[i].Position > position })
	return points[i%len(points)].Tower, true
}
