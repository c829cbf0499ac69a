//go:build wasip1

package host

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"time"
)

// Name is the test's full name, its parents' first.
func (t *T) Name() string { return t.name }

// Fail marks the test and those above it as failed and lets it go on. A test that is over has been
// reported already: those above it fail for it, and whoever calls panics.
func (t *T) Fail() {
	if t.parent != nil {
		t.parent.Fail()
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.over {
		panic("Fail in goroutine after " + t.name + " has completed")
	}
	t.failed = true
}

// FailNow marks the test as failed and ends its goroutine.
func (t *T) FailNow() {
	t.Fail()
	t.leave()
}

// leave ends the goroutine in a way that end takes for intended.
func (t *T) leave() {
	t.mu.Lock()
	t.finished = true
	t.mu.Unlock()
	runtime.Goexit()
}

// Failed reports whether the test or one of its subtests has failed.
func (t *T) Failed() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.failed
}

// Log, Logf, Error, Errorf, Fatal and Fatalf are the standard library's, but that the test has
// failed before anything is formatted: a learner's String method may panic in a way that fmt lets
// pass, and the learner's code that called the test back may recover.
func (t *T) Log(args ...any)                 { t.log(fmt.Sprintln(args...)) }
func (t *T) Logf(format string, args ...any) { t.log(fmt.Sprintf(format, args...)) }
func (t *T) Error(args ...any)               { t.Fail(); t.log(fmt.Sprintln(args...)) }
func (t *T) Errorf(format string, args ...any) {
	t.Fail()
	t.log(fmt.Sprintf(format, args...))
}
func (t *T) Fatal(args ...any) { t.Fail(); t.log(fmt.Sprintln(args...)); t.FailNow() }
func (t *T) Fatalf(format string, args ...any) {
	t.Fail()
	t.log(fmt.Sprintf(format, args...))
	t.FailNow()
}

// Skip, Skipf and SkipNow end the test without an answer: it counts as not run.
func (t *T) Skip(args ...any) { t.log(fmt.Sprintln(args...)); t.SkipNow() }
func (t *T) Skipf(format string, args ...any) {
	t.log(fmt.Sprintf(format, args...))
	t.SkipNow()
}
func (t *T) SkipNow() {
	t.mu.Lock()
	t.skipped = true
	t.mu.Unlock()
	t.leave()
}

// Skipped reports whether the test was skipped.
func (t *T) Skipped() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.skipped
}

// Helper marks the calling function as one whose lines are not where a failure is.
func (t *T) Helper() {
	pcs := make([]uintptr, 1)
	if runtime.Callers(2, pcs) == 0 {
		return
	}
	f, _ := runtime.CallersFrames(pcs).Next()
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.helpers == nil {
		t.helpers = make(map[string]bool)
	}
	t.helpers[f.Function] = true
}

// Cleanup registers f to be called when the test is over, the last registered first.
func (t *T) Cleanup(f func()) {
	t.mu.Lock()
	t.cleanups = append(t.cleanups, f)
	t.mu.Unlock()
}

// Parallel does nothing: the sandbox runs one thing at a time.
func (t *T) Parallel() {}

// Deadline reports that there is none on the program's own clock.
func (t *T) Deadline() (deadline time.Time, ok bool) { return time.Time{}, false }

// Context is cancelled just before the test's cleanups run.
func (t *T) Context() context.Context { return t.ctx }

// Output is a writer into the test's log.
func (t *T) Output() io.Writer { return output{t} }

type output struct{ t *T }

func (o output) Write(p []byte) (int, error) {
	tell(kindLog, o.t.id, 0, string(p))
	return len(p), nil
}

// Attr is accepted and ignored: no one reads a test's attributes here.
func (t *T) Attr(key, value string) {}

// TempDir, ArtifactDir, Chdir and Setenv fail the test: there are no files and no environment.
func (t *T) TempDir() string { t.Fatal("TempDir: there are no files in the sandbox"); return "" }
func (t *T) ArtifactDir() string {
	t.Fatal("ArtifactDir: there are no files in the sandbox")
	return ""
}
func (t *T) Chdir(dir string)         { t.Fatal("Chdir: there are no files in the sandbox") }
func (t *T) Setenv(key, value string) { t.Fatal("Setenv: there is no environment in the sandbox") }

// TB is the part of T that helpers ask for.
type TB interface {
	ArtifactDir() string
	Attr(key, value string)
	Chdir(dir string)
	Cleanup(func())
	Context() context.Context
	Error(args ...any)
	Errorf(format string, args ...any)
	Fail()
	FailNow()
	Failed() bool
	Fatal(args ...any)
	Fatalf(format string, args ...any)
	Helper()
	Log(args ...any)
	Logf(format string, args ...any)
	Name() string
	Output() io.Writer
	Setenv(key, value string)
	Skip(args ...any)
	SkipNow()
	Skipf(format string, args ...any)
	Skipped() bool
	TempDir() string

	private()
}

func (t *T) private() {}
