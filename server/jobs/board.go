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

// A sending is a ticket that is to be sent.
type sending struct {
	id    string
	round int64
}

// pick takes from the waiting those that should be sent now, so that no more than window are in
// the stream, and marks them as sent: a quick worker's news may come before the stream says that
// it has the message. It also says in how long a ticket that is held back may be sent; 0 is never.
func (b *board) pick(window int) (picked []sending, next time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	ids := b.arrange()
	room := window - (len(b.tickets) - len(ids))
	for _, id := range ids {
		t := b.tickets[id]
		if wait := t.notBefore.Sub(b.now()); wait > 0 {
			if next == 0 || wait < next {
				next = wait
			}
			continue
		}
		if len(picked) >= room {
			continue
		}
		if t.round == 0 {
			b.round = after(b.round, b.now())
			t.round, t.delivery = b.round, 0
		}
		t.stage = sent
		t.began = b.now()
		picked = append(picked, sending{id, t.round})
	}
	b.arrange() // those that are held back may have been overtaken
	return picked, next
}

// unsent puts back what could not be sent. It keeps its round: if the stream has it in spite of
// the error, sending it again does nothing.
func (b *board) unsent(unsent ...sending) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, s := range unsent {
		if t := b.current(s.id, s.round); t != nil && t.stage == sent {
			t.stage = waiting
		}
	}
}

// current is the ticket of a submission in its present round, or nil; the lock is held.
func (b *board) current(id string, round int64) *ticket {
	if t, ok := b.tickets[id]; ok && t.round == round && round != 0 {
		return t
	}
	return nil
}

// isCurrent reports whether an answer to this round is waited for.
func (b *board) isCurrent(id string, round int64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.current(id, round) != nil
}

// progress takes a worker's news. News of an earlier round or delivery are dropped: the stream
// has given the submission to somebody else since. It reports whether a worker began just now.
func (b *board) progress(s snapshot) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	t := b.current(s.ID, s.Round)
	if t == nil || s.Delivery < t.delivery {
		return false
	}
	if s.Verdict.State != check.Building && s.Verdict.State != check.Running {
		return false
	}
	first := t.stage != begun
	if first {
		t.began = b.now()
	}
	t.stage, t.delivery, t.place = begun, s.Delivery, 0
	t.verdict = s.Verdict
	t.verdict.ID = s.ID
	b.news(t)
	return first
}

// again puts a submission back among the waiting after a fault, for wait at least. It reports
// false if no answer to this round was waited for.
func (b *board) again(id string, round int64, wait time.Duration) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	t := b.current(id, round)
	if t == nil {
		return false
	}
	b.requeue(t)
	t.notBefore = b.now().Add(wait)
	b.retried++
	b.arrange()
	return true
}

// requeue makes a ticket wait as if it had never been sent; the lock is held.
func (b *board) requeue(t *ticket) {
	t.stage, t.round, t.delivery = waiting, 0, 0
	t.verdict = queued(t.row)
}

// seal gives the time at which a submission's verdict is recorded: whole microseconds, and later
// than all its events, of which there are no more until settle or unseal.
func (b *board) seal(id string) time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	var previous int64
	if t, ok := b.tickets[id]; ok {
		previous = t.seq
		t.sealed = true
	}
	return time.UnixMicro(after(previous, b.now())).UTC()
}

// unseal takes seal back: nothing was recorded.
func (b *board) unseal(id string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if t, ok := b.tickets[id]; ok && t.sealed {
		t.sealed = false
		b.news(t)
	}
}

// settle forgets a submission that has its verdict, and tells it. For one that is not on the
// board it does nothing: it was told before.
func (b *board) settle(id string, final Event) {
	b.mu.Lock()
	defer b.mu.Unlock()
	t, ok := b.tickets[id]
	if !ok {
		return
	}
	if t.stage == begun {
		took := b.now().Sub(t.began)
		b.usual += (took - b.usual) / 8
	}
	b.forget(id)
	// Only a verdict that another process recorded can be older than our news.
	final.Seq = max(final.Seq, t.seq+1)
	b.tell(final)
	b.judged++
}

// drop forgets a submission that is no more.
func (b *board) drop(id string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.forget(id)
}

func (b *board) forget(id string) {
	delete(b.tickets, id)
	if b.settled != nil {
		b.settled[id] = struct{}{}
	}
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
