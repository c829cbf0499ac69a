//go:build unix && (freebsd || dragonfly)

package check

import "golang.org/x/sys/unix"

func setLimit(l *unix.Rlimit, value uint64) {
	l.Cur = min(int64(value), l.Max)
	l.Max = l.Cur
}
