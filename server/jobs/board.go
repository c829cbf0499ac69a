package jobs

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"github.com/ringoftowers/towers/server/check"
	"github.com/ringoftowers/towers/server/store"
)

// stage is how far an unjudged submission has come on its way to a worker.
type stage int

const (
	waiting stage = iota // here only
	sent                 // in the stream, or on the way to it
	begun                // a worker has it
)

// A ticket is a submission that has no verdict yet.
type ticket struct {
	row       store.Submission // without its source
	stage     stage
	round     int64     // the present sending's; 0 before the first one
	delivery  uint64    // the stream's count of it that was heard from last
	notBefore time.Time // when it may be sent again after a fault of ours
	began     time.Time
	born      uint64 // the board's count when it came
	seq       int64
	place     int
	sealed    bool // its verdict is being recorded: it has no more news but that
	verdict   check.Verdict
}

func (t *ticket) event() Event { return Event{Seq: t.seq, Place: t.place, Verdict: t.verdict} }

func (t *ticket) candidate() candidate {
	return candidate{id: t.row.ID, learner: t.row.Learner, recheck: t.row.Recheck, at: t.row.At}
}

// A board is the memory of the queue: who waits, who is under way and who watches. It neither
// reads nor writes anything else, and its methods may be called from anywhere.
type board struct {
	mu      sync.Mutex
	now     func() time.Time
	most    int // unjudged submissions of learners, and as many re-checks
	tickets map[string]*ticket
	watches map[string]map[*Watch]struct{}
	closed  bool
	held    [2]int // places kept for submissions that are being written: learners', re-checks'
	count   uint64 // tickets ever made
	round   int64  // the newest one

	// settled is non-nil while the rows are being read, and holds what was settled meanwhile.
	settled map[string]struct{}

	usual           time.Duration // a check's time, smoothed
	judged, retried uint64
}

func newBoard(now func() time.Time, most int) *board {
	return &board{
		now: now, most: most, usual: time.Second,
		tickets: make(map[string]*ticket), watches: make(map[string]map[*Watch]struct{}),
	}
}

// hold keeps a place for a submission that is about to be written. It reports false when there
// is none. A re-check of a whole class leaves the learners their own places.
func (b *board) hold(recheck bool) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := b.held[kind(recheck)]
	for _, t := range b.tickets {
		if t.row.Recheck == recheck {
			n++
		}
	}
	if n >= b.most {
		return false
	}
	b.held[kind(recheck)]++
	return true
}

// release gives a kept place back.
func (b *board) release(recheck bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.held[kind(recheck)]--
}

func kind(recheck bool) int {
	if recheck {
		return 1
	}
	return 0
}

// add puts a written submission on the board, unless it is there, and gives its event.
func (b *board) add(s store.Submission) Event {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.insert(s)
	b.arrange()
	return b.tickets[s.ID].event()
}

// insert makes a ticket; the lock is held, and arrange must follow.
func (b *board) insert(s store.Submission) {
	if _, ok := b.tickets[s.ID]; ok {
		return
	}
	s.Source = ""
	b.count++
	b.tickets[s.ID] = &ticket{row: s, born: b.count, seq: after(0, b.now()), verdict: queued(s)}
}

// arrange gives each ticket its place, tells those whose place changed, and returns the ids of
// the waiting in their order; the lock is held.
func (b *board) arrange() []string {
	var here, gone []candidate
	var unbegun []*ticket
	for _, t := range b.tickets {
		switch t.stage {
		case waiting:
			here = append(here, t.candidate())
			continue
		case sent:
			unbegun = append(unbegun, t)
		case begun:
			b.move(t, 0)
		}
		gone = append(gone, t.candidate())
	}
	slices.SortFunc(unbegun, func(s, t *ticket) int { return cmp.Compare(s.round, t.round) })
	for n, t := range unbegun {
		b.move(t, n+1)
	}
	ids := order(here, gone)
	for n, id := range ids {
		b.move(b.tickets[id], len(unbegun)+n+1)
	}
	return ids
}

// move gives a ticket its place; the lock is held.
func (b *board) move(t *ticket, place int) {
	if t.place != place {
		t.place = place
		b.news(t)
	}
}

// news numbers a ticket's present event and tells it; the lock is held.
func (b *board) news(t *ticket) {
	if t.sealed {
		return
	}
	t.seq = after(t.seq, b.now())
	b.tell(t.event())
}

// latest is the present event of an unjudged submission.
func (b *board) latest(id string) (Event, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if t, ok := b.tickets[id]; ok {
		return t.event(), true
	}
	return Event{}, false
}
