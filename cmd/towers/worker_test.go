package main

import (
	"net/http"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/ringoftowers/towers/server/check"
)

// dawdling makes a program take its time in every test.
const dawdling = `
func init() {
	x := uint32(1)
	for range 50_000_000 {
		x ^= x << 13
		x ^= x >> 17
		x ^= x << 5
	}
	if x == 0 {
		panic("never")
	}
}
`

// Two workers share a nats-server that is neither's; one is killed while it checks, and the
// other judges what it had.
func TestKilledWorkerLosesNothing(t *testing.T) {
	url := natsServer(t)
	data := dataWithToolchain(t)
	p := serveOn(t, data, "--nats="+url, "--parallel=0")
	first, _ := launch(t, "worker", "--nats="+url, "--data="+data, "--parallel=1")
	name, e := anExercise(t)
	ada := newVisitor(t)
	id := accepted(t, ada, p, name, e.Solution+dawdling)
	err := eventually(t.Context(), time.Minute, func() (bool, error) {
		v, err := ada.verdict(t.Context(), p.base, id)
		if v.State == check.Done {
			t.Fatalf("judged before the worker could be killed: %+v", v)
		}
		return v.State == check.Running, err
	})
	if err != nil {
		t.Fatalf("the first worker did not begin: %v", err)
	}
	launch(t, "worker", "--nats="+url, "--data="+data, "--parallel=1")
	first.kill()
	killed := time.Now()
	judged(t, ada, p, id, check.Passed)
	if took := time.Since(killed); took > 10*time.Second {
		t.Errorf("the other worker's verdict came %v after the first was killed, want at most 10 s", took)
	}
	p.stop(t)
}

// accepted sends a program in, which must be accepted.
func accepted(t testing.TB, v *visitor, p *process, exercise, code string) (id string) {
	t.Helper()
	id, a, err := v.submit(t.Context(), p.base, exercise, code)
	if err != nil || a.status != http.StatusAccepted {
		t.Fatalf("submission to %s: status %d, %v: %s", exercise, a.status, err, a.body)
	}
	return id
}

// judged waits for the verdict on a submission, which must be want.
func judged(t testing.TB, v *visitor, p *process, id string, want check.Outcome) {
	t.Helper()
	var last check.Verdict
	err := eventually(t.Context(), time.Minute, func() (bool, error) {
		found, err := v.verdict(t.Context(), p.base, id)
		last = found
		return found.State == check.Done, err
	})
	if err != nil || last.Verdict != want {
		t.Errorf("submission %s: %v, %+v; want %s", id, err, last, want)
	}
}

// natsServer runs a nats-server of its own, as a cluster's would be, and gives its address.
func natsServer(t *testing.T) string {
	t.Helper()
	s, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: t.TempDir(), NoSigs: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	if !s.ReadyForConnections(20 * time.Second) {
		t.Fatal("the nats-server did not start")
	}
	return s.ClientURL()
}
