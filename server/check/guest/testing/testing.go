//go:build wasip1

// Package testing is what an exercise's tests get when they import "testing": the same names as
// the standard package for writing tests, and nothing of what runs or measures them elsewhere
// (flags, benchmarks, fuzzing, coverage).
package testing

import (
	"runtime"

	"github.com/ringoftowers/towers/server/check/guest/host"
)

// T is the test's handle.
type T = host.T

// TB is the part of T that helpers ask for.
type TB = host.TB

// Short reports false: an exercise's tests always run whole.
func Short() bool { return false }

// Verbose reports true: every test's log is kept.
func Verbose() bool { return true }

// Testing reports true.
func Testing() bool { return true }

// CoverMode reports that coverage is off.
func CoverMode() string { return "" }

// AllocsPerRun returns the average number of allocations during a call of f, rounded down, after
// one call to warm up.
func AllocsPerRun(runs int, f func()) float64 {
	f()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range runs {
		f()
	}
	runtime.ReadMemStats(&after)
	return float64((after.Mallocs - before.Mallocs) / uint64(runs))
}
