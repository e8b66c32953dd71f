package stream

import (
	"bufio"
	"net"
	"net/http"
)

// link is the connection as gorilla sees it. Gorilla reads; what it writes by itself (a pong, a close frame) goes to the socket's one writer.
type link struct {
	net.Conn
	conn *conn // nil until the handshake was written
}

// Write takes one whole control frame, or the answer to the handshake.
func (l *link) Write(p []byte) (int, error) {
	if l.conn == nil {
		return l.Conn.Write(p)
	}
	if p[0]&0xf == closeFrame {
		l.conn.endWith(append([]byte(nil), p...))
	} else {
		l.conn.queue(p)
	}
	return len(p), nil
}

// hijacker hands gorilla the link instead of the connection.
type hijacker struct {
	http.ResponseWriter
	link *link
}

// Hijack is http.Hijacker's.
func (h hijacker) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	connection, buffers, err := http.NewResponseController(h.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, err
	}
	h.link.Conn = connection
	return h.link, buffers, nil
}
