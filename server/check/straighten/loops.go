package straighten

import (
	"cmp"
	"slices"
)

const (
	longestLoop = 400 // parts that a loop may have; loops that matter are short
	longestCopy = 200 // instructions that may be written twice
	// mostReopened times its parts is how many blocks a function's loops may end and open again. In
	// a deep nest each loop does so with those of all loops inside, which an engine takes seconds
	// for. What people write needs about one for each part at most.
	mostReopened = 8
)

// loop says how jumps back to a part are made direct, if they are. The loop goes from that part to
// the last one that jumps there.
//
// Nothing but those jumps may enter it in its middle, with one exception: Go writes the condition
// of a "for" behind its body and begins with a jump there. What follows that entry is then written
// a second time, in front of the loop.
type loop struct {
	is    bool
	entry int // the part in its middle at which it is entered, or -1
	outer int // the first part of the smallest loop around it, or -1
}

// findLoops decides which jumps back can be loops. These may reopen so many blocks, all together.
func (f *function) findLoops(reopened int) {
	var heads []int
	for k, p := range f.parts {
		if p.until >= k && p.until-k <= longestLoop {
			heads = append(heads, k)
		}
	}
	// The shorter first: they may lie in the longer.
	slices.SortFunc(heads, func(a, b int) int {
		return cmp.Or(cmp.Compare(f.parts[a].until-a, f.parts[b].until-b), cmp.Compare(b, a))
	})
	for _, head := range heads {
		entry, ok := f.entryOf(head)
		if !ok {
			continue
		}
		if reopened -= f.parts[head].until - head; reopened < 0 {
			return // and no other is shorter
		}
		f.parts[head].loop = loop{is: true, entry: entry, outer: -1}
		f.heads[f.parts[head].until] = append(f.heads[f.parts[head].until], head)
		for k := head + 1; k <= f.parts[head].until; k++ {
			if inner := &f.parts[k].loop; inner.is && inner.outer < 0 {
				inner.outer = head
			}
		}
	}
}

// entryOf reports whether the parts from head on can be a loop, and at which part in its middle it
// is entered, or -1.
func (f *function) entryOf(head int) (entry int, ok bool) {
	entry, last := -1, f.parts[head].until
	for k := head + 1; k <= last; k++ {
		p := f.parts[k]
		switch {
		case p.resumed, p.until > last, p.until >= k && !p.loop.is:
			return -1, false
		case p.from >= head:
		case entry >= 0:
			return -1, false
		default:
			entry = k
		}
	}
	return entry, entry < 0 || f.canCopy(head, entry)
}

// canCopy reports whether the parts from entry to the end of a loop may be written twice: they are
// short, and jump on, out of the loop or to its head.
func (f *function) canCopy(head, entry int) bool {
	last := f.parts[head].until
	if last+1 >= len(f.parts) || f.parts[last+1].begins-f.parts[entry].begins > longestCopy {
		return false
	}
	for k := head + 1; k <= last; k++ {
		if p := f.parts[k]; p.loop.is && p.until >= entry {
			return false
		}
	}
	return true
}

// direct reports whether a jump can do without the table.
func (f *function) direct(j jump) bool { return j.to > j.from || f.parts[j.to].loop.is }

// tabled reports whether a part may still be entered through the table.
func (f *function) tabled(k int) bool {
	p := f.parts[k]
	return p.resumed || p.until >= k && !p.loop.is
}
