// fails: TestAllItsPlacesGo, TestLastTowerGoes, TestHiddenEveryTower
package exercise

import "slices"

// A Point is one place of a tower on the circle.
type Point struct {
	Position uint32
	Tower    string
}

// Without takes the first place of the tower away, and forgets that it has more.
func Without(ring []Point, tower string) []Point {
	i := slices.IndexFunc(ring, func(p Point) bool { return p.Tower == tower })
	if i < 0 {
		return ring
	}
	return append(slices.Clone(ring[:i]), ring[i+1:]...)
}
