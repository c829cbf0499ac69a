package check

import (
	"errors"
	"fmt"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The system calls that a child has no use for. Landlock and the limits already stand between a
// child and most of what they reach; this is the second wall, and the only one on a kernel
// without Landlock.
var (
	buildDenied = append([]uintptr{
		unix.SYS_SOCKET, unix.SYS_SOCKETPAIR, unix.SYS_CONNECT, unix.SYS_BIND, unix.SYS_LISTEN,
		unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV,
		unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_UNSHARE, unix.SYS_SETNS, unix.SYS_CHROOT,
		unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN, unix.SYS_IO_URING_SETUP, unix.SYS_USERFAULTFD,
		unix.SYS_KEYCTL, unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY, unix.SYS_INIT_MODULE,
		unix.SYS_KEXEC_LOAD, unix.SYS_SETUID, unix.SYS_SETGID, unix.SYS_SETSID, unix.SYS_SETPGID,
	}, buildDeniedHere...)

	runDenied = append(append([]uintptr{
		unix.SYS_EXECVE, unix.SYS_EXECVEAT, unix.SYS_OPENAT, unix.SYS_OPENAT2, unix.SYS_UNLINKAT,
		unix.SYS_RENAMEAT2, unix.SYS_MKDIRAT, unix.SYS_LINKAT, unix.SYS_SYMLINKAT,
		unix.SYS_FCHMODAT, unix.SYS_MEMFD_CREATE, unix.SYS_PIDFD_OPEN,
	}, buildDenied...), runDeniedHere...)
)

// denyCalls makes the given system calls fail with EPERM in every thread of this process and in
// all that it starts. On an architecture or a kernel without filters it does nothing.
func denyCalls(calls []uintptr) error {
	if auditArch == 0 {
		return nil
	}
	load := func(offset uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: offset}
	}
	const refuse = unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)
	// struct seccomp_data begins with the call's number, then the architecture.
	program := []unix.SockFilter{
		load(4),
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jt: 1, K: auditArch},
		{Code: unix.BPF_RET | unix.BPF_K, K: refuse},
		load(0),
		// The x32 calls of amd64 have numbers of their own, from 1<<30.
		{Code: unix.BPF_JMP | unix.BPF_JGE | unix.BPF_K, Jf: 1, K: 1 << 30},
		{Code: unix.BPF_RET | unix.BPF_K, K: refuse},
	}
	for _, call := range calls {
		program = append(program,
			unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jf: 1, K: uint32(call)},
			unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: refuse})
	}
	program = append(program, unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW})

	filter := unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]}
	_, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER,
		unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&filter)))
	runtime.KeepAlive(program)
	if errno == 0 || errors.Is(errno, unix.ENOSYS) || errors.Is(errno, unix.EINVAL) {
		return nil
	}
	return fmt.Errorf("seccomp: %w", errno)
}
