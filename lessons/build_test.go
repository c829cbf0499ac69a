package lessons

import (
	"fmt"
	"strings"
	"testing"
)

// What a figure asks for too much is left out of it, and a figure too many out of the page.
func TestWhatIsDrawnOfRings(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"a rule that is not shown", "::ring{compare=modulo follow=rendezvous}\n", "1: 4+0, ring, 2000"},
		{"a rule that is shown", "::ring{compare=modulo follow=modulo}\n", "1: 4+0, modulo, 2000"},
		{"one tower too many", "::ring{towers=128 arrives=1}\n", "1: 128+0, ring, 2000"},
		{"the last tower", "::ring{towers=127 arrives=1}\n", "1: 127+1, ring, 2000"},
		{"too many letters in all", "::ring{letters=1000000}\n\n::ring{letters=999999}\n\n::ring{letters=2}\n\n::ring{letters=1}\n\nSee [it](#fig-4).\n",
			"1: 4+0, ring, 1000000\n2: 4+0, ring, 999999\n4: 4+0, ring, 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := drawn(lessonOf(t, c.body)); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
	l := lessonOf(t, strings.Repeat("::ring\n\n", 13))
	if got := drawn(l); strings.Count(got, "\n")+1 != mostRings || strings.Contains(got, "13:") {
		t.Errorf("of thirteen rings these are drawn:\n%s", got)
	}
}

// drawn writes the rings of a lesson, each as "number: towers+arrives, follow, letters".
func drawn(l *Lesson) string {
	var all []string
	for _, b := range l.Body {
		if r, ok := b.(Ring); ok {
			all = append(all, fmt.Sprintf("%d: %d+%d, %s, %d", r.Figure, r.Towers, r.Arrives, r.Follow, r.Letters))
		}
	}
	return strings.Join(all, "\n")
}
