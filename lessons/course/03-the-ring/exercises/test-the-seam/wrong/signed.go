// fails: TestUpperHalf
package exercise

import "sort"

// A Point is one place of a tower on the circle.
type Point struct {
	Position uint32
	Tower    string
}

// Owner compares with a sign, so that the upper half of the circle lies before the lower.
func Owner(points []Point, position uint32) (tower string, ok bool) {
	if len(points) == 0 {
		return "", false
	}
	i := sort.Search(len(points), func(i int) bool { return int32(points[i].Position) >= int32(position) })
	return points[i%len(points)].Tower, true
}
