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
	name = strings.Map(visible, name)
	// One round can leave a little to do for the next, as where a letter folds to another
	// that combines with what follows; Unicode defines the match by two.
	caser := cases.Fold()
	for range 2 {
		name = norm.NFKC.String(caser.String(norm.NFKD.String(name)))
	}
	return strings.Join(strings.Fields(strings.Map(cherokee, name)), " ")
}

// visible drops a character that leaves no trace on a page.
func visible(r rune) rune {
	if unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) {
		return -1
	}
	return r
}

// cherokee makes Cherokee letters capitals, which is how Unicode folds them alone of all;
// the library takes each for the other case instead.
func cherokee(r rune) rune {
	if unicode.Is(unicode.Cherokee, r) {
		return unicode.ToUpper(r)
	}
	return r
}
