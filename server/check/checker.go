package check

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"
)

// Config is what New needs. The zero value of each field but DataDir has a meaning.
type Config struct {
	// DataDir holds the prepared standard library (about 30 MB a toolchain) and the working
	// folders. It is created if needed; several processes may share it.
	DataDir string
	// GoCommand is the go command to use; "go" by default.
	GoCommand string
	// Parallel is how many submissions are checked at once; by default one for each CPU. More
	// wait their turn.
	Parallel int
	// Ceiling is the most that an exercise's limits may be; DefaultCeiling by default.
	Ceiling Limits
	// Cache is how many verdicts are kept, of 32 MiB together at most; 200 by default, none if negative.
	Cache int
	// Executable is the binary to start as sandbox child: one whose main calls RunChild first. By
	// default it is the running one.
	Executable string
	// Progress, unless nil, is told in plain words what New is doing when it takes long.
	Progress func(string)
	// Log gets what goes wrong on our side; by default nothing is logged.
	Log *slog.Logger
}

// ErrClosed is returned by Check after Close.
var ErrClosed = errors.New("the checker is closed")

// Checker judges submissions. It is safe for use by any number of goroutines.
type Checker struct {
	tools    *toolchain
	config   Config
	work     string // parent of the working folders
	builders *pool
	runners  *pool
	typists  *typists
	slots    chan struct{} // one for each check under way
	cache    *cache
	flights  flights
	habits   habits

	mu     sync.Mutex
	closed bool
	checks sync.WaitGroup // checks under way
	behind sync.WaitGroup // goroutines that read from children or wait for their ends
}

// New finds the Go toolchain, prepares the standard library for WebAssembly if that was not done
// before (up to a minute) and starts the first sandbox children. Its error matches
// ErrNoToolchain when there is no suitable toolchain. The caller must Close the checker.
func New(ctx context.Context, config Config) (*Checker, error) {
	config, err := config.withDefaults()
	if err != nil {
		return nil, err
	}
	tools, err := prepareToolchain(ctx, config.GoCommand, config.DataDir, config.Progress)
	if err != nil {
		return nil, err
	}
	work := filepath.Join(config.DataDir, "work")
	if err := os.MkdirAll(work, 0o700); err != nil {
		return nil, fmt.Errorf("make the folder for builds: %w", err)
	}
	if err := errors.Join(sweep(work, buildPrefix), sweep(filepath.Dir(tools.dir), preparingPrefix)); err != nil {
		return nil, err
	}
	c := &Checker{
		tools: tools, config: config, work: work,
		builders: newPool(config.Executable, roleBuild, config.Parallel),
		// A check may need a second run child, for the compiled program.
		runners: newPool(config.Executable, roleRun, 2*config.Parallel),
		slots:   make(chan struct{}, config.Parallel),
		cache:   newCache(config.Cache),
	}
	c.typists = newTypists(config.Parallel, c.startTypist)
	return c, nil
}

func (c Config) withDefaults() (Config, error) {
	if c.DataDir == "" {
		return c, errors.New("check: Config.DataDir is empty")
	}
	var err error
	if c.DataDir, err = filepath.Abs(c.DataDir); err != nil {
		return c, fmt.Errorf("find the data folder: %w", err)
	}
	if c.GoCommand == "" {
		c.GoCommand = "go"
	}
	if c.Parallel <= 0 {
		c.Parallel = runtime.GOMAXPROCS(0)
	}
	if c.Ceiling == (Limits{}) {
		c.Ceiling = DefaultCeiling()
	}
	if c.Cache == 0 {
		c.Cache = 200
	}
	if c.Executable == "" {
		if c.Executable, err = selfExecutable(); err != nil {
			return c, err
		}
	}
	if c.Progress == nil {
		c.Progress = func(string) {}
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	return c, nil
}

// sweep removes the temporary folders that a killed process left: no build lasts an hour.
func sweep(parent, prefix string) error {
	entries, err := os.ReadDir(parent)
	if err != nil {
		return fmt.Errorf("look for left working folders: %w", err)
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || time.Since(info.ModTime()) < time.Hour || !strings.HasPrefix(e.Name(), prefix) {
			continue // gone already, in use, or not ours
		}
		if err := os.RemoveAll(filepath.Join(parent, e.Name())); err != nil {
			return fmt.Errorf("remove a left working folder: %w", err)
		}
	}
	return nil
}

// Toolchain names the Go release in use, as "go1.26.8".
func (c *Checker) Toolchain() string { return c.tools.version }

// Close waits for the checks under way, stops every child and returns when all are gone.
func (c *Checker) Close() error {
	c.mu.Lock()
	already := c.closed
	c.closed = true
	c.mu.Unlock()
	if already {
		return nil
	}
	c.checks.Wait()
	c.builders.close()
	c.runners.close()
	c.typists.close()
	c.behind.Wait()
	return nil
}

// dismiss stops a child that has done its work and does not wait for its end: the kernel takes
// some 7 ms to take a process with so much memory apart, for which no verdict has to wait.
func (c *Checker) dismiss(child *child) { c.behind.Go(child.stop) }

// enter counts a check in, unless the checker is closed.
func (c *Checker) enter() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return ErrClosed
	}
	c.checks.Add(1)
	return nil
}

// Check judges one submission. The error is non-nil only when no judgement was possible (a full
// disk, a killed child, a mistake in the exercise itself, which matches ErrExercise); the verdict
// is then Internal. Whatever is wrong with the submission is in the verdict.
//
// A check takes some 0.4 s and the time of the tests; it waits while Config.Parallel others are
// under way. What is being judged for another call at the same moment is judged once for both, and
// only the first call's Notify is told of its steps. Cancelling ctx ends a call's own children at
// once.
func (c *Checker) Check(ctx context.Context, s Submission) (Verdict, error) {
	began := time.Now()
	v, err := c.check(ctx, s)
	v.ID, v.Lesson, v.Exercise, v.State = s.ID, s.Exercise.Lesson, s.Exercise.Name, Done
	if err != nil {
		level := slog.LevelError
		if ctx.Err() != nil {
			level = slog.LevelDebug // whoever asked wants no answer any more
		}
		c.config.Log.Log(ctx, level, "check failed", "id", s.ID, "lesson", s.Exercise.Lesson, "exercise", s.Exercise.Name, "error", err)
		v = Verdict{ID: v.ID, Lesson: v.Lesson, Exercise: v.Exercise, State: Done, Verdict: Internal}
		v.Message = sentence(v, Limits{})
		err = fmt.Errorf("check %s/%s: %w", v.Lesson, v.Exercise, err)
	}
	if !s.Reveal {
		v.Tests = redact(v.Tests)
	}
	v.ElapsedMS = time.Since(began).Milliseconds()
	return v.whole(), err
}

// check finds the verdict in the cache or makes it; it is not redacted.
func (c *Checker) check(ctx context.Context, s Submission) (Verdict, error) {
	if err := c.enter(); err != nil {
		return Verdict{}, err
	}
	defer c.checks.Done()
	key, err := s.key(c.tools.key)
	if err != nil {
		return Verdict{}, err
	}
	if s.Reveal {
		key += " revealed" // the compiler's remarks on the tests are in it
	}
	if v, ok := c.cache.get(key); ok {
		return v, nil
	}
	j := &judgement{checker: c, s: s, limits: s.Exercise.Limits.within(c.config.Ceiling)}
	j.left = j.limits.Run
	// What vet refuses needs neither a child nor a turn.
	began := time.Now()
	file, found := vet(s.Source, s.Exercise, j.limits.Source)
	j.v.Parts.Vet = milliseconds(time.Since(began))
	if len(found) > 0 {
		return j.refuse(found), nil
	}
	return c.flights.judge(ctx, key, func() (Verdict, error) {
		// It may have been judged since we looked.
		if v, ok := c.cache.get(key); ok {
			return v, nil
		}
		v, err := c.inTurn(ctx, func() (Verdict, error) { return j.decide(ctx, file) })
		if err == nil && v.cacheable() {
			c.cache.put(key, v)
		}
		return v, err
	})
}

// inTurn waits until fewer than Config.Parallel judgements are under way and does one.
func (c *Checker) inTurn(ctx context.Context, decide func() (Verdict, error)) (Verdict, error) {
	select {
	case c.slots <- struct{}{}:
		defer func() { <-c.slots }()
	case <-ctx.Done():
		return Verdict{}, context.Cause(ctx)
	}
	return decide()
}

// seedFor makes an exercise's tests see the same random numbers every time.
func seedFor(e Exercise) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(e.Lesson + "/" + e.Name)) // a hash never fails
	return h.Sum64()
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// whole makes the lists of a verdict lists in JSON too.
func (v Verdict) whole() Verdict {
	if v.Diagnostics == nil {
		v.Diagnostics = []Diagnostic{}
	}
	if v.Tests == nil {
		v.Tests = []Test{}
	}
	return v
}
