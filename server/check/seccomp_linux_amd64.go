package check

import "golang.org/x/sys/unix"

const auditArch uint32 = unix.AUDIT_ARCH_X86_64

// The older calls that amd64 still has.
var (
	buildDeniedHere = []uintptr{}
	runDeniedHere   = []uintptr{
		unix.SYS_OPEN, unix.SYS_CREAT, unix.SYS_FORK, unix.SYS_VFORK, unix.SYS_UNLINK,
		unix.SYS_RENAME, unix.SYS_MKDIR, unix.SYS_LINK, unix.SYS_SYMLINK, unix.SYS_CHMOD,
	}
)
