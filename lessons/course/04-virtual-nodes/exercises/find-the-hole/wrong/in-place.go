// fails: TestGivenRingIsLeftAlone
package exercise

import "slices"

// A Point is one place of a tower on the circle.
type Point struct {
	Position uint32
	Tower    string
}

// Without deletes from the slice that it was given. What others are reading is shifted about
// under their eyes, and ends in empty places.
func Without(ring []Point, tower string) []Point {
	return slices.DeleteFunc(ring, func(p Point) bool { return p.Tower == tower })
}
