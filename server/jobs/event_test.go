package jobs

import (
	"context"
	"encoding/json"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/ringoftowers/towers/server/check"
)

func TestEventOf(t *testing.T) {
	row := submission("one", "ada", "pass")
	row.At = time.UnixMicro(1000)
	if e, err := EventOf(row); err != nil || e.Seq != 1000 || e.Final() || e.Verdict.State != check.Queued {
		t.Errorf("of an unjudged row: %+v, %v", e, err)
	}
	row.Verdict, row.JudgedAt = "passed", time.UnixMicro(2000)
	row.Result = []byte(`{"id":"one","state":"done","verdict":"passed"}`)
	if e, err := EventOf(row); err != nil || e.Seq != 2000 || !e.Final() || !e.Verdict.Passed() {
		t.Errorf("of a judged row: %+v, %v", e, err)
	}
	row.Result = []byte("{")
	if e, err := EventOf(row); err == nil {
		t.Errorf("of a damaged row: %+v", e)
	}
}

// The page and the API read these names.
func TestEventJSON(t *testing.T) {
	e, err := EventOf(submission("one", "ada", "pass"))
	if err != nil {
		t.Fatal(err)
	}
	e.Seq, e.Place = 7, 2
	got, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"seq":7,"place":2,"submission":{"id":"one","lesson":"03-the-ring","exercise":"owner","state":"queued",` +
		`"diagnostics":[],"tests":[],"output_cut":false,"elapsed_ms":0}}`
	if string(got) != want {
		t.Errorf("event is %s, want %s", got, want)
	}
}

// A chatterbox tells something new as fast as it can for a while.
type chatterbox struct{ told int }

const chatter = 300 * time.Millisecond

func (c *chatterbox) Check(_ context.Context, s check.Submission) (check.Verdict, error) {
	for began := time.Now(); time.Since(began) < chatter; c.told++ {
		s.Notify(check.Verdict{ID: s.ID, State: check.Running, ElapsedMS: int64(c.told)})
	}
	return check.Verdict{ID: s.ID, State: check.Done, Verdict: check.Passed}, nil
}

func TestNewsAreGatheredAndHoldNothingUp(t *testing.T) {
	ledger, checker := newLedger(), &chatterbox{}
	q := mustOpen(t, testConfig(t, ledger))
	var heard atomic.Int64
	_, err := q.link.conn.Subscribe(eventsSubject+"*", func(*nats.Msg) { heard.Add(1) })
	if err != nil {
		t.Fatal(err)
	}
	startWork(t, q, checker, 1)
	mustSubmit(t, q, submission("one", "ada", "pass"))
	waitFor(t, 10*time.Second, "it is judged", func() bool { return ledger.open() == 0 })
	if n, most := heard.Load(), int64(chatter/tellEvery)+2; n < 2 || n > most {
		t.Errorf("%d events in %v, want 2 to %d", n, chatter, most)
	}
	if checker.told < 1000 {
		t.Errorf("the check told only %d things in %v: it was held up", checker.told, chatter)
	}
}
