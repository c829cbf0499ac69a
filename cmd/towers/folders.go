package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/ringoftowers/towers/lessons"
)

// courseFlags are the flags of every command that works with a course.
type courseFlags struct {
	Lessons string `help:"A course folder (its children are folders like 03-the-ring) instead of the built-in course. What is saved there shows when a page is loaded again." placeholder:"DIR" env:"TOWERS_LESSONS"`
}

// library opens the course that is asked for. A folder that is none is an error that says
// what was expected.
func (f courseFlags) library(ctx context.Context) (*lessons.Library, error) {
	if f.Lessons == "" {
		return lessons.OpenEmbedded(), nil
	}
	info, err := os.Stat(f.Lessons)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("there is no folder %s: --lessons takes a folder whose children are lessons", f.Lessons)
	case err != nil:
		return nil, fmt.Errorf("open the course: %w", err)
	case !info.IsDir():
		return nil, fmt.Errorf("%s is no folder: --lessons takes a folder whose children are lessons", f.Lessons)
	}
	library := lessons.Open(os.DirFS(f.Lessons), f.Lessons)
	course, err := library.Course(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the course in %s: %w", f.Lessons, err)
	}
	if len(course.Lessons) > 0 {
		return library, nil
	}
	if _, err := os.Stat(filepath.Join(f.Lessons, "lesson.md")); err == nil {
		return nil, fmt.Errorf("%s is one lesson: --lessons takes the folder above it", f.Lessons)
	}
	return nil, fmt.Errorf("there is no lesson in %s: a lesson is a folder like 03-the-ring with a lesson.md in it", f.Lessons)
}

// dataFolder is where commands keep what must last, unless --data says otherwise: the user's
// folder for program state, or one in the current folder for a user who has no home.
func dataFolder() string {
	if state := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(state) {
		return filepath.Join(state, "towers")
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return ".towers"
	}
	return filepath.Join(home, ".local", "state", "towers")
}
