package web

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// underlined writes pieces with what differs in brackets.
func underlined(pieces []piece) string {
	var b strings.Builder
	for _, p := range pieces {
		if p.differs {
			b.WriteString("[" + p.text + "]")
		} else {
			b.WriteString(p.text)
		}
	}
	return b.String()
}

func TestCompareReadsFailures(t *testing.T) {
	for _, tc := range []struct{ message, about, got, want string }{
		{`got "T-3", true; want "T-1", true: position 7 on the ring T-1 at 100`, "Position 7 on the ring T-1 at 100", `"T-[3]", true`, `"T-[1]", true`},
		{`Fullest with 535, 472 and 507 letters: got "T-3", want "T-1"`, "Fullest with 535, 472 and 507 letters", `"T-[3]"`, `"T-[1]"`},
		{`Fullest without towers: got "T-1", want an empty name`, "Fullest without towers", `["T-1"]`, `[an empty name]`},
		{`got 438 letters at T-1, want 435: 2000 letters`, "2000 letters", `43[8 letters at T-1]`, `43[5]`},
		{`got "a; want b", want "c: d": e`, "E", `"[a; want] [b]"`, `"[c:] [d]"`},
		{`Owner("letter = 7") = "T-3", want "T-1"`, `Owner("letter = 7")`, `"T-[3]"`, `"T-[1]"`},
		{"case two: got: 1\nwant: 2\nmore", "Case two; more", "[1]", "[2]"},
		{"got {A: x, want y}, want {A: z}: q()", "q()", "{A: [x, want y]}", "{A: [z]}"},
		{"got 10 moved, 3 needless; want 9, 0: 100 letters", "100 letters", "", ""},
		{"got true, want false", "", "[true]", "[false]"},
	} {
		c, ok := compare(tc.message)
		if !ok {
			t.Errorf("%q is not compared", tc.message)
			continue
		}
		if c.about != tc.about {
			t.Errorf("%q is about %q, want %q", tc.message, c.about, tc.about)
		}
		if got := underlined(c.got); tc.got != "" && got != tc.got {
			t.Errorf("%q: got reads %s, want %s", tc.message, got, tc.got)
		}
		if want := underlined(c.want); tc.want != "" && want != tc.want {
			t.Errorf("%q: want reads %s, want %s", tc.message, want, tc.want)
		}
	}
}

func TestCompareLeavesOtherMessages(t *testing.T) {
	for _, message := range []string{
		"", "the test failed without a message", "got", "got 1", "want 1, got 2", "I forgot 1, want 2", `got "1, want 2"`, "got , want 2", "got 1, want ",
		"got (1, want 2", "got " + strings.Repeat(`"\`, 5000) + ", want 1",
	} {
		if c, ok := compare(message); ok {
			t.Errorf("%.40q is compared: got %s, want %s", message, underlined(c.got), underlined(c.want))
		}
	}
}

// Pieces are the sides whole, and what they share reads the same on both.
func TestDifferenceLosesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		side := rapid.StringMatching(`[ab1-3", é世]{0,40}`)
		got, want := side.Draw(t, "got"), side.Draw(t, "want")
		a, b := difference(got, want)
		if joined(a, true) != got || joined(b, true) != want {
			t.Fatalf("pieces read %q and %q, want %q and %q", joined(a, true), joined(b, true), got, want)
		}
		if joined(a, false) != joined(b, false) {
			t.Fatalf("what is shared reads %q on one side, %q on the other", joined(a, false), joined(b, false))
		}
		if got == want && strings.Contains(underlined(a), "[") {
			t.Fatalf("%q differs from itself", got)
		}
	})
}

func joined(pieces []piece, all bool) string {
	var b strings.Builder
	for _, p := range pieces {
		if all || !p.differs {
			b.WriteString(p.text)
		}
	}
	return b.String()
}

// Whatever a test writes, reading it neither fails nor loses a letter of either side.
func FuzzCompare(f *testing.F) {
	for _, seed := range []string{`got "T-3", true; want "T-1", true: x`, "a = 1, want 2", "got [1 2]\nwant [1 3]\n", "got \xff, want é"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, message string) {
		c, ok := compare(message)
		if !ok {
			return
		}
		for _, side := range []string{joined(c.got, true), joined(c.want, true)} {
			if side == "" || !strings.Contains(message, side) {
				t.Errorf("%q has no %q", message, side)
			}
		}
	})
}

func TestInert(t *testing.T) {
	for text, want := range map[string]string{
		"plain\ttext\n": "plain\ttext\n", "a\x00b": "a␀b", "\x1b[31mred": "␛[31mred", "del\x7f": "del␡", "\u202eevil": `\u202eevil`, "zero\u200bwidth": `zero\u200bwidth`,
		"bad\xffbyte": "bad\ufffdbyte", "line\u2028end": `line\u2028end`, "c1\u0085": `c1\u0085`, "\r\n": "␍\n", "👩\u200d🚀 می\u200cخواهم": "👩\u200d🚀 می\u200cخواهم",
		"tag\U000e0041": `tag\U000e0041`,
	} {
		if got := inert(text); got != want {
			t.Errorf("inert(%q) = %q, want %q", text, got, want)
		}
	}
}
