// fails: TestPastTheLastPoint
package exercise

// A Point is one place of a tower on the circle.
type Point struct {
	Position uint32
	Tower    string
}

// Owner leaves what lies past the last point with the last point, as the program in the lesson
// does.
func Owner(points []Point, position uint32) (tower string, ok bool) {
	if len(points) == 0 {
		return "", false
	}
	for _, p := range points {
		if p.Position >= position {
			return p.Tower, true
		}
	}
	return points[len(points)-1].Tower, true
}
