package exercise_test

import (
	"testing"

	"exercise"
)

// Between two points the answer is easy. Where could a ring go wrong?
func TestBetweenTwoPoints(t *testing.T) {
	points := []exercise.Point{
		{Position: 100, Tower: "T-1"},
		{Position: 200, Tower: "T-2"},
	}
	if got, ok := exercise.Owner(points, 150); got != "T-2" || !ok {
		t.Errorf("got %q, %t; want %q, true: position 150, between 100 and 200", got, ok, "T-2")
	}
}
