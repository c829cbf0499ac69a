package web

import (
	"math"
	"slices"
	"testing"

	"github.com/ringoftowers/towers/ring"
	"github.com/ringoftowers/towers/ring/census"
	"pgregory.net/rapid"
)

// Names around the ring do not touch, whoever is in the fleet.
func TestBeaconsKeepApart(t *testing.T) {
	c := census.New(0, "", ring.Mixed)
	rapid.Check(t, func(t *rapid.T) {
		fleet := rapid.SliceOfNDistinct(rapid.IntRange(1, 128), 2, mostNames, rapid.ID[int]).Draw(t, "fleet")
		bs := beacons(c, fleet)
		for i, b := range bs {
			next := bs[(i+1)%len(bs)]
			gap := next.spread - b.spread
			if i == len(bs)-1 {
				gap += 2 * math.Pi
			}
			// Settling goes on for ever; what is left of it is less than a letter's width.
			if gap < apart*0.8 {
				t.Fatalf("T-%d and T-%d are %.3f apart, want %.3f", b.tower, next.tower, gap, apart)
			}
		}
	})
}

func TestSixtyFourTowersDiffer(t *testing.T) {
	seen := make(map[[2]int]int)
	for tower := 1; tower <= 64; tower++ {
		look := [2]int{colour(tower), mark(tower)}
		if twin, ok := seen[look]; ok {
			t.Errorf("T-%d looks like T-%d: colour %d, mark %d", tower, twin, look[0], look[1])
		}
		seen[look] = tower
	}
}

func TestQuartersGiveWayToNames(t *testing.T) {
	if got := quarters(nil); len(got) != 4 {
		t.Errorf("an empty ring shows %d quarters, want 4", len(got))
	}
	at := quarters([]beacon{{tower: 1, spread: 0.05}, {tower: 2, spread: 2*math.Pi - 0.05}, {tower: 3, spread: math.Pi / 2}})
	var left []string
	for _, q := range at {
		left = append(left, q.text)
	}
	if want := []string{"2³¹", "3·2³⁰"}; !slices.Equal(left, want) {
		t.Errorf("quarters beside names at 0 and 2³⁰: %q, want %q", left, want)
	}
}
