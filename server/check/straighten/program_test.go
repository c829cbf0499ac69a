package straighten

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"iter"
	"testing"

	"github.com/tetratelabs/wazero"
	"pgregory.net/rapid"
)

// shape describes a function as Go writes it: parts that go on to the next, jump or return.
type shape []shapePart

type shapePart struct {
	call   bool // it ends with a call, behind which it may be resumed
	ifZero int  // a part to jump to if some bits of the state are zero, or -1
	mask   int64
	jump   int // a part to jump to at the end, or -1
	leave  bool
}

// mostSteps is after how many parts a function returns, wherever it is.
const mostSteps = 1000

// module writes a program with one exported function, "f", which takes the place to begin at and
// returns a number that depends on every part it came through and on their order.
func (s shape) module() []byte {
	const i32, i64 = 0x7f, 0x7e
	body := []byte{2, 1, i64, 1, i32} // the locals: 1 is the state, 2 counts
	body = append(body, opBlock, noResult, opLoop, noResult)
	for range s {
		body = append(body, opBlock, noResult)
	}
	body = append(body, opLocalGet, pcLocal, opBrTable)
	body = binary.AppendUvarint(body, uint64(len(s)-1))
	for k := range s {
		body = binary.AppendUvarint(body, uint64(k))
	}
	body = append(body, opEnd)
	for k, p := range s {
		body = p.append(body, k, len(s)-1-k)
		body = append(body, opEnd) // of the next part's block, and at last of the loop
	}
	body = append(body, opUnreachable, opEnd, 0x42, 0x7f, opEnd) // a call that is left: -1

	m := []byte("\x00asm\x01\x00\x00\x00")
	section := func(id byte, content ...byte) { m = appendSized(append(m, id), content) }
	section(1, 1, 0x60, 1, i32, 1, i64)
	section(3, 1, 0)
	section(7, 1, 1, 'f', 0, 0)
	section(codeSection, appendSized([]byte{1}, body)...)
	return m
}

// append writes a part that stands inside of so many blocks of further parts.
func (p shapePart) append(body []byte, k, outer int) []byte {
	leave := []byte{opLocalGet, 1, opReturn}
	jump := func(to, inside int) {
		body = append(appendInt(append(body, opI32Const), to), opLocalSet, pcLocal, opBr)
		body = binary.AppendUvarint(body, uint64(outer+inside))
	}
	// state = state*31 + k+1
	body = append(body, opLocalGet, 1, 0x42, 31, 0x7e, 0x42)
	body = append(appendInt(body, k+1), 0x7c, opLocalSet, 1)
	// if count++; count > mostSteps, return
	body = append(body, opLocalGet, 2, opI32Const, 1, 0x6a, 0x22, 2, opI32Const)
	body = append(appendInt(body, mostSteps), 0x4a, opIf, noResult)
	body = append(append(body, leave...), opEnd)
	if p.ifZero >= 0 {
		body = append(body, opLocalGet, 1, 0x42, byte(p.mask), 0x83, 0x50, opIf, noResult)
		jump(p.ifZero, 1)
		body = append(body, opEnd)
	}
	switch {
	case p.leave:
		body = append(body, leave...)
	case p.jump >= 0:
		jump(p.jump, 0)
	case p.call:
		body = append(body, opI32Const, 0, opBrIf)
		body = binary.AppendUvarint(body, uint64(outer+1))
	}
	return body
}

// appendInt writes a number of WebAssembly's that has a sign.
func appendInt(body []byte, n int) []byte {
	for n > 0x3f {
		body = append(body, byte(n&0x7f|0x80))
		n >>= 7
	}
	return append(body, byte(n))
}

func drawShape(t *rapid.T) shape {
	s := make(shape, rapid.IntRange(1, 14).Draw(t, "parts"))
	part := rapid.IntRange(0, len(s)-1)
	for k := range s {
		p := shapePart{ifZero: -1, jump: -1, mask: rapid.Int64Range(1, 15).Draw(t, "mask")}
		if rapid.Bool().Draw(t, "if") {
			p.ifZero = part.Draw(t, "to")
		}
		switch rapid.IntRange(0, 7).Draw(t, "end") {
		case 0, 1:
			p.jump = part.Draw(t, "jump")
		case 2:
			p.call = true
		case 3:
			p.leave = true
		}
		s[k] = p
	}
	s[len(s)-1].leave = true
	return s
}

// results calls f of a program at the beginning and at each place behind a call.
func (s shape) results(t interface{ Fatalf(string, ...any) }, program []byte) []uint64 {
	ctx := context.Background()
	r := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigInterpreter())
	defer r.Close(ctx)
	m, err := r.Instantiate(ctx, program)
	if err != nil {
		t.Fatalf("%v\n%+v", err, s)
	}
	var all []uint64
	for k := range s {
		if k > 0 && !s[k-1].call {
			continue
		}
		got, err := m.ExportedFunction("f").Call(ctx, uint64(k))
		if err != nil {
			t.Fatalf("place %d: %v\n%+v", k, err, s)
		}
		all = append(all, got...)
	}
	return all
}

func TestStraightenedProgramsDoTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawShape(t)
		was := s.module()
		is, err := Program(was)
		if err != nil {
			t.Fatal(err)
		}
		before, after := s.results(t, was), s.results(t, is)
		for n := range before {
			if before[n] != after[n] {
				t.Fatalf("got %d, want %d\n%+v", after, before, s)
			}
		}
	})
}

// The shapes that matter need the table only to begin.
func TestCommonShapesAreDirect(t *testing.T) {
	on := shapePart{ifZero: -1, jump: -1}
	to := func(k int) shapePart { return shapePart{ifZero: -1, jump: k} }
	unless := func(k int) shapePart { return shapePart{ifZero: k, mask: 7, jump: -1} }
	out := shapePart{ifZero: -1, jump: -1, leave: true}
	call := shapePart{ifZero: -1, jump: -1, call: true}
	for _, c := range []struct {
		name   string
		s      shape
		jumps  int // through the table, afterwards
		tabled int // places that lead elsewhere than to the beginning, afterwards
	}{
		{"if", shape{unless(2), on, out}, 0, 0},
		{"if and else", shape{unless(2), to(3), on, out}, 0, 0},
		{"for, the condition behind the body", shape{to(2), on, unless(1), out}, 0, 0},
		{"do while", shape{on, on, unless(1), out}, 0, 0},
		{"for with continue and break", shape{to(4), unless(4), unless(5), on, unless(1), out}, 0, 0},
		{"for in for", shape{to(5), to(3), on, unless(2), on, unless(1), out}, 0, 0},
		{"if behind a call", shape{call, unless(3), on, out}, 0, 1},
		{"for with a call inside", shape{to(3), call, on, unless(1), out}, 1, 2},
	} {
		is, err := Program(c.s.module())
		if err != nil {
			t.Fatal(err)
		}
		if got, want := c.s.results(t, is), c.s.results(t, c.s.module()); got[0] != want[0] {
			t.Errorf("%s: got %d, want %d", c.name, got, want)
		}
		jumps, tabled := through(t, is)
		if jumps != c.jumps || tabled != c.tabled {
			t.Errorf("%s: %d jumps go through the table and %d places are in it, want %d and %d", c.name, jumps, tabled, c.jumps, c.tabled)
		}
	}
}

// backNest is a nest of so many loops, each of which jumps back from its end.
func backNest(depth int) shape {
	s := make(shape, 2*depth+1)
	for k := range s {
		s[k] = shapePart{ifZero: -1, jump: -1, mask: 7}
	}
	for d := range depth {
		s[2*depth-1-d].ifZero = d
	}
	s[2*depth].leave = true
	return s
}

// forNest is the same of "for", with the conditions behind the bodies.
func forNest(depth int) shape {
	s := make(shape, 3*depth+1)
	for k := range s {
		s[k] = shapePart{ifZero: -1, jump: -1, mask: 7}
	}
	for d := range depth {
		condition := depth + 1 + 2*(depth-1-d)
		s[d].jump, s[condition].ifZero = condition, d+1
	}
	s[3*depth].leave = true
	return s
}

// However deep a nest is, what is written of it grows with it and no faster.
func TestDeepNestsStaySmall(t *testing.T) {
	for _, depth := range []int{1, 2, 5, 20, longestLoop/3 - 1, longestLoop/2 - 1, longestLoop} {
		for name, s := range map[string]shape{"jumps back": backNest(depth), "for": forNest(depth)} {
			was := s.module()
			is, err := Program(was)
			if err != nil {
				t.Fatal(err)
			}
			if len(is) > 2*len(was) {
				t.Errorf("%d times %s: %d bytes became %d", depth, name, len(was), len(is))
			}
			if got, want := s.results(t, is), s.results(t, was); got[0] != want[0] {
				t.Errorf("%d times %s: got %d, want %d", depth, name, got, want)
			}
			jumps, _ := through(t, is)
			if direct := depth <= 5; direct && jumps > 0 {
				t.Errorf("%d times %s: %d jumps go through the table", depth, name, jumps)
			}
		}
	}
}

// bodies gives the functions of a program.
func bodies(t *testing.T, program []byte) iter.Seq[[]byte] {
	t.Helper()
	return func(yield func([]byte) bool) {
		r := reader{text: program, at: preamble}
		for r.more() {
			id, section := r.byte(), r.sized()
			if id != codeSection {
				continue
			}
			in := reader{text: section}
			for range in.uint() {
				if !yield(in.sized()) {
					return
				}
			}
			if in.bad {
				t.Fatal("the code cannot be read")
			}
		}
	}
}

// through counts the sets of the table's variable and the table's places but for the first part.
func through(t *testing.T, program []byte) (jumps, tabled int) {
	t.Helper()
	for body := range bodies(t, program) {
		f := function{body: body, dispatch: -1}
		code := reader{text: f.body, at: 5}
		if !f.readCode(&code) {
			t.Fatal("what was written cannot be read")
		}
		for _, i := range f.code {
			if i.op == opLocalSet && i.arg == pcLocal {
				jumps++
			}
		}
		table := reader{text: f.body, at: int(f.code[f.dispatch].from) + 1}
		places := table.uint() + 1
		var depths []uint64
		for range places {
			depths = append(depths, table.uint())
		}
		for _, d := range depths {
			if d != depths[0] {
				tabled++
			}
		}
	}
	return jumps, tabled
}

func TestWhatIsNoProgramIsRefused(t *testing.T) {
	good := shape{{ifZero: -1, jump: -1, leave: true}}.module()
	for name, program := range map[string][]byte{
		"nothing": nil,
		"cut":     good[:len(good)-3],
	} {
		if _, err := Program(program); !errors.Is(err, ErrMalformed) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A release that nobody has tried runs as it wrote its programs.
func TestKnowsOnlyWhatWasTried(t *testing.T) {
	for language, want := range map[string]bool{"go1.26": true, "go1.25": false, "go1.27": false, "go1.260": false, "": false} {
		if got := Knows(language); got != want {
			t.Errorf("Knows(%q) = %v, want %v", language, got, want)
		}
	}
}

// Whatever the bytes are, it ends, and what an engine would have run it can still run.
func FuzzProgram(f *testing.F) {
	f.Add(shape{{ifZero: 1, mask: 7, jump: -1}, {ifZero: -1, jump: -1, leave: true}}.module())
	f.Add(shape{{ifZero: -1, jump: 2}, {ifZero: -1, jump: -1}, {ifZero: 1, mask: 3, jump: -1}, {ifZero: -1, jump: -1, leave: true}}.module())
	f.Fuzz(func(t *testing.T, program []byte) {
		was := bytes.Clone(program)
		is, err := Program(program)
		if !bytes.Equal(was, program) {
			t.Fatal("the argument was changed")
		}
		if err != nil {
			return
		}
		ctx := context.Background()
		r := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigInterpreter())
		defer r.Close(ctx)
		if _, err := r.CompileModule(ctx, program); err != nil {
			return
		}
		if _, err := r.CompileModule(ctx, is); err != nil {
			t.Errorf("it was valid and is not any more: %v", err)
		}
	})
}
