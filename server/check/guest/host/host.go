//go:build wasip1

// Package host is what runs a test inside the sandbox's WebAssembly: the T that tests are given,
// what calls one of them, and the functions through which it asks the machine outside which one
// and within what limits, and tells it what happened.
//
// It stands in for the standard testing package because half of the time that a test binary
// takes to load is that package and what it imports, and because only a T of our own can report
// a subtest without printing it: what a program prints is shown to the learner and never judged.
//
// It is compiled by the checker, not by the project's own build, and it is out of a learner's
// reach: the import path is on nobody's allow-list, and go:wasmimport is forbidden.
package host

import "unsafe"

// The kinds of event, as server/check's instance.go reads them.
const (
	kindBegin    = 1 // a subtest begins: id is its number, arg its parent's, the text its name
	kindEnd      = 2 // a test or subtest ended: arg is its outcome
	kindLog      = 3 // a line of a test's own log
	kindPanic    = 4 // the test's goroutine panicked: the text is the panic and its trace
	kindDeadlock = 5 // nothing can ever run again: the text is every goroutine's trace
)

// The outcomes that a kindEnd carries.
const (
	outcomePassed  = 0
	outcomeFailed  = 1
	outcomeSkipped = 2
)

// which is the number of the test to run, in the table that Main is given. That it is asked for
// tells the host that the program's init functions are through.
//
//go:wasmimport towers which
func which() int32

// stackLimit is the most bytes that a goroutine's stack may have.
//
//go:wasmimport towers stack
func stackLimit() int32

// heapLimit is how many bytes of memory to stay within, where collections can help it.
//
//go:wasmimport towers heap
func heapLimit() int32

// report is how an event leaves the program: see tell.
//
//go:wasmimport towers report
func report(kind, id, arg int32, text unsafe.Pointer, size int32)

// tell sends one event. The host copies the text before it returns.
func tell(kind, id, arg int32, text string) {
	report(kind, id, arg, unsafe.Pointer(unsafe.StringData(text)), int32(len(text)))
}
