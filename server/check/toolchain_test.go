package check

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// Two processes may prepare one folder at once, and a user's settings for Go change nothing.
func TestPrepareIsSafeAndIndependent(t *testing.T) {
	t.Setenv("GOEXPERIMENT", "nogreenteagc")
	t.Setenv("GOFLAGS", "-race")
	data := t.TempDir()
	var both sync.WaitGroup
	for range 2 {
		both.Go(func() {
			tools, err := prepareToolchain(t.Context(), "go", data, func(string) {})
			if err != nil {
				t.Error(err)
				return
			}
			for name, file := range tools.std {
				if !exists(filepath.Join(tools.dir, file)) {
					t.Errorf("%s is not there", name)
				}
			}
		})
	}
	both.Wait()
	entries, err := os.ReadDir(filepath.Join(data, "toolchain"))
	if err != nil || len(entries) != 1 || strings.HasPrefix(entries[0].Name(), preparingPrefix) {
		t.Fatalf("prepared %v, %v; want one folder", entries, err)
	}

	c := newChecker(t, func(config *Config) { config.DataDir = data })
	s := Submission{Source: read(t, "testdata/exercise/solution.txt"), Exercise: common(t)}
	if v := mustCheck(t, c, s); !v.Passed() {
		t.Errorf("got %s: %s", v.Verdict, v.Message)
	}
	// What is prepared is found again, without a word.
	if _, err := prepareToolchain(t.Context(), "go", data, func(s string) { t.Error(s) }); err != nil {
		t.Error(err)
	}
}

// A tool that was built anew makes other programs, and its verdicts are its own.
func TestEachToolIsInTheKey(t *testing.T) {
	env := goEnv{GOVERSION: "go1.26.2", GOTOOLDIR: t.TempDir()}
	for _, tool := range []string{"compile", "link"} {
		if err := os.WriteFile(filepath.Join(env.GOTOOLDIR, tool+exeSuffix), nil, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	key := func() string {
		key, err := toolchainKey(env)
		if err != nil {
			t.Fatal(err)
		}
		return key
	}
	before := key()
	if again := key(); again != before {
		t.Errorf("one toolchain has the keys %s and %s", before, again)
	}
	for _, tool := range []string{"compile", "link"} {
		if err := os.WriteFile(filepath.Join(env.GOTOOLDIR, tool+exeSuffix), []byte("anew"), 0o755); err != nil {
			t.Fatal(err)
		}
		after := key()
		if after == before {
			t.Errorf("a new %s has the old key", tool)
		}
		before = after
	}
}
