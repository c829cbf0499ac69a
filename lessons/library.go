package lessons

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/ringoftowers/towers/lessons/formula"
)

// A Library gives the course of a folder as the folder is now. Any number of goroutines may
// use it.
//
// It notices a change by the names, sizes and times of the files, and reads again only the
// lessons that have one. Where nothing changed that costs well under a millisecond for each
// ten lessons.
type Library struct {
	reader reader
	once   bool // the files never change

	turn   chan struct{} // holds one token; whoever has it may use what follows
	shelf  map[string]*book
	dirty  bool // the shelf is newer than the course
	course *Course
}

// A book is a lesson as it was last read.
type book struct {
	stamp   string // of its files
	draft   *draft
	outline string // of the course, when the lesson was made
	lesson  *Lesson
}

// Open makes a library of a folder whose children are the lessons. Nothing is read yet.
// Problems name files as prefix followed by the path within fsys.
func Open(fsys fs.FS, prefix string) *Library {
	return &Library{
		reader: reader{fsys: fsys, prefix: prefix, parser: newParser(), formulas: formula.New()},
		turn:   make(chan struct{}, 1),
		shelf:  make(map[string]*book),
	}
}

// OpenEmbedded makes a library of the embedded course, which is read only once.
func OpenEmbedded() *Library {
	l := Open(Embedded(), "lessons/course")
	l.once = true
	return l
}

// Load reads a course once. See [Open] for prefix. The error is non-nil only if there is no
// such folder or it cannot be listed.
func Load(fsys fs.FS, prefix string) (*Course, error) {
	return Open(fsys, prefix).Course(context.Background())
}

// Course gives the course, and the same one as before where nothing changed. The error is
// that of ctx, or says that the folder cannot be listed; whatever is wrong with a lesson is
// in the lesson.
func (l *Library) Course(ctx context.Context) (*Course, error) {
	select {
	case l.turn <- struct{}{}:
		defer func() { <-l.turn }()
	case <-ctx.Done():
		return nil, fmt.Errorf("wait for the course: %w", ctx.Err())
	}
	if l.once && l.course != nil {
		return l.course, nil
	}
	names, problems, err := l.reader.folders()
	if err != nil {
		return nil, err
	}
	if err := l.refresh(ctx, names); err != nil {
		return nil, err
	}
	if !l.dirty && l.course != nil && slices.Equal(problems, l.course.Problems) {
		return l.course, nil
	}
	l.course = l.assemble(names, problems)
	l.dirty = false
	return l.course, nil
}

// refresh reads the lessons whose files changed, and forgets those that are gone. If there was
// any it marks the shelf as dirty, and that outlasts an error: what was read before ctx ended
// will not be read again, but it is not yet in the course.
func (l *Library) refresh(ctx context.Context, names []string) error {
	before := len(l.shelf)
	maps.DeleteFunc(l.shelf, func(name string, _ *book) bool { return !slices.Contains(names, name) })
	if len(l.shelf) != before {
		l.dirty = true
	}
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("read the course: %w", err)
		}
		stamp := stampOf(l.reader.fsys, name)
		if b := l.shelf[name]; b != nil && b.stamp == stamp && stamp != "" {
			continue
		}
		l.dirty = true
		l.shelf[name] = &book{stamp: stamp, draft: l.reader.lesson(name)}
	}
	return nil
}

// assemble makes the course of the lessons on the shelf. A lesson is made anew if it was read
// anew, or if something changed that its links could lead to.
func (l *Library) assemble(names []string, problems []Problem) *Course {
	o := make(outline, len(names))
	for _, name := range names {
		o[name] = l.shelf[name].draft.targets()
	}
	stamp := fmt.Sprint(o) // maps are printed in the order of their keys
	course := &Course{Problems: problems}
	for _, name := range names {
		b := l.shelf[name]
		if b.lesson == nil || b.outline != stamp {
			b.lesson, b.outline = b.draft.finish(&l.reader, o), stamp
		}
		course.Lessons = append(course.Lessons, b.lesson)
	}
	return course
}

// unsettled is how long after a change of a file another one may still have the same time,
// with some to spare for slow clocks of file systems. A file of the future is unsettled too.
const unsettled = 100 * time.Millisecond

// stampOf sums up the names, sizes and times of a lesson's files. It is empty, which equals
// no other, if something changed only just now: then a second change may not show.
func stampOf(fsys fs.FS, folder string) string {
	var stamp strings.Builder
	settled := true
	now := time.Now()
	walk := func(file string, e fs.DirEntry, err error) error {
		if err != nil {
			fmt.Fprintf(&stamp, "%s\x00%v\x00", file, err)
			return nil // it shows as a problem once the lesson is read
		}
		if e.IsDir() {
			if e.Name()[0] == '.' {
				return fs.SkipDir
			}
			stamp.WriteString(file + "\x00")
			return nil
		}
		if ext := path.Ext(file); ext != ".md" && ext != ".go" || e.Name()[0] == '.' {
			return nil
		}
		info, err := e.Info()
		if err != nil {
			fmt.Fprintf(&stamp, "%s\x00%v\x00", file, err)
			return nil
		}
		if now.Sub(info.ModTime()) < unsettled {
			settled = false
		}
		fmt.Fprintf(&stamp, "%s\x00%d\x00%d\x00", file, info.Size(), info.ModTime().UnixNano())
		return nil
	}
	if err := fs.WalkDir(fsys, folder, walk); err != nil || !settled {
		return ""
	}
	return stamp.String()
}
