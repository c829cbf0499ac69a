package jobs

// Stats are figures for whoever runs the server.
type Stats struct {
	Waiting   int    // submissions that no worker has begun
	UnderWay  int    // submissions that a worker has
	Workers   int    // workers heard of in the last few seconds
	Slots     int    // submissions that these can judge at once
	Judged    uint64 // verdicts recorded since Open
	Retried   uint64 // times that a submission was put back for a fault of ours
	Connected bool   // whether there is a NATS server
}

// Stats gives the present figures. It takes O(n) for n unjudged submissions.
func (q *Queue) Stats() Stats {
	s := q.board.stats()
	s.Workers, s.Slots = q.crew.count()
	_, s.Connected = q.link.alive()
	return s
}

func (b *board) stats() Stats {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := Stats{Judged: b.judged, Retried: b.retried}
	for _, t := range b.tickets {
		if t.stage == begun {
			s.UnderWay++
		} else {
			s.Waiting++
		}
	}
	return s
}
