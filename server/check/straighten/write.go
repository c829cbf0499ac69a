package straighten

import (
	"encoding/binary"
	"slices"
)

// writer writes a function anew. Each block has a number as its name: that of the part that begins
// at its end, that of a loop which is added or of the block in front of it, or a further one.
type writer struct {
	*function
	out  []byte
	was  []int // the blocks that are open in the original, innermost last
	then []int // the same while a part is written in front of its loop
	is   []int // those that are open in what is written
	at   []int // a block's name → its place in is
	next int   // the next name to give
	copy int   // the loop of which a part is being written in front of it, by its first part, or -1
}

// loopOf is the name of the loop that begins with a part.
func (w *writer) loopOf(part int) int { return len(w.parts) + part }

// gateOf is the name of the block that ends where that loop begins, if it is entered in its middle.
func (w *writer) gateOf(part int) int { return 2*len(w.parts) + part }

// write returns the function's body with direct jumps.
func (f *function) write() []byte {
	names := 3 * len(f.parts)
	w := writer{function: f, out: slices.Clone(f.body[:f.head]), at: make([]int, names), next: names, copy: -1}
	w.enter(w.fresh()) // the function itself is a block
	w.write(0, len(f.code))
	return w.out
}

// write writes the instructions from one index up to another, each jump that can be direct in the
// place of its three.
func (w *writer) write(from, to int) {
	next, _ := slices.BinarySearchFunc(w.jumps, from, func(j jump, n int) int { return j.at - n })
	for n := from; n < to; n++ {
		if next == len(w.jumps) || w.jumps[next].at != n {
			if behind := w.condition(n); behind > 0 {
				n += behind
			} else {
				w.instruction(n)
			}
			continue
		}
		if j := w.jumps[next]; w.direct(j) {
			w.jump(j)
			n += 2
		} else {
			w.instruction(n)
		}
		next++
	}
}

// jump writes a direct jump in the place of one through the table.
func (w *writer) jump(j jump) {
	switch {
	case j.to > j.from:
		w.branch(opBr, j.to)
	case j.to == w.copy:
		w.branch(opBr, w.gateOf(j.to))
	default:
		w.branch(opBr, w.loopOf(j.to))
	}
}

// instruction writes one instruction as it is, but for the depths of branches and for the ends at
// which parts begin.
func (w *writer) instruction(n int) {
	i := w.code[n]
	switch i.op {
	case opBlock, opLoop, opIf:
		name := w.nameAt(n)
		if name < len(w.parts) {
			w.openGate(name, -1)
		}
		w.enter(name)
	case opBr, opBrIf:
		w.branch(i.op, w.was[len(w.was)-1-int(i.arg)])
		return
	case opBrTable:
		w.table()
		return
	case opEnd:
		name := w.was[len(w.was)-1]
		w.was = w.was[:len(w.was)-1]
		if name < len(w.parts) {
			w.begin(name)
			return
		}
		w.endLoops(len(w.parts) - 1)
		w.close()
		return
	}
	w.out = append(w.out, w.body[i.from:i.to]...)
}

// nameAt is the name of the block that opens at index n: those before the dispatch are the parts'.
func (w *writer) nameAt(n int) int {
	if k := w.dispatch - 2 - n; k >= 0 && k < len(w.parts) {
		return k
	}
	return w.fresh()
}

func (w *writer) fresh() int {
	w.at = append(w.at, 0)
	w.next++
	return w.next - 1
}

// enter notes a block that opens in both.
func (w *writer) enter(name int) {
	w.was = append(w.was, name)
	w.push(name)
}

func (w *writer) push(name int) {
	w.at[name] = len(w.is)
	w.is = append(w.is, name)
}

// open begins a block or a loop that is in what is written only.
func (w *writer) open(op byte, name int) {
	w.out = append(w.out, op, noResult)
	w.push(name)
}

// close ends the innermost block.
func (w *writer) close() {
	w.out = append(w.out, opEnd)
	w.is = w.is[:len(w.is)-1]
}

// begin begins a part. If it is a loop's, the blocks of the loop's other parts end here, and are
// opened again inside: nothing outside jumps to them, but for the entry.
func (w *writer) begin(part int) {
	w.endLoops(part - 1)
	w.close()
	l, last := w.parts[part].loop, w.parts[part].until
	switch {
	case !l.is:
		return
	case l.entry < 0:
		for range last - part {
			w.close()
		}
	default:
		w.beginCopy(part, l.entry, last)
	}
	w.open(opLoop, w.loopOf(part))
	for inner := last; inner > part; inner-- {
		w.openGate(inner, part)
		w.open(opBlock, inner)
	}
}

// beginCopy writes what follows a loop's entry in front of the loop. Who comes by the head goes
// round it.
func (w *writer) beginCopy(head, entry, last int) {
	w.branch(opBr, w.gateOf(head))
	was := w.was
	w.copy = head
	for k := head + 1; k <= last; k++ {
		w.close()
		if k >= entry {
			w.then = append(w.then[:0], was[:len(was)-(k-head)]...)
			w.was = w.then
			w.write(w.parts[k].begins+1, w.parts[k+1].begins)
		}
	}
	w.was, w.copy = was, -1
	w.branch(opBr, last+1)
	w.close()
}

// openGate opens the block in front of a loop that ends with the given part and lies right in the
// given one, if that loop needs it.
func (w *writer) openGate(last, outer int) {
	for _, head := range w.heads[last] {
		if l := w.parts[head].loop; l.outer == outer && l.entry >= 0 {
			w.open(opBlock, w.gateOf(head))
		}
	}
}

// endLoops ends the loops of which the given part is the last.
func (w *writer) endLoops(last int) {
	for len(w.is) > 0 {
		head := w.is[len(w.is)-1] - len(w.parts)
		if head < 0 || head >= len(w.parts) || w.parts[head].until != last {
			return
		}
		w.close()
	}
}

// branch writes a branch out of the named block, or back to its beginning if it is a loop.
func (w *writer) branch(op byte, name int) {
	w.out = append(w.out, op)
	w.depth(name)
}

// depth writes how many blocks are between here and the named one.
func (w *writer) depth(name int) {
	w.out = binary.AppendUvarint(w.out, uint64(len(w.is)-1-w.at[name]))
}

// table writes the dispatch. A part that is no longer entered through it is taken out of it: its
// place leads to the first part, to which there is a way anyhow.
func (w *writer) table() {
	w.out = append(w.out, opBrTable)
	w.out = binary.AppendUvarint(w.out, uint64(len(w.places)-1))
	for _, part := range w.places {
		if !w.tabled(part) {
			part = 0
		}
		w.depth(part)
	}
}
