//go:build !unix

package check

import (
	"os"
	"syscall"
	"time"
)

const exeSuffix = ".exe"

// There are no limits, groups or file rules here: the deadline and WebAssembly's own boundary
// are all. The package comment warns of it.

func confineBuild(buildJob) error { return nil }

func confineRun() error { return nil }

func limitRun(runJob) error { return nil }

func limitCPU(time.Duration) error { return nil }

func ownGroup() *syscall.SysProcAttr { return nil }

func killGroup(p *os.Process) { _ = p.Kill() }

func killOwnGroup() {}

func signalOf(*os.ProcessState) int { return 0 }

func ownCPU() (time.Duration, bool) { return 0, false }

func cpuTime(*os.Process) (time.Duration, bool) { return 0, false }
