// fails: TestExactlyOnAPoint, TestBeforeTheFirstPoint
package exercise

// A Point is one place of a tower on the circle.
type Point struct {
	Position uint32
	Tower    string
}

// Owner keeps the first point for the end of the circle, and never looks at it before.
func Owner(points []Point, position uint32) (tower string, ok bool) {
	if len(points) == 0 {
		return "", false
	}
	for i := 1; i < len(points); i++ {
		if points[i].Position >= position {
			return points[i].Tower, true
		}
	}
	return points[0].Tower, true
}
