package check

import (
	"fmt"
	"os"
	"syscall"
	"time"

	"github.com/landlock-lsm/go-landlock/landlock"
	"golang.org/x/sys/unix"
)

// confineBuild gives the build child its limits and takes away every file but the toolchain's
// and those of its working folder, and the network.
func confineBuild(job buildJob) error {
	if err := limit(unix.RLIMIT_DATA, job.Data); err != nil {
		return err
	}
	if err := limit(unix.RLIMIT_FSIZE, job.File); err != nil {
		return err
	}
	if err := noNewPrivileges(); err != nil {
		return err
	}
	err := landlock.V7.BestEffort().Restrict(
		landlock.RODirs(job.ReadOnly...),
		landlock.RWDirs(job.Work),
	)
	if err != nil {
		return fmt.Errorf("landlock: %w", err)
	}
	return denyCalls(buildDenied)
}

// confineRun takes every file and the network from the run child; it already holds its pipes.
func confineRun() error {
	if err := limit(unix.RLIMIT_FSIZE, 0); err != nil {
		return err
	}
	if err := noNewPrivileges(); err != nil {
		return err
	}
	if err := landlock.V7.BestEffort().Restrict(); err != nil {
		return fmt.Errorf("landlock: %w", err)
	}
	return denyCalls(runDenied)
}

// limitRun bounds what the run child may use once it knows its job.
func limitRun(job runJob) error {
	if err := limit(unix.RLIMIT_DATA, job.Host); err != nil {
		return err
	}
	return limitCPU(time.Duration(job.CPU) * time.Second)
}

// noNewPrivileges keeps setuid programs from giving any. It also stops core dumps.
func noNewPrivileges() error {
	if err := limit(unix.RLIMIT_CORE, 0); err != nil {
		return err
	}
	_, _, errno := syscall.AllThreadsSyscall6(unix.SYS_PRCTL, unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0, 0)
	// A program built with cgo cannot do this here, and Landlock does it for itself.
	if errno != 0 && errno != syscall.ENOTSUP {
		return fmt.Errorf("no new privileges: %w", errno)
	}
	return nil
}

// ownGroup makes the child the leader of a process group, so that it can be killed with all
// that it started.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// cpuTime is the CPU time that a process has used, all its threads together, read from the
// kernel's clock for that process.
func cpuTime(p *os.Process) (time.Duration, bool) {
	const processClock = 2 // CPUCLOCK_SCHED of a whole process
	var ts unix.Timespec
	if err := unix.ClockGettime(int32(^p.Pid<<3|processClock), &ts); err != nil {
		return 0, false
	}
	return time.Duration(ts.Nano()), true
}
