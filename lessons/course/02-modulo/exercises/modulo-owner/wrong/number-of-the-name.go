// fails: TestLetterSeven, TestLargeHashes, TestEmptyName, TestListDecides, TestHiddenEveryFleet
package exercise

import (
	"strconv"
	"strings"
)

// Owner takes letter 7 for the number 7, as the lesson does to explain remainders. The rule of
// the coast hashes the whole name.
func Owner(letter string, towers []string) (tower string, ok bool) {
	if len(towers) == 0 {
		return "", false
	}
	number, err := strconv.Atoi(strings.TrimPrefix(letter, "letter-"))
	if err != nil {
		return "", false
	}
	return towers[number%len(towers)], true
}
