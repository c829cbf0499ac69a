//go:build unix

package check

import (
	"fmt"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

const exeSuffix = ""

// limit sets both the soft and the hard limit, never above the hard limit in force.
func limit(resource int, value uint64) error {
	var now unix.Rlimit
	if err := unix.Getrlimit(resource, &now); err != nil {
		return fmt.Errorf("read resource limit %d: %w", resource, err)
	}
	setLimit(&now, value)
	if err := unix.Setrlimit(resource, &now); err != nil {
		return fmt.Errorf("set resource limit %d: %w", resource, err)
	}
	return nil
}

// limitCPU lets this process and each that it starts use so much CPU time, in whole seconds.
// With both limits equal the kernel kills at once: Go programs ignore the softer signal.
func limitCPU(d time.Duration) error {
	return limit(unix.RLIMIT_CPU, uint64(max(1, (d+time.Second-1)/time.Second)))
}

// ownCPU is the CPU time that this process has used, all its threads together.
func ownCPU() (time.Duration, bool) {
	var used unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &used); err != nil {
		return 0, false
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano()), true
}

// killGroup kills a process with all that it started.
func killGroup(p *os.Process) {
	// The group is gone already when the error says so, and there is nothing else to do.
	_ = syscall.Kill(-p.Pid, syscall.SIGKILL)
}

// killOwnGroup kills this process and its group.
func killOwnGroup() { _ = syscall.Kill(0, syscall.SIGKILL) }

// signalOf is the number of the signal that ended a process, or 0.
func signalOf(s *os.ProcessState) int {
	if w, ok := s.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		return int(w.Signal())
	}
	return 0
}
