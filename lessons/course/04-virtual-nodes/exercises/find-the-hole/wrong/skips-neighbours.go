// fails: TestAllItsPlacesGo, TestLastTowerGoes, TestHiddenEveryTower
package exercise

import "slices"

// A Point is one place of a tower on the circle.
type Point struct {
	Position uint32
	Tower    string
}

// Without goes on to the next index after deleting, past the place that has just moved up.
func Without(ring []Point, tower string) []Point {
	left := slices.Clone(ring)
	for i := 0; i < len(left); i++ {
		if left[i].Tower == tower {
			left = append(left[:i], left[i+1:]...)
		}
	}
	return left
}
