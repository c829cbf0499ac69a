package main

import (
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ringoftowers/towers/server/check"
)

// A full disk is told to whoever sends something in, nothing that was accepted is lost, and
// all goes on when there is room again.
func TestFullDisk(t *testing.T) {
	data := dataWithToolchain(t)
	kept := filepath.Join(data, "store")
	if err := os.Mkdir(kept, 0o700); err != nil {
		t.Fatal(err)
	}
	p := serveOnSmallDisk(t, data, kept)
	name, e := anExercise(t)
	ada := newVisitor(t)
	before := accepted(t, ada, p, name, e.Start+"\n// Before.\n")

	// The disk is seen through the process that has it: it is mounted for that one alone.
	ballast := filepath.Join("/proc", strconv.Itoa(p.cmd.Process.Pid), "root", kept, "ballast")
	fill(t, ballast)
	var refused answer
	err := eventually(t.Context(), 20*time.Second, func() (bool, error) {
		// What is free within the database's own pages is used up first.
		_, a, err := newVisitor(t).submit(t.Context(), p.base, name, e.Solution+strings.Repeat("// Much is to be said.\n", 1000))
		refused = a
		return a.status == http.StatusServiceUnavailable, err
	})
	if err != nil {
		t.Fatalf("no submission was refused: %v; the last: %d %s", err, refused.status, refused.body)
	}
	if !strings.Contains(string(refused.body), "disk is full") {
		t.Errorf("the refusal does not say why: %s", refused.body)
	}
	if a, err := ada.do(t.Context(), http.MethodGet, p.base+"/lessons/03-the-ring", ""); err != nil || a.status != http.StatusOK {
		t.Errorf("a lesson while the disk is full: status %d, %v", a.status, err)
	}

	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	after := accepted(t, ada, p, name, e.Solution+"\n// After.\n")
	judged(t, ada, p, before, check.Failed)
	judged(t, ada, p, after, check.Passed)
	p.stop(t)
}

// serveOnSmallDisk serves with a disk of four megabytes at kept.
func serveOnSmallDisk(t *testing.T, data, kept string) *process {
	t.Helper()
	cmd := exec.Command("/bin/sh", "-c", `mount -t tmpfs -o size=4m towers "$1" && shift && exec "$@"`, "sh", kept,
		os.Args[0], "serve", "--addr=127.0.0.1:0", "--data="+data)
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS}
	if os.Getuid() != 0 {
		cmd.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
		cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}
		cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}
	}
	try := *cmd
	try.Args = []string{"sh", "-c", `mount -t tmpfs -o size=4m towers "$1"`, "sh", kept}
	if out, err := try.CombinedOutput(); err != nil {
		t.Skipf("no small disk can be mounted here (%v): %s", err, out)
	}
	p, out := launched(t, cmd)
	p.awaitAddress(t, out)
	return p
}

// fill writes a file until nothing fits on its disk any more.
func fill(t *testing.T, name string) {
	t.Helper()
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := io.Copy(f, zeros{}); !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("the disk did not fill: %v", err)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }
