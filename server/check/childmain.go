package check

import (
	"fmt"
	"io"
	"os"
)

// RunChild must be the first thing that main, or a TestMain, calls. In a process that check
// started as a sandbox child it does the child's work and exits; in any other it returns at once.
func RunChild() {
	if len(os.Args) != 3 || os.Args[1] != childArg {
		return
	}
	var err error
	switch os.Args[2] {
	case roleBuild:
		err = serveBuild(os.Stdin, os.Stdout)
	case roleRun:
		err = serveRun(os.Stdin, os.Stdout)
	case roleTypes:
		err = serveTypes(os.Stdin, os.Stdout)
	default:
		err = fmt.Errorf("unknown role %q", os.Args[2])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// dieWithParent ends this process and its group when the parent closes the pipe, which the
// kernel does for a parent that dies. Nothing may be read from r afterwards.
func dieWithParent(r io.Reader) {
	go func() {
		_, _ = io.Copy(io.Discard, r)
		killOwnGroup()
		os.Exit(3)
	}()
}
