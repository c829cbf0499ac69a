package check

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"sync"
	"testing"
	"time"
)

// BenchmarkTwoHundred checks 200 different submissions, two at once; what this process holds must
// not grow meanwhile, and nothing may be left. It is measured once everything that is made once is
// made: the threads that wait for children, and a cache that is full. Run it with -benchtime=1x.
func BenchmarkTwoHundred(b *testing.B) {
	c := newChecker(b, func(config *Config) { config.Parallel, config.Cache = 2, 20 })
	checkMany(b, c, "first", 50)
	before := holdings(b, c)
	for b.Loop() {
		checkMany(b, c, "then", 200)
	}
	after := holdings(b, c)
	b.ReportMetric(before.live, "live-before-MiB")
	b.ReportMetric(after.live, "live-after-MiB")
	b.ReportMetric(100*(after.live/before.live-1), "%-live-more")
	b.ReportMetric(before.resident, "anon-before-MiB")
	b.ReportMetric(after.resident, "anon-after-MiB")
	b.ReportMetric(float64(after.goroutines-before.goroutines), "goroutines-more")
	b.ReportMetric(float64(after.children-before.children), "children-more")
	b.ReportMetric(float64(after.files), "files-left")
}

// checkMany checks so many different submissions, two at once.
func checkMany(b *testing.B, c *Checker, name string, submissions int) {
	b.Helper()
	e := common(b)
	source := read(b, "testdata/exercise/solution.txt")
	var all sync.WaitGroup
	turns := make(chan int)
	for range 2 {
		all.Go(func() {
			for n := range turns {
				edited := fmt.Appendf(nil, "%s\nvar %s%d = %d\n", source, name, n, n)
				if v, err := c.Check(b.Context(), Submission{Source: edited, Exercise: e}); err != nil || !v.Passed() {
					b.Errorf("got %s, %v", v.Verdict, err)
				}
			}
		})
	}
	for n := range submissions {
		turns <- n
	}
	close(turns)
	all.Wait()
}

// holding is what a process holds at a moment when it has nothing to do.
type holding struct {
	live       float64 // MiB of living objects and of stacks
	resident   float64 // MiB of its own that are in memory, without the pages of the binary
	goroutines int
	children   int
	files      int // in the working folder
}

func holdings(b *testing.B, c *Checker) holding {
	b.Helper()
	settle(b, c)
	runtime.GC()
	debug.FreeOSMemory()
	samples := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/stacks:bytes"}}
	metrics.Read(samples)
	left, err := filepath.Glob(filepath.Join(c.work, "*"))
	if err != nil {
		b.Fatal(err)
	}
	return holding{
		live:       float64(samples[0].Value.Uint64()+samples[1].Value.Uint64()) / (1 << 20),
		resident:   residentMiB(b),
		goroutines: runtime.NumGoroutine(),
		children:   childrenOf(b),
		files:      len(left),
	}
}

// settle waits until every child that is started ahead is there.
func settle(b *testing.B, c *Checker) {
	b.Helper()
	for began := time.Now(); len(c.builders.idle) < cap(c.builders.idle) || len(c.runners.idle) < cap(c.runners.idle) || len(c.typists.ready) < cap(c.typists.ready); {
		if time.Since(began) > patience {
			b.Fatal("the children do not start")
		}
		runtime.Gosched()
	}
}

// residentMiB is the kernel's RssAnon.
func residentMiB(b *testing.B) float64 {
	b.Helper()
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		b.Skip("the resident memory is only known on Linux:", err)
	}
	_, rest, _ := strings.Cut(string(text), "RssAnon:")
	var kib float64
	if _, err := fmt.Sscan(rest, &kib); err != nil {
		b.Fatal(err)
	}
	return kib / 1024
}
