package straighten

// Go asks for the opposite of a condition by a further instruction, often by several, and an
// engine works out a value for each. One comparison says the same, and an engine makes it one with
// the branch behind it.

// opposite is, for each comparison of two whole numbers, the one that is true just where it is not.
// It has none for fractions: what is no number is neither below another nor above.
var opposite = [...]byte{
	opI32Eq: opI32Ne, opI32Ne: opI32Eq,
	opI32LtS: opI32GeS, opI32GeS: opI32LtS, opI32LtU: opI32GeU, opI32GeU: opI32LtU,
	opI32GtS: opI32LeS, opI32LeS: opI32GtS, opI32GtU: opI32LeU, opI32LeU: opI32GtU,
	opI64Eq: opI64Ne, opI64Ne: opI64Eq,
	opI64LtS: opI64GeS, opI64GeS: opI64LtS, opI64LtU: opI64GeU, opI64GeU: opI64LtU,
	opI64GtS: opI64LeS, opI64LeS: opI64GtS, opI64GtU: opI64LeU, opI64LeU: opI64GtU,
}

// condition writes the comparison at index n and what asks for its opposite behind it, as one
// comparison. It returns how many instructions it took besides the first; if it is 0, nothing was
// written.
func (w *writer) condition(n int) (behind int) {
	op := w.code[n].op
	if op < opI32Eqz || op > opI64GeU {
		return 0
	}
	count, behind := w.negations(n + 1)
	switch {
	case count == 0:
	case count%2 == 0:
		w.out = append(w.out, op)
	case op == opI32Eqz:
		w.out = append(w.out, opI32Const, 0, opI32Ne)
	case op == opI64Eqz:
		w.out = append(w.out, opI64Const, 0, opI64Ne)
	default:
		w.out = append(w.out, opposite[op])
	}
	return behind
}

// negations counts how often the opposite is asked for from index n on, and the instructions that
// takes: a comparison's result is 0 or 1, which may be made 64 bits long before it is compared
// with 0. An end at least stands behind a comparison.
func (w *writer) negations(n int) (count, instructions int) {
	for at := n; ; count++ {
		switch {
		case w.code[at].op == opI32Eqz:
			at++
		case w.code[at].op == opI64ExtendI32 && w.code[at+1].op == opI64Eqz:
			at += 2
		default:
			return count, at - n
		}
	}
}
