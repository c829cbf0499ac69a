package server

import (
	"io"
	"net"
	"strings"
	"testing"
	"time"
)

// A page need not wait until its line is open: what it sent at once is done too, even where it
// is more than the line's own buffer holds.
func TestLiveHearsWhatCameEarly(t *testing.T) {
	s := newSite(t, workshop())
	v := s.visitor(t)
	v.submits("for the cookie")
	conn, err := net.Dial("tcp", start(t, s.Server).address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(20 * time.Second)); err != nil {
		t.Fatal(err)
	}
	const count = 40
	_, err = io.WriteString(conn, "GET /live HTTP/1.1\r\nHost: towers\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nCookie: "+v.cookie+"\r\n"+
		"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"+
		strings.Repeat(masked(`{"watch":"nobody-has-this-one"}`), count))
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for piece := make([]byte, 4096); strings.Count(all.String(), `"gone"`) < count; {
		n, err := conn.Read(piece)
		if err != nil {
			t.Fatalf("%v after\n%s", err, &all)
		}
		all.Write(piece[:n])
	}
}

// masked is a short text as a browser frames it.
func masked(text string) string {
	frame := []byte{0x81, 0x80 | byte(len(text)), 1, 2, 3, 4}
	for i := range len(text) {
		frame = append(frame, text[i]^frame[2+i%4])
	}
	return string(frame)
}
