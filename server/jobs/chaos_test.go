package jobs

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/ringoftowers/towers/server/check"
	"github.com/ringoftowers/towers/server/store"
)

// Whatever dies, is lost, comes twice or is deleted, each submission ends with one verdict, that
// of an undisturbed run, and those who follow it are told so and nothing after it. Every other run
// is over a NATS server elsewhere, which goes away now and then.
func TestOneVerdictEachWhateverHappens(t *testing.T) {
	for seed := range uint64(10) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			c := newChaos(t, seed)
			for range 40 {
				c.step()
				pause(t.Context(), time.Duration(c.random.IntN(15))*time.Millisecond)
			}
			c.calm()
			waitFor(t, 30*time.Second, "all are judged", func() bool { return c.ledger.open() == 0 })
			waitFor(t, 5*time.Second, "the queue is empty", func() bool { s := c.queue.Stats(); return s.Waiting+s.UnderWay == 0 })
			for id, want := range c.want {
				row := c.ledger.row(id)
				if v := verdictOf(t, row); string(want) != row.Verdict || v.Verdict != want || v.ID != id {
					t.Errorf("%s (%q): row says %s, verdict %s of %s, want %s", id, row.Source, row.Verdict, v.Verdict, v.ID, want)
				}
			}
			for _, f := range c.followers {
				f.end(t)
			}
		})
	}
}

// chaos is a queue and the misfortunes that befall it.
type chaos struct {
	t         *testing.T
	random    *rand.Rand
	config    Config
	ledger    *fakeLedger
	checker   *fakeChecker
	there     *outside // nil if the NATS server is embedded
	near, far *wire    // the queue's and the workers' ways there
	queue     *Queue
	workers   []worker
	sent      int
	want      map[string]check.Outcome
	followers map[string]*follower
}

// A worker can stop, or die without a word.
type worker struct{ stop, die func() }

func newChaos(t *testing.T, seed uint64) *chaos {
	ledger := newLedger()
	config := testConfig(t, ledger)
	config.pace = pace{sweep: 100 * time.Millisecond, pause: 10 * time.Millisecond, ack: 200 * time.Millisecond}
	c := &chaos{
		t: t, random: rand.New(rand.NewPCG(seed, 0)), config: config, ledger: ledger, checker: newChecker(),
		want: make(map[string]check.Outcome), followers: make(map[string]*follower),
	}
	if seed%2 == 1 {
		c.there = newOutside(t, nil)
		c.near, c.far = newWire(t, c.there.url()), newWire(t, c.there.url())
		c.config.URL = c.near.url()
	}
	c.queue = mustOpen(t, c.config)
	c.checker.release()
	c.hire()
	return c
}

func (c *chaos) step() {
	switch n := c.random.IntN(100); {
	case n < 50:
		c.submit()
	case n < 58:
		c.hire()
	case n < 64:
		c.dismiss(func(w worker) { w.stop() })
	case n < 70:
		c.dismiss(func(w worker) { w.die() })
	case n < 75:
		c.ledger.breakDown(store.ErrFull)
	case n < 79:
		c.ledger.goBlind(errors.New("the disk does not answer"))
	case n < 86:
		c.ledger.breakDown(nil)
		c.ledger.goBlind(nil)
	case n < 88:
		c.restart()
	case n < 91:
		c.lose()
	case n < 94:
		c.forget()
	case n < 97:
		c.outage()
	default:
		c.repeat()
	}
}

// calm ends the misfortunes.
func (c *chaos) calm() {
	c.ledger.breakDown(nil)
	c.ledger.goBlind(nil)
	c.hire()
}

func (c *chaos) submit() {
	id := fmt.Sprint("s", c.sent)
	c.sent++
	source, want := "pass", check.Passed
	switch c.random.IntN(4) {
	case 0:
		source, want = "fail", check.Failed
	case 1:
		source = fmt.Sprint("broken ", c.random.IntN(len(c.config.Backoff)+1))
	case 2:
		source = "slow"
	}
	s := submission(id, fmt.Sprint("learner", c.random.IntN(3)), source)
	s.Recheck = c.random.IntN(4) == 0
	f := &follower{id: id}
	f.follow(c.queue)
	c.followers[id] = f
	if _, err := c.queue.Submit(c.t.Context(), s); err == nil {
		c.want[id] = want
	}
}

// hire has one worker more, with a connection of its own.
func (c *chaos) hire() {
	var url string
	var options []nats.Option
	if c.there != nil {
		url = c.far.url()
	} else {
		options = c.queue.server.inside()
	}
	l, err := dial(url, c.config.Log, func() {}, options...)
	if err != nil {
		c.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	shift := newShift(l, c.checker, 1+c.random.IntN(3), c.config.Log)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = shift.work(ctx) // fails when it dies
	}()
	c.workers = append(c.workers, worker{
		stop: func() { cancel(); <-ended; l.close() },
		die:  func() { l.close(); cancel(); <-ended },
	})
	c.t.Cleanup(func() { cancel(); <-ended; l.close() })
}

func (c *chaos) dismiss(how func(worker)) {
	if len(c.workers) == 0 {
		return
	}
	n := c.random.IntN(len(c.workers))
	how(c.workers[n])
	c.workers = append(c.workers[:n], c.workers[n+1:]...)
}

// restart ends the server process and everything in it; its folder is lost, too.
func (c *chaos) restart() {
	for len(c.workers) > 0 {
		c.dismiss(func(w worker) { w.die() })
	}
	mustClose(c.t, c.queue)
	if err := os.RemoveAll(c.config.Dir); err != nil {
		c.t.Fatal(err)
	}
	c.ledger.goBlind(nil)
	c.queue = mustOpen(c.t, c.config)
	for _, f := range c.followers {
		f.follow(c.queue)
	}
	c.hire()
}

// forget deletes a submission that may be anywhere on its way, as when a learner goes.
func (c *chaos) forget() {
	if c.sent > 0 {
		id := fmt.Sprint("s", c.random.IntN(c.sent))
		c.ledger.delete(id)
		delete(c.want, id)
	}
}

// outage has the connections break, or the NATS server end and begin anew with nothing.
func (c *chaos) outage() {
	switch {
	case c.there == nil:
	case c.random.IntN(2) == 0:
		c.near.tear()
		c.far.tear()
	default:
		c.there.stop()
		c.there.start()
	}
}

// lose empties the streams.
func (c *chaos) lose() {
	for _, name := range []string{checksStream, resultsStream} {
		s, err := c.queue.link.js.Stream(c.t.Context(), name)
		if err == nil {
			err = s.Purge(c.t.Context())
		}
		if err != nil {
			c.t.Log("nothing was lost:", err) // the queue was opened just now
		}
	}
}

// repeat has a result of some submission come once more: that of a worker that was thought dead,
// or a fault of an earlier round.
func (c *chaos) repeat() {
	if c.sent == 0 {
		return
	}
	id := fmt.Sprint("s", c.random.IntN(c.sent))
	if c.want[id] == "" {
		return
	}
	r := result{ID: id, Round: c.random.Int64N(1000), Verdict: check.Verdict{ID: id, State: check.Done, Verdict: c.want[id]}}
	if c.random.IntN(2) == 0 {
		r.Fault = "a fault of long ago"
	}
	data, err := pack(r)
	if err != nil {
		c.t.Fatal(err)
	}
	if err := c.queue.link.publish(c.t.Context(), resultsSubject+id, messageID(id, c.random.Int64()), data); err != nil {
		c.t.Log("nothing came twice:", err) // the queue was opened just now
	}
}

// A follower reads what is told of one submission, by one queue after another.
type follower struct {
	id    string
	last  Event
	wrong []string
	watch *Watch
	done  chan struct{}
}

// follow goes on at a queue, once the one before it is closed.
func (f *follower) follow(q *Queue) {
	if f.done != nil {
		<-f.done
	}
	f.watch, f.done = q.Watch(f.id), make(chan struct{})
	go f.read()
}

func (f *follower) read() {
	defer close(f.done)
	for e := range f.watch.C() {
		if e.Seq <= f.last.Seq || f.last.Final() {
			f.wrong = append(f.wrong, fmt.Sprintf("%+v came after %+v", e, f.last))
		}
		f.last = e
	}
}

// end says what was wrong.
func (f *follower) end(t *testing.T) {
	t.Helper()
	f.watch.Close()
	<-f.done
	for _, w := range f.wrong {
		t.Errorf("%s: %s", f.id, w)
	}
}
