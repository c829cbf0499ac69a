package jobs

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/ringoftowers/towers/server/check"
)

const (
	// mostDeliveries is how often a job may be begun and not ended before that counts as an
	// attempt: a program that kills each worker must not go round for ever.
	mostDeliveries = 5
	// farewell is how long a worker that stops tries to hand in what it has.
	farewell = 2 * time.Second
)

// A Checker judges one submission; check.Checker is one. It must return within some time of its
// own, since nothing here ends a check that hangs, and soon when ctx ends, with an error if it has
// no verdict. A panic is taken for such an error.
type Checker interface {
	Check(ctx context.Context, s check.Submission) (check.Verdict, error)
}

// Worker is what Work needs.
type Worker struct {
	URL     string // the NATS server's, credentials included, or several with commas between
	Checker Checker
	Slots   int          // submissions judged at once, from 1
	Log     *slog.Logger // by default nothing is logged
}

// Work judges submissions of the queue at w.URL until ctx is done. Then it cancels the checks
// under way and gives their submissions back, so that another worker has them at once, and
// returns nil. It waits for a NATS server or a queue that is not there yet, also when either goes
// away meanwhile; the error says that it was refused, or that w makes no sense.
func Work(ctx context.Context, w Worker) error {
	if w.URL == "" {
		return errors.New("work: Worker.URL is empty: say where the NATS server is")
	}
	if w.Log == nil {
		w.Log = slog.New(slog.DiscardHandler)
	}
	if err := valid(w.Checker, w.Slots); err != nil {
		return err
	}
	l, err := dial(w.URL, w.Log, func() {})
	if err != nil {
		return err
	}
	defer l.close()
	return newShift(l, w.Checker, w.Slots, w.Log).work(ctx)
}

// Work judges submissions within this process, over the queue's own connection, until ctx is
// done or the queue is closed; see the function Work.
func (q *Queue) Work(ctx context.Context, checker Checker, slots int) error {
	if err := valid(checker, slots); err != nil {
		return err
	}
	if err := q.enter(); err != nil {
		return err
	}
	defer q.working.Done()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(q.stopped, cancel)()
	select {
	case <-q.prepared:
	case <-ctx.Done():
		return nil
	}
	return newShift(q.link, checker, slots, q.log).work(ctx)
}

func valid(checker Checker, slots int) error {
	if checker == nil || slots < 1 {
		return fmt.Errorf("work: a worker needs a checker and at least one slot, not %d", slots)
	}
	return nil
}

// A shift is one call of Work.
type shift struct {
	link    *link
	checker Checker
	slots   int
	log     *slog.Logger
	name    string
}

func newShift(l *link, checker Checker, slots int, log *slog.Logger) *shift {
	host, err := os.Hostname()
	if err != nil {
		host = "worker"
	}
	return &shift{link: l, checker: checker, slots: slots, log: log, name: host + "-" + rand.Text()[:8]}
}

func (s *shift) work(ctx context.Context) error {
	// If one hand finds that there is no going on, the others stop too.
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var hands sync.WaitGroup
	failed := make(chan error, s.slots)
	for range s.slots {
		hands.Go(func() {
			err := s.link.pull(ctx, checksStream, workersName, 1, func(msg jetstream.Msg) { s.do(ctx, msg) })
			if err != nil {
				failed <- err
				cancel(err)
			}
		})
	}
	hands.Go(func() { s.greet(ctx) })
	hands.Wait()
	// What was given back must have left before whoever called ends the process.
	if _, ok := s.link.alive(); ok {
		if err := s.link.conn.FlushTimeout(farewell); err != nil {
			s.log.Debug("the last messages may not have arrived", "error", err)
		}
	}
	select {
	case err := <-failed:
		return err
	default:
		return nil
	}
}

// greet says every second that this worker is there, and at the end that it leaves.
func (s *shift) greet(ctx context.Context) {
	tick := time.NewTicker(greetEvery)
	defer tick.Stop()
	for ctx.Err() == nil {
		s.say(workersSubject, greeting{s.name, s.slots})
		select {
		case <-tick.C:
		case <-ctx.Done():
		}
	}
	s.say(workersSubject, greeting{Worker: s.name})
}

// say publishes what may be lost.
func (s *shift) say(subject string, message any) {
	data, err := pack(message)
	if err == nil {
		err = s.link.conn.Publish(subject, data)
	}
	if err != nil {
		s.log.Debug("some news is lost", "subject", subject, "error", err)
	}
}
