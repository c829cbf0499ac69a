package straighten

import (
	"bytes"
	"context"
	"encoding/binary"
	"slices"

	"github.com/tetratelabs/wazero"
	"pgregory.net/rapid"
)

// shape describes a function as Go writes it: parts that go on to the next, jump or return.
type shape []shapePart

type shapePart struct {
	before bool // it begins with a call, so that a panic may resume it there
	idle   int  // instructions in it that do nothing
	ifZero int  // a part to jump to if some bits of the state are zero, or -1
	mask   int64
	jump   int // a part to jump to at the end, or -1
	leave  bool
	call   bool // it ends with a call, behind which it may be resumed
}

// onward is a part that only goes on to the next.
func onward() shapePart { return shapePart{ifZero: -1, jump: -1, mask: 7} }

// resumed reports whether the runtime may enter a part: the first, one at a call, and one to which
// nothing else leads.
func (s shape) resumed(k int) bool {
	if k == 0 || s[k].before || s[k-1].call {
		return true
	}
	return (s[k-1].leave || s[k-1].jump >= 0) && !slices.ContainsFunc(s, func(p shapePart) bool {
		return p.ifZero == k || p.jump == k
	})
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
	if p.before {
		// What a call begins with: eight bytes from the stack for where to return to.
		body = append(body, opNop, opLocalGet, 2, opI32Const, 8, opI32Sub, 0x1a)
	}
	// state = state*31 + k+1
	body = append(body, opLocalGet, 1, 0x42, 31, 0x7e, 0x42)
	body = append(appendInt(body, k+1), 0x7c, opLocalSet, 1)
	// if count++; count > mostSteps, return
	body = append(body, opLocalGet, 2, opI32Const, 1, 0x6a, 0x22, 2, opI32Const)
	body = append(appendInt(body, mostSteps), 0x4a, opIf, noResult)
	body = append(append(body, leave...), opEnd)
	body = append(body, bytes.Repeat([]byte{opNop}, p.idle)...)
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
		// Now and then goroutines switch in it, and the function is left.
		body = append(body, opLocalGet, 1, 0x42, 31, 0x83, 0x50, opBrIf)
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
		p.before = rapid.IntRange(0, 7).Draw(t, "before") == 0
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

// results calls f of a program at each place where the runtime may enter it.
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
		if !s.resumed(k) {
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

// backNest is a nest of so many loops, each of which jumps back from its end.
func backNest(depth int) shape {
	s := make(shape, 2*depth+1)
	for k := range s {
		s[k] = onward()
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
		s[k] = onward()
	}
	for d := range depth {
		condition := depth + 1 + 2*(depth-1-d)
		s[d].jump, s[condition].ifZero = condition, d+1
	}
	s[3*depth].leave = true
	return s
}
