package stream

import (
	"bufio"
	"net"
	"net/http"
	"time"

	"github.com/gorilla/websocket"
	"golang.org/x/time/rate"
)

// link is the connection for gorilla, which reads from it. Frames that gorilla writes itself (a pong, a close frame) go to the socket's one writer.
type link struct {
	net.Conn
	conn  *conn // nil until the handshake was written
	input *rate.Limiter
}

// Input limits of a socket, in bytes. Frames that are not requests count too: a message of endless empty fragments costs as much.
const (
	bytesPerSecond = 128 << 10
	bytesAtOnce    = 2 * readLimit
)

// Read closes the socket as a flood when the client exceeds the limit.
func (l *link) Read(p []byte) (int, error) {
	n, err := l.Conn.Read(p)
	if l.conn == nil {
		return n, err
	}
	if l.input == nil {
		l.input = rate.NewLimiter(bytesPerSecond, bytesAtOnce)
	}
	if !l.input.AllowN(time.Now(), n) {
		l.conn.end(websocket.ClosePolicyViolation, errFlood.Error())
		return 0, errFlood
	}
	return n, err
}

// Write accepts one whole control frame, or the handshake response.
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

// hijacker gives gorilla the link instead of the connection.
type hijacker struct {
	http.ResponseWriter
	link *link
}

// Hijack implements http.Hijacker.
func (h hijacker) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	connection, buffers, err := http.NewResponseController(h.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, err
	}
	h.link.Conn = connection
	return h.link, buffers, nil
}
