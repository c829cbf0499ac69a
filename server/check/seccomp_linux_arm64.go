package check

import "golang.org/x/sys/unix"

const auditArch uint32 = unix.AUDIT_ARCH_AARCH64

var buildDeniedHere, runDeniedHere []uintptr
