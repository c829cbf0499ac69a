package exercise_test

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"slices"
	"testing"

	"exercise"
)

// build gives a ring of these towers, with a hundred places each.
func build(towers ...string) []exercise.Point {
	var ring []exercise.Point
	for _, tower := range towers {
		for k := range 100 {
			ring = append(ring, exercise.Point{Position: mixed(fmt.Sprintf("%s#%d", tower, k)), Tower: tower})
		}
	}
	slices.SortFunc(ring, func(a, b exercise.Point) int {
		return cmp.Or(cmp.Compare(a.Position, b.Position), cmp.Compare(a.Tower, b.Tower))
	})
	return ring
}

// of gives the places of one tower.
func of(ring []exercise.Point, tower string) []exercise.Point {
	var own []exercise.Point
	for _, p := range ring {
		if p.Tower == tower {
			own = append(own, p)
		}
	}
	return own
}

func TestAllItsPlacesGo(t *testing.T) {
	for _, tower := range []string{"T-1", "T-1908", "T-3977"} {
		left := exercise.Without(build("T-1", "T-1908", "T-3977"), tower)
		if got := len(of(left, tower)); got != 0 {
			t.Errorf("got %d places of %s, want 0: a ring of T-1, T-1908, T-3977 without %s", got, tower, tower)
		}
	}
}

// The night that the task tells of.
func TestOthersKeepTheirPlaces(t *testing.T) {
	left := exercise.Without(build("T-1", "T-1908", "T-3977"), "T-3977")
	for _, tower := range []string{"T-1", "T-1908"} {
		if got := len(of(left, tower)); got != 100 {
			t.Errorf("got %d places of %s, want 100: a ring of T-1, T-1908, T-3977 without T-3977", got, tower)
		}
	}
}

func TestOrderStays(t *testing.T) {
	left := exercise.Without(build("T-1", "T-2"), "T-1")
	got, want := of(left, "T-2"), build("T-2")
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			t.Fatalf("got position %d, want %d: place %d of T-2, on a ring of T-1, T-2 without T-1", got[i].Position, want[i].Position, i+1)
		}
	}
}

func TestSimilarNames(t *testing.T) {
	left := exercise.Without(build("T-1", "T-10", "T-100"), "T-1")
	for _, tower := range []string{"T-10", "T-100"} {
		if got := len(of(left, tower)); got != 100 {
			t.Errorf("got %d places of %s, want 100: a ring of T-1, T-10, T-100 without T-1", got, tower)
		}
	}
}

func TestGivenRingIsLeftAlone(t *testing.T) {
	ring := build("T-1", "T-2")
	before := slices.Clone(ring)
	exercise.Without(ring, "T-1")
	for i := range ring {
		if ring[i] != before[i] {
			t.Fatalf("got %v at index %d of the ring that was given, want %v as before: a ring of T-1, T-2 without T-1", ring[i], i, before[i])
		}
	}
}

func TestTowerThatIsNotThere(t *testing.T) {
	left := exercise.Without(build("T-1", "T-2"), "T-3")
	if got := len(left); got != 200 {
		t.Errorf("got %d places, want 200: a ring of T-1, T-2 without T-3", got)
	}
}

func TestLastTowerGoes(t *testing.T) {
	left := exercise.Without(build("T-1"), "T-1")
	if got := len(left); got != 0 {
		t.Errorf("got %d places, want 0: a ring of T-1 without T-1", got)
	}
}

// Each tower in turn leaves each of these rings, also where it has no place. What is left is
// the ring that never had the tower.
func TestHiddenEveryTower(t *testing.T) {
	all := []string{"T-1", "T-2", "T-19", "T-1908", "T-3977", "node-89", "node-1698", "north"}
	for _, towers := range [][]string{{}, {"T-1908"}, {"T-3977", "T-1908"}, {"T-1", "T-19", "node-89", "node-1698"}, all} {
		for _, leaver := range all {
			stay := slices.DeleteFunc(slices.Clone(towers), func(tower string) bool { return tower == leaver })
			got, want := exercise.Without(build(towers...), leaver), build(stay...)
			if !slices.Equal(got, want) {
				t.Fatalf("got %d places, want the %d of a ring that never had the tower: a ring of %q without %s", len(got), len(want), towers, leaver)
			}
		}
	}
}

// mixed is the hash of the lessons.
func mixed(name string) uint32 {
	f := fnv.New32a()
	f.Write([]byte(name))
	h := f.Sum32()
	h = (h ^ h>>16) * 0x85ebca6b
	h = (h ^ h>>13) * 0xc2b2ae35
	return h ^ h>>16
}
