//go:build unix

package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/ringoftowers/towers/server/check"
)

// An exercise that the course has lost since somebody sent a program in is nobody's fault that
// time would mend: its programs get their verdict at once.
func TestExerciseThatIsGone(t *testing.T) {
	data, course := dataWithToolchain(t), t.TempDir()
	if err := os.CopyFS(course, os.DirFS(filepath.Join("..", "..", "lessons", "course"))); err != nil {
		t.Fatal(err)
	}
	name, e := anExercise(t)
	nobody := serveOn(t, data, "--lessons="+course, "--parallel=0", "--nats-listen=127.0.0.1:0")
	ada := someone(t, nobody.base)
	id := accepted(t, ada, nobody, name, e.Solution)
	nobody.stop(t)
	lesson, exercise := filepath.Split(name)
	if err := os.RemoveAll(filepath.Join(course, lesson, "exercises", exercise)); err != nil {
		t.Fatal(err)
	}
	p := serveOn(t, data, "--lessons="+course)
	judged(t, ada, p, id, check.Internal)
	p.stop(t)
}
