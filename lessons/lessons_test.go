package lessons

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/ringoftowers/towers/lessons/formula"
)

// head is the front matter of the lessons that tests make; what follows begins on line 7.
const head = "---\ntitle: The test\nsummary: It tests.\nlevel: beginner\nminutes: 5\n---\n"

// headLines is how many lines of a test's lesson come before its own.
const headLines = 6

// files are the files of a course by their path.
type files map[string]string

// with gives the files with others added; an empty text takes one away.
func (f files) with(more files) files {
	all := maps.Clone(f)
	for name, text := range more {
		if text == "" {
			delete(all, name)
			continue
		}
		all[name] = text
	}
	return all
}

// under gives the files moved into a folder.
func (f files) under(folder string) files {
	all := make(files, len(f))
	for name, text := range f {
		all[folder+"/"+name] = text
	}
	return all
}

func (f files) fs() fstest.MapFS {
	all := make(fstest.MapFS, len(f))
	for name, text := range f {
		all[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return all
}

// owner is an exercise in which everything is right.
var owner = files{
	"task.md":     "---\ntitle: Who keeps it?\nimports: [sort]\nhints: [\"Mind the *seam*.\"]\n---\nWrite `Owner`.\n",
	"start.go":    "package exercise\n\nfunc Owner() int { return 0 }\n",
	"solution.go": "package exercise\n\nfunc Owner() int { return 1 }\n",
	"check_test.go": "package exercise_test\n\nimport (\n\t\"testing\"\n\n\t\"exercise\"\n)\n\n" +
		"func TestOwner(t *testing.T) { exercise.Owner() }\n\nfunc TestHiddenSeam(t *testing.T) {}\n",
	"wrong/no-wrap.go": "// fails: TestOwner, TestHiddenSeam\npackage exercise\n\nfunc Owner() int { return 2 }\n",
}

// load reads a course of those files; problems name files as course/….
func load(t testing.TB, f files) *Course {
	t.Helper()
	c, err := Load(f.fs(), "course")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// lessonOf reads a lesson with that text below its front matter, and another one beside it
// that links may lead to.
func lessonOf(t testing.TB, body string, more ...files) *Lesson {
	t.Helper()
	all := files{
		"01-test/lesson.md":  head + body,
		"02-other/lesson.md": head + "## There {#there}\n::exercise{id=owner}\n",
	}.with(owner.under("02-other/exercises/owner"))
	for _, m := range more {
		all = all.with(m)
	}
	return load(t, all).Lessons[0]
}

// short writes problems without the file, with lines counted from the first after the front
// matter.
func short(problems []Problem) string {
	var lines []string
	for _, p := range problems {
		lines = append(lines, fmt.Sprintf("%d:%d: %s", p.Line-headLines, p.Column, p.Message))
	}
	return strings.Join(lines, "\n")
}

// long writes problems as towers lint does.
func long(problems []Problem) string {
	var lines []string
	for _, p := range problems {
		lines = append(lines, p.String())
	}
	return strings.Join(lines, "\n")
}

// needsTemml ends a test that is about rendered formulas where there are none.
func needsTemml(t testing.TB) {
	t.Helper()
	if !formula.Available() {
		t.Skip("formula/dist/temml.js is missing: `make build` fetches it where npm is there")
	}
}
