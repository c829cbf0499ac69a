package straighten

import (
	"bytes"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

const realProgram = `package main

import (
	"fmt"
	"os"
	"regexp"
	"sort"
	"strings"
)

func main() {
	words := regexp.MustCompile("[a-z]+").FindAllString(strings.Join(os.Args, " "), -1)
	sort.Strings(words)
	fmt.Println(words)
}
`

// build compiles a program with the local toolchain.
func build(t *testing.T, source string) []byte {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"main.go": source, "go.mod": "module real\n\ngo 1.26\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), "go", "build", "-trimpath", "-o", "real.wasm", ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "GOFLAGS=", "GOWORK=off", "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	program, err := os.ReadFile(filepath.Join(dir, "real.wasm"))
	if err != nil {
		t.Fatal(err)
	}
	return program
}

// What the local toolchain writes is understood, and no loop of an ordinary program is left to the
// table because of what it costs.
func TestLoopsOfARealProgram(t *testing.T) {
	program := build(t, realProgram)
	table, loops, more := 0, 0, 0
	var f function
	for body := range bodies(t, program) {
		if !f.read(body) || !f.analyse() {
			continue
		}
		table++
		loops += f.loops()
		for k := range f.parts {
			f.parts[k].loop = loop{}
		}
		clear(f.heads)
		f.findLoops(math.MaxInt)
		more += f.loops()
	}
	if table < 500 || loops < 200 {
		t.Errorf("%d functions with a table and %d loops were found, want at least 500 and 200", table, loops)
	}
	if loops != more {
		t.Errorf("%d loops are direct, and %d would be if it cost nothing", loops, more)
	}
	direct, err := Program(program)
	if err != nil {
		t.Fatal(err)
	}
	if len(direct) > len(program) || bytes.Equal(direct, program) {
		t.Errorf("%d bytes became %d", len(program), len(direct))
	}
	t.Logf("%d functions with a table, %d loops, %d bytes became %d", table, loops, len(program), len(direct))
}

func (f *function) loops() int {
	n := 0
	for _, p := range f.parts {
		if p.loop.is {
			n++
		}
	}
	return n
}
