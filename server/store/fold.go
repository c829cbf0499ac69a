package store

import (
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// fold gives the form in which names are compared: two names are one person's when their
// folded forms are the same. It is Unicode's caseless matching under compatibility (NFKC and
// full case folding), without characters that show nothing and with white space made plain.
//
// Letters of different scripts that look alike stay different; telling them apart is left to
// whoever reads the names.
func fold(name string) string {
	name = strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) {
			return -1
		}
		return r
	}, name)
	// One round can leave a little to do for the next: ſ folds to s, and may then combine
	// with what follows. Unicode defines the match by two rounds.
	caser := cases.Fold()
	for range 2 {
		name = norm.NFKC.String(caser.String(norm.NFKD.String(name)))
	}
	return strings.Join(strings.Fields(name), " ")
}
