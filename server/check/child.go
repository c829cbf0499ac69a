package check

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"
)

// The roles of a child process, as its second argument says.
const (
	childArg  = "__sandbox"
	roleBuild = "build"
	roleRun   = "run"
	roleTypes = "types"
)

// child is one sandbox process, waiting for work or doing it.
type child struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    io.Reader
	stderr bytes.Buffer
	once   sync.Once
	failed error // how the process ended; valid after stop
}

// startChild starts a process of this program's own binary in the given role, with an empty
// environment, in its own process group.
func startChild(executable, role string) (*child, error) {
	c := &child{cmd: &exec.Cmd{
		Path:        executable,
		Args:        []string{executable, childArg, role},
		Env:         []string{},
		SysProcAttr: ownGroup(),
		WaitDelay:   time.Second,
	}}
	c.cmd.Stderr = &limitedWriter{to: &c.stderr, left: 16 << 10}
	in, err := c.cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("start %s child: %w", role, err)
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("start %s child: %w", role, err)
	}
	if err := c.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s child: %w", role, err)
	}
	c.in, c.out = in, out
	return c, nil
}

// stop ends the child with all that it started and waits until it is gone. It may be called
// any number of times.
func (c *child) stop() {
	c.once.Do(func() {
		killGroup(c.cmd.Process)
		c.in.Close()
		c.failed = c.cmd.Wait()
	})
}

// died explains why a child fell silent: its exit and the last it said. It stops the child.
func (c *child) died(err error) error {
	c.stop()
	return fmt.Errorf("the sandbox child fell silent: %w (%w) %s", err, errors.Join(c.failed), bytes.TrimSpace(c.stderr.Bytes()))
}

// errMemory says that a child had no more memory. What loads and runs a program is all that a
// child allocates for, so it is the program's doing.
var errMemory = errors.New("out of memory")

// outOfMemory reports whether a child that died said that it had no more memory.
func (c *child) outOfMemory() bool {
	said := c.stderr.Bytes()
	return bytes.Contains(said, []byte("out of memory")) || bytes.Contains(said, []byte("cannot allocate memory"))
}

// cpuTime is the CPU time that a child has used so far, or in all when it was stopped. It reports
// false where the system does not tell it of a process that lives.
func (c *child) cpuTime() (time.Duration, bool) {
	if gone := c.cmd.ProcessState; gone != nil {
		return gone.UserTime() + gone.SystemTime(), true
	}
	return cpuTime(c.cmd.Process)
}

// limitedWriter keeps the first bytes and swallows the rest.
type limitedWriter struct {
	to   io.Writer
	left int
}

func (w *limitedWriter) Write(p []byte) (int, error) {
	keep := p[:min(len(p), w.left)]
	w.left -= len(keep)
	if _, err := w.to.Write(keep); err != nil {
		return 0, err
	}
	return len(p), nil
}

// pool keeps children of one role started ahead of need, so that a check does not wait for a
// process to start.
type pool struct {
	executable, role string
	idle             chan *child
	taken            chan struct{} // wakes the filler; holds at most one token
	stopped          chan struct{}
	filler           sync.WaitGroup
}

func newPool(executable, role string, size int) *pool {
	p := &pool{
		executable: executable, role: role,
		idle:    make(chan *child, size),
		taken:   make(chan struct{}, 1),
		stopped: make(chan struct{}),
	}
	p.wake()
	p.filler.Go(p.fill)
	return p
}

func (p *pool) wake() {
	select {
	case p.taken <- struct{}{}:
	default: // it is awake already
	}
}

// fill starts children until there are enough, whenever one was taken. One that cannot be
// started is left to take, which then reports why, and to the next time.
func (p *pool) fill() {
	for {
		select {
		case <-p.stopped:
			return
		case <-p.taken:
		}
		// Nobody else puts children in, so there is room for each.
		for len(p.idle) < cap(p.idle) {
			c, err := startChild(p.executable, p.role)
			if err != nil {
				break
			}
			p.idle <- c
		}
	}
}

// take gives an idle child, or starts one when none is idle. The caller must stop it.
func (p *pool) take(ctx context.Context) (*child, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	defer p.wake()
	select {
	case c := <-p.idle:
		return c, nil
	default:
		return startChild(p.executable, p.role)
	}
}

// close stops the idle children and waits for them. Children that were taken are their takers'.
func (p *pool) close() {
	close(p.stopped)
	p.filler.Wait()
	for {
		select {
		case c := <-p.idle:
			c.stop()
		default:
			return
		}
	}
}

// selfExecutable is the path of the running binary. On Linux it is one that stays right when the
// file is replaced by a newer version while this process runs.
func selfExecutable() (string, error) {
	const running = "/proc/self/exe"
	if _, err := os.Readlink(running); err == nil {
		return running, nil
	}
	path, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("find the running binary: %w", err)
	}
	return path, nil
}
