// fails: TestSimilarNames, TestHiddenEveryTower
package exercise

import "strings"

// A Point is one place of a tower on the circle.
type Point struct {
	Position uint32
	Tower    string
}

// Without compares the beginning of the name only, so that T-10 leaves with T-1.
func Without(ring []Point, tower string) []Point {
	left := make([]Point, 0, len(ring))
	for _, p := range ring {
		if !strings.HasPrefix(p.Tower, tower) {
			left = append(left, p)
		}
	}
	return left
}
