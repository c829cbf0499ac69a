package straighten

import (
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// nester writes shapes as people write programs: statements within statements.
type nester struct {
	*rand.Rand
	s    shape
	most int // parts, after which nothing new begins
	// The loops around the present statement, innermost last: which of their parts are to jump on to
	// the condition and out, once it is known where these are.
	loops []struct{ on, out []int }
}

func (n *nester) add(p shapePart) int {
	p.before = n.IntN(100) == 0
	p.idle = n.IntN(8)
	if n.IntN(30) == 0 {
		p.idle = n.IntN(longestCopy)
	}
	n.s = append(n.s, p)
	return len(n.s) - 1
}

// statements writes a few of them.
func (n *nester) statements(depth int) {
	for range 1 + n.IntN(4) {
		if len(n.s) < n.most {
			n.statement(depth)
		}
	}
}

func (n *nester) statement(depth int) {
	branch := onward()
	branch.mask = 1 + n.Int64N(15)
	switch kind := n.IntN(12); {
	case kind == 0 && n.IntN(4) == 0:
		branch.call = true
		n.add(branch)
	case kind <= 2 && len(n.loops) > 0:
		at := n.add(branch)
		if l := &n.loops[n.IntN(len(n.loops))]; kind == 1 {
			l.on = append(l.on, at)
		} else {
			l.out = append(l.out, at)
		}
	case kind <= 4 || depth == 0:
		n.add(onward())
	case kind <= 6:
		at := n.add(branch)
		n.statements(depth - 1)
		n.s[at].ifZero = len(n.s)
	default:
		n.loop(depth-1, branch, kind <= 9)
	}
}

// loop writes one, which begins with a jump to the condition behind its body or goes right into it.
func (n *nester) loop(depth int, condition shapePart, withJump bool) {
	begin := -1
	if withJump {
		begin = n.add(onward())
	}
	body := len(n.s)
	n.loops = append(n.loops, struct{ on, out []int }{})
	n.statements(depth)
	for range n.IntN(3) {
		n.add(onward())
	}
	at := len(n.s)
	if n.IntN(4) == 0 {
		n.statements(min(1, depth)) // a condition may hold some that were calls in the source
	}
	condition.ifZero = body
	n.add(condition)
	if withJump {
		n.s[begin].jump = at
	}
	l := n.loops[len(n.loops)-1]
	n.loops = n.loops[:len(n.loops)-1]
	for _, k := range l.on {
		n.s[k].ifZero = at
	}
	for _, k := range l.out {
		n.s[k].ifZero = len(n.s)
	}
}

// nested is a shape of about so many parts.
func nested(seed uint64, most int) shape {
	n := nester{Rand: rand.New(rand.NewPCG(seed, 0)), most: most}
	for len(n.s) < most {
		n.statements(8)
	}
	end := onward()
	end.leave = true
	n.s = append(n.s, end)
	return n.s
}

// Long and deep functions do the same too.
func TestStraightenedNestsDoTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := nested(rapid.Uint64().Draw(t, "seed"), rapid.IntRange(1, 3*longestLoop/2).Draw(t, "parts"))
		compare(t, s)
	})
}

// What is one too long stays in the table.
func TestLongestLoopAndCopy(t *testing.T) {
	long := func(parts int) shape {
		s := make(shape, parts+2)
		for k := range s {
			s[k] = onward()
		}
		s[parts].ifZero, s[parts+1].leave = 0, true
		return s
	}
	copied := func(instructions int) shape {
		const others = 26 // instructions of a part with a condition
		s := shape{onward(), onward(), onward(), onward()}
		s[0].jump, s[2].ifZero, s[2].idle, s[3].leave = 2, 1, instructions-others, true
		return s
	}
	for _, c := range []struct {
		name   string
		s      shape
		direct bool
	}{
		{"a loop as long as may be", long(longestLoop), true},
		{"a longer one", long(longestLoop + 1), false},
		{"a copy as long as may be", copied(longestCopy), true},
		{"a longer one", copied(longestCopy + 1), false},
	} {
		is := compare(t, c.s)
		if jumps, _ := through(t, is); (jumps == 0) != c.direct {
			t.Errorf("%s: %d jumps go through the table", c.name, jumps)
		}
	}
}

// The drawn nests are like real programs in what they need: loops of all kinds become direct, and
// some are long.
func TestNestsHaveLoops(t *testing.T) {
	loops, entered, longest := 0, 0, 0
	for seed := range uint64(20) {
		for body := range bodies(t, nested(seed, longestLoop).module()) {
			var f function
			if !f.read(body) || !f.analyse() {
				continue
			}
			for k, p := range f.parts {
				if !p.loop.is {
					continue
				}
				loops++
				longest = max(longest, p.until-k)
				if p.loop.entry >= 0 {
					entered++
				}
			}
		}
	}
	if loops < 500 || entered < 100 || longest < longestLoop/8 {
		t.Errorf("%d loops, %d of them entered in their middle, the longest of %d parts", loops, entered, longest)
	}
	t.Logf("%d loops, %d of them entered in their middle, the longest of %d parts", loops, entered, longest)
}
