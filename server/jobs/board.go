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
	changed func() // called, under the lock, when something else may be sent than before
	most    int    // unjudged submissions of learners, and as many re-checks
	tickets map[string]*ticket
	watches map[string]map[*Watch]struct{}
	closed  bool
	count   uint64 // tickets ever made
	round   int64  // the newest one

	// writing has the submissions whose rows are being written, and whether they are re-checks.
	writing map[string]bool
	// settled is non-nil while the rows are being read, and has what was settled meanwhile.
	settled map[string]struct{}

	typical         time.Duration // a check's time, smoothed
	judged, retried uint64
}

func newBoard(now func() time.Time, most int, changed func()) *board {
	return &board{
		now: now, changed: changed, most: most, typical: time.Second,
		tickets: make(map[string]*ticket), writing: make(map[string]bool),
		watches: make(map[string]map[*Watch]struct{}),
	}
}

// hold keeps a place for a submission that is about to be written, until add or release. It
// reports false when there is none. A re-check of a whole class leaves the learners their own
// places.
func (b *board) hold(s store.Submission) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := 0
	for _, recheck := range b.writing {
		if recheck == s.Recheck {
			n++
		}
	}
	for _, t := range b.tickets {
		if t.row.Recheck == s.Recheck {
			n++
		}
	}
	if n >= b.most {
		return false
	}
	b.writing[s.ID] = s.Recheck
	return true
}

// release gives the place back of a submission that was not written.
func (b *board) release(id string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.writing, id)
}

// add puts a written submission on the board and gives its event.
func (b *board) add(s store.Submission) Event {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.writing, s.ID)
	b.insert(s)
	b.arrange()
	return b.tickets[s.ID].event()
}

// insert makes a ticket, unless there is one; the lock is held, and arrange must follow. Its
// first event comes after the one that the row alone amounts to.
func (b *board) insert(s store.Submission) {
	if _, ok := b.tickets[s.ID]; ok {
		return
	}
	s.Source = ""
	b.count++
	b.tickets[s.ID] = &ticket{row: s, born: b.count, seq: after(s.At.UnixMicro(), b.now()), verdict: queued(s)}
	b.changed()
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
