package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"
	"sync"
	"time"

	"github.com/coder/websocket"

	"github.com/ringoftowers/towers/server/store"
)

// A socket is a page's open line. Idle it is two goroutines: read does what the page asks, tend
// sees whether the page is still there. While the page watches a submission that is not judged
// yet there is one more, which sends its news. Nothing waits in a queue: whoever is slow to read
// finds the newest event next, and whoever reads nothing is cut off, comes back and goes on.
type socket struct {
	server *Server
	// asker is a request with the page's session and nothing else, so that each watch is
	// allowed or not by who has that session then.
	asker *http.Request
	conn  *websocket.Conn
	life  context.Context    // whoever lets one go that a write was given closes the line
	cut   context.CancelFunc // ends life, and so everything at once
	tasks sync.WaitGroup     // what runs besides read

	mu      sync.Mutex
	watches map[string]*watching // by submission
}

// watching is a submission of which a page gets the news.
type watching struct{ stop context.CancelFunc }

// A command is what a page sends.
type command struct {
	Watch   string `json:"watch"` // a submission's id
	After   int64  `json:"after"` // the newest event that the page has
	As      string `json:"as"`    // html, or empty
	Unwatch string `json:"unwatch"`
}

// A message is what a page gets.
type message struct {
	Type string `json:"type"` // submission, gone or bye
	ID   string `json:"id,omitempty"`
	*update
}

// newSocket prepares a socket for the sender of r, of which it keeps the session's cookie.
func (s *Server) newSocket(r *http.Request) *socket {
	asker := &http.Request{Header: make(http.Header)}
	if cookie, err := r.Cookie(sessionCookie); err == nil {
		asker.AddCookie(cookie)
	}
	// The request is over when the socket begins, and so would its context be.
	life, cut := context.WithCancel(context.Background())
	return &socket{server: s, asker: asker, life: life, cut: cut, watches: make(map[string]*watching)}
}

// run begins to serve a page. The socket leaves by itself when it is over.
func (k *socket) run(conn *websocket.Conn) {
	k.conn = conn
	k.tasks.Go(k.tend)
	go k.read()
}

// read does what the page asks until the line is closed from either side.
func (k *socket) read() {
	defer k.end()
	defer k.caught()
	for {
		kind, text, err := k.conn.Read(k.life)
		if err != nil {
			return
		}
		var c command
		if kind != websocket.MessageText || json.Unmarshal(text, &c) != nil {
			k.hangUp(websocket.StatusPolicyViolation, `send {"watch":"ID"} or {"unwatch":"ID"}`)
			return
		}
		if c.Unwatch != "" {
			k.unwatch(c.Unwatch)
		}
		if c.Watch != "" && !k.watch(c) {
			return
		}
	}
}

// end stops all that runs for the page and counts the socket out.
func (k *socket) end() {
	k.cut()
	// Whether this is the first to close the line or the last is all the same.
	_ = k.conn.CloseNow()
	k.tasks.Wait()
	k.server.sockets.leave(k)
}

// caught keeps a panic from ending the process, as the middleware does for requests: only this
// page's line is cut, and the page opens another.
func (k *socket) caught() {
	if v := recover(); v != nil {
		k.server.log.ErrorContext(k.life, "a socket was broken off", "error", fmt.Errorf("panic: %v\n%s", v, debug.Stack()))
		k.cut()
	}
}

// hangUp closes the line politely, with a reason that stands in the browser's console.
func (k *socket) hangUp(status websocket.StatusCode, reason string) {
	_ = k.conn.Close(status, reason) // a page that has gone is as good as one that heard it
}

// tend asks the page now and then whether it is there, and says good-bye when the server stops.
func (k *socket) tend() {
	all := k.server.sockets
	ping := time.NewTicker(all.pingEvery)
	defer ping.Stop()
	for {
		select {
		case <-k.life.Done():
			return
		case <-all.life.Done():
			if k.send(message{Type: "bye"}) {
				k.hangUp(websocket.StatusGoingAway, "the server stops; come back in a moment")
			}
			return
		case <-ping.C:
			if !k.alive() {
				k.cut()
				return
			}
		}
	}
}

func (k *socket) alive() bool {
	ctx, cancel := context.WithTimeout(k.life, k.server.sockets.patience)
	defer cancel()
	return k.conn.Ping(ctx) == nil
}

// watch begins to send the news of a submission, if it is the page's to see. It reports false
// when it has closed the line.
func (k *socket) watch(c command) bool {
	if len(k.asker.Cookies()) == 0 {
		// The page got its session when it submitted, and its line is older than that.
		k.hangUp(websocket.StatusTryAgainLater, "this line has no session; open another")
		return false
	}
	sub, err := k.allowed(c.Watch)
	if errors.Is(err, store.ErrNotFound) {
		return k.send(message{Type: "gone", ID: c.Watch})
	}
	if err != nil {
		if k.life.Err() == nil {
			k.server.log.ErrorContext(k.life, "a page cannot watch", "submission", c.Watch, "error", err)
			k.hangUp(websocket.StatusTryAgainLater, "something broke on our side; come back in a moment")
		}
		return false
	}
	k.unwatch(sub.ID)
	ctx, stop := context.WithCancel(k.life)
	w := &watching{stop: stop}
	if !k.enter(sub.ID, w) {
		stop()
		k.hangUp(websocket.StatusPolicyViolation, "too many submissions are watched; unwatch some first")
		return false
	}
	k.tasks.Go(func() {
		defer k.leave(sub.ID, w)
		defer k.caught()
		k.follow(ctx, sub, c)
	})
	return true
}

// allowed finds a submission, if whoever has the page's session now may see it.
func (k *socket) allowed(id string) (store.Submission, error) {
	learner, err := k.server.who(k.asker.WithContext(k.life))
	if err != nil {
		return store.Submission{}, err
	}
	return k.server.theirs(k.life, learner, id)
}

// follow sends the news of a submission until it is judged.
func (k *socket) follow(ctx context.Context, sub store.Submission, c command) {
	f := k.server.follow(sub.ID, c.After)
	defer f.close()
	for {
		e, err := f.next(ctx)
		var u update
		if err == nil {
			u, err = k.server.update(ctx, e, c.As, sub)
		}
		if err != nil {
			if ctx.Err() == nil {
				k.server.log.ErrorContext(ctx, "the news of a submission broke off", "submission", sub.ID, "error", err)
				k.hangUp(websocket.StatusTryAgainLater, "something broke on our side; come back in a moment")
			}
			return
		}
		if !k.send(message{Type: "submission", update: &u}) || e.Final() {
			return
		}
	}
}

// send sends one message. It cuts a page off that does not take it in time, and reports whether
// it was taken.
func (k *socket) send(m message) bool {
	text, err := json.Marshal(m)
	if err != nil {
		k.server.log.ErrorContext(k.life, "a message has no JSON", "error", err)
		return false
	}
	ctx, cancel := context.WithTimeout(k.life, k.server.sockets.patience)
	defer cancel()
	if err := k.conn.Write(ctx, websocket.MessageText, text); err != nil {
		k.cut()
		return false
	}
	return true
}

func (k *socket) enter(id string, w *watching) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.watches) >= mostWatches {
		return false
	}
	k.watches[id] = w
	return true
}

// leave forgets a watch that is over, unless another has taken its place.
func (k *socket) leave(id string, w *watching) {
	w.stop()
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.watches[id] == w {
		delete(k.watches, id)
	}
}

func (k *socket) unwatch(id string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if w := k.watches[id]; w != nil {
		w.stop()
		delete(k.watches, id)
	}
}
