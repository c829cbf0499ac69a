package jobs

import "time"

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
		b.typical += (took - b.typical) / 8
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

// forget takes a submission off the board; the lock is held.
func (b *board) forget(id string) {
	delete(b.tickets, id)
	if b.settled != nil {
		b.settled[id] = struct{}{}
	}
	b.changed()
}
