package check

import (
	"context"
	"errors"
	"fmt"
	"go/version"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// The build child's limits besides CPU time. With these every known compile bomb was contained;
// a normal build takes a tenth of the data and a twentieth of the file size. The limit is on
// data and not on address space, of which Go programs reserve much and use little.
const (
	buildData = 600 << 20
	buildFile = 64 << 20
)

// buildPrefix begins the name of each working folder.
const buildPrefix = "build-"

// parts is what a program is linked from.
type parts struct {
	Program   []byte // package exercise
	Tests     []byte // package exercise_test
	TestsFile string // the name under which the compiler reports mistakes in Tests
	Names     []string
}

// built is what came of a build: a program, or the reason why there is none.
type built struct {
	Wasm          []byte
	Compile, Link time.Duration
	Failure       *buildFailure
}

// buildFailure says that the sources, not we, kept a program from being built.
type buildFailure struct {
	Outcome Outcome // BuildError or CompileLimit
	Step    string
	Found   []Diagnostic // with File set
	Said    string       // the tool's own words where no diagnostic could be read
}

// The steps' names.
const (
	stepProgram = "compile exercise"
	stepTests   = "compile tests"
	stepMain    = "compile main"
	stepLink    = "link"
)

// build compiles and links the parts in a child process. The error is non-nil only when that was
// not possible.
func (c *Checker) build(ctx context.Context, p parts, limits Limits) (_ built, err error) {
	work, err := os.MkdirTemp(c.work, buildPrefix)
	if err != nil {
		return built{}, fmt.Errorf("make a working folder: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	steps, err := c.lay(work, p)
	if err != nil {
		return built{}, fmt.Errorf("lay out the sources: %w", err)
	}
	// What ends a build is its CPU time. Only a machine with no time for it reaches this deadline,
	// and that is not the learner's fault.
	ctx, cancel := context.WithTimeoutCause(ctx, 3*limits.Build+patience, errBusy)
	defer cancel()
	reply, err := c.runTools(ctx, buildJob{
		Steps:    steps,
		ReadOnly: []string{filepath.Dir(c.tools.compile), c.tools.dir},
		Work:     work,
		CPU:      int(limits.Build.Milliseconds()),
		Data:     buildData,
		File:     buildFile,
	})
	if err != nil {
		return built{}, errors.Join(context.Cause(ctx), err)
	}
	return c.conclude(reply, steps, work, p)
}

// patience is how long, beside three times its CPU limit, a build may wait for a busy machine.
const patience = 10 * time.Second

// errBusy says that the machine, not the submission, was too slow.
var errBusy = errors.New("the machine is too busy to check")

// lay writes the sources and returns the commands that build them. The learner chooses no path.
func (c *Checker) lay(work string, p parts) ([]step, error) {
	in := func(name string) string { return filepath.Join(work, name) }
	more := map[string]string{learnerPackage: in("exercise.a"), testPackage: in("tests.a")}
	for name, text := range map[string][]byte{
		learnerFile: p.Program,
		p.TestsFile: p.Tests,
		"main.go":   mainSource(p.Names),
		"importcfg": importConfig(c.tools.dir, c.tools.std, more),
	} {
		if err := os.WriteFile(in(name), text, 0o600); err != nil {
			return nil, err
		}
	}
	compile := func(name, path, out, file string) step {
		return step{Name: name, Path: c.tools.compile, Args: []string{
			"-o", out, "-p", path, "-complete", "-pack", "-nolocalimports", "-lang", c.tools.language(),
			"-trimpath", work + "=>", "-importcfg", "importcfg", file,
		}}
	}
	return []step{
		compile(stepProgram, learnerPackage, "exercise.a", learnerFile),
		compile(stepTests, testPackage, "tests.a", p.TestsFile),
		compile(stepMain, "main", "main.a", "main.go"),
		{Name: stepLink, Path: c.tools.link, Args: []string{
			"-importcfg", "importcfg", "-buildmode=exe", "-s", "-w", "-o", "program.wasm", "main.a",
		}},
	}, nil
}

// language is the -lang that goes with the toolchain, as "go1.26".
func (t *toolchain) language() string {
	release, _, _ := strings.Cut(t.version, " ")
	return version.Lang(release)
}

// mainSource is the program that calls the harness with the tests by name. The names come from
// a parsed file and are Go identifiers.
func mainSource(names []string) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "package main\n\nimport (\n\t%q\n\ttests %q\n)\n\nfunc main() {\n\thost.Main([]host.Test{\n", hostPackage, testPackage)
	for _, name := range names {
		fmt.Fprintf(&b, "\t\t{Name: %q, F: tests.%s},\n", name, name)
	}
	b.WriteString("\t})\n}\n")
	return []byte(b.String())
}

// runTools hands the job to a build child and waits for its answer.
func (c *Checker) runTools(ctx context.Context, job buildJob) (buildReply, error) {
	var reply buildReply
	child, err := c.builders.take(ctx)
	if err != nil {
		return reply, err
	}
	defer c.dismiss(child)
	stop := context.AfterFunc(ctx, child.stop)
	defer stop()
	if err := writeFrame(child.in, job, nil); err != nil {
		return reply, child.died(err)
	}
	if _, err := readFrame(child.out, &reply); err != nil {
		return reply, child.died(err)
	}
	return reply, nil
}

// conclude reads what the tools did.
func (c *Checker) conclude(reply buildReply, steps []step, work string, p parts) (built, error) {
	var b built
	for _, r := range reply.Steps {
		took := time.Duration(r.Wall) * time.Millisecond
		if r.Name == stepLink {
			b.Link += took
		} else {
			b.Compile += took
		}
		failure, err := failureOf(r, p)
		if err != nil || failure != nil {
			b.Failure = failure
			return b, err
		}
	}
	if len(reply.Steps) < len(steps) {
		return b, fmt.Errorf("the build stopped after %d of %d steps", len(reply.Steps), len(steps))
	}
	var err error
	if b.Wasm, err = os.ReadFile(filepath.Join(work, "program.wasm")); err != nil {
		return b, fmt.Errorf("read the linked program: %w", err)
	}
	return b, nil
}

// compilersBug begins the remark of a compiler that found a mistake of its own.
const compilersBug = "internal compiler error"

// exhaustion is how the tools word that they ran out of something; a tool that could not even
// word it leaves the trace of its goroutines. Each can also be the compiler's own bug; for the
// learner it comes to the same: this program is too much for it.
var exhaustion = []string{
	"out of memory", "cannot allocate memory", "file too large", compilersBug,
	"stack exceeds", "fatal error:", "too much data", "panic:", "signal:",
	"\ngoroutine ",
}

// killed is the number of the signal that ends a process at once: the kernel's for one that has used
// up its CPU time, and for one that the whole machine has no memory for.
const killed = 9

// failureOf decides whether a step failed through the sources. The error says that it was
// through us.
func failureOf(r stepResult, p parts) (*buildFailure, error) {
	own, bug := ownWords(r.Output)
	switch {
	case r.Problem != "":
		return nil, fmt.Errorf("%s: %s", r.Name, r.Problem)
	case r.Exit == 0:
		return nil, nil
	case strings.Contains(own, "no space left on device"):
		return nil, fmt.Errorf("%s: the disk is full", r.Name)
	case r.Signal == killed && !r.CPULimit:
		// All its limits but that on CPU time make a tool end in another way.
		return nil, fmt.Errorf("%s: it was killed from outside; this machine may have too little memory", r.Name)
	}
	failure := &buildFailure{Outcome: BuildError, Step: r.Name, Said: r.Output}
	limit := bug || r.Signal != 0 || slices.ContainsFunc(exhaustion, func(words string) bool {
		return strings.Contains(own, words)
	})
	if limit {
		failure.Outcome = CompileLimit
		return failure, nil
	}
	failure.Found = parseDiagnostics(r.Output, learnerFile, p.TestsFile)
	return failure, nil
}

// ownWords is what a tool said before its first remark on a source, and whether that remark is on
// a bug of its own. A remark may quote the source, over many lines if there is a raw string in it,
// so from there on any word can be the learner's; and a compiler that has remarks to make says
// nothing of how else it fares.
func ownWords(output string) (own string, bug bool) {
	read := 0
	for line := range strings.Lines(output) {
		if m := diagnosticLine.FindStringSubmatch(strings.TrimRight(line, "\n")); m != nil {
			return output[:read], strings.HasPrefix(m[4], compilersBug)
		}
		read += len(line)
	}
	return output, false
}
