package jobs

import (
	"time"

	"github.com/ringoftowers/towers/server/check"
)

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
	if len(picked) > 0 {
		b.arrange() // those that are held back may have been overtaken
	}
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
// has given the submission to somebody else since.
func (b *board) progress(s snapshot) {
	b.mu.Lock()
	defer b.mu.Unlock()
	t := b.current(s.ID, s.Round)
	if t == nil || s.Delivery < t.delivery {
		return
	}
	if s.Verdict.State != check.Building && s.Verdict.State != check.Running {
		return
	}
	first := t.stage != begun
	if first {
		t.began = b.now()
	}
	t.stage, t.delivery, t.place = begun, s.Delivery, 0
	t.verdict = s.Verdict
	t.verdict.ID = s.ID
	b.news(t)
	if first {
		b.changed()
	}
}

// again puts a submission back among the waiting after a fault in this round, for wait at least.
func (b *board) again(id string, round int64, wait time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if t := b.current(id, round); t != nil {
		b.requeue(t)
		t.notBefore = b.now().Add(wait)
		b.retried++
		b.arrange()
	}
}

// requeue makes a ticket wait as if it had never been sent; the lock is held.
func (b *board) requeue(t *ticket) {
	t.stage, t.round, t.delivery = waiting, 0, 0
	t.verdict = queued(t.row)
	b.changed()
}
