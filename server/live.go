package server

import (
	"net/http"
	"strings"

	"github.com/coder/websocket"
)

// Bounds of what a page may send and ask for by its socket.
const (
	mostCommand  = 1 << 10 // bytes
	mostCommands = 64      // a second; who asks more often waits
	mostWatches  = 16      // at a time
)

// live makes a WebSocket of a request, and a socket of that.
func (s *Server) live(w http.ResponseWriter, r *http.Request) error {
	if !strings.EqualFold(r.Header.Get("Upgrade"), "websocket") {
		return &refusal{status: http.StatusUpgradeRequired, code: "upgrade_required",
			title: "This address is for WebSockets", message: "Programs ask for news at /api/submissions/ID?after=SEQ as well."}
	}
	if foreign(r) {
		return errForeign
	}
	k := s.newSocket(r)
	if !s.sockets.enter(k) {
		k.cut()
		return &refusal{status: http.StatusServiceUnavailable, code: "no_room", after: s.sockets.pingEvery,
			title: "There is no room for another socket", message: "Ask for news at /api/submissions/ID?after=SEQ instead."}
	}
	// Compression would cost each socket more memory than all else that it needs.
	conn, err := websocket.Accept(frugal{w}, r, &websocket.AcceptOptions{CompressionMode: websocket.CompressionDisabled})
	if err != nil {
		k.cut()
		s.sockets.leave(k)
		s.log.InfoContext(r.Context(), "no WebSocket came about", "id", numberOf(r), "error", err)
		return nil // Accept has answered already
	}
	conn.SetReadLimit(mostCommand)
	k.run(conn)
	return nil
}

// foreign says whether a script of another site wants a socket with our reader's cookies. A
// browser asks for a socket by GET, and the protection of forms lets every GET pass; so this
// asks it about a request that is the same but for the method.
func foreign(r *http.Request) bool {
	asked := &http.Request{Method: http.MethodPost, URL: r.URL, Host: r.Host, Header: r.Header}
	return http.NewCrossOriginProtection().Check(asked) != nil
}
