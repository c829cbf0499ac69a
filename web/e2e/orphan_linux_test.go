package e2e

import (
	"os/exec"
	"syscall"
)

// tie lets a process die with the test that starts it, even one that is killed itself.
func tie(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
