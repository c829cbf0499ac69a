package main

import (
	"context"
	"errors"
	"log/slog"
	"runtime"
	"sync"

	"github.com/ringoftowers/towers/server/check"
	"github.com/ringoftowers/towers/server/jobs"
)

// A desk is where this process checks. Its checker takes up to a minute to get ready the first
// time, in which lessons are read and submissions wait; a machine without a toolchain never
// has one.
type desk struct {
	parallel  int
	elsewhere bool // workers of other machines may check as well

	mu      sync.Mutex
	checker *check.Checker
	off     string // why nothing is checked here, for the page; empty while all is well
}

// parallel is the number of checks at once that --parallel asks for.
func parallel(asked int) int {
	if asked <= 0 {
		return runtime.GOMAXPROCS(0)
	}
	return asked
}

// work gets a checker ready and checks what the queue has, until ctx is done. That there is no
// toolchain is no error: the log and the pages say so, and the lessons go on.
func (d *desk) work(ctx context.Context, queue *jobs.Queue, data string, log *slog.Logger) error {
	checker, err := check.New(ctx, check.Config{
		DataDir: data, Parallel: d.parallel, Log: log,
		Progress: func(s string) { log.InfoContext(ctx, s) },
	})
	switch {
	case ctx.Err() != nil && err != nil:
		return nil
	case err != nil:
		log.ErrorContext(ctx, "programs are not checked here", "error", err)
		d.set(nil, offBecause(err))
		return nil
	}
	d.set(checker, "")
	err = queue.Work(ctx, checker, d.parallel)
	d.set(nil, "The server is being stopped. Your program is kept here; send it in again in a minute.")
	return errors.Join(err, checker.Close())
}

// offBecause says to a learner why programs are not checked.
func offBecause(err error) string {
	if errors.Is(err, check.ErrNoToolchain) {
		return "Programs are not checked here, because this server has no Go toolchain. Everything else works, and what you type is kept."
	}
	return "Programs are not checked here at the moment: the checker could not be started. Everything else works, and what you type is kept."
}

func (d *desk) set(checker *check.Checker, off string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.checker, d.off = checker, off
}

// Off says why nothing that is sent in would be checked, and "" when it would, now or soon.
func (d *desk) Off() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.elsewhere {
		return ""
	}
	return d.off
}

// Types finds what a compiler would say of a program. Where there is no checker yet, or a
// program is too hard to judge while somebody types, it has nothing to say.
func (d *desk) Types(ctx context.Context, s check.Submission) ([]check.Diagnostic, error) {
	d.mu.Lock()
	checker := d.checker
	d.mu.Unlock()
	if checker == nil {
		return nil, nil
	}
	found, err := checker.Types(ctx, s)
	if errors.Is(err, check.ErrTooSlow) || errors.Is(err, check.ErrClosed) {
		return nil, nil
	}
	return found, err
}
