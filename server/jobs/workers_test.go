package jobs

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/ringoftowers/towers/server/check"
	"github.com/ringoftowers/towers/server/store"
)

func TestTwoWorkersElsewhere(t *testing.T) {
	there := newOutside(t, nil)
	ledger, one, two := newLedger(), newChecker(), newChecker()
	config := testConfig(t, ledger)
	config.URL, config.Dir = there.url(), ""
	q := mustOpen(t, config)
	startWorker(t, there.url(), one, 1)
	startWorker(t, there.url(), two, 1)
	waitFor(t, 5*time.Second, "both are there", func() bool { return q.Stats().Workers == 2 })
	for n := range 4 {
		mustSubmit(t, q, submission(fmt.Sprint("s", n), "ada", "wait"))
	}
	waitFor(t, 5*time.Second, "both have one", func() bool { return one.checks() == 1 && two.checks() == 1 })
	one.release()
	two.release()
	waitFor(t, 10*time.Second, "all are judged", func() bool { return ledger.open() == 0 })
	if n := one.checks() + two.checks(); n != 4 {
		t.Errorf("%d checks for 4 submissions", n)
	}
}

// A worker whose machine loses its power says nothing. When it is back, what it hands in late
// changes nothing.
func TestWorkerThatDiesIsReplaced(t *testing.T) {
	there := newOutside(t, nil)
	wire := newWire(t, there.url())
	ledger, lost, other := newLedger(), newChecker(), newChecker()
	config := testConfig(t, ledger)
	config.URL, config.Dir = there.url(), ""
	q := mustOpen(t, config)
	startWorker(t, wire.url(), lost, 2)
	mustSubmit(t, q, submission("one", "ada", "wait"))
	waitFor(t, 5*time.Second, "it is under way", func() bool { return lost.has("one") })
	w := q.Watch("one")
	defer w.Close()
	before := <-w.C()

	close(wire.cut)
	died := time.Now()
	other.release()
	startWorker(t, there.url(), other, 1)
	waitFor(t, 10*time.Second, "the other judges it", func() bool { return ledger.row("one").Judged() })
	t.Logf("judged by the other after %v", time.Since(died).Round(10*time.Millisecond))
	for e := range w.C() {
		if e.Seq <= before.Seq {
			t.Errorf("event %d came after %d", e.Seq, before.Seq)
		}
		if e.Final() {
			break
		}
	}
	if row := ledger.row("one"); row.Attempts != 0 || row.Verdict != "passed" {
		t.Errorf("row is %+v, want passed and no attempt counted", row)
	}
}

// Whatever a NATS server forgets while it is away is sent again; what is sent in meanwhile waits.
func TestNATSGoesAwayAndComesBack(t *testing.T) {
	there := newOutside(t, nil)
	ledger, checker := newLedger(), newChecker()
	config := testConfig(t, ledger)
	config.URL, config.Dir = there.url(), ""
	q := mustOpen(t, config)
	startWorker(t, there.url(), checker, 1)
	for _, id := range []string{"under-way", "sent", "waiting"} {
		mustSubmit(t, q, submission(id, "ada", "wait"))
	}
	waitFor(t, 5*time.Second, "one is under way", func() bool { return checker.checks() == 1 })

	there.stop()
	waitFor(t, 5*time.Second, "the outage is noticed", func() bool { return !q.Stats().Connected })
	if e := mustSubmit(t, q, submission("meanwhile", "bob", "pass")); e.Place == 0 {
		t.Error("what is sent in meanwhile has no place in the queue")
	}
	checker.release()
	there.start()
	waitFor(t, 20*time.Second, "all are judged", func() bool { return ledger.open() == 0 })
}

// Connections that are lost and made anew, at either end, cost no second check.
func TestConnectionIsLost(t *testing.T) {
	there := newOutside(t, nil)
	near, far := newWire(t, there.url()), newWire(t, there.url())
	ledger, checker := newLedger(), newChecker()
	config := testConfig(t, ledger)
	config.URL, config.Dir = near.url(), ""
	q := mustOpen(t, config)
	startWorker(t, far.url(), checker, 1)
	for _, id := range []string{"under-way", "sent", "waiting"} {
		mustSubmit(t, q, submission(id, "ada", "wait"))
	}
	waitFor(t, 5*time.Second, "one is under way", func() bool { return checker.checks() == 1 })

	epoch, _ := q.link.alive()
	near.tear()
	far.tear()
	waitFor(t, 5*time.Second, "it is made anew", func() bool { e, ok := q.link.alive(); return ok && e > epoch })
	checker.release()
	waitFor(t, 20*time.Second, "all are judged", func() bool { return ledger.open() == 0 })
	if n := checker.checks(); n != 3 {
		t.Errorf("%d checks for 3 submissions", n)
	}
}

// A verdict that waited for room on the disk when the server ended is recorded by the next one,
// without another check.
func TestVerdictOutlivesTheServer(t *testing.T) {
	there := newOutside(t, nil)
	ledger, checker := newLedger(), newChecker()
	config := testConfig(t, ledger)
	config.URL, config.Dir = there.url(), ""
	q := mustOpen(t, config)
	stop := startWork(t, q, checker, 1)
	mustSubmit(t, q, submission("one", "ada", "wait"))
	waitFor(t, 5*time.Second, "it is under way", func() bool { return checker.has("one") })
	ledger.breakDown(store.ErrFull)
	checker.release()
	waitFor(t, 5*time.Second, "recording fails", q.unrecorded.Load)
	stop()
	mustClose(t, q)
	ledger.breakDown(nil)
	mustOpen(t, config)
	waitFor(t, 10*time.Second, "it is recorded", func() bool { return ledger.row("one").Verdict == "passed" })
	if n := checker.checks(); n != 1 {
		t.Errorf("%d checks, want one", n)
	}
}

// Streams that are not as they must be, of a version that kept them in files, are no obstacle
// either.
func TestStreamsOfAnotherVersion(t *testing.T) {
	there := newOutside(t, nil)
	l, err := dial(there.url(), testLog(t), func() {})
	if err != nil {
		t.Fatal(err)
	}
	defer l.close()
	for name, subject := range map[string]string{checksStream: checksSubject, resultsStream: resultsSubject} {
		_, err := l.js.CreateStream(t.Context(), jetstream.StreamConfig{
			Name: name, Subjects: []string{subject + "*"}, Storage: jetstream.FileStorage, Retention: jetstream.WorkQueuePolicy,
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	ledger := newLedger()
	config := testConfig(t, ledger)
	config.URL, config.Dir = there.url(), ""
	q := mustOpen(t, config)
	startWork(t, q, newChecker(), 1)
	mustSubmit(t, q, submission("one", "ada", "pass"))
	waitFor(t, 10*time.Second, "it is judged", func() bool { return ledger.open() == 0 })
}

func TestNATSThatIsNotThereYet(t *testing.T) {
	there := newOutside(t, nil)
	url := there.url()
	there.stop()
	ledger, checker := newLedger(), newChecker()
	config := testConfig(t, ledger)
	config.URL, config.Dir = url, ""
	q := mustOpen(t, config)
	startWorker(t, url, checker, 1)
	mustSubmit(t, q, submission("one", "ada", "pass"))
	if q.Stats().Connected {
		t.Error("connected to nothing")
	}
	there.start()
	waitFor(t, 10*time.Second, "it is judged", func() bool { return ledger.open() == 0 })
}

// Who stops while there never was a NATS server stops at once, and keeps what was sent in.
func TestCloseWithoutNATS(t *testing.T) {
	ledger := newLedger()
	config := testConfig(t, ledger)
	config.URL = "nats://127.0.0.1:1"
	q := mustOpen(t, config)
	mustSubmit(t, q, submission("one", "ada", "pass"))
	stop := run(t, func(ctx context.Context) error {
		if err := q.Work(ctx, newChecker(), 1); !errors.Is(err, ErrClosed) { // it may begin too late
			return err
		}
		return nil
	})
	stopElsewhere := startWorker(t, config.URL, newChecker(), 1)
	began := time.Now()
	mustClose(t, q)
	stop()
	stopElsewhere()
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("it took %v to stop", took)
	}
	if n := ledger.open(); n != 1 {
		t.Errorf("%d submissions are kept, want one", n)
	}
}

func TestWrongCredentials(t *testing.T) {
	there := newOutside(t, func(o *server.Options) { o.Username, o.Password = "towers", "secret" })
	wrong := strings.Replace(there.url(), "//", "//towers:guess@", 1)
	config := testConfig(t, newLedger())
	config.URL = wrong
	if _, err := Open(t.Context(), config); !errors.Is(err, nats.ErrAuthorization) {
		t.Errorf("Open: %v, want %v", err, nats.ErrAuthorization)
	}
	if err := Work(t.Context(), Worker{URL: wrong, Checker: newChecker(), Slots: 1}); !errors.Is(err, nats.ErrAuthorization) {
		t.Errorf("Work: %v, want %v", err, nats.ErrAuthorization)
	}
}

// A password that does not fit for a while is an outage like any other.
func TestRefusedForAWhile(t *testing.T) {
	there := newOutside(t, func(o *server.Options) { o.Username, o.Password = "towers", "secret" })
	config := testConfig(t, newLedger())
	config.URL = strings.Replace(there.url(), "//", "//towers:secret@", 1)
	q := mustOpen(t, config)
	var refused atomic.Int64
	q.link.conn.SetErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
		if errors.Is(err, nats.ErrAuthorization) {
			refused.Add(1)
		}
	})
	restart := func(password string) {
		there.stop()
		there.options.Password = password
		there.start()
	}
	restart("another")
	waitFor(t, 10*time.Second, "it is refused three times", func() bool { return refused.Load() >= 3 })
	restart("secret")
	waitFor(t, 10*time.Second, "it is there again", func() bool { return q.Stats().Connected })
}

func TestWorkerThatMakesNoSense(t *testing.T) {
	for name, w := range map[string]Worker{
		"no address": {Checker: newChecker(), Slots: 1},
		"no checker": {URL: "nats://127.0.0.1:1", Slots: 1},
		"no hands":   {URL: "nats://127.0.0.1:1", Checker: newChecker()},
	} {
		if err := Work(t.Context(), w); err == nil {
			t.Errorf("%s: it worked", name)
		}
	}
}

func TestWorkerJoinsTheEmbeddedServer(t *testing.T) {
	ledger, checker := newLedger(), newChecker()
	config := testConfig(t, ledger)
	config.Listen = "towers:secret@127.0.0.1:0"
	q := mustOpen(t, config)
	address := q.server.server.Addr().String()
	startWorker(t, "nats://towers:secret@"+address, checker, 1)
	mustSubmit(t, q, submission("one", "ada", "pass"))
	waitFor(t, 5*time.Second, "it is judged", func() bool { return ledger.open() == 0 })
	if err := Work(t.Context(), Worker{URL: "nats://" + address, Checker: checker, Slots: 1}); !errors.Is(err, nats.ErrAuthorization) {
		t.Errorf("without credentials: %v", err)
	}
}

// Programs and verdicts that a NATS server of the usual kind would refuse.
func TestWhatDoesNotFit(t *testing.T) {
	there := newOutside(t, func(o *server.Options) { o.MaxPayload = 64 << 10 })
	ledger := newLedger()
	config := testConfig(t, ledger)
	config.URL, config.Dir = there.url(), ""
	noise := noisy(100_000)
	config.Exercise = func(_ context.Context, lesson, exercise string) (check.Exercise, error) {
		e := check.Exercise{Lesson: lesson, Name: exercise}
		if exercise == "big" {
			e.Tests = []byte(noise)
		}
		return e, nil
	}
	q := mustOpen(t, config)
	startWorker(t, there.url(), talker(noise), 1)
	big := submission("big-exercise", "ada", "pass")
	big.Exercise = "big"
	mustSubmit(t, q, big)
	mustSubmit(t, q, submission("big-verdict", "ada", "pass"))
	waitFor(t, 10*time.Second, "both are judged", func() bool { return ledger.open() == 0 })
	if v := verdictOf(t, ledger.row("big-exercise")); v.Verdict != check.Internal || !strings.Contains(v.Message, "too big") {
		t.Errorf("the big exercise gave %s: %s", v.Verdict, v.Message)
	}
	v := verdictOf(t, ledger.row("big-verdict"))
	if v.Verdict != check.Passed || !v.OutputCut || !strings.Contains(v.Tests[0].Output, "are left out here") {
		t.Errorf("the big verdict is %s, cut: %v", v.Verdict, v.OutputCut)
	}
}

// noisy gives text that no compression makes smaller by much.
func noisy(n int) string {
	text := make([]byte, n)
	state := uint32(1)
	for i := range text {
		state = state*1664525 + 1013904223
		text[i] = '!' + byte(state>>24)%90
	}
	return string(text)
}

// A talker passes every program, with this output.
type talker string

func (o talker) Check(_ context.Context, s check.Submission) (check.Verdict, error) {
	v := check.Verdict{ID: s.ID, State: check.Running, Tests: []check.Test{{Name: "TestOne", Status: check.Passed, Output: string(o)}}}
	s.Notify(v)
	v.State, v.Verdict = check.Done, check.Passed
	return v, nil
}

// A program that kills every worker is given up, so that the others are judged.
func TestProgramThatKillsWorkers(t *testing.T) {
	ledger, checker := newLedger(), newChecker()
	config := testConfig(t, ledger)
	config.pace.ack = 50 * time.Millisecond // workers speak up too late: they count as dead
	config.Backoff = []time.Duration{}
	q := mustOpen(t, config)
	startWork(t, q, checker, mostDeliveries+1)
	mustSubmit(t, q, submission("one", "ada", "wait"))
	waitFor(t, 10*time.Second, "it is given up", func() bool { return ledger.row("one").Judged() })
	if row := ledger.row("one"); row.Verdict != "internal" || row.Attempts != 1 {
		t.Errorf("verdict %s after %d attempts, want internal after one", row.Verdict, row.Attempts)
	}
}
