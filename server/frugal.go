package server

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
)

// lineBuffer is the size of each of a socket's two buffers: what a page sends fits, and of what
// it gets only the frame's head waits there.
const lineBuffer = 512

// frugal is the writer of a request that becomes a WebSocket. The connection keeps for life what
// Hijack returns, and of net/http's own buffers, eight kilobytes, an idle page needs hardly any.
type frugal struct{ http.ResponseWriter }

// Hijack takes the connection over from net/http, with small buffers.
func (f frugal) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, had, err := http.NewResponseController(f.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, fmt.Errorf("take a connection over: %w", err)
	}
	// Who does not wait for the answer has sent something already, which must come first, and
	// must lie in the new buffer: who takes the connection over looks for it there.
	early, err := had.Peek(had.Reader.Buffered())
	if err == nil {
		var from io.Reader = conn
		if len(early) > 0 {
			from = io.MultiReader(bytes.NewReader(bytes.Clone(early)), conn)
		}
		in := bufio.NewReaderSize(from, max(lineBuffer, len(early)))
		_, err = in.Peek(len(early))
		had = bufio.NewReadWriter(in, bufio.NewWriterSize(conn, lineBuffer))
	}
	if err != nil {
		return nil, nil, fmt.Errorf("take over what a connection has read: %w", err)
	}
	return conn, had, nil
}
