package exercise_test

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"exercise"
)

// figure2 gives the ring of the lesson's second figure.
func figure2() []exercise.Point {
	return []exercise.Point{
		{Position: 360780494, Tower: "T-4"},
		{Position: 1095928766, Tower: "T-1"},
		{Position: 1385145295, Tower: "T-2"},
		{Position: 2927558590, Tower: "T-3"},
	}
}

// expect asks for the owner of one position.
func expect(t *testing.T, points []exercise.Point, position uint32, want string) {
	t.Helper()
	if got, ok := exercise.Owner(slices.Clone(points), position); got != want || !ok {
		t.Errorf("got %q, %t; want %q, true: position %d on the ring %s", got, ok, want, position, shown(points))
	}
}

// shown writes a ring as "T-4 at 360780494, …".
func shown(points []exercise.Point) string {
	text := ""
	for i, p := range points {
		if i > 0 {
			text += ", "
		}
		if i == 6 {
			return text + "…"
		}
		text += fmt.Sprintf("%s at %d", p.Tower, p.Position)
	}
	return text
}

func TestNextPointClockwise(t *testing.T) {
	expect(t, figure2(), 986259314, "T-1")  // letter-0
	expect(t, figure2(), 1343408124, "T-2") // letter-4
	expect(t, figure2(), 2040359756, "T-3") // letter-7
	expect(t, figure2(), 1095928767, "T-2") // just past T-1
}

func TestExactlyOnAPoint(t *testing.T) {
	for _, p := range figure2() {
		expect(t, figure2(), p.Position, p.Tower)
	}
}

func TestBeforeTheFirstPoint(t *testing.T) {
	expect(t, figure2(), 252109814, "T-4") // letter-12
	expect(t, figure2(), 360780493, "T-4") // just before T-4
}

func TestPastTheLastPoint(t *testing.T) {
	expect(t, figure2(), 4215798398, "T-4") // letter-2
	expect(t, figure2(), 2927558591, "T-4") // just past T-3
}

func TestEdgesOfTheCircle(t *testing.T) {
	points := []exercise.Point{{Position: 0, Tower: "low"}, {Position: math.MaxUint32, Tower: "high"}}
	expect(t, points, 0, "low")
	expect(t, points, 1, "high")
	expect(t, points, math.MaxUint32-1, "high")
	expect(t, points, math.MaxUint32, "high")
}

func TestSharedPosition(t *testing.T) {
	points := []exercise.Point{
		{Position: 10, Tower: "T-1"}, {Position: 10, Tower: "T-2"}, {Position: 10, Tower: "T-5"},
		{Position: 20, Tower: "T-3"},
	}
	expect(t, points, 9, "T-1")
	expect(t, points, 10, "T-1")
}

func TestNoPoints(t *testing.T) {
	for _, points := range [][]exercise.Point{nil, {}} {
		if got, ok := exercise.Owner(points, 7); got != "" || ok {
			t.Errorf("got %q, %t; want %q, false: position 7 on a ring without points", got, ok, "")
		}
	}
}

// Rings of every size and crowding, asked at every point, beside it, and at the ends of the
// circle. The owner is found in another way: by the shortest walk clockwise.
func TestHiddenManyRings(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 5))
	for _, size := range []int{1, 2, 3, 4, 5, 8, 13, 21} {
		for _, bits := range []int{32, 4} { // with 16 positions, most are shared
			points := ring(random, size, bits)
			positions := []uint32{0, 1, math.MaxUint32 - 1, math.MaxUint32, random.Uint32()}
			for _, p := range points {
				positions = append(positions, p.Position-1, p.Position, p.Position+1)
			}
			for _, position := range positions {
				best := points[0]
				for _, p := range points {
					// The difference of two uint32 is the way clockwise from one to the other.
					if p.Position-position < best.Position-position {
						best = p
					}
				}
				if expect(t, points, position, best.Tower); t.Failed() {
					return // one example is enough
				}
			}
		}
	}
}

// ring gives a ring with points at random positions, of which only the highest bits vary.
func ring(random *rand.Rand, size, bits int) []exercise.Point {
	points := make([]exercise.Point, size)
	for i := range points {
		points[i].Position = random.Uint32() >> (32 - bits) << (32 - bits)
	}
	slices.SortFunc(points, func(a, b exercise.Point) int {
		return cmp.Compare(a.Position, b.Position)
	})
	for i := range points {
		points[i].Tower = fmt.Sprint("tower ", i)
	}
	return points
}
