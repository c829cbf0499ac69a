package lessons

import (
	"context"
	"io/fs"
)

// A Library gives the course of a folder as the folder is now. Any number of goroutines
// may use it.
type Library struct {
	fsys   fs.FS
	prefix string
}

// Open makes a library of a folder whose children are the lessons. Nothing is read yet.
// Problems name files as prefix followed by the path within fsys.
func Open(fsys fs.FS, prefix string) *Library {
	return &Library{fsys: fsys, prefix: prefix}
}

// Course gives the course.
func (l *Library) Course(ctx context.Context) (*Course, error) {
	return &Course{}, ctx.Err()
}

// Load reads a course once. See [Open] for prefix.
func Load(fsys fs.FS, prefix string) (*Course, error) {
	return Open(fsys, prefix).Course(context.Background())
}
