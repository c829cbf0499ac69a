package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// binary builds towers as make does. What a benchmark tells of memory must be that of the real
// thing: a test binary carries its tests with it.
func binary(tb testing.TB) string {
	tb.Helper()
	file := filepath.Join(tb.TempDir(), "towers")
	cmd := exec.CommandContext(tb.Context(), "go", "build", "-trimpath", "-ldflags=-s -w", "-o", file, ".")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if said, err := cmd.CombinedOutput(); err != nil {
		tb.Fatalf("build towers: %v\n%s", err, said)
	}
	return file
}

// serveBuilt is serveOn with a binary that was built.
func serveBuilt(tb testing.TB, file, data string, args ...string) *process {
	tb.Helper()
	p, out := launched(tb, exec.Command(file, append([]string{"serve", "--addr=127.0.0.1:0", "--data=" + data}, args...)...))
	p.awaitAddress(tb, out)
	return p
}

// A footprint is what a process has in memory, in bytes.
type footprint struct {
	resident  int64 // all pages, those of the binary included
	anonymous int64 // what it asked for itself
}

// footprintOf reads how much memory a process has. One that has ended has none.
func footprintOf(pid int) footprint {
	f, err := os.Open(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return footprint{}
	}
	defer f.Close()
	var found footprint
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		if len(fields) < 2 {
			continue
		}
		kilobytes, _ := strconv.ParseInt(fields[1], 10, 64) // what is no number is another line
		switch fields[0] {
		case "VmRSS:":
			found.resident = kilobytes << 10
		case "RssAnon:":
			found.anonymous = kilobytes << 10
		}
	}
	return found
}

// descendants are the processes that a process started, with those that these started.
func descendants(pid int) []int {
	parents := make(map[int][]int)
	stats, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is right
	for _, name := range stats {
		text, err := os.ReadFile(name)
		if err != nil {
			continue // it has ended since
		}
		// The command's name stands in brackets and may hold anything; state and parent follow.
		rest := string(text[strings.LastIndexByte(string(text), ')')+1:])
		var state string
		var parent, child int
		if _, err := fmt.Sscan(rest, &state, &parent); err != nil || state == "Z" {
			continue
		}
		if _, err := fmt.Sscanf(filepath.Base(filepath.Dir(name)), "%d", &child); err == nil {
			parents[parent] = append(parents[parent], child)
		}
	}
	var all []int
	for next := parents[pid]; len(next) > 0; next = next[1:] {
		all = append(all, next[0])
		next = append(next, parents[next[0]]...)
	}
	return all
}

// A gauge looks at a server now and then, and keeps the largest that it saw.
type gauge struct {
	own       footprint // of the server alone
	children  footprint // of all that it started together; pages that they share count for each
	processes int       // that it had started and that ran at once
	waiting   float64   // in the queue

	stop func()
}

// watchProcess begins to measure a server, until stop is called.
func watchProcess(tb testing.TB, p *process) *gauge {
	g := new(gauge)
	done := make(chan struct{})
	var looking sync.WaitGroup
	looking.Go(func() {
		tick := time.NewTicker(200 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				g.look(tb, p)
			case <-done:
				return
			}
		}
	})
	g.stop = sync.OnceFunc(func() {
		close(done)
		looking.Wait()
	})
	return g
}

func (g *gauge) look(tb testing.TB, p *process) {
	own := footprintOf(p.cmd.Process.Pid)
	g.own.resident = max(g.own.resident, own.resident)
	g.own.anonymous = max(g.own.anonymous, own.anonymous)
	var children footprint
	all := descendants(p.cmd.Process.Pid)
	for _, pid := range all {
		child := footprintOf(pid)
		children.resident += child.resident
		children.anonymous += child.anonymous
	}
	g.children.resident = max(g.children.resident, children.resident)
	g.children.anonymous = max(g.children.anonymous, children.anonymous)
	g.processes = max(g.processes, len(all))
	g.waiting = max(g.waiting, figure(tb, p, "towers_queue_waiting"))
}

// figure is one of the numbers that a server shows at /metrics.
func figure(tb testing.TB, p *process, name string) float64 {
	tb.Helper()
	a, err := newVisitor(tb).do(tb.Context(), "GET", p.base+"/metrics", "")
	if err != nil {
		tb.Errorf("metrics: %v", err)
		return 0
	}
	for line := range strings.Lines(string(a.body)) {
		if value, ok := strings.CutPrefix(line, name+" "); ok {
			number, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
			if err != nil {
				tb.Errorf("%s is %q", name, value)
			}
			return number
		}
	}
	tb.Errorf("there is no %s among the metrics", name)
	return 0
}

// holding is what a server holds once its garbage is collected, in bytes.
type holding struct {
	heap   float64 // what is live in it
	stacks float64 // of its goroutines
	footprint
}

// settled has a server collect its garbage, by asking for pages until it has done so six times, which lets stacks shrink too, and
// gives what it holds then.
func settled(tb testing.TB, p *process) holding {
	tb.Helper()
	v := newVisitor(tb)
	const collections = "go_gc_duration_seconds_count"
	for end := figure(tb, p, collections) + 6; figure(tb, p, collections) < end; {
		for range 20 {
			if _, err := v.do(tb.Context(), "GET", p.base+"/lessons/03-the-ring", ""); err != nil {
				tb.Fatal(err)
			}
		}
	}
	return holding{
		heap:      figure(tb, p, "go_gc_heap_live_bytes"),
		stacks:    figure(tb, p, "go_memstats_stack_inuse_bytes"),
		footprint: footprintOf(p.cmd.Process.Pid),
	}
}

// quantile is the time that a share of the times do not exceed; they are sorted on the way.
func quantile(times []time.Duration, share float64) time.Duration {
	if len(times) == 0 {
		return 0
	}
	slices.Sort(times)
	return times[min(int(share*float64(len(times))), len(times)-1)]
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func megabytes(n int64) float64 { return float64(n) / 1e6 }
