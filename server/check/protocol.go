package check

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// A frame is a JSON header and a payload, each after its length. Parent and child send each
// other frames over the child's standard input and output.

const (
	maxHeader  = 64 << 20  // a report with every text at the ceiling and all of it escaped is smaller
	maxPayload = 128 << 20 // a linked program; the linker's own file limit is lower
)

var errFrame = errors.New("malformed frame")

func writeFrame(w io.Writer, header any, payload []byte) error {
	text, err := json.Marshal(header)
	if err != nil {
		return fmt.Errorf("write frame: %w", err)
	}
	frame := binary.BigEndian.AppendUint32(nil, uint32(len(text)))
	frame = binary.BigEndian.AppendUint32(frame, uint32(len(payload)))
	if _, err := w.Write(append(frame, text...)); err != nil {
		return fmt.Errorf("write frame: %w", err)
	}
	if len(payload) == 0 {
		return nil
	}
	if _, err := w.Write(payload); err != nil {
		return fmt.Errorf("write frame: %w", err)
	}
	return nil
}

// readFrame fills header and returns the payload. It trusts the other side with no more than
// the two sizes above.
func readFrame(r io.Reader, header any) ([]byte, error) {
	var sizes [8]byte
	if _, err := io.ReadFull(r, sizes[:]); err != nil {
		return nil, err
	}
	h, p := binary.BigEndian.Uint32(sizes[:4]), binary.BigEndian.Uint32(sizes[4:])
	if h > maxHeader || p > maxPayload {
		return nil, fmt.Errorf("%w: %d and %d bytes", errFrame, h, p)
	}
	text := make([]byte, h)
	if _, err := io.ReadFull(r, text); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, header); err != nil {
		return nil, fmt.Errorf("%w: %w", errFrame, err)
	}
	payload := make([]byte, p)
	if _, err := io.ReadFull(r, payload); err != nil {
		return nil, err
	}
	return payload, nil
}

// buildJob asks a build child to run tools, one after the other, until one fails.
type buildJob struct {
	Steps    []step
	ReadOnly []string // folders that the tools may read
	Work     string   // the one folder that they may write; it is also their working folder
	CPU      int      // milliseconds for all steps together
	Data     uint64   // bytes of data a tool may allocate
	File     uint64   // bytes a tool may write to one file
}

// step is one run of a tool.
type step struct {
	Name string // as "compile exercise"
	Path string
	Args []string
}

// stepResult is how a step ended.
type stepResult struct {
	Name     string
	Exit     int    // its exit status; -1 when a signal ended it
	Signal   int    // that signal's number, or 0
	Output   string // what it said, cut at 64 KiB
	CPU      int    // milliseconds
	Wall     int    // milliseconds
	CPULimit bool   // it had used up its CPU time
	Problem  string // why it could not be started; our fault
}

// buildReply is a build child's only answer.
type buildReply struct{ Steps []stepResult }

// runJob asks a run child to load the program that follows as payload. The child answers with
// a loaded, waits for a runTests, and then sends a testEvent as each test begins and ends.
type runJob struct {
	Compiled bool   // use wazero's compiler rather than its interpreter
	Direct   bool   // package straighten knows the toolchain: make the compiled program's jumps direct
	Memory   int    // bytes of the program's memory
	Output   int    // bytes to keep of what each test prints
	Seed     uint64 // of everything random
	CPU      int    // seconds of CPU in all, after which the kernel ends the child
	Host     uint64 // bytes of data that the child itself may allocate
}

// loaded says whether the program can run at all.
type loaded struct {
	TooBig  bool   // it asks for more memory than it may have before it starts
	Problem string // any other reason; our fault
}

// runTests names the tests to run, by their numbers in the harness's table.
type runTests struct{ Tests []int }

// testEvent is a test's beginning, the moment when the program's init functions are through and
// its harness takes over (Inside), or its end (Report).
type testEvent struct {
	Test   int
	Inside bool
	Report *testReport
}

// testReport is what the host saw of one test.
type testReport struct {
	End      ending
	Began    bool   // the program's init functions were through and its harness took over
	Trace    string // of a crash or a deadlock: the panic's text and the stack
	Logs     string // the test's own messages, its subtests' left out
	Printed  string // standard output, then standard error without the trace
	Cut      bool   // something was left out of Logs or Printed
	Wall     int    // milliseconds
	Subtests []subReport
}

// ending is how a test's instance came to its end.
type ending string

const (
	endPassed   ending = "passed"
	endFailed   ending = "failed"
	endSkipped  ending = "skipped"
	endCrashed  ending = "crashed"
	endDeadlock ending = "deadlock"
	endMemory   ending = "memory"
	endOutput   ending = "output"
	endQuit     ending = "quit"    // it ended by itself without a word from the harness
	endTooDeep  ending = "toodeep" // the interpreter's stack was too small: try the compiler
)

// subReport is one subtest; Parent is its index in the list, or -1.
type subReport struct {
	Name   string
	Parent int
	End    ending // empty while it ran when its test ended
	Logs   string
	Wall   int // milliseconds
}

// typesSetup is the first thing that a types child is told. It answers with a typesReady once it
// has loaded what the setup names.
type typesSetup struct {
	Packages map[string]string // import path → the file with its compiled form
	Language string            // as "go1.26"
	Data     uint64            // bytes of data that the child may allocate
	CPU      int               // seconds of CPU in its whole life
}

// typesReady says that a types child waits for files.
type typesReady struct {
	Problem string // why it cannot; our fault
}

// typesJob asks a types child about the file that follows as payload.
type typesJob struct {
	Tests    bool   // the file is a learner's tests, and imports the exercise
	Solution []byte // what it imports then
}

// typesReply is the answer to a typesJob.
type typesReply struct {
	Found  []Diagnostic
	Fault  string // what is wrong with the solution
	Beyond string // how the file was too much for the type checker
	Last   bool   // the child has done its share and ends
}
