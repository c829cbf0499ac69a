package jobs

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"github.com/ringoftowers/towers/server/check"
	"github.com/ringoftowers/towers/server/store"
)

// Whatever dies, is lost or comes twice, each submission ends with one verdict: that of an
// undisturbed run.
func TestOneVerdictEachWhateverHappens(t *testing.T) {
	for seed := range uint64(8) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
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
		})
	}
}

// chaos is a queue and the misfortunes that befall it.
type chaos struct {
	t       *testing.T
	random  *rand.Rand
	config  Config
	ledger  *fakeLedger
	checker *fakeChecker
	queue   *Queue
	workers []worker
	want    map[string]check.Outcome
}

// A worker can stop, or die without a word.
type worker struct{ stop, die func() }

func newChaos(t *testing.T, seed uint64) *chaos {
	ledger := newLedger()
	config := testConfig(t, ledger)
	config.pace = pace{sweep: 100 * time.Millisecond, pause: 10 * time.Millisecond, ack: 200 * time.Millisecond}
	c := &chaos{
		t: t, random: rand.New(rand.NewPCG(seed, 0)), config: config, ledger: ledger, checker: newChecker(),
		queue: mustOpen(t, config), want: make(map[string]check.Outcome),
	}
	c.checker.release()
	c.hire()
	return c
}

func (c *chaos) step() {
	switch n := c.random.IntN(100); {
	case n < 50:
		c.submit()
	case n < 60:
		c.hire()
	case n < 68:
		c.dismiss(func(w worker) { w.stop() })
	case n < 76:
		c.dismiss(func(w worker) { w.die() })
	case n < 82:
		c.ledger.breakDown(store.ErrFull)
	case n < 88:
		c.ledger.breakDown(nil)
	case n < 91:
		c.restart(false)
	case n < 93:
		c.restart(true)
	case n < 96:
		c.lose()
	default:
		c.repeat()
	}
}

// calm ends the misfortunes.
func (c *chaos) calm() {
	c.ledger.breakDown(nil)
	c.hire()
}

func (c *chaos) submit() {
	id := fmt.Sprint("s", len(c.ledger.order))
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
	if _, err := c.queue.Submit(c.t.Context(), s); err == nil {
		c.want[id] = want
	}
}

// hire has one worker more, with a connection of its own.
func (c *chaos) hire() {
	l, err := dial("", c.config.Log, func() {}, c.queue.server.inside()...)
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
	c.t.Cleanup(func() { cancel(); <-ended })
}

func (c *chaos) dismiss(how func(worker)) {
	if len(c.workers) == 0 {
		return
	}
	n := c.random.IntN(len(c.workers))
	how(c.workers[n])
	c.workers = append(c.workers[:n], c.workers[n+1:]...)
}

// restart ends the server process and everything in it.
func (c *chaos) restart(forget bool) {
	for len(c.workers) > 0 {
		c.dismiss(func(w worker) { w.die() })
	}
	mustClose(c.t, c.queue)
	if forget {
		if err := os.RemoveAll(c.config.Dir); err != nil {
			c.t.Fatal(err)
		}
	}
	c.queue = mustOpen(c.t, c.config)
	c.hire()
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
	if len(c.want) == 0 {
		return
	}
	id := fmt.Sprint("s", c.random.IntN(len(c.ledger.order)))
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
