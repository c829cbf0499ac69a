package straighten

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"slices"
	"testing"

	"github.com/tetratelabs/wazero"
	"pgregory.net/rapid"
)

// compare fails a test when a shape's program does something else straightened, which it returns.
func compare(t interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
}, s shape) []byte {
	t.Helper()
	was := s.module()
	is, err := Program(was)
	if err != nil {
		t.Fatal(err)
	}
	before, after := s.results(t, was), s.results(t, is)
	if !slices.Equal(before, after) {
		t.Fatalf("got %d, want %d\n%+v", after, before, s)
	}
	return is
}

func TestStraightenedProgramsDoTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { compare(t, drawShape(t)) })
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
		is := compare(t, c.s)
		jumps, tabled := through(t, is)
		if jumps != c.jumps || tabled != c.tabled {
			t.Errorf("%s: %d jumps go through the table and %d places are in it, want %d and %d", c.name, jumps, tabled, c.jumps, c.tabled)
		}
	}
}

// However deep a nest is, what is written of it grows with it and no faster.
func TestDeepNestsStaySmall(t *testing.T) {
	for _, depth := range []int{1, 2, 5, 20, longestLoop/3 - 1, longestLoop/2 - 1, longestLoop} {
		for name, s := range map[string]shape{"jumps back": backNest(depth), "for": forNest(depth)} {
			is := compare(t, s)
			if was := s.module(); len(is) > 2*len(was) {
				t.Errorf("%d times %s: %d bytes became %d", depth, name, len(was), len(is))
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
