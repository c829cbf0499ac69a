package lessons

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// update makes the tests write what they found as what is wanted from now on.
var update = flag.Bool("update", false, "write testdata/*/want.txt anew")

// Each folder in testdata has a lesson and, in want.txt, what becomes of it.
func TestGolden(t *testing.T) {
	cases, err := filepath.Glob("testdata/*/lesson.md")
	if err != nil || len(cases) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range cases {
		dir := filepath.Dir(file)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if filepath.Base(dir) == "formulas" {
				needsTemml(t)
			}
			all := files{"01-test/lesson.md": string(raw), "02-other/lesson.md": head + "## There {#there}\n"}
			if strings.Contains(string(raw), "::exercise") && filepath.Base(dir) != "broken" {
				all = all.with(owner.under("01-test/exercises/owner"))
			}
			got := dumpLesson(load(t, all).Lessons[0])
			want := filepath.Join(dir, "want.txt")
			if *update {
				if err := os.WriteFile(want, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			wanted, err := os.ReadFile(want)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(wanted), got); diff != "" {
				t.Errorf("(-want +got, `go test -run Golden -update` takes it over)\n%s", diff)
			}
		})
	}
}

// dumpLesson writes a lesson as text.
func dumpLesson(l *Lesson) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s, number %d: %s | %s | %s, %d min %v\n", l.Name, l.Number, l.Title, l.Summary, l.Level, l.Minutes, l.Tags)
	for _, s := range l.Sections {
		fmt.Fprintf(&out, "section #%s %s\n", s.ID, s.Title)
	}
	dumpBlocks(&out, "", l.Body)
	if len(l.Problems) > 0 {
		fmt.Fprintf(&out, "problems\n  %s\n", strings.ReplaceAll(long(l.Problems), "\n", "\n  "))
	}
	return out.String()
}

func dumpBlocks(out *strings.Builder, indent string, blocks []Block) {
	text := func(name, html string) {
		fmt.Fprintf(out, "%s%s\n", indent, name)
		for line := range strings.Lines(html) {
			fmt.Fprintf(out, "%s  %s\n", indent, strings.TrimSuffix(line, "\n"))
		}
	}
	for _, b := range blocks {
		switch b := b.(type) {
		case HTML:
			text("html", b.Text)
		case Heading:
			text("heading #"+b.ID, b.HTML)
		case Predict:
			text(fmt.Sprintf("predict #%s %g%s ±%g of %g…%g", b.ID, b.Answer, b.Unit, b.Tolerance, b.Min, b.Max), b.Ask)
			text("reveal", b.Reveal)
		case Quiz:
			text(fmt.Sprintf("quiz #%s many=%v", b.ID, b.Many), b.Ask)
			for _, c := range b.Choices {
				text(fmt.Sprintf("choice right=%v", c.Right), c.HTML+"\n"+c.Why)
			}
		case Details:
			text("details "+b.Title+" | "+b.Aside, "")
			dumpBlocks(out, indent+"  ", b.Body)
		case Note:
			text("note "+b.Title, b.HTML)
		case Rule:
			text("rule", b.HTML)
		case ExerciseLink:
			text(fmt.Sprintf("exercise %d %s", b.Number, b.Exercise.ID), "")
		case Problem:
			text(fmt.Sprintf("problem at %d:%d", b.Line, b.Column), b.Message)
		default:
			text(fmt.Sprintf("%T %+v", b, b), "")
		}
	}
}
