//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/ringoftowers/towers/server/check"
)

// BenchmarkClassroom is a class of two hundred: each learner has a page open with its line, and
// each submits another program within the same minute. All verdicts have to arrive by the line
// and be right, however late; meanwhile others read. Run it with -benchtime=1x; it takes some
// minutes, and it shares the processors with the two hundred browsers that it plays.
func BenchmarkClassroom(b *testing.B) {
	const learners, within = 200, time.Minute
	p := serveBuilt(b, binary(b), dataWithToolchain(b), "--parallel=2")
	ready(b, p)
	ctx, cancel := context.WithTimeout(b.Context(), 20*time.Minute)
	defer cancel()
	pages := make([]*page, learners)
	for i := range pages {
		var err error
		if pages[i], err = openPage(ctx, b, p.base); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		g := watchProcess(b, p)
		readers := readMeanwhile(ctx, b, p.base, "/", "/lessons/03-the-ring", "/lessons/03-the-ring/exercises/owner")
		began := time.Now()
		marks := spread(ctx, pages, sheets(b, learners), within)
		all := time.Since(began)
		readers.stop()
		g.stop()
		tellMarks(b, marks)
		tellGauge(b, g)
		readers.tell(b)
		b.ReportMetric(all.Seconds(), "s-until-all")
	}
	p.stop(b)
}

// ready waits until the server checks programs as quickly as it ever will.
func ready(tb testing.TB, p *process) {
	tb.Helper()
	v := newVisitor(tb)
	for i, s := range sheets(tb, 2) {
		id := accepted(tb, v, p, s.exercise, fmt.Sprintf("%s// To begin with, %d.\n", s.code, i))
		err := eventually(tb.Context(), 2*time.Minute, func() (bool, error) {
			found, err := v.verdict(tb.Context(), p.base, id)
			return found.State == check.Done, err
		})
		if err != nil {
			tb.Fatalf("the first verdict: %v", err)
		}
	}
}

// spread has each page hand its sheet in, at even distances within a time, and waits for all.
func spread(ctx context.Context, pages []*page, sheets []sheet, within time.Duration) []mark {
	marks := make([]mark, len(pages))
	var hands sync.WaitGroup
	tick := time.NewTicker(within / time.Duration(len(pages)))
	defer tick.Stop()
	for i := range pages {
		<-tick.C
		hands.Go(func() {
			marks[i] = pages[i].handIn(ctx, sheets[i])
			if fault := sheets[i].fault(marks[i].verdict); marks[i].err == nil && fault != "" {
				marks[i].err = errors.New(fault)
			}
		})
	}
	hands.Wait()
	return marks
}

// tellMarks reports how long verdicts took, and fails for those that are missing or wrong.
func tellMarks(b *testing.B, marks []mark) {
	b.Helper()
	var times, checks []time.Duration
	for _, m := range marks {
		if m.err != nil {
			b.Error(m.err)
			continue
		}
		times = append(times, m.took)
		checks = append(checks, time.Duration(m.verdict.ElapsedMS)*time.Millisecond)
	}
	b.ReportMetric(float64(len(times)), "right-verdicts")
	b.ReportMetric(quantile(times, 0.5).Seconds(), "s-verdict-p50")
	b.ReportMetric(quantile(times, 0.95).Seconds(), "s-verdict-p95")
	b.ReportMetric(milliseconds(quantile(checks, 0.5)), "ms-check-p50")
}

func tellGauge(b *testing.B, g *gauge) {
	b.ReportMetric(megabytes(g.own.resident), "MB-server")
	b.ReportMetric(megabytes(g.own.anonymous), "MB-server-anonymous")
	b.ReportMetric(megabytes(g.children.resident), "MB-children")
	b.ReportMetric(megabytes(g.children.anonymous), "MB-children-anonymous")
	b.ReportMetric(float64(g.processes), "children")
	b.ReportMetric(g.waiting, "waiting")
}

// readers read pages while something else goes on.
type readers struct {
	cancel context.CancelFunc
	all    sync.WaitGroup

	mu    sync.Mutex
	times map[string][]time.Duration // by address
	fails []error
}

// readMeanwhile asks for each of some pages five times a second until stop is called. Whoever
// comes does not wait for who came before, so a slow answer is counted as often as it disturbs.
func readMeanwhile(ctx context.Context, tb testing.TB, base string, paths ...string) *readers {
	tb.Helper()
	ctx, cancel := context.WithCancel(ctx)
	r := &readers{cancel: cancel, times: make(map[string][]time.Duration)}
	p, err := openPage(ctx, tb, base)
	if err != nil {
		tb.Fatal(err)
	}
	p.client.Transport.(*http.Transport).MaxIdleConnsPerHost = 16
	for _, path := range paths {
		r.all.Go(func() {
			tick := time.NewTicker(200 * time.Millisecond)
			defer tick.Stop()
			for {
				select {
				case due := <-tick.C:
					r.all.Go(func() { r.read(ctx, p, path, due) })
				case <-ctx.Done():
					return
				}
			}
		})
	}
	return r
}

// read asks for a page as a browser does, and takes the time since it was due.
func (r *readers) read(ctx context.Context, p *page, path string, due time.Time) {
	a, err := p.read(ctx, path)
	took := time.Since(due)
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case ctx.Err() != nil:
	case err != nil:
		r.fails = append(r.fails, err)
	case a.status != http.StatusOK:
		r.fails = append(r.fails, fmt.Errorf("%s has status %d: %s", path, a.status, a.body))
	default:
		r.times[path] = append(r.times[path], took)
	}
}

func (r *readers) stop() {
	r.cancel()
	r.all.Wait()
}

// tell reports how long the pages took.
func (r *readers) tell(b *testing.B) {
	for _, err := range r.fails {
		b.Error(err)
	}
	var all []time.Duration
	for path, times := range r.times {
		b.Logf("%s: %d times, half of them within %v, 95 %% within %v, all within %v",
			path, len(times), quantile(times, 0.5), quantile(times, 0.95), quantile(times, 1))
		all = append(all, times...)
	}
	b.ReportMetric(milliseconds(quantile(all, 0.5)), "ms-page-p50")
	b.ReportMetric(milliseconds(quantile(all, 0.95)), "ms-page-p95")
}

// BenchmarkOpenPage opens five hundred pages, each with a session and a line of its own that
// watches a submission, and reports what one costs the server while nothing happens: the live heap
// and stacks together, and by how much the process has grown, which has room for garbage too. It
// does so at first, and as it is after two minutes, when the connection is closed by which the
// page itself came.
func BenchmarkOpenPage(b *testing.B) {
	file := binary(b)
	for _, c := range []struct {
		name    string
		waiting bool
		args    []string
	}{
		{"watching a finished submission", false, nil},
		{"watching one that waits", true, []string{"--parallel=0", "--nats-listen=127.0.0.1:0"}},
	} {
		b.Run(c.name, func(b *testing.B) {
			p := serveBuilt(b, file, dataWithToolchain(b), c.args...)
			for b.Loop() {
				openMany(b, p, 20, c.waiting) // what is made once is made now
				before := settled(b, p)
				const count = 500
				pages := openMany(b, p, count, c.waiting)
				tellGrowth(b, before, settled(b, p), count, "at-first")
				for _, page := range pages {
					page.client.CloseIdleConnections()
				}
				tellGrowth(b, before, settled(b, p), count, "later")
			}
			p.stop(b)
		})
	}
}

// tellGrowth reports what each of count things costs a server.
func tellGrowth(b *testing.B, before, after holding, count float64, when string) {
	live := after.heap + after.stacks - before.heap - before.stacks
	b.ReportMetric(live/count/1000, "kB-live-"+when)
	b.ReportMetric(float64(after.anonymous-before.anonymous)/count/1000, "kB-grown-"+when)
}

// openMany opens pages, each of which watches a submission of its own.
func openMany(b *testing.B, p *process, count int, waiting bool) (pages []*page) {
	b.Helper()
	name, e := anExercise(b)
	for range count {
		page, err := openPage(b.Context(), b, p.base)
		if err != nil {
			b.Fatal(err)
		}
		// The same program for all: it is judged once, and the others' verdicts are found.
		id := accepted(b, page.visitor, p, name, e.Solution)
		if err := page.watch(b.Context(), id); err != nil {
			b.Fatal(err)
		}
		if waiting {
			_, err = page.next(b.Context())
		} else {
			_, err = page.await(b.Context(), id)
		}
		if err != nil {
			b.Fatal(err)
		}
		pages = append(pages, page)
	}
	return pages
}

// BenchmarkSteady has two hundred different programs checked, two at once: what the server
// holds must not grow meanwhile, and nothing may be left of them but their rows.
func BenchmarkSteady(b *testing.B) {
	data := dataWithToolchain(b)
	p := serveBuilt(b, binary(b), data, "--parallel=2")
	ready(b, p)
	two := make([]*page, 2)
	for i := range two {
		var err error
		if two[i], err = openPage(b.Context(), b, p.base); err != nil {
			b.Fatal(err)
		}
	}
	all := sheets(b, 250)
	checkAll(b, two, all[:50])
	before := settled(b, p)
	children, files := len(descendants(p.cmd.Process.Pid)), leftIn(b, data)
	after := before
	for b.Loop() {
		for i := range all {
			all[i].code += "// And again.\n"
		}
		checkAll(b, two, all[50:])
		after = settled(b, p)
		b.Logf("it has %.1f MB, and %.1f MB are live", megabytes(after.anonymous), after.heap/1e6)
	}
	b.ReportMetric(megabytes(before.anonymous), "MB-before")
	b.ReportMetric(megabytes(after.anonymous), "MB-after")
	b.ReportMetric(before.heap/1e6, "MB-heap-before")
	b.ReportMetric(after.heap/1e6, "MB-heap-after")
	b.ReportMetric(float64(len(descendants(p.cmd.Process.Pid))-children), "children-more")
	if after := leftIn(b, data); !slices.Equal(files, after) {
		b.Errorf("files before: %q\nafter: %q", files, after)
	}
	p.stop(b)
}

// checkAll hands sheets in from some pages, one at a time from each.
func checkAll(b *testing.B, pages []*page, sheets []sheet) {
	b.Helper()
	turns := make(chan sheet)
	var hands sync.WaitGroup
	for _, p := range pages {
		hands.Go(func() {
			for s := range turns {
				m := p.handIn(b.Context(), s)
				if m.err != nil {
					b.Error(m.err)
				} else if fault := s.fault(m.verdict); fault != "" {
					b.Error(fault)
				}
			}
		})
	}
	for _, s := range sheets {
		turns <- s
	}
	close(turns)
	hands.Wait()
}

// leftIn lists what lies in a data folder besides the database and the standard library.
func leftIn(tb testing.TB, data string) []string {
	tb.Helper()
	var names []string
	err := filepath.WalkDir(data, func(path string, d fs.DirEntry, err error) error {
		switch name, _ := filepath.Rel(data, path); {
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return err
		case d == nil:
		case name == "toolchain" || name == "store":
			return filepath.SkipDir
		default:
			names = append(names, name)
		}
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
	return names
}
