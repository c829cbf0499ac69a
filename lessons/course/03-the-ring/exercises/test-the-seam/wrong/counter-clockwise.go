// fails: TestBetweenTwoPoints, TestBeforeTheFirstPoint, TestPastTheLastPoint, TestUpperHalf, TestSharedPosition
package exercise

// A Point is one place of a tower on the circle.
type Point struct {
	Position uint32
	Tower    string
}

// Owner walks the other way: to the last point at or before the letter.
func Owner(points []Point, position uint32) (tower string, ok bool) {
	if len(points) == 0 {
		return "", false
	}
	for i := len(points) - 1; i >= 0; i-- {
		if points[i].Position <= position {
			return points[i].Tower, true
		}
	}
	return points[len(points)-1].Tower, true
}
