package jobs

import (
	"context"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// outside is a NATS server that the queue has no hand in, and that can go away and come back.
type outside struct {
	t       testing.TB
	options server.Options
	server  *server.Server
}

func newOutside(t testing.TB, change func(*server.Options)) *outside {
	t.Helper()
	o := &outside{t: t, options: server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true, NoLog: true, JetStream: true, StoreDir: t.TempDir(),
	}}
	if change != nil {
		change(&o.options)
	}
	o.start()
	o.options.Port = o.server.Addr().(*net.TCPAddr).Port
	t.Cleanup(o.stop)
	return o
}

func (o *outside) start() {
	o.t.Helper()
	options := o.options
	s, err := server.NewServer(&options)
	if err != nil {
		o.t.Fatal(err)
	}
	s.Start()
	if !s.ReadyForConnections(10 * time.Second) {
		o.t.Fatal("the NATS server does not start")
	}
	o.server = s
}

func (o *outside) stop() {
	o.server.Shutdown()
	o.server.WaitForShutdown()
}

func (o *outside) url() string { return o.server.ClientURL() }

// startWorker has a worker that connects to url until the test ends or the function is called.
func startWorker(t testing.TB, url string, c Checker, slots int) (stop func()) {
	t.Helper()
	return run(t, func(ctx context.Context) error {
		return Work(ctx, Worker{URL: url, Checker: c, Slots: slots, Log: testLog(t)})
	})
}

// A wire passes everything on between a client and a NATS server, until it is cut. The ends of a
// cut wire do not hear of it, as when a machine loses its power.
type wire struct {
	listener net.Listener
	target   string
	cut      chan struct{}
	passing  sync.WaitGroup

	mu   sync.Mutex
	ends []net.Conn
}

func newWire(t testing.TB, url string) *wire {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &wire{listener: l, target: strings.TrimPrefix(url, "nats://"), cut: make(chan struct{})}
	w.passing.Go(w.accept)
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
		w.tear()
		w.passing.Wait()
	})
	return w
}

func (w *wire) url() string { return "nats://" + w.listener.Addr().String() }

// accept passes on what connects, until the listener is closed.
func (w *wire) accept() {
	for {
		client, err := w.listener.Accept()
		if err != nil {
			w.tear()
			return
		}
		far, err := net.Dial("tcp", w.target)
		if err != nil {
			_ = client.Close() // the client sees that as an outage, which it is
			continue
		}
		w.mu.Lock()
		w.ends = append(w.ends, client, far)
		w.mu.Unlock()
		w.passing.Go(func() { w.pass(client, far) })
		w.passing.Go(func() { w.pass(far, client) })
	}
}

// tear ends every connection, as both ends can see. New ones are passed on again.
func (w *wire) tear() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, end := range w.ends {
		_ = end.Close() // it may have ended before
	}
	w.ends = nil
}

// pass copies until one end closes, and then closes the other; from the cut on it throws away.
func (w *wire) pass(to io.WriteCloser, from io.Reader) {
	defer to.Close()
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		if err != nil {
			return
		}
		select {
		case <-w.cut:
			continue
		default:
		}
		if _, err := to.Write(buffer[:n]); err != nil {
			return
		}
	}
}
