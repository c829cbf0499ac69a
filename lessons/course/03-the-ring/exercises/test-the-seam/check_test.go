package exercise_test

import (
	"math"
	"testing"

	"exercise"
)

// coast gives a ring with points in both halves of the circle and none at its ends.
func coast() []exercise.Point {
	return []exercise.Point{
		{Position: 100, Tower: "T-1"},
		{Position: 200, Tower: "T-2"},
		{Position: 3_000_000_000, Tower: "T-3"},
	}
}

// expect asks for the owner of one position.
func expect(t *testing.T, points []exercise.Point, position uint32, want string) {
	t.Helper()
	if got, ok := exercise.Owner(points, position); got != want || !ok {
		t.Errorf("got %q, %t; want %q, true: position %d on the ring %v", got, ok, want, position, points)
	}
}

func TestBetweenTwoPoints(t *testing.T) {
	expect(t, coast(), 101, "T-2")
	expect(t, coast(), 150, "T-2")
}

func TestExactlyOnAPoint(t *testing.T) {
	expect(t, coast(), 100, "T-1")
	expect(t, coast(), 200, "T-2")
}

func TestBeforeTheFirstPoint(t *testing.T) {
	expect(t, coast(), 0, "T-1")
	expect(t, coast(), 99, "T-1")
}

// The seam: from here the way leads over the top of the circle.
func TestPastTheLastPoint(t *testing.T) {
	expect(t, coast(), 3_000_000_001, "T-1")
	expect(t, coast(), math.MaxUint32, "T-1")
}

// Positions that have no room in an int32.
func TestUpperHalf(t *testing.T) {
	expect(t, coast(), 2_500_000_000, "T-3")
	expect(t, coast(), 2_999_999_999, "T-3")
}

func TestSharedPosition(t *testing.T) {
	points := []exercise.Point{{Position: 50, Tower: "T-0"}, {Position: 100, Tower: "T-1"}, {Position: 100, Tower: "T-2"}}
	expect(t, points, 60, "T-1")
	expect(t, points, 100, "T-1")
}

func TestNoPoints(t *testing.T) {
	if got, ok := exercise.Owner(nil, 150); got != "" || ok {
		t.Errorf("got %q, %t; want %q, false: position 150 on a ring without points", got, ok, "")
	}
}
