package jobs

// A Watch follows one submission. Its channel is a mailbox for one event: a newer one takes the
// place of one that was not fetched, so a slow reader holds up nobody and still learns how the
// submission stands.
type Watch struct {
	id    string
	board *board
	mail  chan Event
	ended bool // under the board's lock
}

// Watch follows the submission with this id. If it is waiting or under way, its present event
// is in the mailbox at once. If the mailbox is empty the submission is judged, or unknown: look
// at its row, after calling Watch and not before, or its verdict could fall between the two.
//
// The caller must Close the watch. It costs some 300 bytes and no goroutine.
func (q *Queue) Watch(id string) *Watch { return q.board.watch(id) }

// C gives the events. It is closed when the watch or its queue is; after the final event nothing
// more comes.
func (w *Watch) C() <-chan Event { return w.mail }

// Close ends the watch. Closing it again does nothing.
func (w *Watch) Close() {
	w.board.mu.Lock()
	defer w.board.mu.Unlock()
	w.end()
}

// end closes the mailbox and forgets the watch; the board's lock is held.
func (w *Watch) end() {
	if w.ended {
		return
	}
	w.ended = true
	close(w.mail)
	all := w.board.watches[w.id]
	delete(all, w)
	if len(all) == 0 {
		delete(w.board.watches, w.id)
	}
}

// put replaces what is in the mailbox; the board's lock is held, so nobody else puts.
func (w *Watch) put(e Event) {
	select {
	case <-w.mail:
	default:
	}
	w.mail <- e
}

// watch makes a watch with the present event in it, if there is one.
func (b *board) watch(id string) *Watch {
	b.mu.Lock()
	defer b.mu.Unlock()
	w := &Watch{id: id, board: b, mail: make(chan Event, 1)}
	if b.closed {
		w.ended = true
		close(w.mail)
		return w
	}
	if b.watches[id] == nil {
		b.watches[id] = make(map[*Watch]struct{})
	}
	b.watches[id][w] = struct{}{}
	if t, ok := b.tickets[id]; ok {
		w.put(t.event())
	}
	return w
}

// tell gives an event to everybody who watches its submission; the lock is held.
func (b *board) tell(e Event) {
	for w := range b.watches[e.Verdict.ID] {
		w.put(e)
	}
}

// close ends every watch and lets no new one begin.
func (b *board) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	for _, all := range b.watches {
		for w := range all {
			w.end()
		}
	}
}
