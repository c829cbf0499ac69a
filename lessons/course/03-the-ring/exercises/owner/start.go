package exercise

// A Point is one place of a tower on the circle.
type Point struct {
	Position uint32
	Tower    string
}

// Owner names the tower that keeps what lies at position: that of the first point at or after
// it, going clockwise, and over the top of the circle if need be. The points are sorted by
// position; of those that share one, the first counts. It reports false if there are none.
func Owner(points []Point, position uint32) (tower string, ok bool) {
	return "", false
}
