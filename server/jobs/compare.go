package jobs

import "github.com/ringoftowers/towers/server/store"

// reading begins a comparison of the board with the rows, which takes a while: meanwhile
// submissions come and are settled. The mark is for merge.
func (b *board) reading() (mark uint64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.settled = make(map[string]struct{})
	return b.count
}

// merge ends a comparison: it takes in what the rows have and the board has not, and gives the
// ids of those on the board that the rows no longer call unjudged. It leaves to Submit what
// Submit is about to add: were that judged before, it would be added when it is over. Nothing
// changes if the rows could not be read.
func (b *board) merge(mark uint64, rows []store.Submission, read bool) (stale []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	settled := b.settled
	b.settled = nil
	if !read {
		return nil
	}
	unjudged := make(map[string]struct{}, len(rows))
	for _, s := range rows {
		unjudged[s.ID] = struct{}{}
		_, over := settled[s.ID]
		_, early := b.writing[s.ID]
		if !over && !early {
			b.insert(s)
		}
	}
	for id, t := range b.tickets {
		if _, ok := unjudged[id]; !ok && t.born <= mark {
			stale = append(stale, id)
		}
	}
	b.arrange()
	return stale
}

// away gives those that are in the stream, or should be.
func (b *board) away() []sending {
	b.mu.Lock()
	defer b.mu.Unlock()
	var all []sending
	for id, t := range b.tickets {
		if t.stage != waiting {
			all = append(all, sending{id, t.round})
		}
	}
	return all
}

// lost makes those wait again that were sent and are nowhere, unless they were settled or sent
// anew since.
func (b *board) lost(lost []sending) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, s := range lost {
		if t := b.current(s.id, s.round); t != nil {
			b.requeue(t)
		}
	}
	b.arrange()
}
