package check

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"time"
)

// When a types child has done its share it is replaced, so that nothing can pile up in one: not
// memory, and not CPU time, of which the kernel lets it have typesCPU in all. Twice typesSpent, on
// two processors, and a last file that never ends stay below that.
const (
	typesFiles = 500
	typesSpent = 5 * time.Second
	typesHeld  = 96 << 20  // bytes from the system
	typesData  = 512 << 20 // bytes; the kernel gives no more, and the race detector needs half
	typesCPU   = 15        // seconds
)

// serveTypes is a types child: it loads the packages that a program may import, locks itself in,
// and then type-checks one file after another. It has opened its last file before it sees the
// first of a learner's.
func serveTypes(in io.Reader, out io.Writer) error {
	var setup typesSetup
	if _, err := readFrame(in, &setup); err != nil {
		return endOfInput(err)
	}
	t, err := newTypist(setup)
	if err != nil {
		return writeFrame(out, typesReady{Problem: err.Error()}, nil)
	}
	if err := confineRun(); err != nil {
		return err
	}
	if err := limitRun(runJob{Host: setup.Data, CPU: setup.CPU}); err != nil {
		return err
	}
	debug.SetMaxStack(int(setup.Data / 4))
	if err := writeFrame(out, typesReady{}, nil); err != nil {
		return err
	}
	files := make(chan typesFile)
	go receive(in, files)
	var spent time.Duration
	for n := 1; ; n++ {
		file := <-files
		began := time.Now()
		reply := t.check(file.job, file.source)
		spent += time.Since(began)
		reply.Last = reply.Last || n == typesFiles || spent > typesSpent || held() > typesHeld
		if err := writeFrame(out, reply, nil); err != nil || reply.Last {
			return err
		}
	}
}

// typesFile is a job with the file that it is about.
type typesFile struct {
	job    typesJob
	source []byte
}

// receive passes jobs on and ends the process when the parent closes the pipe, which the kernel
// does for a parent that dies, whatever the type checker is at.
func receive(in io.Reader, files chan<- typesFile) {
	for {
		var f typesFile
		var err error
		if f.source, err = readFrame(in, &f.job); err != nil {
			if endOfInput(err) != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			os.Exit(0)
		}
		files <- f
	}
}

// endOfInput makes no error of a parent that has no more work for us.
func endOfInput(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// held is what this process has from the system and has not given back.
func held() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.Sys - m.HeapReleased
}
