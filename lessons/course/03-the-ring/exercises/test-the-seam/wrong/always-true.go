// fails: TestNoPoints
package exercise

// A Point is one place of a tower on the circle.
type Point struct {
	Position uint32
	Tower    string
}

// Owner says that it has found somebody even where there is nobody.
func Owner(points []Point, position uint32) (tower string, ok bool) {
	for _, p := range points {
		if p.Position >= position {
			return p.Tower, true
		}
	}
	if len(points) > 0 {
		tower = points[0].Tower
	}
	return tower, true
}
