package check

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
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

// BenchmarkLookups compares tests that ask a million times with their native time: once where
// each question is a look-up on a ring, and once where it is mostly the making of a string,
// which WebAssembly is slower at. A run also loads and compiles the program.
func BenchmarkLookups(b *testing.B) {
	for _, c := range []struct{ name, source, test string }{
		{"ring", ringSource, ringTest},
		{"strings", string(read(b, "testdata/exercise/solution.txt")), stringsTest},
	} {
		b.Run(c.name, func(b *testing.B) {
			e := common(b)
			e.Tests = []byte(testHead + c.test)
			checker := newChecker(b, func(config *Config) { config.Parallel = 1 })
			home := module(b, e)
			var run, test, native []float64
			for n := 0; b.Loop(); n++ {
				edited := []byte(fmt.Sprintf("%s\nvar edit%d = %d\n", c.source, n, n))
				v := mustCheck(b, checker, Submission{Source: edited, Exercise: e})
				if !v.Passed() {
					b.Fatal(v.Message, v.Tests)
				}
				run = append(run, v.Parts.Load+v.Parts.Tests)
				test = append(test, float64(v.Tests[0].ElapsedMS))
				native = append(native, goTestElapsed(b, home, edited))
			}
			b.ReportMetric(median(run), "run-ms")
			b.ReportMetric(median(test), "test-ms")
			b.ReportMetric(median(native), "native-ms")
			b.ReportMetric(median(test)/median(native), "ratio")
		})
	}
}

const testHead = `package exercise_test

import (
	"strconv"
	"testing"

	"exercise"
)

var towers = []string{"T-1", "T-2", "T-3", "T-4", "T-5"}

`

const stringsTest = `func TestMillion(t *testing.T) {
	for n := range 1_000_000 {
		if got := exercise.Owner("letter-"+strconv.Itoa(n), towers); got != towers[n%5] {
			t.Fatalf("got %q, want %q", got, towers[n%5])
		}
	}
}
`

const ringTest = `func TestMillion(t *testing.T) {
	ring := exercise.New(towers, 1000)
	letters := make([]string, 1000)
	for n := range letters {
		letters[n] = "letter-" + strconv.Itoa(n)
	}
	count := make(map[string]int)
	for range 1000 {
		for _, letter := range letters {
			if ring.Owner(letter) == "T-1" {
				count["T-1"]++
			}
		}
	}
	if count["T-1"]%1000 != 0 || count["T-1"] == 0 {
		t.Fatalf("got %v, want the same each time", count)
	}
}
`

// ringSource is a ring as a learner writes it.
const ringSource = `package exercise

import (
	"sort"
	"strconv"
)

type point struct {
	position uint32
	tower    string
}

type Ring struct{ points []point }

func hash(s string) uint32 {
	h := uint32(0x811c9dc5)
	for i := 0; i < len(s); i++ {
		h = (h ^ uint32(s[i])) * 0x01000193
	}
	h = (h ^ h>>16) * 0x85ebca6b
	h = (h ^ h>>13) * 0xc2b2ae35
	return h ^ h>>16
}

func New(towers []string, points int) *Ring {
	r := &Ring{}
	for _, t := range towers {
		for n := range points {
			r.points = append(r.points, point{hash(t + "#" + strconv.Itoa(n)), t})
		}
	}
	sort.Slice(r.points, func(i, j int) bool { return r.points[i].position < r.points[j].position })
	return r
}

func (r *Ring) Owner(letter string) string {
	h := hash(letter)
	i := sort.Search(len(r.points), func(i int) bool { return r.points[i].position >= h })
	return r.points[i%len(r.points)].tower
}
`

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

// goTestElapsed is the time of TestMillion itself, as go test tells it.
func goTestElapsed(b *testing.B, dir string, source []byte) float64 {
	b.Helper()
	out := string(runGoTest(b, dir, source, "-v", "-run", "TestMillion", "."))
	_, rest, ok := strings.Cut(out, "--- PASS: TestMillion (")
	seconds, _, ok2 := strings.Cut(rest, "s)")
	value, err := strconv.ParseFloat(seconds, 64)
	if !ok || !ok2 || err != nil {
		b.Fatalf("no time in %s", out)
	}
	return value * 1000
}

func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}

// BenchmarkTwoHundred checks 200 different submissions, two at once; what this process holds
// must not grow meanwhile. It is measured once everything that is made once is made: the
// threads that wait for children, and a cache that is full. Run it with -benchtime=1x.
func BenchmarkTwoHundred(b *testing.B) {
	c := newChecker(b, func(config *Config) { config.Parallel, config.Cache = 2, 20 })
	e := common(b)
	source := string(read(b, "testdata/exercise/solution.txt"))
	round := 0
	checkAll := func(submissions int) {
		round++
		var all sync.WaitGroup
		turns := make(chan int)
		for range 2 {
			all.Go(func() {
				for n := range turns {
					edited := fmt.Sprintf("%s\nvar edit%dx%d = %d\n", source, round, n, n)
					mustCheck(b, c, Submission{Source: []byte(edited), Exercise: e})
				}
			})
		}
		for n := range submissions {
			turns <- n
		}
		close(turns)
		all.Wait()
	}
	checkAll(50)
	before, children := residentMiB(b), childrenOf(b)
	for b.Loop() {
		checkAll(200)
	}
	after := residentMiB(b)
	b.ReportMetric(before, "before-MiB")
	b.ReportMetric(after, "after-MiB")
	b.ReportMetric(100*(after/before-1), "%-more")
	b.ReportMetric(float64(childrenOf(b)-children), "children-more")
}

// residentMiB is the memory of this process's own after a collection: what is resident, without
// the pages of the binary, which come in as more of its code has run.
func residentMiB(b *testing.B) float64 {
	b.Helper()
	debug.FreeOSMemory()
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		b.Skip("the resident memory is only known on Linux:", err)
	}
	var size, resident, shared int
	if _, err := fmt.Sscan(string(text), &size, &resident, &shared); err != nil {
		b.Fatal(err)
	}
	return float64((resident-shared)*os.Getpagesize()) / (1 << 20)
}
