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

// An answer is a letter and the tower that keeps it.
type answer struct{ letter, tower string }

// expect asks one ring for the owners of some letters.
func expect(t *testing.T, towers []string, places int, answers ...answer) {
	t.Helper()
	ring := exercise.New(slices.Clone(towers), places)
	for _, want := range answers {
		if got, ok := ring.Owner(want.letter); got != want.tower || !ok {
			t.Errorf("got %q, %t; want %q, true: New(%q, %d).Owner(%q)", got, ok, want.tower, towers, places, want.letter)
		}
	}
}

func TestOnePlaceEach(t *testing.T) {
	expect(t, fleet(4), 1,
		answer{"letter-7", "T-3"}, answer{"letter-0", "T-1"},
		answer{"letter-4", "T-2"}, answer{"letter-12", "T-4"})
}

// These letters come to the places T-1#54, T-2#39, T-3#64, T-4#91 and T-1#81.
func TestHundredPlacesEach(t *testing.T) {
	expect(t, fleet(4), 100,
		answer{"letter-7", "T-1"}, answer{"letter-9", "T-2"}, answer{"letter-4", "T-3"},
		answer{"letter-1", "T-4"}, answer{"letter-13", "T-1"})
}

// The shares that the lesson tells.
func TestShares(t *testing.T) {
	ring := exercise.New(fleet(4), 100)
	count := make(map[string]int)
	for i := range 2000 {
		tower, _ := ring.Owner(fmt.Sprint("letter-", i))
		count[tower]++
	}
	got := []int{count["T-1"], count["T-2"], count["T-3"], count["T-4"]}
	if want := []int{564, 522, 420, 494}; !slices.Equal(got, want) {
		t.Errorf("got %d letters at T-1 … T-4, want %d: 2000 letters, 100 places each", got, want)
	}
}

// The last place is T-2's, at 4287880731. These letters lie beyond it, and the first place of
// all is T-1's, at 5967104.
func TestPastTheLastPlace(t *testing.T) {
	expect(t, fleet(4), 100, answer{"letter-398", "T-1"}, answer{"letter-1880", "T-1"})
}

func TestOrderOfTowers(t *testing.T) {
	inOrder := exercise.New(fleet(4), 100)
	for _, towers := range [][]string{{"T-4", "T-3", "T-2", "T-1"}, {"T-2", "T-4", "T-1", "T-3"}} {
		ring := exercise.New(slices.Clone(towers), 100)
		for i := range 50 {
			letter := fmt.Sprint("letter-", i)
			want, _ := inOrder.Owner(letter)
			if got, ok := ring.Owner(letter); got != want || !ok {
				t.Fatalf("got %q, %t; want %q, true, as with the towers in order: New(%q, 100).Owner(%q)", got, ok, want, towers, letter)
			}
		}
	}
}

// The first place that letter-59 and letter-100 meet, at 2954033786, is both T-1908#4 and
// T-3977#73.
func TestSharedPlace(t *testing.T) {
	for _, towers := range [][]string{{"T-1908", "T-3977"}, {"T-3977", "T-1908"}} {
		expect(t, towers, 100, answer{"letter-59", "T-1908"}, answer{"letter-100", "T-1908"})
	}
}

func TestListIsLeftAlone(t *testing.T) {
	towers := []string{"T-3", "T-1", "T-2"}
	exercise.New(towers, 10).Owner("letter-7")
	if want := []string{"T-3", "T-1", "T-2"}; !slices.Equal(towers, want) {
		t.Errorf("got the list back as %q, want %q: New(%q, 10)", towers, want, want)
	}
}

func TestNoTowers(t *testing.T) {
	if got, ok := exercise.New(nil, 100).Owner("letter-7"); got != "" || ok {
		t.Errorf("got %q, %t; want %q, false: New(no towers, 100).Owner(%q)", got, ok, "", "letter-7")
	}
}

// Other towers, with other numbers of places. Owners are found in another way: by trying every
// place of every tower for the shortest walk clockwise.
func TestHiddenOtherFleets(t *testing.T) {
	for _, c := range []struct {
		places  int
		towers  []string
		letters []string
	}{
		{1, []string{"north"}, bag("letter-", 0, 20)},
		{3, []string{"north", "east", "south", "west"}, bag("user:", 0, 40)},
		{11, append(fleet(12), "T-111"), bag("letter-", 5000, 40)},
		{17, []string{"Zürich", "Łódź", "Кронштадт"}, bag("", 0, 40)},
		// These two share 16 of their places. As strings, node-1698 is the smaller.
		{100, []string{"node-89", "node-1698"}, bag("letter-", 0, 30)},
		{100, []string{"node-1698", "node-89"}, bag("letter-", 0, 30)},
	} {
		ring := exercise.New(slices.Clone(c.towers), c.places)
		owner := walker(c.towers, c.places)
		for _, letter := range c.letters {
			want := owner(letter)
			if got, ok := ring.Owner(letter); got != want || !ok {
				t.Fatalf("got %q, %t; want %q, true: New(%q, %d).Owner(%q)", got, ok, want, c.towers, c.places, letter)
			}
		}
	}
}

// walker gives a slow way to find owners.
func walker(towers []string, places int) func(letter string) string {
	positions := make(map[string][]uint32)
	for _, tower := range towers {
		for k := range places {
			positions[tower] = append(positions[tower], mixed(fmt.Sprintf("%s#%d", tower, k)))
		}
	}
	sorted := slices.Sorted(slices.Values(towers))
	return func(letter string) string {
		from := mixed(letter)
		best, way := "", uint64(1<<32)
		for _, tower := range sorted {
			for _, p := range positions[tower] {
				// The difference of two uint32 is the way clockwise from one to the other.
				if w := uint64(p - from); w < way {
					best, way = tower, w
				}
			}
		}
		return best
	}
}

// bag gives so many names, numbered from first.
func bag(prefix string, first, n int) []string {
	var names []string
	for i := range n {
		names = append(names, fmt.Sprint(prefix, first+i))
	}
	return names
}

// mixed is position once more, so that the answers do not depend on what became of it.
func mixed(name string) uint32 {
	f := fnv.New32a()
	f.Write([]byte(name))
	h := f.Sum32()
	h = (h ^ h>>16) * 0x85ebca6b
	h = (h ^ h>>13) * 0xc2b2ae35
	return h ^ h>>16
}
