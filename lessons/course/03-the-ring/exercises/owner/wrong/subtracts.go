// fails: TestNextPointClockwise, TestExactlyOnAPoint, TestEdgesOfTheCircle, TestHiddenManyRings
package exercise

import "slices"

// A Point is one place of a tower on the circle.
type Point struct {
	Position uint32
	Tower    string
}

// Owner compares by subtracting. The difference of two uint32 is never negative, so the search
// believes that every point lies at or after the letter.
func Owner(points []Point, position uint32) (tower string, ok bool) {
	if len(points) == 0 {
		return "", false
	}
	i, _ := slices.BinarySearchFunc(points, position, func(p Point, position uint32) int {
		return int(p.Position - position)
	})
	return points[i%len(points)].Tower, true
}
