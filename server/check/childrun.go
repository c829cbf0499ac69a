package check

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"runtime/debug"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/experimental"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"github.com/ringoftowers/towers/server/check/straighten"
)

// serveRun is a run child: it locks itself in before it knows its job, loads one program, runs
// the tests that it is told and reports each. A parent that has no more work for it closes the pipe.
func serveRun(in io.Reader, out io.Writer) error {
	// Compiled WebAssembly cannot be stopped for a collection, and a child lives for seconds.
	debug.SetGCPercent(-1)
	if err := confineRun(); err != nil {
		return err
	}
	var job runJob
	program, err := readFrame(in, &job)
	if err != nil {
		return endOfInput(err)
	}
	if err := limitRun(job); err != nil {
		return err
	}
	m, answer := load(job, program)
	if err := writeFrame(out, answer, nil); err != nil || m == nil {
		return err
	}
	var todo runTests
	if _, err := readFrame(in, &todo); err != nil {
		return endOfInput(err)
	}
	dieWithParent(in)
	return m.serve(todo, out)
}

// serve runs tests and tells of each when it begins, when its harness takes over and when it ends.
func (m *machine) serve(todo runTests, out io.Writer) error {
	for _, test := range todo.Tests {
		if err := writeFrame(out, testEvent{Test: test}, nil); err != nil {
			return err
		}
		// A parent that no longer reads has closed our standard input too, and that ends us.
		report := m.run(test, func() { _ = writeFrame(out, testEvent{Test: test, Inside: true}, nil) })
		if err := writeFrame(out, testEvent{Test: test, Report: &report}, nil); err != nil {
			return err
		}
	}
	return nil
}

// machine is a loaded program, of which each test runs an instance.
type machine struct {
	job     runJob
	runtime wazero.Runtime
	program wazero.CompiledModule
	memory  *arena
}

// load prepares the program for the engine that the job names.
func load(job runJob, program []byte) (*machine, loaded) {
	if pages, ok := firstPages(program); ok && pages*pageSize > uint64(job.Memory) {
		return nil, loaded{TooBig: true}
	}
	ctx := context.Background()
	config := wazero.NewRuntimeConfigInterpreter()
	if job.Compiled {
		// On a machine that wazero has no compiler for, this interprets.
		config = wazero.NewRuntimeConfig()
		ctx = experimental.WithCompilationWorkers(ctx, 2)
	}
	if job.Compiled && job.Direct {
		// A test that was heavy enough to be compiled for is worth these milliseconds too.
		faster, err := straighten.Program(program)
		if err != nil {
			return nil, loaded{Problem: err.Error()}
		}
		program = faster
	}
	// The limit on memory is the arena's, which remembers that it refused; a limit of wazero's own
	// would refuse without a word.
	config = config.WithDebugInfoEnabled(false)
	m := &machine{job: job, runtime: wazero.NewRuntimeWithConfig(ctx, config), memory: newArena(job.Memory)}
	if _, err := wasi_snapshot_preview1.Instantiate(ctx, m.runtime); err != nil {
		return nil, loaded{Problem: err.Error()}
	}
	if err := exportHost(ctx, m.runtime); err != nil {
		return nil, loaded{Problem: err.Error()}
	}
	var err error
	if m.program, err = m.runtime.CompileModule(ctx, program); err != nil {
		return nil, loaded{Problem: fmt.Sprintf("load the program: %v", err)}
	}
	return m, loaded{}
}

const pageSize = 64 << 10

// firstPages reads from a WebAssembly program how many pages of memory it has from the start.
// It looks at the sections' heads only, so that a program with too much is refused before any
// of it is loaded.
func firstPages(program []byte) (uint64, bool) {
	const header, memorySection = 8, 5
	if len(program) < header {
		return 0, false
	}
	rest := program[header:]
	for len(rest) > 0 {
		id := rest[0]
		size, n := binary.Uvarint(rest[1:])
		if n <= 0 || size > uint64(len(rest)-1-n) {
			return 0, false
		}
		body := rest[1+n : 1+n+int(size)]
		if id == memorySection && len(body) > 2 {
			pages, n := binary.Uvarint(body[2:]) // after the count, which is 1, and the flags
			return pages, n > 0
		}
		rest = rest[1+n+int(size):]
	}
	return 0, false
}

// arena is the one block of memory that a child's instances use, one after the other, so that
// growing never copies and the most that a test can use is known beforehand.
type arena struct {
	block   []byte
	used    uint64 // the largest size so far of the present instance
	refused bool   // it asked for more than there is
}

func newArena(size int) *arena { return &arena{block: make([]byte, size)} }

// Allocate begins a new instance's memory; experimental.MemoryAllocator asks for it.
func (a *arena) Allocate(_, _ uint64) experimental.LinearMemory {
	clear(a.block[:a.used])
	a.used, a.refused = 0, false
	return a
}

// Reallocate grows the memory to size bytes, or refuses with nil and remembers.
func (a *arena) Reallocate(size uint64) []byte {
	if size > uint64(len(a.block)) {
		a.refused = true
		return nil
	}
	a.used = max(a.used, size)
	return a.block[:size:len(a.block)]
}

// Free does nothing: the next instance takes the block over.
func (a *arena) Free() {}
