//go:build unix && !linux

package check

import (
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// confineBuild sets what limits there are; files and the network stay open to the toolchain.
func confineBuild(job buildJob) error {
	if err := limit(unix.RLIMIT_DATA, job.Data); err != nil {
		return err
	}
	return limit(unix.RLIMIT_FSIZE, job.File)
}

// confineRun leaves the boundary to WebAssembly: the program is given no files and no network.
func confineRun() error { return limit(unix.RLIMIT_FSIZE, 0) }

func limitRun(job runJob) error {
	if err := limit(unix.RLIMIT_DATA, job.Host); err != nil {
		return err
	}
	return limitCPU(time.Duration(job.CPU) * time.Second)
}

func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// cpuTime is not known of another process here; the caller measures wall time instead.
func cpuTime(*os.Process) (time.Duration, bool) { return 0, false }
