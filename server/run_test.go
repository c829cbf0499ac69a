package server

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/ringoftowers/towers/lessons"
)

// running is a server on a port of its own.
type running struct {
	address string
	stop    context.CancelFunc
	stopped chan error // gets what Serve returned
}

func start(tb testing.TB, s *Server) running {
	tb.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	ctx, cancel := context.WithCancel(tb.Context())
	tb.Cleanup(cancel)
	r := running{address: l.Addr().String(), stop: cancel, stopped: make(chan error, 1)}
	go func() { r.stopped <- s.Serve(ctx, l) }()
	return r
}

func TestSlowClientIsCutOff(t *testing.T) {
	for _, c := range []struct{ name, sends string }{
		{"who says nothing", ""},
		{"who never ends the headers", "GET / HTTP/1.1\r\nHost: towers\r\nX-Slow: "},
		{"who never ends the body", "POST / HTTP/1.1\r\nHost: towers\r\nContent-Length: 10\r\n\r\nx"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, _ := mustNew(t, course(), built())
			s.limits.headers, s.limits.request, s.limits.idle = 50*time.Millisecond, 100*time.Millisecond, 50*time.Millisecond
			r := start(t, s)
			conn, err := net.Dial("tcp", r.address)
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			if _, err := io.WriteString(conn, c.sends); err != nil {
				t.Fatal(err)
			}
			// Without the limits this would wait for ever, until the test itself is cut off.
			if err := conn.SetReadDeadline(time.Now().Add(20 * time.Second)); err != nil {
				t.Fatal(err)
			}
			_, err = io.Copy(io.Discard, conn)
			if timeout := net.Error(nil); errors.As(err, &timeout) && timeout.Timeout() {
				t.Error("the server still waits")
			}
		})
	}
}

func TestHugeHeadersAreRefused(t *testing.T) {
	s, _ := mustNew(t, course(), built())
	r := start(t, s)
	req, err := http.NewRequestWithContext(t.Context(), "GET", "http://"+r.address+"/", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("X-Huge", strings.Repeat("x", 64<<10))
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("status %d", resp.StatusCode)
	}
}

// held is a library that lets a test hold a request in the middle.
func held(entered chan<- struct{}, release <-chan struct{}) library {
	return func(ctx context.Context) (*lessons.Course, error) {
		entered <- struct{}{}
		<-release
		return course()(ctx)
	}
}

func TestStopLetsRequestsFinish(t *testing.T) {
	entered, release := make(chan struct{}), make(chan struct{})
	s, _ := mustNew(t, held(entered, release), built())
	r := start(t, s)
	conn, err := net.Dial("tcp", r.address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, "GET / HTTP/1.1\r\nHost: towers\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	<-entered
	r.stop()
	waitUntilRefused(t, r.address)
	select {
	case err := <-r.stopped:
		t.Fatalf("Serve returned %v with a request under way", err)
	default:
	}
	close(release)
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != 200 || !strings.HasSuffix(string(body), "</html>") {
		t.Errorf("status %d, error %v, %d bytes", resp.StatusCode, err, len(body))
	}
	if err := <-r.stopped; err != nil {
		t.Errorf("Serve returned %v", err)
	}
}

func TestStopDoesNotWaitForEver(t *testing.T) {
	entered, release := make(chan struct{}), make(chan struct{})
	defer close(release)
	s, _ := mustNew(t, held(entered, release), built())
	s.limits.grace = 10 * time.Millisecond
	r := start(t, s)
	conn, err := net.Dial("tcp", r.address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, "GET / HTTP/1.1\r\nHost: towers\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	<-entered
	r.stop()
	if err := <-r.stopped; err == nil || !strings.Contains(err.Error(), "cut off") {
		t.Errorf("Serve returned %v", err)
	}
}

func TestServeSaysWhyItCannot(t *testing.T) {
	s, _ := mustNew(t, course(), built())
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	if err := s.Serve(t.Context(), l); !errors.Is(err, net.ErrClosed) {
		t.Errorf("on a closed listener Serve returned %v", err)
	}
}

// waitUntilRefused dials until the server takes no more connections.
func waitUntilRefused(t *testing.T, address string) {
	t.Helper()
	for {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			return
		}
		conn.Close()
		if t.Context().Err() != nil {
			t.Fatal("the server still takes connections")
		}
	}
}
