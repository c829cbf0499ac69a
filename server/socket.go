package server

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"runtime/debug"
	"sync"
	"time"

	"github.com/coder/websocket"
)

// A socket is a page's open line. Idle it is one goroutine, which waits for what the page asks; a
// timer sees now and then whether the page is still there. While the page watches a submission
// that is not judged yet there is one more, which sends its news. Nothing waits in a queue:
// whoever is slow to read finds the newest event next, and whoever reads nothing is cut off, comes
// back and goes on.
type socket struct {
	server *Server
	// asker is a request with the page's session and nothing else, so that each watch is
	// allowed or not by who has that session then.
	asker   *http.Request
	session string // see sessionOf
	sender  string // see senderOf
	conn    *websocket.Conn
	life    context.Context    // whoever lets one go that a write was given closes the line
	cut     context.CancelFunc // ends life, and so everything at once
	tasks   sync.WaitGroup     // what runs besides read
	turn    chan struct{}      // full while a submission's news are drawn and sent
	stay    func() bool        // takes back that the page is told when the server stops

	mu      sync.Mutex
	ping    *time.Timer
	watches map[string]*watching // by submission
}

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
	return &socket{
		server: s, asker: asker, session: sessionOf(r), sender: senderOf(r), life: life, cut: cut,
		turn: make(chan struct{}, 1), watches: make(map[string]*watching),
	}
}

// run begins to serve a page. The socket leaves by itself when it is over.
func (k *socket) run(conn *websocket.Conn) {
	all := k.server.sockets
	k.conn = conn
	k.stay = context.AfterFunc(all.life, k.farewell)
	k.mu.Lock()
	k.ping = time.AfterFunc(all.pingEvery, k.tend)
	k.mu.Unlock()
	go k.read()
}

// read does what the page asks until the line is closed from either side.
func (k *socket) read() {
	defer k.end()
	defer k.caught()
	var asked pace
	for {
		kind, text, err := k.conn.Read(k.life)
		if err != nil || !asked.keep(k.life) {
			return
		}
		if !k.aside(func() bool { return k.obey(kind, text) }) {
			return
		}
	}
}

// aside runs f, waits for it and returns what it does, false if it panics. A goroutine keeps about
// as much stack as its deepest call took, and one that looks things up and draws takes several
// times what waiting for the page's next word does.
func (k *socket) aside(f func() bool) bool {
	said := make(chan bool)
	go func() {
		var good bool
		defer func() { said <- good }()
		defer k.caught()
		good = f()
	}()
	return <-said
}

// obey does what a page has sent, and reports whether the line is still open.
func (k *socket) obey(kind websocket.MessageType, text []byte) bool {
	var c command
	if kind != websocket.MessageText || json.Unmarshal(text, &c) != nil {
		k.hangUp(websocket.StatusPolicyViolation, `send {"watch":"ID"} or {"unwatch":"ID"}`)
		return false
	}
	if c.Unwatch != "" {
		k.unwatch(c.Unwatch)
	}
	return c.Watch == "" || k.watch(c)
}

// A pace is how often a page asks.
type pace struct {
	began time.Time // the present second
	asked int       // in it
}

// keep has a page wait that asks more often than any person's page does. It reports false when
// ctx is done.
func (p *pace) keep(ctx context.Context) bool {
	if now := time.Now(); now.Sub(p.began) >= time.Second {
		p.began, p.asked = now, 0
	}
	if p.asked++; p.asked <= mostCommands {
		return true
	}
	rest := time.NewTimer(time.Until(p.began.Add(time.Second)))
	defer rest.Stop()
	select {
	case <-rest.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// end stops all that runs for the page and counts the socket out.
func (k *socket) end() {
	k.cut()
	k.stay()
	k.mu.Lock()
	k.ping.Stop()
	k.mu.Unlock()
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

// tend asks the page whether it is still there, and comes again if it is.
func (k *socket) tend() {
	if !k.alive() {
		k.cut()
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.life.Err() == nil {
		k.ping.Reset(k.server.sockets.pingEvery)
	}
}

// farewell says good-bye when the server stops.
func (k *socket) farewell() {
	if k.send(message{Type: "bye"}) {
		k.hangUp(websocket.StatusGoingAway, "the server stops; come back in a moment")
	}
}

func (k *socket) alive() bool {
	ctx, cancel := context.WithTimeout(k.life, k.server.sockets.patience)
	defer cancel()
	return k.conn.Ping(ctx) == nil
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
