package server

import (
	"archive/zip"
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ringoftowers/towers/lessons"
	"github.com/ringoftowers/towers/server/check"
)

// unpack gives the files of a zip.
func unpack(tb testing.TB, packed []byte) map[string]string {
	tb.Helper()
	z, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
	if err != nil {
		tb.Fatal(err)
	}
	files := make(map[string]string)
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			tb.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			tb.Fatal(err)
		}
		files[f.Name] = string(text)
	}
	return files
}

// goTest runs go test on files in a folder of their own, without a network.
func goTest(tb testing.TB, files map[string]string, args ...string) (string, error) {
	tb.Helper()
	dir := tb.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			tb.Fatal(err)
		}
	}
	cmd := exec.CommandContext(tb.Context(), "go", append([]string{"test"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off", "GOTOOLCHAIN=local")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// What a learner takes home works there: with the solution every test that is shown passes.
func TestModulesOfTheCourseRunAtHome(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skipf("there is no go command here: %v", err)
	}
	course, err := lessons.OpenEmbedded().Course(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range course.Lessons {
		for _, e := range l.Exercises {
			t.Run(l.Name+"/"+e.ID, func(t *testing.T) {
				packed, err := pack(e, reference(e), true)
				if err != nil {
					t.Fatal(err)
				}
				files := unpack(t, packed)
				if strings.Contains(files["check_test.go"], "Hidden") {
					t.Errorf("a hidden test is in\n%s", files["check_test.go"])
				}
				out, err := goTest(t, files, "-v")
				if err != nil {
					t.Errorf("%v\n%s", err, out)
				}
				for _, name := range e.Checks {
					if isShownTest(name) != strings.Contains(out, "--- PASS: "+name) {
						t.Errorf("%s is shown: %t; go test said\n%s", name, isShownTest(name), out)
					}
				}
			})
		}
	}
}

// Before it is time, a module of an exercise in writing tests gives no program away, and builds.
func TestModuleOfTestsKeepsTheProgram(t *testing.T) {
	course, err := lessons.OpenEmbedded().Course(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range course.Lessons {
		for _, e := range l.Exercises {
			if e.Kind != lessons.Tests {
				continue
			}
			t.Run(l.Name+"/"+e.ID, func(t *testing.T) {
				packed, err := pack(e, e.Start, false)
				if err != nil {
					t.Fatal(err)
				}
				files := unpack(t, packed)
				if strings.Contains(files["exercise.go"], "sort.Search") || !strings.Contains(files["exercise.go"], "is not written yet") {
					t.Errorf("exercise.go is\n%s", files["exercise.go"])
				}
				if out, err := goTest(t, files, "-run", "^$"); err != nil {
					t.Errorf("%v\n%s", err, out)
				}
			})
		}
	}
}

func TestModuleRoute(t *testing.T) {
	s := newSite(t, workshop())
	v := s.visitor(t)
	form := "Content-Type: application/x-www-form-urlencoded"
	get := func(target, body string, headers ...string) map[string]string {
		t.Helper()
		w := v.send("POST", target, body, headers...)
		if w.Code != 200 || w.Header().Get("Content-Disposition") != `attachment; filename="exercise.zip"` || w.Header().Get("Content-Type") != "application/zip" {
			t.Fatalf("%s: status %d, %v", target, w.Code, w.Header())
		}
		return unpack(t, w.Body.Bytes())
	}
	files := get(ownerPage+"/module", "code=package+exercise%0D%0A//+mine", form)
	if files["exercise.go"] != "package exercise\n// mine" || files["go.mod"] != "module exercise\n\ngo 1.26\n" ||
		!strings.Contains(files["check_test.go"], "TestOwner") || !strings.Contains(files["README.md"], "go test") {
		t.Errorf("the files are %q", files)
	}
	if files := get(ownerPage+"/module", ""); files["exercise.go"] != "package exercise\n" {
		t.Errorf("without code and draft the program is %q", files["exercise.go"])
	}
	v.json("PUT", owner+"/draft", map[string]string{"code": "// a draft"})
	if files := get(ownerPage+"/module", ""); files["exercise.go"] != "// a draft" {
		t.Errorf("without code the program is %q", files["exercise.go"])
	}
	seam := "/lessons/03-the-ring/exercises/seam/module"
	if files := get(seam, "code=//+my+tests", form); files["check_test.go"] != "// my tests" || !strings.Contains(files["exercise.go"], "not written yet") {
		t.Errorf("of tests the files are %q", files)
	}
	w := v.json("POST", strings.ReplaceAll(owner, "owner", "seam")+"/submissions", map[string]string{"code": "x"})
	s.judge(t, strings.TrimPrefix(w.Header().Get("Location"), "/api/submissions/"), check.Passed)
	if files := get(seam, "code=//+my+tests", form); strings.Contains(files["exercise.go"], "not written yet") {
		t.Errorf("after a pass the files are %q", files)
	}
	if w := v.send("POST", ownerPage+"/module", "code="+strings.Repeat("x", 5000), form); w.Code != 413 {
		t.Errorf("too much code: status %d", w.Code)
	}
}
