package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"
)

// limits are the times that a connection may take, and the most that its headers may weigh. A
// client that is slow on purpose holds a connection for so long and no longer.
type limits struct {
	headers     time.Duration // until the headers are there
	request     time.Duration // until the whole request is there
	answer      time.Duration // until the answer is sent: 600 KB at 10 KB/s
	idle        time.Duration // between two requests of one connection
	headerBytes int
	grace       time.Duration // for the requests that are under way when the server stops
}

// patient are the limits for real readers, some of whom are on a train.
func patient() limits {
	return limits{
		headers: 5 * time.Second, request: 15 * time.Second, answer: time.Minute, idle: 2 * time.Minute,
		headerBytes: 16 << 10, grace: 10 * time.Second,
	}
}

// Serve answers the connections of l until ctx is done or l fails. Then it takes no more, lets the
// requests that are under way finish for up to ten seconds, says good-bye to every WebSocket, and
// closes l in any case. The error says that l failed, or that requests had to be cut off. A server
// that was stopped cannot serve again.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	hs := &http.Server{
		Handler:           s,
		ReadHeaderTimeout: s.limits.headers,
		ReadTimeout:       s.limits.request,
		WriteTimeout:      s.limits.answer,
		IdleTimeout:       s.limits.idle,
		MaxHeaderBytes:    s.limits.headerBytes,
		ErrorLog:          slog.NewLogLogger(s.log.Handler(), slog.LevelWarn),
	}
	served := make(chan error, 1)
	go func() { served <- hs.Serve(l) }()
	var failed error
	select {
	case err := <-served:
		failed = fmt.Errorf("serve: %w", err)
	case <-ctx.Done():
	}
	// ctx is done, as a rule, so the time of grace must not descend from it.
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.limits.grace)
	defer cancel()
	closed := make(chan struct{})
	go func() {
		s.sockets.close(grace)
		close(closed)
	}()
	err := hs.Shutdown(grace)
	<-closed
	if errors.Is(err, context.DeadlineExceeded) {
		err = errors.Join(fmt.Errorf("requests were cut off that took longer than %v", s.limits.grace), hs.Close())
	}
	if failed == nil {
		<-served // it says only that it was shut down
	}
	return errors.Join(failed, err)
}
