package jobs

import (
	"sync"
	"time"

	"github.com/ringoftowers/towers/server/check"
)

// tellEvery is the least time between two pieces of news of one submission.
const tellEvery = 50 * time.Millisecond

// A teller publishes how a check comes along. It never holds the check up: what comes too fast
// replaces what was not told yet.
type teller struct {
	newest chan check.Verdict // holds one
	done   chan struct{}
	gone   sync.WaitGroup
}

// tellOf starts a teller for a job; stop ends it.
func (s *shift) tellOf(j job, delivery uint64) *teller {
	t := &teller{newest: make(chan check.Verdict, 1), done: make(chan struct{})}
	most := s.link.most()
	t.gone.Go(func() {
		for {
			select {
			case v := <-t.newest:
				s.tell(snapshot{ID: j.ID, Round: j.Round, Delivery: delivery, Verdict: v}, most)
			case <-t.done:
				return
			}
			select {
			case <-time.After(tellEvery):
			case <-t.done:
				return
			}
		}
	})
	return t
}

// tell takes news; only one goroutine at a time may call it.
func (t *teller) tell(v check.Verdict) {
	select {
	case <-t.newest:
	default:
	}
	t.newest <- v
}

// stop drops what is not told and returns when nothing more will be.
func (t *teller) stop() {
	close(t.done)
	t.gone.Wait()
}

// tell publishes a snapshot with its outputs cut.
func (s *shift) tell(news snapshot, most int) {
	data, err := fit(cut(news.Verdict, eventOutput), most, func(v check.Verdict) any {
		news.Verdict = v
		return news
	})
	if err == nil {
		err = s.link.conn.Publish(eventsSubject+news.ID, data)
	}
	if err != nil {
		s.log.Debug("some news is lost", "id", news.ID, "error", err)
	}
}
