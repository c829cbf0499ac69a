package straighten

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/tetratelabs/wazero"
)

// question is a function that takes a place, which is 0, and two numbers. It compares these and
// asks for the opposite so many times, once directly and once by way of 64 bits, in turn.
type question struct {
	op        byte
	negations int
}

func (q question) module() []byte {
	const i32, i64, wrap = 0x7f, 0x7e, 0xa7
	body := []byte{0, opBlock, noResult, opLoop, noResult, opBlock, noResult, opBlock, noResult}
	body = append(body, opLocalGet, pcLocal, opBrTable, 1, 0, 1, opEnd)
	body = append(body, opI32Const, 1, opLocalSet, pcLocal, opBr, 1, opEnd)
	for local := byte(1); local <= q.operands(); local++ {
		body = append(body, opLocalGet, local)
		if q.op < opI64Eqz {
			body = append(body, wrap)
		}
	}
	body = append(body, q.op)
	for n := range q.negations {
		body = append(body, [][]byte{{opI32Eqz}, {opI64ExtendI32, opI64Eqz}}[n%2]...)
	}
	body = append(body, opReturn, opEnd, opEnd, opUnreachable, opEnd)

	m := []byte("\x00asm\x01\x00\x00\x00")
	section := func(id byte, content ...byte) { m = appendSized(append(m, id), content) }
	section(1, 1, 0x60, 3, i32, i64, i64, 1, i32)
	section(3, 1, 0)
	section(7, 1, 1, 'f', 0, 0)
	section(codeSection, appendSized([]byte{1}, body)...)
	return m
}

func (q question) operands() byte {
	if q.op == opI32Eqz || q.op == opI64Eqz {
		return 1
	}
	return 2
}

// answers calls a program for each two of some numbers.
func (q question) answers(t *testing.T, program []byte) (all []uint64) {
	t.Helper()
	ctx := t.Context()
	r := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigInterpreter())
	defer r.Close(context.WithoutCancel(ctx))
	m, err := r.Instantiate(ctx, program)
	if err != nil {
		t.Fatal(err)
	}
	numbers := []int64{0, 1, 2, -1, -2, math.MaxInt32, math.MinInt32, 1 << 32, math.MaxInt64, math.MinInt64}
	for _, a := range numbers {
		for _, b := range numbers {
			got, err := m.ExportedFunction("f").Call(ctx, 0, uint64(a), uint64(b))
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, got...)
		}
	}
	return all
}

func TestConditionsStayTrue(t *testing.T) {
	for op := byte(opI32Eqz); op <= opI64GeU; op++ {
		for negations := range 5 {
			t.Run(fmt.Sprintf("%#x negated %d times", op, negations), func(t *testing.T) {
				q := question{op, negations}
				was := q.module()
				is, err := Program(was)
				if err != nil {
					t.Fatal(err)
				}
				if got, want := q.answers(t, is), q.answers(t, was); !slices.Equal(got, want) {
					t.Errorf("got %v, want %v", got, want)
				}
				if got := comparisons(t, is); got != 1 {
					t.Errorf("%d comparisons are left, want 1", got)
				}
			})
		}
	}
}

// comparisons counts them in a program's only function.
func comparisons(t *testing.T, program []byte) (count int) {
	t.Helper()
	in := reader{text: program, at: preamble}
	for in.more() {
		if id, section := in.byte(), in.sized(); id == codeSection {
			r := reader{text: section}
			r.uint()
			body := reader{text: r.sized(), at: 1}
			for body.more() {
				if i := body.next(); i.op >= opI32Eqz && i.op <= opI64GeU {
					count++
				}
			}
			if body.bad {
				t.Fatal("what was written cannot be read")
			}
		}
	}
	return count
}
