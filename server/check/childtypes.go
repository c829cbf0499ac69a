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
// memory, and not CPU time, of which the kernel lets it have typesCPU in all. What is left of that
// after typesSpent is more than a file that ends can use before typesPatience is over.
const (
	typesFiles = 500
	typesSpent = 5 * time.Second // of CPU time, in all threads and from the child's start
	typesHeld  = 96 << 20        // bytes from the system
	typesData  = 512 << 20       // bytes; the kernel gives no more, and the race detector needs half
	typesCPU   = 15              // seconds
)

// share is what a types child has done so far.
type share struct {
	files int
	spent time.Duration
}

// isDone counts one more file, which took so long, and reports whether it was the last. What CPU
// time the kernel has counted for this process is more than that where collections have run beside
// the work; only a system that counts none leaves us with the clock.
func (s *share) isDone(took time.Duration, cpu func() (time.Duration, bool), held uint64) bool {
	s.files++
	s.spent += took
	if counted, ok := cpu(); ok {
		s.spent = counted
	}
	return s.files >= typesFiles || s.spent > typesSpent || held > typesHeld
}

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
	var done share
	for {
		file := <-files
		began := time.Now()
		reply := t.check(file.job, file.source)
		reply.Last = done.isDone(time.Since(began), ownCPU, held()) || reply.Last
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
