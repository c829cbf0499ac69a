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
	"time"
)

// The packages of an exercise's files.
const (
	programPackage = "exercise"
	testPackage    = "exercise_test"
)

// An origin says where things stand in an exercise's files, so that the linter can point there.
type origin struct {
	task, start, solution, tests *source
	wrong                        []*source // in the order of Exercise.Wrong
	fails                        [][]entry // likewise: the tests named in the first line
	imports                      []entry   // in task
	testImports                  []entry   // in tests
}

// An exerciseDraft is an exercise that was read, but whose text is not yet made into blocks.
type exerciseDraft struct {
	exercise Exercise
	page     *page
	summary  entry
	hints    []entry
	problems []Problem
}

// exercise reads the folder of an exercise.
func (r *reader) exercise(dir string) *exerciseDraft {
	d := &exerciseDraft{exercise: Exercise{ID: path.Base(dir), folder: r.name(dir)}}
	if !slugged.MatchString(d.exercise.ID) {
		d.problems = append(d.problems, Problem{File: r.name(dir), Line: 1, Column: 1,
			Message: fmt.Sprintf("`%s` is no name for an exercise; expected small letters, digits and -", d.exercise.ID)})
	}
	raw := r.needed(path.Join(dir, "task.md"), "the task, with `title: …` between two lines `---` above it", &d.problems)
	d.page = parsePage(r.parser, r.name(path.Join(dir, "task.md")), raw)
	if raw != nil {
		d.readFront()
	}
	e := &d.exercise
	if e.Title == "" {
		e.Title = titled(e.ID)
	}
	if raw == nil {
		e.Points, e.Kind = 10, Code
		d.page.front.problems = nil // that the file is missing says it all
	}
	d.programs(r, dir)
	return d
}

// readFront takes from the front matter what it has.
func (d *exerciseDraft) readFront() {
	f, e := d.page.front, &d.exercise
	e.Title = f.text("title", "Who keeps this letter?")
	d.summary = f.entry("summary", "")
	e.Points = f.integer("points", 10, 1, 1000)
	e.Kind = Kind(f.word("kind", false, string(Code), string(Tests)))
	d.hints = f.list("hints", `["Look at the seam."]`)
	for _, path := range f.list("imports", "[sort]") {
		if !importPath.MatchString(path.text) {
			f.problem(path.at, "`%s` is no import path; expected one such as sort or math/bits", path.text)
			continue
		}
		e.Imports = append(e.Imports, path.text)
		e.origin.imports = append(e.origin.imports, path)
	}
	limits := f.mapping("limits", "run: 10s")
	e.Limits = Limits{
		Source: int(quantity(limits, "source", bytesOf)),
		Build:  quantity(limits, "build", durationOf),
		Run:    quantity(limits, "run", durationOf),
		Wall:   quantity(limits, "wall", durationOf),
		Memory: quantity(limits, "memory", bytesOf),
		Output: int(quantity(limits, "output", bytesOf)),
	}
	limits.done()
	f.done()
	f.problems = append(f.problems, limits.problems...)
}

// importPath is what an import path of the standard library looks like.
var importPath = regexp.MustCompile(`^[a-z0-9]+(/[a-z0-9]+)*$`)

// programs reads the Go files.
func (d *exerciseDraft) programs(r *reader, dir string) {
	e := &d.exercise
	startPackage := programPackage
	if e.Kind == Tests {
		startPackage = testPackage
	}
	read := func(name, expected, pkg string) *goFile {
		raw := r.needed(path.Join(dir, name), expected, &d.problems)
		if raw == nil {
			return &goFile{src: &source{file: r.name(path.Join(dir, name)), lines: []int{0}}}
		}
		return parseGo(r.name(path.Join(dir, name)), raw, pkg)
	}
	tests := read("check_test.go", "the tests, `package exercise_test`", testPackage)
	e.Checks = tests.checkTests()
	start := read("start.go", "what the learner starts from, which compiles and does not pass", startPackage)
	solution := read("solution.go", "the reference, which passes", programPackage)
	d.add(tests, start, solution)
	e.Tests, e.Start, e.Solution = string(tests.src.text), string(start.src.text), string(solution.src.text)
	e.origin.tests, e.origin.start, e.origin.solution, e.origin.task = tests.src, start.src, solution.src, d.page.src
	e.origin.testImports = tests.imports()

	for _, name := range r.goFiles(path.Join(dir, "wrong")) {
		g := read(path.Join("wrong", name), "", programPackage)
		fails := g.fails(e.Checks)
		d.add(g)
		wrong := Wrong{Name: strings.TrimSuffix(name, ".go"), Source: string(g.src.text)}
		for _, f := range fails {
			wrong.Fails = append(wrong.Fails, f.text)
		}
		e.Wrong = append(e.Wrong, wrong)
		e.origin.wrong = append(e.origin.wrong, g.src)
		e.origin.fails = append(e.origin.fails, fails)
	}
	if len(e.Wrong) == 0 {
		d.problems = append(d.problems, Problem{File: r.name(path.Join(dir, "wrong")), Line: 1, Column: 1,
			Message: "no typical mistakes; expected files wrong/NAME.go, each beginning with `" + failsPrefix + " TestName`"})
	}
}

func (d *exerciseDraft) add(files ...*goFile) {
	for _, g := range files {
		d.problems = append(d.problems, g.problems...)
	}
}

// finish makes the exercise, now that it is known what its text may link to.
func (d *exerciseDraft) finish(r *reader, to *links) *Exercise {
	e := d.exercise // a copy: a draft may be finished again
	here := to.at(path.Join("exercises", e.ID), d.page)
	c := newConverter(d.page, here, r.formulas, nil, taskDirectives)
	e.Task = c.blocks(d.page.doc)
	e.Problems = slices.Concat(d.page.problems, d.page.front.problems, c.problems)
	if d.summary.text != "" {
		e.Summary = r.phrase(d.summary, d.page.src, here, &e.Problems)
	}
	for _, h := range d.hints {
		e.Hints = append(e.Hints, r.phrase(h, d.page.src, here, &e.Problems))
	}
	if len(e.Task) == 0 && len(e.Problems) == 0 && len(d.page.src.text) > 0 {
		e.Problems = append(e.Problems, d.page.src.problem(len(d.page.src.text), "no task; expected text below the front matter"))
	}
	sortProblems(e.Problems)
	e.Problems = append(e.Problems, d.problems...)
	return &e
}

// phrase makes HTML of a value of the front matter. What is wrong within has the value's place.
func (r *reader) phrase(value entry, in *source, to *links, problems *[]Problem) string {
	pg := parseText(r.parser, in.file, value.text)
	c := newConverter(pg, to, r.formulas, nil, "")
	out := c.phrase(pg.doc.FirstChild(), nil)
	for _, p := range slices.Concat(pg.problems, c.problems) {
		*problems = append(*problems, in.problem(value.at, "%s", p.Message))
	}
	return out
}

// durationOf reads a limit of time.
func durationOf(text string) (time.Duration, error) {
	d, err := time.ParseDuration(strings.ReplaceAll(text, " ", ""))
	if err != nil || d <= 0 || d > time.Hour {
		return 0, errors.New("a time such as 500ms or 10s, at most 1h")
	}
	return d, nil
}

// size is a number of bytes, such as "64 KiB".
var size = regexp.MustCompile(`^(\d{1,7}) ?(B|KiB|MiB|GiB)$`)

// bytesOf reads a limit of space.
func bytesOf(text string) (int64, error) {
	const most = 4 << 30
	m := size.FindStringSubmatch(text)
	if m == nil {
		return 0, errors.New("a size such as 64 KiB or 128 MiB")
	}
	n, err := strconv.ParseInt(m[1], 10, 64)
	switch m[2] {
	case "KiB":
		n <<= 10
	case "MiB":
		n <<= 20
	case "GiB":
		n <<= 30
	}
	if err != nil || n <= 0 || n > most {
		return 0, errors.New("a size from 1 B to 4 GiB")
	}
	return n, nil
}

// needed reads a file that has to be there. That it is not is a problem, and gives nil.
func (r *reader) needed(file, expected string, problems *[]Problem) []byte {
	raw, err := fs.ReadFile(r.fsys, file)
	if err == nil {
		return raw
	}
	message := "the file is missing; expected " + expected
	if !errors.Is(err, fs.ErrNotExist) {
		message = "the file cannot be read: " + err.Error()
	}
	*problems = append(*problems, Problem{File: r.name(file), Line: 1, Column: 1, Message: message})
	return nil
}

// goFiles lists the Go files of a folder, which may be missing.
func (r *reader) goFiles(dir string) []string {
	entries, err := fs.ReadDir(r.fsys, dir)
	if err != nil {
		return nil // the folder is not there, and that is said by whoever needs a file of it
	}
	var names []string
	for _, e := range entries {
		if !e.IsDir() && path.Ext(e.Name()) == ".go" && e.Name()[0] != '.' {
			names = append(names, e.Name())
		}
	}
	return names
}
