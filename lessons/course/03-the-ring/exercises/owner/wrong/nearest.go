// fails: TestNextPointClockwise, TestPastTheLastPoint, TestEdgesOfTheCircle, TestHiddenManyRings
package exercise

// A Point is one place of a tower on the circle.
type Point struct {
	Position uint32
	Tower    string
}

// Owner takes the nearest point, whichever way it lies.
func Owner(points []Point, position uint32) (tower string, ok bool) {
	if len(points) == 0 {
		return "", false
	}
	best := points[0]
	for _, p := range points {
		if away(p.Position, position) < away(best.Position, position) {
			best = p
		}
	}
	return best.Tower, true
}

// away gives the distance of two positions, the shorter way round.
func away(a, b uint32) uint32 {
	return min(a-b, b-a)
}
