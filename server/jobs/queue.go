package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/ringoftowers/towers/server/check"
	"github.com/ringoftowers/towers/server/store"
)

// A Ledger keeps the rows that are the truth; store.Store is one. An error that matches
// store.ErrFull, or any other but ErrShare and ErrNotFound, is taken to pass.
type Ledger interface {
	AddSubmission(ctx context.Context, s store.Submission, share int) error
	Submission(ctx context.Context, id string) (store.Submission, error)
	Unjudged(ctx context.Context) ([]store.Submission, error)
	Record(ctx context.Context, id, verdict string, result []byte, at time.Time) (first bool, err error)
	CountAttempt(ctx context.Context, id string) (int, error)
}

// Config is what Open needs.
type Config struct {
	Ledger Ledger
	// Exercise gives what checking needs to know of an exercise as the course has it now. Its
	// error matches ErrNoExercise if the course has none; any other is taken to pass.
	Exercise func(ctx context.Context, lesson, exercise string) (check.Exercise, error)

	// URL is a NATS server's, credentials included, or several with commas between. It must have
	// JetStream, with some memory for streams. If it is empty a server is started inside this
	// process, for which the next two are.
	URL string
	// Dir is a folder for the embedded server, which does not start without one. It stays empty,
	// since the streams are in memory, and may be deleted between two runs.
	Dir string
	// Listen opens the embedded server to workers on other machines: [user:password@]host:port.
	// By default it has no port. On other than a loopback address it needs credentials.
	Listen string

	// Share is how many submissions a learner may have waiting or under way; 0 is no limit.
	// Re-checks do not count.
	Share int
	// Most is how many submissions may wait or be under way in all, and how many re-checks
	// beside them; 2000 by default.
	Most int
	// Backoff is how long a submission waits that could not be judged for a reason of ours: the
	// first time, the second and so on. After that it is recorded as internal. By default there
	// are three retries, after 0.5, 2 and 5 seconds.
	Backoff []time.Duration
	// Log gets what goes wrong; by default nothing is logged.
	Log *slog.Logger

	pace pace // its zero value means usual; tests are in more of a hurry
}

// pace is how often things are looked at again.
type pace struct {
	sweep time.Duration // between comparisons with the rows and with the streams
	pause time.Duration // after a step that failed
	ack   time.Duration // a worker may be silent so long before its job is another's
}

// usual lets a job be somebody else's three seconds after a worker died, who spoke up four times
// in that time. A busy machine may then take seconds more to judge it, and all must be over in ten.
func usual() pace { return pace{sweep: 30 * time.Second, pause: time.Second, ack: 3 * time.Second} }

func (c Config) withDefaults() (Config, error) {
	if c.Ledger == nil || c.Exercise == nil {
		return c, errors.New("jobs: Config needs a Ledger and Exercise")
	}
	if c.Most <= 0 {
		c.Most = 2000
	}
	if c.Backoff == nil {
		c.Backoff = []time.Duration{500 * time.Millisecond, 2 * time.Second, 5 * time.Second}
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.pace == (pace{}) {
		c.pace = usual()
	}
	return c, nil
}

// A Queue takes submissions in, has workers judge them, and records their verdicts. It is safe
// for use by any number of goroutines.
type Queue struct {
	config Config
	log    *slog.Logger
	board  *board
	crew   *crew
	server *embedded // nil if the NATS server is elsewhere
	link   *link

	unrecorded atomic.Bool // the last attempt to record a verdict failed
	misreading sync.Once   // some news could not be read

	kick     chan struct{} // holds one wish for the dispatcher to look again
	prepared chan struct{} // closed once the streams are there for the first time

	cancel  context.CancelFunc
	stopped context.Context // done when Close begins
	running sync.WaitGroup  // our own goroutines
	working sync.WaitGroup  // calls of Work
	mu      sync.Mutex
	closed  bool

	// Of the dispatcher alone:
	epoch     int       // the connection for which the streams are known to be there
	inherited bool      // what a former run left is dealt with
	compared  time.Time // when the board was last compared with rows and streams
	suspect   bool      // something went wrong since
	failures  int       // in a row
	quietTo   time.Time // nothing is sent before, unless the connection is new
	seen      int       // the connection for which quietTo holds
}

// Open starts a queue: the embedded NATS server unless Config.URL names another, which need not
// be there yet. Every row without a verdict is in the queue when Open returns. ctx bounds only
// the opening. The caller must Close the queue; somebody must Work.
func Open(ctx context.Context, config Config) (*Queue, error) {
	config, err := config.withDefaults()
	if err != nil {
		return nil, err
	}
	q := &Queue{
		config: config, log: config.Log,
		crew: newCrew(time.Now), kick: make(chan struct{}, 1), prepared: make(chan struct{}),
	}
	q.board = newBoard(time.Now, config.Most, q.look)
	if err := q.compareRows(ctx); err != nil {
		return nil, err
	}
	q.compared = time.Now()
	if err := q.connect(); err != nil {
		return nil, err
	}
	// The queue outlives the call that opened it.
	q.stopped, q.cancel = context.WithCancel(context.WithoutCancel(ctx))
	q.running.Go(func() { q.dispatch(q.stopped) })
	q.running.Go(func() { q.record(q.stopped) })
	return q, nil
}

// connect starts the embedded server, if it is that one, makes the link and listens to workers.
func (q *Queue) connect() error {
	var options []nats.Option
	if q.config.URL == "" {
		var err error
		if q.server, err = embed(q.config.Dir, q.config.Listen, q.log); err != nil {
			return err
		}
		options = q.server.inside()
	}
	err := q.listen(options)
	if err != nil && q.server != nil {
		q.server.stop()
	}
	return err
}

func (q *Queue) listen(options []nats.Option) error {
	var err error
	if q.link, err = dial(q.config.URL, q.log, q.look, options...); err != nil {
		return err
	}
	_, err = q.link.conn.Subscribe(eventsSubject+"*", q.hear)
	if err == nil {
		_, err = q.link.conn.Subscribe(workersSubject, q.greet)
	}
	if err != nil {
		q.link.close()
		return fmt.Errorf("listen to workers: %w", err)
	}
	return nil
}

// hear takes a worker's news of one submission.
func (q *Queue) hear(msg *nats.Msg) {
	var s snapshot
	if err := unpack(msg.Data, &s); err != nil {
		q.misread(err)
		return
	}
	q.board.progress(s)
}

// greet takes note of a worker.
func (q *Queue) greet(msg *nats.Msg) {
	var g greeting
	if err := unpack(msg.Data, &g); err != nil {
		q.misread(err)
		return
	}
	if q.crew.greet(g) {
		q.look()
	}
}

// misread warns of messages that cannot be read, once: they come as often as others.
func (q *Queue) misread(err error) {
	q.misreading.Do(func() {
		q.log.Warn("a worker's news cannot be read; is it of the same version?", "error", err)
	})
}

// look asks the dispatcher to look again; it never blocks.
func (q *Queue) look() {
	select {
	case q.kick <- struct{}{}:
	default:
	}
}

// Latest is the present event of a submission that waits or is under way, and false of any other.
func (q *Queue) Latest(id string) (Event, bool) { return q.board.latest(id) }

// Close stops taking and sending submissions, waits for the calls of Work to give back what they
// had, and ends every watch and the embedded server. What is not judged is judged after the next
// Open. Closing again does nothing.
func (q *Queue) Close() error {
	q.mu.Lock()
	already := q.closed
	q.closed = true
	q.mu.Unlock()
	if already {
		return nil
	}
	q.cancel()
	q.working.Wait()
	q.running.Wait()
	q.board.close()
	q.link.close()
	if q.server != nil {
		q.server.stop()
	}
	return nil
}

// enter counts a call of Work in, unless the queue is closed.
func (q *Queue) enter() error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return ErrClosed
	}
	q.working.Add(1)
	return nil
}
