package server

import (
	"archive/zip"
	"bytes"
	"fmt"
	"go/ast"
	"net/http"
	"strings"
	"time"

	"github.com/ringoftowers/towers/lessons"
	"github.com/ringoftowers/towers/server/store"
)

// module packs an exercise so that go test runs it at home: the learner's program with the
// tests that are shown.
//
// Where the learner writes tests, the program that they are run on is another exercise's
// solution as like as not. So it is packed only for those who may see the solution; others get
// its outline, with functions that wait to be written.
func (s *Server) module(w http.ResponseWriter, r *http.Request) error {
	at, learner, err := s.askedBy(r)
	if err != nil {
		return err
	}
	code, err := s.codeToPack(w, r, learner, at)
	if err != nil {
		return err
	}
	open, err := s.mayOpen(r.Context(), learner, at)
	if err != nil {
		return err
	}
	packed, err := pack(at.exercise, code, open)
	if err != nil {
		return fmt.Errorf("pack %s/%s: %w", at.lesson.Name, at.exercise.ID, err)
	}
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Type", "application/zip")
	h.Set("Content-Disposition", `attachment; filename="exercise.zip"`)
	write(w, r, http.StatusOK, identity, packed)
	return nil
}

// codeToPack is the program of the form; without one, the learner's draft, or else the start.
func (s *Server) codeToPack(w http.ResponseWriter, r *http.Request, learner store.Learner, at workplace) (string, error) {
	if r.ContentLength != 0 {
		return readCode(w, r, at.limit(), true)
	}
	draft, err := s.draftOf(r.Context(), learner, at)
	if err != nil || draft.Saved.IsZero() {
		return at.exercise.Start, err
	}
	return draft.Source, nil
}

// pack makes the zip of a module. If open, it may hold what a learner is not to see too early.
func pack(e *lessons.Exercise, code string, open bool) ([]byte, error) {
	program, tests, about := code, "", "Your program is in exercise.go"
	var err error
	switch {
	case e.Kind == lessons.Code:
		tests, err = prune(e.Tests, isShownTest)
	case open:
		program, tests, about = e.Solution, code, "Your tests are in check_test.go and run on the program in exercise.go"
	default:
		program, err = outline(e.Solution)
		tests, about = code, "Your tests are in check_test.go; write a program for them into exercise.go first, which has its outline"
	}
	if err != nil {
		return nil, err
	}
	readme := fmt.Sprintf("# %s\n\n%s. Then run `go test` in this folder: it takes Go 1.26 or newer and nothing from the network.\n", e.Title, about)
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, f := range []struct{ name, text string }{
		{"README.md", readme}, {"go.mod", "module exercise\n\ngo 1.26\n"}, {"exercise.go", program}, {"check_test.go", tests},
	} {
		w, err := z.CreateHeader(&zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: time.Now()})
		if err != nil {
			return nil, fmt.Errorf("add %s: %w", f.name, err)
		}
		if _, err := w.Write([]byte(f.text)); err != nil {
			return nil, fmt.Errorf("add %s: %w", f.name, err)
		}
	}
	if err := z.Close(); err != nil {
		return nil, fmt.Errorf("finish the zip: %w", err)
	}
	return b.Bytes(), nil
}

// isShownTest says whether go test runs a function of this name and learners may see it.
func isShownTest(name string) bool {
	if strings.HasPrefix(name, "TestHidden") {
		return false
	}
	for _, prefix := range []string{"Test", "Benchmark", "Fuzz", "Example"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return name == "init"
}

// outline is a program with its exported functions emptied and all else gone that they do not
// need to compile.
func outline(program string) (string, error) {
	f, err := parseText(program)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	from := 0
	for _, decl := range f.tree.Decls {
		d, ok := decl.(*ast.FuncDecl)
		if !ok || d.Body == nil {
			continue
		}
		open, end := f.set.PositionFor(d.Body.Pos(), false).Offset, f.set.PositionFor(d.Body.End(), false).Offset
		fmt.Fprintf(&b, "%s{\n\tpanic(%q)\n}", program[from:open], d.Name.Name+" is not written yet")
		from = end
	}
	b.WriteString(program[from:])
	return prune(b.String(), ast.IsExported)
}
