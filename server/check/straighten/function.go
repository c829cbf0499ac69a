package straighten

// function is a function's body. Its fields are used again for the next one.
type function struct {
	body []byte
	head int // bytes of the locals, before the first instruction
	code []instruction

	dispatch int   // the index of the instruction that goes through the table
	places   []int // the number of a place → its part

	// A part is the code between two ends of the blocks around the dispatch. Part k begins at the
	// end of the block that stands k blocks outside of the innermost one.
	parts []part
	jumps []jump
	heads map[int][]int // a part → the first parts of the loops that end with it
}

// part is a piece of a function that jumps go to.
type part struct {
	begins  int  // the index of the end at which it begins
	resumed bool // it may also be entered by the table, after a call
	from    int  // the first part that jumps here, if any does
	until   int  // the last part that jumps here, or -1
	loop    loop // how a jump back to it is made
}

// jump is a jump through the table: three instructions, the first of which is at index at.
type jump struct{ at, from, to int }

// pcLocal is the local variable by which the table chooses.
const pcLocal = 0

// read reads a function's instructions and reports whether it is one with jumps through a table.
func (f *function) read(body []byte) bool {
	*f = function{body: body, code: f.code[:0], places: f.places[:0], parts: f.parts[:0], jumps: f.jumps[:0], dispatch: -1, heads: make(map[int][]int)}
	r := reader{text: body}
	for range r.uint() {
		r.uint()
		r.byte()
		if r.bad {
			return false
		}
	}
	f.head = r.at
	return f.readCode(&r) && f.dispatch >= 0 && f.readTable()
}

// readCode reads the instructions, finds the dispatch, and refuses branches and ends that have no
// block, and tables besides the dispatch.
func (f *function) readCode(r *reader) bool {
	depth := 1 // the function itself is a block
	for r.more() {
		i := r.next()
		f.code = append(f.code, i)
		n := len(f.code) - 1
		switch i.op {
		case opBlock, opLoop, opIf:
			depth++
		case opEnd:
			depth--
		case opBr, opBrIf:
			if i.arg >= int64(depth) {
				return false
			}
		case opBrTable:
			if f.dispatch >= 0 || n == 0 || f.code[n-1].op != opLocalGet || f.code[n-1].arg != pcLocal {
				return false
			}
			f.dispatch = n
		}
		if depth < 0 || depth == 0 && r.more() {
			return false
		}
	}
	return !r.bad && depth == 0
}

// readTable reads the dispatch: a loop, right in it a number of blocks, and in the innermost of
// them a table that leaves some of them.
func (f *function) readTable() bool {
	blocks := 0
	n := f.dispatch - 2
	for ; n >= 0 && f.code[n].op == opBlock && f.code[n].arg == noResult; n-- {
		blocks++
	}
	if n < 0 || f.code[n].op != opLoop || f.code[n].arg != noResult {
		return false
	}
	i := f.code[f.dispatch]
	r := reader{text: f.body[:i.to], at: int(i.from) + 1}
	for range r.uint() + 1 {
		to := r.uint()
		if r.bad || to >= uint64(blocks) {
			return false
		}
		f.places = append(f.places, int(to))
	}
	f.parts = append(f.parts, make([]part, blocks)...)
	return true
}

// analyse finds the parts and the jumps between them, and which of these can be direct. It reports
// whether there is anything to gain.
func (f *function) analyse() bool {
	if !f.findJumps() || len(f.jumps) == 0 {
		return false
	}
	for k := range f.parts {
		f.parts[k].from, f.parts[k].until = len(f.parts), -1
	}
	for _, j := range f.jumps {
		to := &f.parts[j.to]
		to.from, to.until = min(to.from, j.from), max(to.until, j.from)
	}
	for k := range f.parts {
		// Where no code leads to, only the runtime can.
		if p := &f.parts[k]; p.until < 0 && f.endsBefore(p.begins) {
			p.resumed = true
		}
	}
	f.findLoops(mostReopened * len(f.parts))
	return true
}

// findJumps follows the blocks from the dispatch to the end of the function.
func (f *function) findJumps() bool {
	inside := 0 // blocks that are open within the present part
	now := -1   // the present part
	for n := f.dispatch + 1; n < len(f.code); n++ {
		i := f.code[n]
		switch i.op {
		case opBlock, opLoop, opIf:
			inside++
		case opEnd:
			if inside > 0 {
				inside--
				continue
			}
			if now++; now == len(f.parts) {
				return true // the end of the loop around everything
			}
			f.parts[now].begins = n
			f.parts[now].resumed = f.mayResume(n)
		case opBr, opBrIf:
			switch out := int(i.arg) - inside - (len(f.parts) - 1 - now); {
			case out < 0 && int(i.arg) >= inside:
				return false // past the table to a part
			case out == 0:
				if !f.addJump(n, now) {
					return false
				}
			}
		}
	}
	return false
}

// addJump notes the jump that ends with a branch to the loop around everything, at index n.
func (f *function) addJump(n, from int) bool {
	place, set := f.code[n-2], f.code[n-1]
	if f.code[n].op != opBr || place.op != opI32Const || set.op != opLocalSet || set.arg != pcLocal ||
		place.arg < 0 || place.arg >= int64(len(f.places)) {
		return false
	}
	f.jumps = append(f.jumps, jump{n - 2, from, f.places[place.arg]})
	return true
}

// mayResume reports whether a part that begins at index n can be entered through the table other
// than by a jump: at the function's own beginning; behind a call, which ends with a branch that
// leaves the function when goroutines switch; and right before a call, as panics enter the one that
// runs deferred functions.
func (f *function) mayResume(n int) bool {
	if n-1 == f.dispatch {
		return true
	}
	switch f.code[n-1].op {
	case opBrIf, opCall, opCallIndirect:
		return true
	}
	for n++; n < len(f.code) && f.code[n].op == opNop; n++ {
	}
	const returnAddress = 8 // bytes that a call takes from the stack first of all
	return n+2 < len(f.code) && f.code[n+1].op == opI32Const && f.code[n+1].arg == returnAddress && f.code[n+2].op == opI32Sub
}

// endsBefore reports whether what stands before index n does not go on to it.
func (f *function) endsBefore(n int) bool {
	switch f.code[n-1].op {
	case opBr, opReturn, opUnreachable:
		return true
	}
	return false
}
