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

// expect asks for one letter's owner.
func expect(t *testing.T, letter string, towers []string, want string) {
	t.Helper()
	if got, ok := exercise.Owner(letter, slices.Clone(towers)); got != want || !ok {
		t.Errorf("got %q, %t; want %q, true: Owner(%q, %q)", got, ok, want, letter, towers)
	}
}

// The example of the task.
func TestLetterSeven(t *testing.T) {
	expect(t, "letter-7", fleet(4), "T-1")
	expect(t, "letter-7", fleet(5), "T-2")
}

// The hashes of these letters are 4215798398, 2768594971, 3963264698 and 2293817180: none of
// them has room in an int32.
func TestLargeHashes(t *testing.T) {
	expect(t, "letter-2", fleet(3), "T-3")
	expect(t, "letter-11", fleet(3), "T-2")
	expect(t, "letter-10", fleet(5), "T-4")
	expect(t, "letter-8", fleet(5), "T-1")
}

func TestEmptyName(t *testing.T) {
	expect(t, "", fleet(4), "T-4") // its hash is 2872998923
}

func TestOneTower(t *testing.T) {
	for i := range 20 {
		expect(t, fmt.Sprint("letter-", i), fleet(1), "T-1")
	}
}

func TestNoTowers(t *testing.T) {
	for _, towers := range [][]string{nil, {}} {
		if got, ok := exercise.Owner("letter-7", towers); got != "" || ok {
			t.Errorf("got %q, %t; want %q, false: Owner(%q, no towers)", got, ok, "", "letter-7")
		}
	}
}

// The hashes of letter-0, letter-1 and letter-7 leave 2, 1 and 2 when they are divided by 3.
func TestListDecides(t *testing.T) {
	towers := []string{"north", "T-9", "east"}
	expect(t, "letter-0", towers, "east")
	expect(t, "letter-1", towers, "T-9")
	expect(t, "letter-7", towers, "east")
}

func TestListIsLeftAlone(t *testing.T) {
	towers := []string{"T-3", "T-1", "T-2"}
	exercise.Owner("letter-7", towers)
	if want := []string{"T-3", "T-1", "T-2"}; !slices.Equal(towers, want) {
		t.Errorf("got the list back as %q, want %q: Owner(%q, %q)", towers, want, "letter-7", want)
	}
}

// Fleets of many sizes, with letters of many kinds.
func TestHiddenEveryFleet(t *testing.T) {
	letters := []string{"", "a", "foobar", "Zürich", "тест"}
	for i := range 300 {
		letters = append(letters, fmt.Sprint("letter-", i*7), fmt.Sprint("user:", i))
	}
	for n := 1; n <= 12; n++ {
		towers := fleet(n)
		slices.Reverse(towers)
		for _, letter := range letters {
			want := towers[int64(mixed(letter))%int64(n)]
			if got, ok := exercise.Owner(letter, slices.Clone(towers)); got != want || !ok {
				t.Fatalf("got %q, %t; want %q, true: Owner(%q, %q)", got, ok, want, letter, towers)
			}
		}
	}
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
