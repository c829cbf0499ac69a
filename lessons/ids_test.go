package lessons

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestReserved(t *testing.T) {
	for id := range strings.FieldsSeq("text lesson chart failure lighthouse m1 m5 m8 s-failed s-x pm-top fig-1 fig-1-dial exercise-owner " +
		"predict-1-ask why-ask fig-dial a-name golden-rule") {
		if !reserved(id) {
			t.Errorf("%s is not reserved", id)
		}
	}
	for id := range strings.FieldsSeq("texts context text-2 lessons m0 m9 m10 m s pm fig exercise exercises figs-1 sea-side ask rule name asks-rules " +
		"rule-1 quiz-1 predict-1 section-1 Text") {
		if reserved(id) {
			t.Errorf("%s is reserved", id)
		}
	}
}

// Whatever the headings of a lesson are called, each has an id of its own that is not the page's.
func TestHeadingsHaveIDsOfTheirOwn(t *testing.T) {
	words := rapid.SampledFrom([]string{"text", "fig", "fig 2", "m", "1", "s", "the rule", "section", "section fig", "exercise", "a", "ask", "2"})
	p := newParser()
	rapid.Check(t, func(t *rapid.T) {
		var lesson strings.Builder
		lesson.WriteString(head)
		for _, title := range rapid.SliceOfN(words, 1, 12).Draw(t, "titles") {
			lesson.WriteString("## " + title)
			if rapid.Bool().Draw(t, "explicit") {
				lesson.WriteString(" {#" + slug(title) + "}")
			}
			lesson.WriteString("\n\n")
		}
		pg := parsePage(p, "lesson.md", []byte(lesson.String()))
		pg.findAnchors()
		if len(pg.ids) != strings.Count(lesson.String(), "## ") {
			t.Fatalf("%d ids for\n%s", len(pg.ids), lesson.String())
		}
		seen := make(map[string]bool)
		for _, id := range pg.ids {
			if reserved(id) || seen[id] {
				t.Fatalf("the id %s is reserved or stands twice in\n%s", id, lesson.String())
			}
			seen[id] = true
		}
	})
}
