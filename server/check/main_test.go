package check

import (
	"flag"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

var update = flag.Bool("update", false, "write what the golden cases give now as what they should give")

func TestMain(m *testing.M) {
	dieLoading()
	RunChild()
	if len(os.Args) > 1 && os.Args[1] == probeArg {
		probe(os.Args[2:])
		return
	}
	flag.Parse()
	os.Exit(m.Run())
}

// sharedData is a data folder that outlives the test process, so that the standard library is
// prepared once for all runs.
func sharedData(tb testing.TB) string {
	tb.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = tb.TempDir()
	}
	return filepath.Join(cache, "towers-check-test")
}

// newChecker starts a checker that the test closes.
func newChecker(tb testing.TB, change func(*Config)) *Checker {
	tb.Helper()
	config := Config{DataDir: sharedData(tb), Cache: -1, Progress: func(s string) { tb.Log(s) }}
	if change != nil {
		change(&config)
	}
	c, err := New(tb.Context(), config)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := c.Close(); err != nil {
			tb.Error(err)
		}
	})
	return c
}

func read(tb testing.TB, path string) []byte {
	tb.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	return text
}

// leaving notes which children and goroutines there are, and gives a function that fails the test
// if there are more.
func leaving(t *testing.T) (nothingLeft func()) {
	t.Helper()
	children, goroutines := childrenOf(t), runtime.NumGoroutine()
	return func() {
		t.Helper()
		if after := childrenOf(t); after != children {
			t.Errorf("%d children before, %d after", children, after)
		}
		if after := runtime.NumGoroutine(); after > goroutines {
			t.Errorf("%d goroutines before, %d after", goroutines, after)
		}
	}
}
