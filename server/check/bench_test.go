package check

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// Run these with -benchtime=20x: every figure is the median over the iterations, and what is
// compared is measured in turns within one run.

// BenchmarkVerdict compares a verdict with go test of the same package by the local toolchain,
// both after an edit, and tells where the verdict's time goes.
func BenchmarkVerdict(b *testing.B) {
	for name, source := range benchSources(b) {
		b.Run(name, func(b *testing.B) {
			c := newChecker(b, func(config *Config) { config.Parallel = 1 })
			e := common(b)
			home := module(b, e)
			var ours, theirs []float64
			var parts [5][]float64
			for n := 0; b.Loop(); n++ {
				edited := []byte(fmt.Sprintf("%s\nvar edit%d = %d\n", source, n, n))
				began := time.Now()
				v := mustCheck(b, c, Submission{Source: edited, Exercise: e})
				ours = append(ours, milliseconds(time.Since(began)))
				for i, p := range []float64{v.Parts.Vet, v.Parts.Compile, v.Parts.Link, v.Parts.Load, v.Parts.Tests} {
					parts[i] = append(parts[i], p)
				}
				theirs = append(theirs, goTestTime(b, home, edited))
			}
			b.ReportMetric(median(ours), "verdict-ms")
			b.ReportMetric(median(theirs), "gotest-ms")
			b.ReportMetric(median(ours)/median(theirs), "ratio")
			for i, part := range []string{"vet", "compile", "link", "load", "tests"} {
				b.ReportMetric(median(parts[i]), part+"-ms")
			}
		})
	}
}

func benchSources(tb testing.TB) map[string]string {
	solution := string(read(tb, "testdata/exercise/solution.txt"))
	return map[string]string{
		"passes":         solution,
		"fails":          string(read(tb, "testdata/exercise/start.txt")),
		"does-not-build": strings.Replace(solution, "n%len", "missing%len", 1),
	}
}

// BenchmarkCached is a check whose verdict is known.
func BenchmarkCached(b *testing.B) {
	c := newChecker(b, func(config *Config) { config.Cache = 10 })
	s := Submission{Source: read(b, "testdata/exercise/solution.txt"), Exercise: common(b)}
	mustCheck(b, c, s)
	for b.Loop() {
		mustCheck(b, c, s)
	}
}

// module is an exercise as a Go module of its own, as a learner has it at home.
func module(b *testing.B, e Exercise) string {
	b.Helper()
	dir := b.TempDir()
	for name, text := range map[string]string{
		"go.mod":        "module exercise\n\ngo 1.26\n",
		"check_test.go": string(e.Tests),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	return dir
}

func runGoTest(b *testing.B, dir string, source []byte, args ...string) []byte {
	b.Helper()
	if err := os.WriteFile(filepath.Join(dir, "exercise.go"), source, 0o600); err != nil {
		b.Fatal(err)
	}
	cmd := exec.CommandContext(b.Context(), "go", append([]string{"test"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off")
	out, err := cmd.CombinedOutput()
	if err != nil && !bytes.Contains(out, []byte("FAIL")) {
		b.Fatalf("%v\n%s", err, out)
	}
	return out
}

func goTestTime(b *testing.B, dir string, source []byte) float64 {
	began := time.Now()
	runGoTest(b, dir, source, ".")
	return milliseconds(time.Since(began))
}

func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}
