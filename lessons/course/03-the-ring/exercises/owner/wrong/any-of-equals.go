// fails: TestSharedPosition, TestHiddenManyRings
package exercise

// A Point is one place of a tower on the circle.
type Point struct {
	Position uint32
	Tower    string
}

// Owner ends its search at whichever of several equal positions it meets first.
func Owner(points []Point, position uint32) (tower string, ok bool) {
	low, high := 0, len(points)
	if high == 0 {
		return "", false
	}
	for low < high {
		middle := (low + high) / 2
		switch p := points[middle]; {
		case p.Position == position:
			return p.Tower, true
		case p.Position < position:
			low = middle + 1
		default:
			high = middle
		}
	}
	return points[low%len(points)].Tower, true
}
