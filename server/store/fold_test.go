package store

import (
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"
)

func TestNamesOfOnePerson(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"Ada", "ada", true},
		{"Ada", "ADA", true},
		{"  Ada  Lovelace ", "ada\tlovelace", true},
		{"Ada\u00a0Lovelace", "Ada Lovelace", true}, // a no-break space
		{"Zo\u00eb", "Zoe\u0308", true},             // composed and not
		{"Ａｄａ", "Ada", true},                        // full width
		{"ﬁnn", "Finn", true},                       // a ligature
		{"Straße", "STRASSE", true},
		{"Straße", "Strase", false},
		{"ΣΊΣΥΦΟΣ", "σίσυφος", true}, // a final sigma
		{"K", "k", true},             // the Kelvin sign
		{"A\u200bda", "Ada", true},   // a space of no width
		{"A\u00adda", "Ada", true},   // a soft hyphen
		{"نامه\u200cای", "نامهای", true},
		{"Łukasz", "łukasz", true},
		{"Ёжик", "ёжик", true},
		{"Ёжик", "Ежик", false},
		{"ada", "аda", false}, // a Cyrillic а
		{"ı", "i", false},     // full folding is nobody's language
		{"Ada1", "Ada¹", true},
		{"Ada", "Adah", false},
	} {
		if same := fold(c.a) == fold(c.b); same != c.same {
			t.Errorf("%q (%q) and %q (%q) are one: %v; want %v", c.a, fold(c.a), c.b, fold(c.b), same, c.same)
		}
	}
}

// Whatever Go takes for two cases of one character is one character in a name.
func TestFoldingKnowsEveryCase(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if other := unicode.SimpleFold(r); other != r && fold(string(other)) != fold(string(r)) {
			t.Errorf("%U is compared as %q, and %U as %q", r, fold(string(r)), other, fold(string(other)))
		}
	}
}

// What is compared must not depend on how a name was typed or on how often it was folded.
func TestFoldingIsStable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringOf(rapid.Rune()).Draw(t, "name")
		folded := fold(name)
		for what, variant := range map[string]string{
			"itself folded": folded,
			"composed":      norm.NFC.String(name),
			"decomposed":    norm.NFD.String(name),
			"compatible":    norm.NFKC.String(name),
			"padded":        " " + name + "\n",
		} {
			if got := fold(variant); got != folded {
				t.Errorf("%q is compared as %q, but %s (%q) as %q", name, folded, what, variant, got)
			}
		}
	})
}
