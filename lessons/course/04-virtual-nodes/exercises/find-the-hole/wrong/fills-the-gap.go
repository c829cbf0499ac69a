// fails: TestOrderStays, TestHiddenEveryTower
package exercise

import "slices"

// A Point is one place of a tower on the circle.
type Point struct {
	Position uint32
	Tower    string
}

// Without fills each gap with the last place, which is quick and leaves the ring unsorted.
func Without(ring []Point, tower string) []Point {
	left := slices.Clone(ring)
	for i := 0; i < len(left); {
		if left[i].Tower != tower {
			i++
			continue
		}
		left[i] = left[len(left)-1]
		left = left[:len(left)-1]
	}
	return left
}
