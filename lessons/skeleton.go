package lessons

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// The files of a new lesson and a new exercise. Their names end in .txt, so that the Go files
// among them are not taken for packages of this program.
//
//go:embed skeleton
var skeletons embed.FS

// highestNumber is the last that fits into the two digits of a lesson's folder.
const highestNumber = 99

// NewLesson writes a new lesson into a course folder and gives the path of its own folder,
// which has the next free number. The slug has small letters, digits and -: "the-ring". What
// it writes loads without problems.
func NewLesson(dir, slug string) (string, error) {
	if !slugged.MatchString(slug) {
		return "", fmt.Errorf("%q is no name for a lesson; expected small letters, digits and -, as in the-ring", slug)
	}
	r := reader{fsys: os.DirFS(dir), prefix: dir}
	names, _, err := r.folders()
	if err != nil {
		return "", err
	}
	last := 0
	for _, name := range names {
		number, other, _ := strings.Cut(name, "-")
		if other == slug {
			return "", fmt.Errorf("there is a lesson %s already; choose another name, or edit that one", name)
		}
		var n int
		if _, err := fmt.Sscanf(number, "%d", &n); err == nil {
			last = max(last, n)
		}
	}
	if last >= highestNumber {
		return "", fmt.Errorf("the number %d is taken; renumber the lessons to make room", highestNumber)
	}
	folder := filepath.Join(dir, fmt.Sprintf("%02d-%s", last+1, slug))
	return folder, plant("skeleton/lesson.md.txt", folder, slug)
}

// NewExercise writes a new exercise into a lesson of a course folder, adds the link to it at
// the end of the lesson, and gives the path of its folder. What it writes loads without
// problems and proves itself. If it cannot add the link it leaves no exercise either.
func NewExercise(dir, lesson, slug string) (string, error) {
	if !slugged.MatchString(slug) {
		return "", fmt.Errorf("%q is no name for an exercise; expected small letters, digits and -, as in owner", slug)
	}
	r := reader{fsys: os.DirFS(dir), prefix: dir}
	names, _, err := r.folders()
	if err != nil {
		return "", err
	}
	if !slices.Contains(names, lesson) {
		return "", &NotFoundError{What: "lesson", Name: lesson, Nearest: nearest(lesson, names)}
	}
	// The lesson is opened first, so that one that is not there leaves no exercise behind.
	file, err := os.OpenFile(filepath.Join(dir, lesson, "lesson.md"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return "", fmt.Errorf("link to the exercise: %w", err)
	}
	folder := filepath.Join(dir, lesson, "exercises", slug)
	if err := plant("skeleton/exercise", folder, slug); err != nil {
		return "", errors.Join(err, file.Close())
	}
	_, err = fmt.Fprintf(file, "\n::exercise{id=%s}\n", slug)
	if err := errors.Join(err, file.Close()); err != nil {
		return "", fmt.Errorf("link to the exercise: %w", errors.Join(err, os.RemoveAll(folder)))
	}
	return folder, nil
}

// plant copies a skeleton, a file or a folder of them, into a folder that must not exist yet.
// If it cannot write all of it, it leaves nothing.
func plant(from, folder, slug string) (err error) {
	if _, err := os.Lstat(folder); err == nil {
		return fmt.Errorf("%s is there already; choose another name, or edit it", folder)
	}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("write %s: %w", folder, err), os.RemoveAll(folder))
		}
	}()
	base := from
	if strings.HasSuffix(from, ".txt") {
		base = path.Dir(from)
	}
	return fs.WalkDir(skeletons, from, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := fs.ReadFile(skeletons, name)
		if err != nil {
			return err
		}
		to := filepath.Join(folder, filepath.FromSlash(strings.TrimSuffix(strings.TrimPrefix(name, base+"/"), ".txt")))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		filled := strings.ReplaceAll(string(text), "TITLE", titled(slug))
		return os.WriteFile(to, []byte(filled), 0o644)
	})
}
