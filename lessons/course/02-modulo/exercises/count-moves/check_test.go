package exercise_test

import (
	"fmt"
	"hash/fnv"
	"slices"
	"testing"

	"exercise"
)

// fleet gives the towers T-1, T-2, … of the lessons.
func fleet(n int) []string {
	var towers []string
	for i := range n {
		towers = append(towers, fmt.Sprint("T-", i+1))
	}
	return towers
}

// bag gives the letters letter-0, letter-1, …
func bag(n int) []string {
	var letters []string
	for i := range n {
		letters = append(letters, fmt.Sprint("letter-", i))
	}
	return letters
}

// expect counts for one change of the fleet.
func expect(t *testing.T, letters, before, after []string, moved, needless int) {
	t.Helper()
	m, n := exercise.Moved(slices.Clone(letters), slices.Clone(before), slices.Clone(after))
	if m != moved || n != needless {
		t.Errorf("got %d moved, %d needless; want %d, %d: %d letters, from %q to %q",
			m, n, moved, needless, len(letters), before, after)
	}
}

// The example of the task.
func TestExample(t *testing.T) {
	expect(t, []string{"letter-0", "letter-6", "letter-7"}, fleet(4), fleet(5), 2, 1)
}

func TestFifthTowerComes(t *testing.T) {
	expect(t, bag(2000), fleet(4), fleet(5), 1615, 1234)
}

// The letters of the tower that leaves have to go somewhere.
func TestFifthTowerLeaves(t *testing.T) {
	expect(t, bag(2000), fleet(5), fleet(4), 1615, 1234)
}

// Each of the others moves up one place in the list.
func TestFirstTowerLeaves(t *testing.T) {
	expect(t, bag(2000), fleet(3), fleet(3)[1:], 1362, 669)
}

// One tower stands in the place of another: only that one's letters move, and they have to.
func TestReplacedTower(t *testing.T) {
	expect(t, bag(2000), fleet(3), []string{"T-1", "T-9", "T-3"}, 653, 0)
}

// The same towers in another order: no letter had a reason to move.
func TestAnotherOrder(t *testing.T) {
	expect(t, bag(2000), fleet(2), []string{"T-2", "T-1"}, 2000, 2000)
}

func TestEmptyFleets(t *testing.T) {
	expect(t, bag(20), nil, fleet(4), 20, 0)
	expect(t, bag(20), fleet(4), nil, 20, 0)
	expect(t, bag(20), nil, nil, 0, 0)
}

// Changes of every kind, counted in another way: each tower is a number, 0 for none.
func TestHiddenManyFleets(t *testing.T) {
	letters := append(bag(90)[30:], "", "Zürich", "user:7")
	fleets := [][]int{{}, {1}, {2}, {3, 1, 2}, {1, 2, 3}, {2, 3}, {1, 4, 3}, {1, 2, 3, 4, 5, 6}, {6, 5, 4, 3, 2, 1}, {7, 8, 9, 10}}
	for _, before := range fleets {
		for _, after := range fleets {
			moved, needless := 0, 0
			for _, letter := range letters {
				was, is := keeper(letter, before), keeper(letter, after)
				if was == is {
					continue
				}
				moved++
				stays, stood := false, false
				for _, n := range after {
					stays = stays || n == was
				}
				for _, n := range before {
					stood = stood || n == is
				}
				if stays && stood {
					needless++
				}
			}
			expect(t, letters, named(before), named(after), moved, needless)
			if t.Failed() {
				return // one example is enough
			}
		}
	}
}

// keeper gives the number of the tower that keeps letter, or 0.
func keeper(letter string, numbers []int) int {
	if len(numbers) == 0 {
		return 0
	}
	f := fnv.New32a()
	f.Write([]byte(letter))
	h := f.Sum32()
	h = (h ^ h>>16) * 0x85ebca6b
	h = (h ^ h>>13) * 0xc2b2ae35
	return numbers[int64(h^h>>16)%int64(len(numbers))]
}

// named gives the towers of these numbers.
func named(numbers []int) []string {
	var towers []string
	for _, n := range numbers {
		towers = append(towers, fmt.Sprint("tower ", n))
	}
	return towers
}
