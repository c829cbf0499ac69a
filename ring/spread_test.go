package ring

import (
	"math"
	"slices"
	"testing"
)

func TestSpread(t *testing.T) {
	owners := map[string]string{"1": "a", "2": "a", "3": "a", "4": "a", "5": "b", "6": "c"}
	nodes := []Node{{Name: "c"}, {Name: "a"}, {Name: "b"}, {Name: "idle"}}
	keys := []string{"1", "2", "3", "4", "5", "6", "lost"}

	got := Spread(letters{owners, nodes}, slices.Values(keys))
	wantNodes := []NodeLoad{{"c", 1}, {"a", 4}, {"b", 1}, {"idle", 0}}
	if !slices.Equal(got.Nodes, wantNodes) || got.Total != 6 {
		t.Errorf("nodes %v of %d keys, want %v of 6", got.Nodes, got.Total, wantNodes)
	}
	if got.Max != 4 || got.Min != 0 || got.Mean != 1.5 {
		t.Errorf("max %d, min %d, mean %v, want 4, 0 and 1.5", got.Max, got.Min, got.Mean)
	}
	// The distances from the mean are -0.5, 2.5, -0.5 and -1.5.
	if want := math.Sqrt(9.0 / 4); got.StdDev != want || got.CV != want/1.5 {
		t.Errorf("standard deviation %v, coefficient of variation %v, want %v and %v", got.StdDev, got.CV, want, want/1.5)
	}
	if want := 4 / 1.5; got.MaxToMean != want || got.MinToMean != 0 {
		t.Errorf("max to mean %v, min to mean %v, want %v and 0", got.MaxToMean, got.MinToMean, want)
	}
	if got.Keys("a") != 4 || got.Keys("nobody") != 0 {
		t.Errorf("a has %d keys and nobody %d, want 4 and 0", got.Keys("a"), got.Keys("nobody"))
	}
}

func TestSpreadCountsAnOwnerThatIsNotListed(t *testing.T) {
	got := Spread(letters{map[string]string{"1": "ghost"}, []Node{{Name: "a"}}}, slices.Values([]string{"1"}))
	if want := []NodeLoad{{"a", 0}, {"ghost", 1}}; !slices.Equal(got.Nodes, want) {
		t.Errorf("nodes %v, want %v", got.Nodes, want)
	}
}

func TestSpreadOfNothingHasNoNaN(t *testing.T) {
	for what, load := range map[string]Load{
		"no nodes": Spread(must(New(nil)), numbered("letter-", 10)),
		"no keys":  Spread(must(New(towers(3))), numbered("letter-", 0)),
	} {
		for _, figure := range []float64{load.Mean, load.MaxToMean, load.MinToMean, load.StdDev, load.CV} {
			if figure != 0 {
				t.Errorf("%s: %+v, want zeros", what, load)
			}
		}
	}
}
