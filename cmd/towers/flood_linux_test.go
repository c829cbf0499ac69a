package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/ringoftowers/towers/server/check"
)

// talkative is a program that passes and says a great deal in every test.
const talkative = `
func init() {
	for range 600 {
		println("The quick brown fox jumps over the lazy dog, and then once more over <b>the same dog</b>.")
	}
}
`

// A page that asks for the same again and again, and reads nothing of what it gets, neither
// fills the server's memory nor takes it from others.
func TestFloodOfWatches(t *testing.T) {
	p := serveOn(t, dataWithToolchain(t))
	name, e := anExercise(t)
	ada, err := openPage(t.Context(), t, p.base)
	if err != nil {
		t.Fatal(err)
	}
	id := accepted(t, ada.visitor, p, name, e.Solution+talkative)
	judged(t, ada.visitor, p, id, check.Passed)
	before := footprintOf(p.cmd.Process.Pid)
	g := watchProcess(t, p)
	readers := readMeanwhile(t.Context(), t, p.base, "/lessons/03-the-ring")
	var floods sync.WaitGroup
	for range 4 {
		line := ada.copied(t, p.base)
		floods.Go(func() {
			ctx, cancel := context.WithTimeout(t.Context(), 6*time.Second)
			defer cancel()
			conn, _, err := websocket.Dial(ctx, "ws"+strings.TrimPrefix(p.base, "http")+"/live", &websocket.DialOptions{HTTPClient: line.client})
			if err != nil {
				t.Error(err)
				return
			}
			defer conn.CloseNow()
			command := fmt.Appendf(nil, `{"watch":%q,"as":"html"}`, id)
			for err == nil {
				err = conn.Write(ctx, websocket.MessageText, command)
			}
		})
	}
	floods.Wait()
	readers.stop()
	g.stop()
	more := g.own.resident - before.resident
	t.Logf("the server grew from %.0f by %.0f MB", megabytes(before.resident), megabytes(more))
	if more > 100e6 {
		t.Errorf("the server grew by %.0f MB", megabytes(more))
	}
	othersRead(t, readers)
}

// Five hundred clients that never come to an end with what they send, and five hundred that
// never come to an end with their programs, are cut off in time and stop nobody meanwhile.
func TestSlowClientsStopNobody(t *testing.T) {
	p := serveOn(t, t.TempDir(), "--parallel=0", "--nats-listen=127.0.0.1:0")
	host := strings.TrimPrefix(p.base, "http://")
	kinds := []struct {
		name, begins string
		within       time.Duration
	}{
		{"headers", "GET / HTTP/1.1\r\nHost: " + host + "\r\nX-Slow: ", 5 * time.Second},
		{"bodies", "PUT /api/lessons/03-the-ring/exercises/owner/draft HTTP/1.1\r\nHost: " + host + "\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{\"code\":\"", 15 * time.Second},
	}
	readers := readMeanwhile(t.Context(), t, p.base, "/", "/lessons/03-the-ring")
	var all sync.WaitGroup
	for _, kind := range kinds {
		for range 500 {
			conn, err := net.Dial("tcp", host)
			if err != nil {
				t.Fatal(err)
			}
			began := time.Now()
			all.Go(func() {
				defer conn.Close()
				if err := trickle(conn, kind.begins, kind.within+10*time.Second); err != nil {
					t.Errorf("slow %s: %v", kind.name, err)
				}
				if took := time.Since(began); took > kind.within+5*time.Second {
					t.Errorf("slow %s were cut off after %v", kind.name, took)
				}
			})
		}
	}
	all.Wait()
	readers.stop()
	othersRead(t, readers)
}

// trickle sends a beginning, and then a letter every second until the other side has had enough.
func trickle(conn net.Conn, begins string, most time.Duration) error {
	if err := conn.SetDeadline(time.Now().Add(most)); err != nil {
		return err
	}
	if _, err := io.WriteString(conn, begins); err != nil {
		return err
	}
	gone := make(chan error, 1)
	go func() {
		_, err := io.Copy(io.Discard, conn)
		gone <- err
	}()
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case err := <-gone:
			if e, ok := err.(net.Error); ok && e.Timeout() {
				return fmt.Errorf("not cut off within %v", most)
			}
			return nil
		case <-tick.C:
			_, _ = io.WriteString(conn, "x") // that it is cut off is seen by reading
		}
	}
}

// A page that asks for what is not there, as quickly as it can, slows nobody.
func TestFloodOfQuestions(t *testing.T) {
	p := serveOn(t, t.TempDir(), "--parallel=0", "--nats-listen=127.0.0.1:0")
	readers := readMeanwhile(t.Context(), t, p.base, "/lessons/03-the-ring")
	var floods sync.WaitGroup
	asked := make([]int, 20)
	for i := range asked {
		page, err := openPage(t.Context(), t, p.base)
		if err != nil {
			t.Fatal(err)
		}
		floods.Go(func() {
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
			defer cancel()
			var counting sync.WaitGroup
			counting.Go(func() {
				for {
					if _, err := page.next(ctx); err != nil {
						return
					}
					asked[i]++
				}
			})
			defer counting.Wait()
			var err error
			for err == nil {
				err = page.line.Write(ctx, websocket.MessageText, []byte(`{"watch":"nobody-has-this-one"}`))
			}
		})
	}
	floods.Wait()
	readers.stop()
	sum := 0
	for _, n := range asked {
		sum += n
	}
	t.Logf("%d questions were answered", sum)
	othersRead(t, readers)
}

// Five hundred clients of one session that ask for a long verdict and never read it take only so
// much memory, and stop nobody.
func TestDeafClientsFillNothing(t *testing.T) {
	p := serveOn(t, dataWithToolchain(t))
	host := strings.TrimPrefix(p.base, "http://")
	name, e := anExercise(t)
	ada := someone(t, p.base)
	id := accepted(t, ada, p, name, e.Solution+talkative)
	judged(t, ada, p, id, check.Passed)
	before := footprintOf(p.cmd.Process.Pid)
	g := watchProcess(t, p)
	readers := readMeanwhile(t.Context(), t, p.base, "/lessons/03-the-ring")
	cookie := ada.cookies(t, p.base)
	for i := range 500 {
		conn, err := net.Dial("tcp", host)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		target := "/api/submissions/" + id + "?after=0&as=html"
		if i%2 == 0 {
			target = "/lessons/" + strings.Replace(name, "/", "/exercises/", 1) + "?try=" + id
		}
		if _, err := fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: %s\r\nCookie: %s\r\n\r\n", target, host, cookie); err != nil {
			t.Fatal(err)
		}
	}
	// As long as nobody reads, nothing changes; so it is enough to look for a while.
	_ = ended(make(chan struct{}), 8*time.Second)
	readers.stop()
	g.stop()
	more := g.own.resident - before.resident
	t.Logf("the server grew from %.0f by %.0f MB", megabytes(before.resident), megabytes(more))
	if more > 300e6 {
		t.Errorf("the server grew by %.0f MB", megabytes(more))
	}
	othersRead(t, readers)
}

// othersRead fails where readers were disturbed much. A second is a great deal: these tests
// run beside others, and play hundreds of clients on the same processors.
func othersRead(t *testing.T, r *readers) {
	t.Helper()
	for _, err := range r.fails {
		t.Error(err)
	}
	if len(r.times) == 0 {
		t.Error("nobody read anything meanwhile")
	}
	for path, times := range r.times {
		slow := quantile(times, 0.95)
		t.Logf("meanwhile %s was read %d times, 95 %% within %v", path, len(times), slow)
		if slow > 2*time.Second {
			t.Errorf("%s took %v", path, slow)
		}
	}
}
