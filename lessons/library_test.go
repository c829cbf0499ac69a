package lessons

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// shelf is a course folder on disk whose files have times that a test gives them.
type shelf struct {
	t     testing.TB
	dir   string
	clock time.Time
}

func newShelf(t testing.TB, f files) *shelf {
	s := &shelf{t: t, dir: t.TempDir(), clock: time.Now().Add(-24 * time.Hour)}
	for name, text := range f {
		s.write(name, text)
	}
	return s
}

// write saves a file, one second after the last.
func (s *shelf) write(name, text string) {
	s.t.Helper()
	s.clock = s.clock.Add(time.Second)
	path := filepath.Join(s.dir, filepath.FromSlash(name))
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644),
		os.Chtimes(path, s.clock, s.clock)); err != nil {
		s.t.Fatal(err)
	}
}

func (s *shelf) remove(name string) {
	s.t.Helper()
	if err := os.RemoveAll(filepath.Join(s.dir, filepath.FromSlash(name))); err != nil {
		s.t.Fatal(err)
	}
}

func courseOf(t testing.TB, l *Library) *Course {
	t.Helper()
	c, err := l.Course(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestASavedChangeShowsAtTheNextLoad(t *testing.T) {
	s := newShelf(t, files{
		"01-one/lesson.md": head + "See [two](../02-two/lesson.md#there).\n",
		"02-two/lesson.md": head + "## There {#there}\n::exercise{id=owner}\n",
	}.with(owner.under("02-two/exercises/owner")))
	library := Open(os.DirFS(s.dir), "course")
	before := courseOf(t, library)
	if again := courseOf(t, library); again != before {
		t.Error("nothing changed, but the course was made anew")
	}

	s.write("01-one/lesson.md", head+"See [two](../02-two/lesson.md#there). More.\n")
	changed := courseOf(t, library)
	if changed.Lessons[0] == before.Lessons[0] || !strings.Contains(changed.Lessons[0].Body[0].(HTML).Text, "More.") {
		t.Error("the change of the first lesson does not show")
	}
	if changed.Lessons[1] != before.Lessons[1] {
		t.Error("the second lesson did not change, but was made anew")
	}

	// A heading that goes away breaks a link in a lesson whose own files did not change.
	s.write("02-two/lesson.md", head+"## Where {#where}\n::exercise{id=owner}\n")
	broken := courseOf(t, library)
	want := "1:11: unknown heading `#there` (did you mean `#where`?); expected #where"
	if got := short(broken.Lessons[0].Problems); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}

	s.write("02-two/exercises/owner/start.go", "package exercise\n\n// Owner is new.\nfunc Owner() int { return 0 }\n")
	if got := courseOf(t, library).Lessons[1].Exercises[0].Start; !strings.Contains(got, "is new") {
		t.Errorf("the change of start.go does not show: %s", got)
	}
	s.remove("02-two/exercises/owner/wrong/no-wrap.go")
	if got := courseOf(t, library).Lessons[1].Exercises[0].Wrong; len(got) != 0 {
		t.Errorf("a wrong program that was removed is still there: %v", got)
	}

	s.write("03-three/lesson.md", head)
	s.remove("01-one")
	course := courseOf(t, library)
	if len(course.Lessons) != 2 || course.Lessons[0].Name != "02-two" || course.Lessons[1].Name != "03-three" {
		t.Errorf("lessons %v, want 02-two and 03-three", course.Lessons)
	}
}

// Two changes within one tick of the file system's clock may leave the same size and time.
func TestAChangeRightAfterAnotherShows(t *testing.T) {
	s := newShelf(t, nil)
	s.clock = time.Now().Add(-time.Second) // write adds a second
	s.write("01-one/lesson.md", head+"AAA\n")
	library := Open(os.DirFS(s.dir), "course")
	courseOf(t, library)
	s.clock = s.clock.Add(-time.Second) // so that the next has the same time
	s.write("01-one/lesson.md", head+"BBB\n")
	if got := courseOf(t, library).Lessons[0].Body[0].(HTML).Text; got != "<p>BBB</p>\n" {
		t.Errorf("got %s, want the second text", got)
	}
}

func TestManyReadersAtOnce(t *testing.T) {
	s := newShelf(t, files{"01-one/lesson.md": head + "Text.\n", "02-two/lesson.md": head + "$x$\n"})
	library := Open(os.DirFS(s.dir), "course")
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for range 20 {
				if i == 0 {
					s.write("01-one/lesson.md", head+"Text.\n")
				}
				if c, err := library.Course(context.Background()); err != nil || len(c.Lessons) != 2 {
					t.Errorf("%v, %v", c, err)
				}
			}
		})
	}
	all.Wait()
}

func TestCourseStopsWithItsContext(t *testing.T) {
	library := Open(files{"01-one/lesson.md": head}.fs(), "course")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := library.Course(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
	if c := courseOf(t, library); len(c.Lessons) != 1 {
		t.Errorf("after that the course has %d lessons", len(c.Lessons))
	}
}

// patience is a context that ends after it was asked so many times whether it has.
type patience struct {
	context.Context
	left int
}

func (p *patience) Err() error {
	if p.left == 0 {
		return context.Canceled
	}
	p.left--
	return nil
}

// A reader who gives up between two lessons must not keep a change from all who come later.
func TestAChangeOutlastsAContext(t *testing.T) {
	for _, c := range []struct {
		name   string
		lasts  int // lessons that are read before the context ends
		change func(*shelf)
		want   string // the texts of all lessons, after the next load
	}{
		{"a lesson is saved", 1, func(s *shelf) { s.write("01-one/lesson.md", head+"New.\n") }, "<p>New.</p> <p>Two.</p>"},
		{"a lesson is added", 1, func(s *shelf) { s.write("00-zero/lesson.md", head+"Zero.\n") }, "<p>Zero.</p> <p>One.</p> <p>Two.</p>"},
		{"a lesson is removed", 0, func(s *shelf) { s.remove("01-one") }, "<p>Two.</p>"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newShelf(t, files{"01-one/lesson.md": head + "One.\n", "02-two/lesson.md": head + "Two.\n"})
			library := Open(os.DirFS(s.dir), "course")
			courseOf(t, library)
			c.change(s)
			if _, err := library.Course(&patience{t.Context(), c.lasts}); !errors.Is(err, context.Canceled) {
				t.Fatalf("error %v, want that of the context", err)
			}
			var texts []string
			for _, l := range courseOf(t, library).Lessons {
				texts = append(texts, strings.TrimSpace(l.Body[0].(HTML).Text))
			}
			if got := strings.Join(texts, " "); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func TestNoFolderIsAnError(t *testing.T) {
	_, err := Load(os.DirFS(filepath.Join(t.TempDir(), "none")), "none")
	if err == nil || !errors.Is(err, os.ErrNotExist) || !strings.HasPrefix(err.Error(), "read the course in none: ") {
		t.Errorf("error %v", err)
	}
}

func TestFolders(t *testing.T) {
	for _, c := range []struct {
		name    string
		files   files
		lessons string
		want    string
	}{
		{"good ones, and what is none", files{"02-b/lesson.md": head, "10-a/lesson.md": head, "README.md": "x", ".git/x": "x"}, "02-b 10-a", ""},
		{"no number", files{"ring/lesson.md": head, "01-a/lesson.md": head}, "01-a",
			"course/ring:1:1: `ring` is no name for a lesson; expected two digits, -, and small letters, as in 03-the-ring"},
		{"capitals", files{"01-Ring/lesson.md": head, "02-a/lesson.md": head}, "02-a",
			"course/01-Ring:1:1: `01-Ring` is no name for a lesson; expected two digits, -, and small letters, as in 03-the-ring"},
		{"one number twice", files{"01-a/lesson.md": head, "01-b/lesson.md": head}, "01-a 01-b",
			"course/01-b:1:1: the number 01 is taken by `01-a`; expected another one"},
		{"none", files{"README.md": "x"}, "", "course:1:1: no lessons; expected folders such as 03-the-ring/ with a lesson.md in each"},
	} {
		course := load(t, c.files)
		var names []string
		for _, l := range course.Lessons {
			names = append(names, l.Name)
		}
		if got := strings.Join(names, " "); got != c.lessons {
			t.Errorf("%s: lessons %s, want %s", c.name, got, c.lessons)
		}
		if got := long(course.Problems); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

func TestALessonWithoutItsFile(t *testing.T) {
	l := load(t, files{"03-the-ring/notes.txt": "x", "03-the-ring/lesson.pl.md": head}).Lessons[0]
	want := "course/03-the-ring/lesson.md:1:1: the file is missing; expected the lesson, with `title: …` between two lines `---` above it"
	if got := long(l.Problems); got != want || l.Title != "The ring" {
		t.Errorf("%q: %s\nwant %s", l.Title, got, want)
	}
}

// Other languages have files of their own, which are not read yet.
func TestOtherLanguagesDoNoHarm(t *testing.T) {
	l := load(t, files{"01-a/lesson.md": head + "Text.\n", "01-a/lesson.pl.md": "broken", "01-a/lesson.fa.md": "---\n"}).Lessons[0]
	if len(l.Problems) > 0 || len(l.Body) != 1 {
		t.Errorf("body %v, problems %s", l.Body, long(l.Problems))
	}
}

func TestAFileThatIsTooLarge(t *testing.T) {
	l := load(t, files{"01-a/lesson.md": strings.Repeat("x", largest+1)}).Lessons[0]
	if got := long(l.Problems); got != "course/01-a/lesson.md:1:1: the file has 262145 bytes; expected at most 262144" {
		t.Errorf("got %s", got)
	}
}

func TestEmbeddedCourseHasNoProblems(t *testing.T) {
	library := OpenEmbedded()
	c := courseOf(t, library)
	if len(c.Lessons) == 0 {
		t.Error("the embedded course has no lessons")
	}
	for _, p := range c.Problems {
		t.Error(p)
	}
	for _, l := range c.Lessons {
		for _, p := range l.Problems {
			t.Error(p)
		}
	}
	if again := courseOf(t, library); again != c {
		t.Error("the embedded course was read twice")
	}
}

// Reading the whole course from nothing has to stay under 300 ms; the first formula, which is
// not counted there, costs 60 ms on its own.
func BenchmarkLoad(b *testing.B) {
	library := Open(os.DirFS("course"), "course")
	formulas := library.reader.formulas
	courseOf(b, library)
	for b.Loop() {
		fresh := Open(os.DirFS("course"), "course")
		fresh.reader.formulas = formulas
		courseOf(b, fresh)
	}
}

func BenchmarkNothingChanged(b *testing.B) {
	library := Open(os.DirFS("course"), "course")
	courseOf(b, library)
	for b.Loop() {
		courseOf(b, library)
	}
}
