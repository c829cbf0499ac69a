package exercise

// A Point is one place of a tower on the circle.
type Point struct {
	Position uint32
	Tower    string
}

// Without gives the ring that is left when a tower goes. The ring that was given stays as it is.
func Without(ring []Point, tower string) []Point {
	left := make([]Point, 0, len(ring))
	for _, p := range ring {
		// The hole was here: places were recognised by their position, which another tower may
		// share. A place knows whose it is, so there is no need to hash names again.
		if p.Tower != tower {
			left = append(left, p)
		}
	}
	return left
}
