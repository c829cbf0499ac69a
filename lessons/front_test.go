package lessons

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
)

// Broken front matter costs only what it says: the text below is there all the same.
func TestMistakesInFrontMatter(t *testing.T) {
	const rest = "summary: S.\nlevel: beginner\nminutes: 5\n"
	for _, c := range []struct{ name, text, want string }{
		{"none", "Text.\n", "1:1: no front matter; expected the first line to be `---`, then `title: …`, then `---`"},
		{"empty", "---\n---\nText.\n", "1:1: the front matter has no `level`; expected one of beginner, middle, senior\n" +
			"1:1: the front matter has no `minutes`; expected a whole number from 1 to 600\n" +
			"1:1: the front matter has no `summary`; expected for example `summary: Towers and letters on one circle.`\n" +
			"1:1: the front matter has no `title`; expected for example `title: The ring`"},
		{"not closed", "---\ntitle: T\n" + rest + "\nText.\n", "1:1: the front matter has no end; expected a second line `---`"},
		{"a list", "---\n- a\n---\nText.\n", "2:1: expected lines such as `title: The ring`"},
		{"two colons", "---\ntitle: The ring: again\n" + rest + "---\nText.\n",
			"2:8: the front matter is no YAML: mapping value is not allowed in this context"},
		{"a tab", "---\ntitle: T\nsummary: S.\n\tlevel: beginner\n---\nText.\n",
			"4:1: the front matter is no YAML: found character '\t' that cannot start any token"},
		{"an open bracket", "---\ntitle: T\ntags: [a\n---\nText.\n", "3:7: the front matter is no YAML: sequence end token ']' not found"},
		{"an open quote", "---\ntitle: \"T\n---\nText.\n", "2:8: the front matter is no YAML: could not find end character of double-quoted text"},
		{"unknown key", "---\ntitle: T\n" + rest + "tag: [x]\n---\nText.\n",
			"6:1: unknown key `tag` (did you mean `tags`?); expected one of title, summary, level, minutes, tags"},
		{"twice", "---\ntitle: T\ntitle: U\n" + rest + "---\nText.\n", "3:1: `title` is given twice; expected it once"},
		{"a title that is a list", "---\ntitle: [T]\n" + rest + "---\nText.\n", "2:8: `title`; expected text"},
		{"no such level", "---\ntitle: T\nsummary: S.\nlevel:   begginer\nminutes: 5\n---\nText.\n",
			"4:10: `level: begginer` (did you mean `beginner`?); expected one of beginner, middle, senior"},
		{"half an hour", "---\ntitle: T\nsummary: S.\nlevel: senior\nminutes: half an hour\n---\nText.\n",
			"5:10: `minutes: half an hour`; expected a whole number from 1 to 600"},
		{"no time", "---\ntitle: T\nsummary: S.\nlevel: senior\nminutes: 0\n---\nText.\n",
			"5:10: `minutes: 0`; expected a whole number from 1 to 600"},
		{"tags in a row", "---\ntitle: T\n" + rest + "tags: a, b\n---\nText.\n", "6:7: `tags`; expected a list, as in `tags: [ring, wrap-around]`"},
		{"a tag that is none", "---\ntitle: T\n" + rest + "tags: [żółw, [b], '']\n---\nText.\n",
			"6:14: `tags` has an entry that is no text; expected a list, as in `tags: [ring, wrap-around]`\n" +
				"6:19: `tags` has an entry that is no text; expected a list, as in `tags: [ring, wrap-around]`"},
		{"an anchor and an alias", "---\ntitle: &a T\nsummary: *a\nlevel: beginner\nminutes: 5\n---\nText.\n", "2:8: `title`; expected text\n3:10: `summary`; expected text"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := load(t, files{"07-the-test/lesson.md": c.text}).Lessons[0]
			got := strings.ReplaceAll(long(l.Problems), "course/07-the-test/lesson.md:", "")
			if got != c.want {
				t.Errorf("%s\n got %s\nwant %s", c.text, got, c.want)
			}
			if l.Title == "" || l.Number != 7 {
				t.Errorf("the lesson is %q, number %d", l.Title, l.Number)
			}
			if !strings.Contains(fmt.Sprint(l.Body), "<p>Text.</p>") {
				t.Errorf("the text is gone: %v", l.Body)
			}
		})
	}
}

func TestFrontMatter(t *testing.T) {
	l := load(t, files{"03-the-ring/lesson.md": "---\ntitle: The ring\nsummary: >\n  Two\n  lines.\nlevel: senior # hard\n" +
		"minutes: 15\ntags: [ring, \"wrap-around\"]\n---\n"}).Lessons[0]
	want := &Lesson{Name: "03-the-ring", Number: 3, Title: "The ring", Summary: "Two lines.", Level: Senior, Minutes: 15,
		Tags: []string{"ring", "wrap-around"}}
	if !reflect.DeepEqual(l, want) {
		t.Errorf("got %+v\nwant %+v", l, want)
	}
}

func TestLimits(t *testing.T) {
	task := "---\ntitle: T\nlimits:\n  source: 1 KiB\n  build: 1m\n  run: 500ms\n  wall: 20 s\n  memory: 128MiB\n  output: 100 B\n---\nText.\n"
	l := lessonOf(t, "::exercise{id=owner}\n", owner.with(files{"task.md": task}).under("01-test/exercises/owner"))
	want := Limits{Source: 1024, Build: time.Minute, Run: 500 * time.Millisecond, Wall: 20 * time.Second, Memory: 128 << 20, Output: 100}
	if got := l.Exercises[0].Limits; got != want || len(l.Problems) > 0 {
		t.Errorf("got %+v, want %+v; problems: %s", got, want, long(l.Problems))
	}
	for value, expected := range map[string]string{
		"run: 10":       "`run: 10`; expected a time such as 500ms or 10s, at most 1h",
		"run: -1s":      "`run: -1s`; expected a time such as 500ms or 10s, at most 1h",
		"wall: 2h":      "`wall: 2h`; expected a time such as 500ms or 10s, at most 1h",
		"memory: 64":    "`memory: 64`; expected a size such as 64 KiB or 128 MiB",
		"memory: 0 B":   "`memory: 0 B`; expected a size from 1 B to 4 GiB",
		"memory: 5 GiB": "`memory: 5 GiB`; expected a size from 1 B to 4 GiB",
		"memory: [1]":   "`memory: `; expected a size such as 64 KiB or 128 MiB",
		"time: 10s":     "unknown key `time`; expected one of source, build, run, wall, memory, output",
	} {
		task := "---\ntitle: T\nlimits:\n  " + value + "\n---\nText.\n"
		l := lessonOf(t, "::exercise{id=owner}\n", owner.with(files{"task.md": task}).under("01-test/exercises/owner"))
		if got := long(l.Problems); !strings.HasSuffix(got, expected) || !strings.HasPrefix(got, "course/01-test/exercises/owner/task.md:4:") {
			t.Errorf("%s: got %s\nwant %s on line 4", value, got, expected)
		}
	}
}
