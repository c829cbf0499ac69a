package check

import (
	"strings"
	"testing"
)

// These programs could not pass vet: they show that a program that somehow did would still find
// nothing to reach.
func TestGuestReachesNothing(t *testing.T) {
	const head = "package exercise\n\nimport (\n\t\"errors\"\n\t\"os\"\n\t\"syscall\"\n)\n\nvar _ = errors.New\nvar _ = os.Open\nvar _ = syscall.Getpid\n\n"
	for name, body := range map[string]string{
		"opens a file":           `func Try() string { f, err := os.Open("/etc/passwd"); if err == nil { return f.Name() }; return "" }`,
		"lists the root":         `func Try() string { d, err := os.ReadDir("/"); if err == nil || len(d) > 0 { return "listed" }; return "" }`,
		"writes a file":          `func Try() string { if os.WriteFile("x", nil, 0o600) == nil { return "wrote" }; return "" }`,
		"reads the environment":  `func Try() string { if len(os.Environ()) > 0 || os.Getenv("PATH") != "" { return "found" }; return "" }`,
		"reads the arguments":    `func Try() string { if len(os.Args) != 1 || os.Args[0] != "exercise" { return os.Args[0] }; return "" }`,
		"reads standard input":   `func Try() string { var b [1]byte; if n, _ := os.Stdin.Read(b[:]); n > 0 { return "read" }; return "" }`,
		"opens a socket":         `func Try() string { if _, err := syscall.Socket(2, 1, 0); err == nil { return "opened" }; return "" }`,
		"starts a process":       `func Try() string { if _, err := os.StartProcess("/bin/true", nil, &os.ProcAttr{}); err == nil { return "started" }; return "" }`,
		"finds other files open": `func Try() string { for fd := uintptr(3); fd < 16; fd++ { if _, err := os.NewFile(fd, "").Stat(); err == nil { return "open" } }; return "" }`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := runUnvetted(t, head+body)
			if r.outcome != Passed {
				t.Errorf("got %s, want it to find nothing:\n%s%s", r.outcome, r.report.Logs, r.report.Trace)
			}
		})
	}
}

// A program that ends itself has not passed, whatever status it ends with.
func TestEarlyExitIsNoPass(t *testing.T) {
	for name, body := range map[string]string{
		"in the test": `import "os"; func Try() string { os.Exit(0); return "" }`,
		"in init":     `import "os"; func init() { os.Exit(0) }; func Try() string { return "" }`,
		"later":       `import "os"; func Try() string { go os.Exit(0); select {} }`,
		"other":       `import "os"; func Try() string { os.Exit(200); return "" }`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if r := runUnvetted(t, "package exercise\n"+body); r.outcome != Crashed {
				t.Errorf("got %s, want crashed", r.outcome)
			}
		})
	}
}

// A program that could call the host's functions, which vet keeps it from, can end its own test
// but not speak for another.
func TestEachInstanceAnswersForOneTest(t *testing.T) {
	c := newChecker(t, nil)
	tests := `package exercise_test
import ("testing"; "exercise")
func TestFirst(t *testing.T) { exercise.Forge() }
func TestSecond(t *testing.T) { t.Error("got wrong, want right") }`
	program := `package exercise
//go:wasmimport towers report
func report(kind, id, arg int32, text int32, size int32)
func Forge() { report(2, 1, 0, 0, 0); report(9, 9, 9, -1, -1); report(2, 0, 0, 0, 0) }`
	results := runParts(t, c, parts{Program: []byte(program), Tests: []byte(tests), TestsFile: testFile, Names: []string{"TestFirst", "TestSecond"}})
	if got := results[1].outcome; got != Failed {
		t.Errorf("the second test is %s, want failed", got)
	}
}

const tryTest = `package exercise_test

import (
	"testing"

	"exercise"
)

func TestTry(t *testing.T) {
	if got := exercise.Try(); got != "" {
		t.Errorf("got %q, want nothing", got)
	}
}
`

// runUnvetted builds and runs one program past vet.
func runUnvetted(t *testing.T, program string) result {
	t.Helper()
	return runParts(t, newChecker(t, nil), parts{
		Program: []byte(program), Tests: []byte(tryTest), TestsFile: testFile, Names: []string{"TestTry"},
	})[0]
}

func runParts(t *testing.T, c *Checker, p parts) map[int]result {
	t.Helper()
	limits := DefaultLimits()
	b, err := c.build(t.Context(), p, limits)
	if err != nil {
		t.Fatal(err)
	}
	if b.Failure != nil {
		t.Fatal(strings.TrimSpace(b.Failure.Said))
	}
	x, err := c.run(t.Context(), program{wasm: b.Wasm, tests: len(p.Names), limits: limits, notify: func([]int, result) {}})
	if err != nil {
		t.Fatal(err)
	}
	return x.results
}
