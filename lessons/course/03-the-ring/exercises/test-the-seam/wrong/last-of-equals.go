// fails: TestSharedPosition
package exercise

import "sort"

// A Point is one place of a tower on the circle.
type Point struct {
	Position uint32
	Tower    string
}

// Owner gives a position that several points share to the last of them.
func Owner(points []Point, position uint32) (tower string, ok bool) {
	if len(points) == 0 {
		return "", false
	}
	i := sort.Search(len(points), func(i int) bool { return points[i].Position >= position }) % len(points)
	for i+1 < len(points) && points[i+1].Position == points[i].Position {
		i++
	}
	return points[i].Tower, true
}
