package server

import (
	"context"
	"errors"
	"io"
	"net"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"

	"github.com/ringoftowers/towers/lessons"
	"github.com/ringoftowers/towers/server/check"
)

func TestLiveHangsUp(t *testing.T) {
	s := newSite(t, workshop())
	v := s.visitor(t)
	v.submits("for the cookie")
	address := start(t, s.Server).address
	many := func(l *line) {
		for range mostWatches + 1 {
			l.says(`{"watch":"` + v.submits("x") + `"}`)
		}
	}
	for _, c := range []struct {
		name string
		do   func(*line)
		want websocket.StatusCode
	}{
		{"on what is no JSON", func(l *line) { l.says("hello") }, websocket.StatusPolicyViolation},
		{"on bytes", func(l *line) { _ = l.conn.Write(t.Context(), websocket.MessageBinary, []byte("{}")) }, websocket.StatusPolicyViolation},
		{"on long messages", func(l *line) { l.says(`{"watch":"` + strings.Repeat("x", mostCommand) + `"}`) }, websocket.StatusMessageTooBig},
		{"on too many watches", many, websocket.StatusPolicyViolation},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := mustDial(t, address, v.cookie)
			c.do(l)
			var err error
			for err == nil {
				_, err = l.next()
			}
			if got := websocket.CloseStatus(err); got != c.want {
				t.Errorf("closed with %v (%v), want %v", got, err, c.want)
			}
		})
	}
	waitFor(t, func() bool { return s.sockets.count() == 0 })
}

func TestUnwatch(t *testing.T) {
	s := newSite(t, workshop())
	v := s.visitor(t)
	v.submits("for the cookie")
	l := mustDial(t, start(t, s.Server).address, v.cookie)
	for range 3 * mostWatches {
		id := v.submits("x")
		l.says(`{"watch":"` + id + `"}`)
		l.mustNext()
		l.says(`{"unwatch":"` + id + `"}`)
		waitFor(t, func() bool { return s.queue.watched(id) == 0 })
	}
	// Watching twice is watching once, from where the second says.
	id := v.submits("x")
	l.says(`{"watch":"` + id + `"}`)
	l.mustNext()
	l.says(`{"watch":"` + id + `"}`)
	l.mustNext()
	waitFor(t, func() bool { return s.queue.watched(id) == 1 })
}

// Whoever asks for the same again and again, and reads none of it, has the server hold one answer
// and not thousands.
func TestFloodOfWatchesIsHeldBack(t *testing.T) {
	s := newSite(t, workshop())
	v := s.visitor(t)
	id := v.submits("x")
	loud := check.Test{Name: "TestOwner", Output: strings.Repeat("loud ", 200_000)}
	s.queue.tell(atWork(id, time.Now().UnixMicro(), loud))
	l := mustDial(t, start(t, s.Server).address, v.cookie)
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	asked := 0
	for l.conn.Write(ctx, websocket.MessageText, []byte(`{"watch":"`+id+`","as":"html"}`)) == nil {
		asked++
		if n := s.queue.watched(id); n > 1 {
			t.Fatalf("%d watches at once, after %d questions", n, asked)
		}
	}
	t.Logf("%d questions were taken", asked)
}

// Whoever asks more often than any page does is answered more slowly.
func TestPace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var p pace
		began := time.Now()
		for range 3 * mostCommands {
			if !p.keep(t.Context()) {
				t.Fatal("it gave up")
			}
		}
		if took := time.Since(began); took < 2*time.Second || took > 4*time.Second {
			t.Errorf("%d questions took %v", 3*mostCommands, took)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		for range 2 * mostCommands {
			if !p.keep(ctx) {
				return
			}
		}
		t.Error("it waits on for a page that has gone")
	})
}

// A server that stops says so to each page, and does not wait for one that hears nothing.
func TestStopSaysGoodBye(t *testing.T) {
	s := newSite(t, workshop())
	s.limits.grace = 500 * time.Millisecond
	r := start(t, s.Server)
	pages := []*line{mustDial(t, r.address, ""), mustDial(t, r.address, "")}
	deaf := rawSocket(t, r.address)
	defer deaf.Close()
	waitFor(t, func() bool { return s.sockets.count() == 3 })
	r.stop()
	for _, l := range pages {
		if n := l.mustNext(); n.Type != "bye" {
			t.Errorf("comes %+v", n)
		}
		if _, err := l.next(); websocket.CloseStatus(err) != websocket.StatusGoingAway {
			t.Errorf("then comes %v", err)
		}
	}
	if err := <-r.stopped; err != nil {
		t.Errorf("Serve returned %v", err)
	}
	if n := s.sockets.count(); n != 0 {
		t.Errorf("%d sockets are left", n)
	}
}

// Nothing goes on behind a server that ended because its listener failed.
func TestAFailedListenerEndsTheSocketsToo(t *testing.T) {
	s := newSite(t, workshop())
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- s.Serve(t.Context(), l) }()
	page := mustDial(t, l.Addr().String(), "")
	l.Close()
	if n := page.mustNext(); n.Type != "bye" {
		t.Errorf("comes %+v", n)
	}
	_, _ = page.next() // the good-bye, which the server waits for
	if err := <-served; !errors.Is(err, net.ErrClosed) {
		t.Errorf("Serve returned %v", err)
	}
	if n := s.sockets.count(); n != 0 {
		t.Errorf("%d sockets are left", n)
	}
}

// A page that is not there any more, or takes nothing, is cut off.
func TestDeafPagesAreCut(t *testing.T) {
	t.Run("no pong", func(t *testing.T) {
		s := newSite(t, workshop())
		s.sockets.pingEvery, s.sockets.patience = 10*time.Millisecond, 50*time.Millisecond
		deaf := rawSocket(t, start(t, s.Server).address)
		defer deaf.Close()
		waitFor(t, func() bool { return s.sockets.count() == 0 })
	})
	t.Run("nothing is read", func(t *testing.T) {
		s := newSite(t, workshop())
		s.sockets.patience = 100 * time.Millisecond
		v := s.visitor(t)
		id := v.submits("x")
		l := mustDial(t, start(t, s.Server).address, v.cookie)
		l.says(`{"watch":"` + id + `"}`)
		waitFor(t, func() bool { return s.queue.watched(id) == 1 })
		loud := check.Test{Name: "TestOwner", Output: strings.Repeat("loud ", 50_000)}
		seq := time.Now().UnixMicro()
		waitFor(t, func() bool {
			seq++
			s.queue.tell(atWork(id, seq, loud))
			return s.sockets.count() == 0
		})
	})
}

// A fault in one page's line is the end of that line and of nothing else.
func TestPanicCutsOneLine(t *testing.T) {
	var spilt atomic.Bool
	s := newSite(t, library(func(ctx context.Context) (*lessons.Course, error) {
		if spilt.Load() {
			panic("the ink is spilt")
		}
		return workshop()(ctx)
	}))
	v := s.visitor(t)
	id := v.submits("x")
	address := start(t, s.Server).address
	l, other := mustDial(t, address, v.cookie), mustDial(t, address, v.cookie)
	waitFor(t, func() bool { return s.sockets.count() == 2 })
	spilt.Store(true)
	l.says(`{"watch":"` + id + `","as":"html"}`)
	if n, err := l.next(); err == nil {
		t.Errorf("comes %+v", n)
	}
	waitFor(t, func() bool { return s.sockets.count() == 1 && s.queue.watched(id) == 0 })
	other.says(`{"watch":"` + id + `"}`)
	if n := other.mustNext(); n.Submission.ID != id {
		t.Errorf("on the other line comes %+v", n)
	}
}

// rawSocket opens a WebSocket that never answers anything.
func rawSocket(tb testing.TB, address string) net.Conn {
	tb.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		tb.Fatal(err)
	}
	_, err = io.WriteString(conn, "GET /live HTTP/1.1\r\nHost: "+address+"\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"+
		"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
	if err != nil {
		tb.Fatal(err)
	}
	var answer [12]byte
	if _, err := io.ReadFull(conn, answer[:]); err != nil || string(answer[:]) != "HTTP/1.1 101" {
		tb.Fatalf("the answer is %q, %v", answer, err)
	}
	return conn
}

// waitFor waits until something has come true, in twenty seconds at most.
func waitFor(tb testing.TB, true func() bool) {
	tb.Helper()
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(20 * time.Second); !true(); {
		if time.Now().After(end) {
			tb.Fatal("it does not come true")
		}
		<-tick.C
	}
}

// BenchmarkIdleSocket tells what an open page costs the server: the memory of 500 of them that
// watch nothing, as a page does that lies open.
func BenchmarkIdleSocket(b *testing.B) {
	const pages = 500
	s := newSite(b, workshop())
	r := start(b, s.Server)
	for b.Loop() {
		before := inUse()
		var lines []net.Conn
		for range pages {
			lines = append(lines, rawSocket(b, r.address))
		}
		waitFor(b, func() bool { return s.sockets.count() == pages })
		b.ReportMetric(float64(inUse()-before)/pages, "B/socket")
		for _, l := range lines {
			l.Close()
		}
		waitFor(b, func() bool { return s.sockets.count() == 0 })
	}
}

// inUse is the memory of the heap and of all stacks.
func inUse() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc + m.StackInuse
}
