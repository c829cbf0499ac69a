package straighten

// The operations that matter here; of the others only the length must be known.
const (
	opUnreachable  = 0x00
	opNop          = 0x01
	opBlock        = 0x02
	opLoop         = 0x03
	opIf           = 0x04
	opElse         = 0x05
	opEnd          = 0x0b
	opBr           = 0x0c
	opBrIf         = 0x0d
	opBrTable      = 0x0e
	opReturn       = 0x0f
	opCall         = 0x10
	opCallIndirect = 0x11
	opLocalGet     = 0x20
	opLocalSet     = 0x21
	opI32Const     = 0x41
	opI64Const     = 0x42
	opI32Sub       = 0x6b
	opI64ExtendI32 = 0xad // without a sign
	noResult       = 0x40 // the type of a block that leaves nothing
)

// The comparisons of whole numbers, in their order.
const (
	opI32Eqz = 0x45 + iota
	opI32Eq
	opI32Ne
	opI32LtS
	opI32LtU
	opI32GtS
	opI32GtU
	opI32LeS
	opI32LeU
	opI32GeS
	opI32GeU
	opI64Eqz
	opI64Eq
	opI64Ne
	opI64LtS
	opI64LtU
	opI64GtS
	opI64GtU
	opI64LeS
	opI64LeU
	opI64GeS
	opI64GeU
)

// instruction is one of a function's body.
type instruction struct {
	op       byte
	from, to int32 // where it stands in the body
	arg      int64 // a block's type, a branch's depth, a local's number or a constant
}

// next reads one instruction. A kind that Go does not write makes the reader bad.
func (r *reader) next() instruction {
	i := instruction{from: int32(r.at)}
	i.op = r.byte()
	switch op := i.op; {
	case op == opBlock, op == opLoop, op == opIf:
		i.arg = int64(r.byte())
		r.bad = r.bad || i.arg != noResult && (i.arg < 0x7c || i.arg > 0x7f)
	case op == opBr, op == opBrIf, op == opCall, op >= opLocalGet && op <= 0x24: // and the sets of locals and globals
		i.arg = int64(r.uint())
	case op == opI32Const, op == opI64Const:
		i.arg = r.int()
	default:
		r.rest(op)
	}
	i.to = int32(r.at)
	return i
}

// rest reads what follows an operation of which only the length matters.
func (r *reader) rest(op byte) {
	switch {
	case op == opBrTable:
		for n := r.uint() + 1; n > 0 && !r.bad; n-- {
			r.uint()
		}
	case op == opCallIndirect, op >= 0x28 && op <= 0x3e: // and loads and stores
		r.uint()
		r.uint()
	case op == 0x3f, op == 0x40: // the memory's size
		r.byte()
	case op == 0x43: // constants that are fractions
		r.skip(4)
	case op == 0x44:
		r.skip(8)
	case op == 0xfc:
		r.extended()
	case op == opUnreachable, op == opNop, op == opElse, op == opEnd, op == opReturn, op == 0x1a, op == 0x1b, op >= 0x45 && op <= 0xc4:
	default:
		r.bad = true
	}
}

// extended reads the rest of an instruction of two bytes.
func (r *reader) extended() {
	const memoryCopy, memoryFill = 10, 11
	switch op := r.uint(); {
	case op <= 7: // fractions to whole numbers
	case op == memoryCopy:
		r.skip(2)
	case op == memoryFill:
		r.skip(1)
	default:
		r.bad = true
	}
}
