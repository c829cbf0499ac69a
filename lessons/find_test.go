package lessons

import (
	"errors"
	"testing"

	"pgregory.net/rapid"
)

func TestFind(t *testing.T) {
	c := load(t, files{"01-a/lesson.md": head, "03-the-ring/lesson.md": head, "04-last/lesson.md": head})
	l, err := c.Lesson("03-the-ring")
	if err != nil || l.Name != "03-the-ring" {
		t.Fatalf("got %v, %v", l, err)
	}
	if prev, next := c.Around(l); prev.Name != "01-a" || next.Name != "04-last" {
		t.Errorf("around it are %v and %v", prev, next)
	}
	if prev, next := c.Around(c.Lessons[0]); prev != nil || next != l {
		t.Errorf("around the first are %v and %v", prev, next)
	}
	if prev, next := c.Around(&Lesson{}); prev != nil || next != nil {
		t.Errorf("around a stranger are %v and %v", prev, next)
	}
	for name, want := range map[string]string{
		"03-the-rnig":                         `no lesson "03-the-rnig"; the nearest is "03-the-ring"`,
		"3-the-ring":                          `no lesson "3-the-ring"; the nearest is "03-the-ring"`,
		"":                                    `no lesson ""`,
		"../../etc/passwd":                    `no lesson "../../etc/passwd"`,
		"something entirely else, and longer": `no lesson "something entirely else, and longer"`,
	} {
		_, err := c.Lesson(name)
		if !errors.Is(err, ErrNotFound) || err.Error() != want {
			t.Errorf("%q: %v, want %s", name, err, want)
		}
	}
}

func TestNearest(t *testing.T) {
	for _, c := range []struct{ word, want string }{
		{"pionts", "points"}, {"point", "points"}, {"pointss", "points"}, {"Points", "points"},
		{"pints", "points"}, {"towrs", "towers"}, {"tower", "towers"}, {"x", ""}, {"", ""}, {"ponit", ""},
		{"colour", ""}, {"points", "points"},
	} {
		if got := nearest(c.word, []string{"towers", "points", "hash"}); got != c.want {
			t.Errorf("nearest to %q is %q, want %q", c.word, got, c.want)
		}
	}
}

// One slip of the keyboard is one edit, whichever it is.
func TestDistanceOfOneSlip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := []rune(rapid.StringMatching(`[a-zżó]{3,12}`).Draw(t, "word"))
		at := rapid.IntRange(0, len(word)-2).Draw(t, "at")
		slips := map[string][]rune{
			"dropped":  append(append([]rune{}, word[:at]...), word[at+1:]...),
			"added":    append(append(append([]rune{}, word[:at]...), 'X'), word[at:]...),
			"replaced": append(append(append([]rune{}, word[:at]...), 'X'), word[at+1:]...),
			"swapped":  append(append(append([]rune{}, word[:at]...), word[at+1], word[at]), word[at+2:]...),
		}
		for kind, slip := range slips {
			want := 1
			if string(slip) == string(word) {
				want = 0
			}
			if got := distance(string(word), string(slip)); got != want {
				t.Fatalf("%s: from %q to %q are %d edits, want %d", kind, string(word), string(slip), got, want)
			}
		}
	})
}
