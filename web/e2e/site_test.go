package e2e

import (
	"context"
	"io/fs"
	"log/slog"
	"net"
	"sync/atomic"
	"testing"

	"github.com/ringoftowers/towers/lessons"
	"github.com/ringoftowers/towers/server"
	"github.com/ringoftowers/towers/web"
)

// A site is the server as it is, for one test, on a port of its own.
type site struct {
	url  string       // with no slash at its end
	sent atomic.Int64 // bytes that went out to browsers, headers included
}

// embedded serves the lessons that the binary carries.
func embedded(tb testing.TB) *site {
	tb.Helper()
	return serve(tb, lessons.OpenEmbedded())
}

// serveFolder serves a course as "towers serve --lessons" does; its files are named in messages
// as beginning with "course/".
func serveFolder(tb testing.TB, course fs.FS) *site {
	tb.Helper()
	return serve(tb, lessons.Open(course, "course"))
}

func serve(tb testing.TB, library server.Library) *site {
	tb.Helper()
	built, err := web.Dist()
	if err != nil {
		tb.Fatal(err)
	}
	log := slog.New(slog.NewTextHandler(tb.Output(), &slog.HandlerOptions{Level: slog.LevelWarn}))
	s, err := server.New(server.Config{Library: library, Built: built, Log: log})
	if err != nil {
		tb.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	here := &site{url: "http://" + l.Addr().String()}
	ctx, cancel := context.WithCancel(context.Background())
	stopped := make(chan error, 1)
	go func() { stopped <- s.Serve(ctx, counting{Listener: l, sent: &here.sent}) }()
	tb.Cleanup(func() {
		cancel()
		if err := <-stopped; err != nil {
			tb.Errorf("the server stopped badly: %v", err)
		}
	})
	return here
}

// counting adds up what its connections send.
type counting struct {
	net.Listener
	sent *atomic.Int64
}

func (l counting) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return countingConn{Conn: c, sent: l.sent}, nil
}

type countingConn struct {
	net.Conn
	sent *atomic.Int64
}

func (c countingConn) Write(b []byte) (int, error) {
	n, err := c.Conn.Write(b)
	c.sent.Add(int64(n))
	return n, err
}
