package lessons

import (
	"embed"
	"fmt"
	"io/fs"
)

//go:embed all:course
var course embed.FS

// Embedded is the course that the program carries within itself; its root holds the
// lessons' folders.
func Embedded() fs.FS {
	root, err := fs.Sub(course, "course")
	if err != nil {
		// Only a name that is no path fails, and this one is a constant.
		panic(fmt.Sprintf("lessons: the embedded course: %v", err))
	}
	return root
}
