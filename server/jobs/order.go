package jobs

import (
	"cmp"
	"container/heap"
	"slices"
	"time"
)

// A candidate is what the order of the queue depends on.
type candidate struct {
	id, learner string
	recheck     bool
	at          time.Time
}

// order gives the ids of those who wait in the order in which they should be judged, supposing
// that nobody comes and nothing ends meanwhile. Re-checks stand behind everything that a learner
// waits for. Within each of the two, the learner with least under way is next, counting what was
// taken for the learner before in this order, and among equals the oldest submission. So someone
// who sends fifty holds up somebody else's single one by a few, not by fifty.
//
// It takes O(n log n) for n who wait, whatever their order, and changes neither argument.
func order(waiting, underWay []candidate) []string {
	ids := make([]string, 0, len(waiting))
	for _, recheck := range []bool{false, true} {
		other := func(c candidate) bool { return c.recheck != recheck }
		mine := slices.DeleteFunc(slices.Clone(waiting), other)
		busy := make(map[string]int)
		for _, c := range underWay {
			if !other(c) {
				busy[c.learner]++
			}
		}
		ids = append(ids, inTurns(mine, busy)...)
	}
	return ids
}

// inTurns orders submissions of one kind. It sorts waiting in place.
func inTurns(waiting []candidate, busy map[string]int) []string {
	slices.SortFunc(waiting, older)
	lines := make(map[string]*line)
	var turns turns
	for _, c := range waiting {
		l := lines[c.learner]
		if l == nil {
			l = &line{busy: busy[c.learner]}
			lines[c.learner] = l
			turns = append(turns, l)
		}
		l.waiting = append(l.waiting, c)
	}
	heap.Init(&turns)
	ids := make([]string, 0, len(waiting))
	for len(turns) > 0 {
		next := turns[0]
		ids = append(ids, next.waiting[0].id)
		next.waiting = next.waiting[1:]
		next.busy++
		if len(next.waiting) == 0 {
			heap.Pop(&turns)
		} else {
			heap.Fix(&turns, 0)
		}
	}
	return ids
}

// older orders by age, and by id where two are of one age.
func older(a, b candidate) int {
	return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.id, b.id))
}

// A line is one learner's submissions, the oldest first.
type line struct {
	busy    int // under way or taken before
	waiting []candidate
}

// turns is a heap of lines with the one whose turn it is on top.
type turns []*line

func (t turns) Len() int      { return len(t) }
func (t turns) Swap(i, j int) { t[i], t[j] = t[j], t[i] }
func (t turns) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(t[i].busy, t[j].busy), older(t[i].waiting[0], t[j].waiting[0])) < 0
}

// Push is there for heap.Interface; no line comes later.
func (t *turns) Push(x any) { *t = append(*t, x.(*line)) }

// Pop takes the last line, as heap.Interface wants it.
func (t *turns) Pop() any {
	last := (*t)[len(*t)-1]
	*t = (*t)[:len(*t)-1]
	return last
}
