// fails: TestTowerThatIsNotThere, TestHiddenEveryTower
package exercise

import "slices"

// A Point is one place of a tower on the circle.
type Point struct {
	Position uint32
	Tower    string
}

// Without gives no ring at all when there is nothing to take off it.
func Without(ring []Point, tower string) []Point {
	if !slices.ContainsFunc(ring, func(p Point) bool { return p.Tower == tower }) {
		return nil
	}
	left := make([]Point, 0, len(ring))
	for _, p := range ring {
		if p.Tower != tower {
			left = append(left, p)
		}
	}
	return left
}
