package check

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// dyingPrefix begins the names under which this test binary is a sandbox child that dies while it
// loads a program: dies-[compiled|interpreted][-memory][-once].
const dyingPrefix = "dies-"

// dieLoading is RunChild for a test binary with such a name. One that dies once does so where it
// finds a file named "once" beside itself, which it takes away.
func dieLoading() {
	name, dying := strings.CutPrefix(filepath.Base(os.Args[0]), dyingPrefix)
	if !dying || len(os.Args) != 3 || os.Args[2] != roleRun {
		return
	}
	var job runJob
	program, err := readFrame(os.Stdin, &job)
	if err != nil {
		os.Exit(0)
	}
	meant := job.Compiled == strings.Contains(name, "compiled")
	if meant && strings.Contains(name, "once") {
		meant = os.Remove(filepath.Join(filepath.Dir(os.Args[0]), "once")) == nil
	}
	if meant {
		if strings.Contains(name, "memory") {
			fmt.Fprintln(os.Stderr, "fatal error: runtime: out of memory")
		}
		os.Exit(2)
	}
	var again bytes.Buffer
	if err = writeFrame(&again, job, program); err == nil {
		err = serveRun(io.MultiReader(&again, os.Stdin), os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// slowTest takes some hundred milliseconds in the interpreter, so that the compiler is asked for.
const slowTest = `
func TestSlow(t *testing.T) {
	sum := 0
	for i := range 10_000_000 {
		sum += i
	}
	if sum == 0 {
		t.Error("got nothing, want a sum")
	}
}
`

// Loading takes memory that the program shapes, and more of it for the compiled one. Where that
// fails, a program still has the verdict that it deserves, whether or not it was thought heavy.
func TestChildDiesWhileItLoads(t *testing.T) {
	common := common(t)
	solution := string(read(t, "testdata/exercise/solution.txt"))
	deep := string(read(t, "testdata/good/deep-recursion/source.txt"))
	slow := common
	slow.Tests = []byte(string(common.Tests) + slowTest)
	slow.Limits.Test = 30 * time.Second // for the interpreter, should the machine be busy
	for _, c := range []struct {
		child    string
		source   string
		exercise Exercise
		atOnce   bool
		want     Outcome
	}{
		{"compiled", solution, slow, false, Passed},
		{"compiled", solution, common, true, Passed},
		{"compiled-memory", solution, common, true, Passed},
		{"compiled-memory", deep, common, false, MemoryLimit},
		{"compiled-memory", deep, common, true, MemoryLimit},
		{"compiled", deep, common, false, Internal},
		{"interpreted-memory", solution, common, false, MemoryLimit},
		{"interpreted-once", solution, common, false, Passed},
		{"interpreted", solution, common, false, Internal},
	} {
		t.Run(fmt.Sprintf("%s/%v/%s", c.child, c.atOnce, c.want), func(t *testing.T) {
			checker := newChecker(t, func(config *Config) { config.Executable = dyingChild(t, c.child) })
			if c.atOnce {
				makeHeavy(checker, c.exercise)
			}
			v, err := checker.Check(t.Context(), Submission{Source: []byte(c.source), Exercise: c.exercise})
			if v.Verdict != c.want || (err != nil) != (c.want == Internal) {
				t.Errorf("got %s, %v; want %s", v.Verdict, err, c.want)
			}
		})
	}
}

func dyingChild(t *testing.T, name string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "once"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	child := filepath.Join(dir, dyingPrefix+name)
	if err := os.Symlink(self, child); err != nil {
		t.Skip("there are no symbolic links here:", err)
	}
	return child
}
