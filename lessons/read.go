package lessons

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"

	"github.com/ringoftowers/towers/lessons/formula"
)

// A reader reads the folders of a course. It keeps nothing of them.
type reader struct {
	fsys     fs.FS
	prefix   string // put before the path of every file that a problem names
	parser   parser.Parser
	formulas *formula.Renderer
}

// name gives a file as problems name it.
func (r *reader) name(file string) string { return path.Join(r.prefix, file) }

// slugged is the form of an exercise's folder, numbered that of a lesson's.
var (
	slugged  = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	numbered = regexp.MustCompile(`^(\d\d)-([a-z0-9]+(?:-[a-z0-9]+)*)$`)
)

// folders lists the lessons' folders, and reports what looks like one but is not named so.
func (r *reader) folders() (names []string, problems []Problem, err error) {
	entries, err := fs.ReadDir(r.fsys, ".")
	if err != nil {
		return nil, nil, fmt.Errorf("read the course in %s: %w", r.prefix, err)
	}
	taken := make(map[string]string)
	for _, e := range entries {
		name := e.Name()
		if !e.IsDir() || name[0] == '.' {
			continue
		}
		m := numbered.FindStringSubmatch(name)
		if m == nil {
			problems = append(problems, Problem{File: r.name(name), Line: 1, Column: 1,
				Message: fmt.Sprintf("`%s` is no name for a lesson; expected two digits, -, and small letters, as in 03-the-ring", name)})
			continue
		}
		if other, ok := taken[m[1]]; ok {
			problems = append(problems, Problem{File: r.name(name), Line: 1, Column: 1,
				Message: fmt.Sprintf("the number %s is taken by `%s`; expected another one", m[1], other)})
		}
		taken[m[1]] = name
		names = append(names, name)
	}
	if len(names) == 0 {
		problems = append(problems, Problem{File: r.prefix, Line: 1, Column: 1,
			Message: "no lessons; expected folders such as 03-the-ring/ with a lesson.md in each"})
	}
	return names, problems, nil
}

// A draft is a lesson that was read, but whose text is not yet made into blocks: for that it
// has to be known what there is in the other lessons to link to.
type draft struct {
	lesson    Lesson
	page      *page
	exercises []*exerciseDraft
	problems  []Problem
}

// lesson reads the folder of a lesson, whose name is right.
func (r *reader) lesson(name string) *draft {
	m := numbered.FindStringSubmatch(name)
	number, err := strconv.Atoi(m[1])
	if err != nil {
		panic(fmt.Sprintf("lessons: two digits are no number: %v", err))
	}
	d := &draft{lesson: Lesson{Name: name, Number: number}}
	file := path.Join(name, "lesson.md")
	raw := r.needed(file, "the lesson, with `title: …` between two lines `---` above it", &d.problems)
	d.page = parsePage(r.parser, r.name(file), raw)
	d.page.findAnchors()
	if raw != nil {
		d.readFront()
	} else {
		d.page.front.problems = nil // that the file is missing says it all
	}
	if d.lesson.Title == "" {
		d.lesson.Title = titled(m[2])
	}
	d.readExercises(r, path.Join(name, "exercises"))
	return d
}

// readFront takes from the front matter what it has.
func (d *draft) readFront() {
	f, l := d.page.front, &d.lesson
	l.Title = f.text("title", "The ring")
	l.Summary = f.text("summary", "Towers and letters on one circle.")
	l.Level = Level(f.word("level", true, string(Beginner), string(Middle), string(Senior)))
	l.Minutes = f.integer("minutes", 0, 1, 600)
	for _, tag := range f.list("tags", "[ring, wrap-around]") {
		l.Tags = append(l.Tags, tag.text)
	}
	f.done()
}

func (d *draft) readExercises(r *reader, dir string) {
	entries, err := fs.ReadDir(r.fsys, dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		d.problems = append(d.problems, Problem{File: r.name(dir), Line: 1, Column: 1,
			Message: "the folder cannot be read: " + err.Error()})
	}
	for _, e := range entries {
		if e.IsDir() && e.Name()[0] != '.' {
			d.exercises = append(d.exercises, r.exercise(path.Join(dir, e.Name())))
		}
	}
}

// titled makes a title of a folder's name: "the-ring" becomes "The ring".
func titled(slug string) string {
	words := strings.ReplaceAll(slug, "-", " ")
	return strings.ToUpper(words[:1]) + words[1:]
}

// targets says what there is in the lesson to link to.
func (d *draft) targets() targets {
	t := targets{ids: d.page.targets()}
	for _, e := range d.exercises {
		t.exercises = append(t.exercises, e.exercise.ID)
	}
	return t
}

// targets gives the ids of a page: of its headings, and fig-1, fig-2, … for its figures. A page
// within another has neither.
func (pg *page) targets() []string {
	if pg.within() {
		return nil
	}
	ids := slices.Clone(pg.ids)
	figures := 0
	_ = ast.Walk(pg.doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if d, ok := n.(*directiveNode); ok && entering && d.name == "ring" {
			figures++
			ids = append(ids, fmt.Sprintf("fig-%d", figures))
		}
		return ast.WalkContinue, nil
	})
	return ids
}

// finish makes the lesson, now that it is known what its text may link to.
func (d *draft) finish(r *reader, o outline) *Lesson {
	l := d.lesson // a copy: a draft may be finished again
	to := &links{outline: o, folder: l.Name}
	for _, e := range d.exercises {
		l.Exercises = append(l.Exercises, e.finish(r, to))
	}
	c := newConverter(d.page, to.at("", d.page), r.formulas, l.Exercises, lessonDirectives)
	l.Sections = c.sections()
	l.Body = c.blocks(d.page.doc)
	l.Problems = slices.Concat(d.page.problems, d.page.front.problems, c.problems)
	sortProblems(l.Problems)
	l.Problems = append(l.Problems, d.problems...)
	for _, e := range l.Exercises {
		if e.Number == 0 {
			c.used++
			e.Number = c.used
			e.Problems = append(e.Problems, Problem{File: path.Join(e.folder, "task.md"), Line: 1, Column: 1,
				Message: fmt.Sprintf("the lesson does not lead here; expected `::exercise{id=%s}` in lesson.md", e.ID)})
		}
		l.Problems = append(l.Problems, e.Problems...)
	}
	return &l
}
