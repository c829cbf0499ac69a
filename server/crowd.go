package server

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"time"
)

// How many requests of one session are answered at the same time. A browser with many tabs asks
// for no more pages at once; of requests that wait for news each tab may have one.
const (
	mostPages     = 8
	mostPolls     = 32
	crowdPatience = 10 * time.Second // for an answer to begin; the answer itself may take a minute
)

// A crowd lets each key do so many things at the same time. Whoever comes on top waits a while,
// in a line that may have an end.
type crowd struct {
	most     int
	line     int // how many may wait; 0 for any number
	patience time.Duration

	mu    sync.Mutex
	gates map[string]*gate // of those who are inside or wait
}

// A gate is where one key comes in.
type gate struct {
	places chan struct{}
	here   int // how many are inside or wait
}

func newCrowd(most int) *crowd {
	return newQueue(most, 0, crowdPatience)
}

func newQueue(most, line int, patience time.Duration) *crowd {
	return &crowd{most: most, line: line, patience: patience, gates: make(map[string]*gate)}
}

// enter takes a place; the caller must call leave. It reports false when ctx was done, or
// patience at its end, before there was one, and at once where the line is full.
func (c *crowd) enter(ctx context.Context, key string) (leave func(), ok bool) {
	g := c.come(key)
	if g == nil {
		return nil, false
	}
	patience := time.NewTimer(c.patience)
	defer patience.Stop()
	select {
	case g.places <- struct{}{}:
		return func() {
			<-g.places
			c.leave(key, g)
		}, true
	case <-ctx.Done():
	case <-patience.C:
	}
	c.leave(key, g)
	return nil, false
}

// come joins a key's line; it gives nil where that is full.
func (c *crowd) come(key string) *gate {
	c.mu.Lock()
	defer c.mu.Unlock()
	g := c.gates[key]
	if g == nil {
		g = &gate{places: make(chan struct{}, c.most)}
		c.gates[key] = g
	}
	if c.line > 0 && g.here >= c.most+c.line {
		return nil
	}
	g.here++
	return g
}

func (c *crowd) leave(key string, g *gate) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if g.here--; g.here == 0 {
		delete(c.gates, key)
	}
}

// inTurn answers only so many requests of one session at the same time: long pages that are
// drawn for one reader, and that this one is slow to read, must take neither the processors nor
// the memory from all others.
func (s *Server) inTurn() func(http.Handler) http.Handler {
	pages, polls := newCrowd(mostPages), newCrowd(mostPolls)
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			session, all := sessionOf(r), pages
			switch {
			case session == "" || r.URL.Path == "/live" || strings.HasPrefix(r.URL.Path, "/static/"):
				next.ServeHTTP(w, r)
				return
			case r.URL.Query().Has("after"):
				all = polls
			}
			leave, ok := all.enter(r.Context(), session)
			if !ok {
				s.fail(w, r, &refusal{status: http.StatusTooManyRequests, code: "too_many_at_once", after: all.patience,
					title: "Very many pages of yours were asked for at once", message: "Wait a moment, then load this one again."})
				return
			}
			defer leave()
			next.ServeHTTP(w, r)
		})
	}
}
