package check

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"time"
)

// serveBuild is a build child: it reads a buildJob, locks itself in, runs the tools and answers.
// What it started inherits every limit.
func serveBuild(in io.Reader, out io.Writer) error {
	var job buildJob
	if _, err := readFrame(in, &job); err != nil {
		if errors.Is(err, io.EOF) {
			return nil // the parent has no work for us
		}
		return err
	}
	dieWithParent(in)
	null, err := os.Open(os.DevNull)
	if err != nil {
		return err
	}
	defer null.Close()
	if err := confineBuild(job); err != nil {
		return err
	}
	var reply buildReply
	left := time.Duration(job.CPU) * time.Millisecond
	for _, s := range job.Steps {
		if err := limitCPU(left); err != nil {
			return err
		}
		r := runStep(s, job.Work, null, left)
		reply.Steps = append(reply.Steps, r)
		left -= time.Duration(r.CPU) * time.Millisecond
		if r.Exit != 0 || r.Problem != "" {
			break
		}
	}
	return writeFrame(out, reply, nil)
}

func runStep(s step, work string, null *os.File, left time.Duration) stepResult {
	var said bytes.Buffer
	cmd := &exec.Cmd{
		Path:   s.Path,
		Args:   append([]string{s.Path}, s.Args...),
		Env:    []string{"GOOS=wasip1", "GOARCH=wasm"},
		Dir:    work,
		Stdin:  null,
		Stdout: &limitedWriter{to: &said, left: 64 << 10},
	}
	cmd.Stderr = cmd.Stdout
	began := time.Now()
	err := cmd.Run()
	r := stepResult{Name: s.Name, Output: said.String(), Wall: int(time.Since(began).Milliseconds())}
	if cmd.ProcessState == nil {
		r.Problem = err.Error()
		return r
	}
	used := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	r.CPU = int(used.Milliseconds())
	r.Exit, r.Signal = cmd.ProcessState.ExitCode(), signalOf(cmd.ProcessState)
	// The kernel counts whole seconds and a little slack.
	r.CPULimit = r.Signal != 0 && used > left-200*time.Millisecond
	return r
}
