package stream

import (
	"bytes"
	"encoding/json"
	"strconv"
	"time"

	"github.com/gorilla/websocket"
)

const (
	writeTimeout = 5 * time.Second // to finish a parked socket's frame; then it is closed
	closeTimeout = time.Second     // for the queued messages and the close frame
	privateQueue = 256             // messages; a slower reader is closed and must resync
	tickerQueue  = 4               // frames; more are dropped
)

// outgoing is the queue for the shard's loop, guarded by conn.mu.
type outgoing struct {
	called     bool   // the socket is on the loop's list
	private    []byte // whole frames, never dropped: when too many are queued the socket is closed
	waiting    int    // number of frames in private
	tickers    [][]byte
	seq        int64 // of the last numbered message
	watch      *watchlist
	last       []byte // the close frame until the loop has taken it
	ended      bool
	writeEnded bool  // the write of a parked socket has ended
	failure    error // the error of that write
}

// todo is the work that the loop has taken.
type todo struct {
	watch *watchlist
	text  []byte // whole frames, concatenated
	ended bool
}

// take returns the queued work. A parked socket's messages stay queued; its tickers are dropped.
func (c *conn) take() (t todo) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.called = false
	t.watch, c.watch = c.watch, nil
	t.ended = c.ended
	if c.writeEnded {
		c.writeEnded, c.blocked, c.broken = false, false, c.failure != nil
	}
	tickers := c.tickers
	c.tickers = nil
	if c.blocked || c.broken {
		return t
	}
	t.text, c.private, c.waiting = c.private, nil, 0
	for _, frame := range tickers {
		t.text = append(t.text, frame...)
	}
	t.text, c.last = append(t.text, c.last...), nil
	return t
}

// callLocked puts the socket on the loop's list once.
func (c *conn) callLocked() {
	if !c.called {
		c.called = true
		c.shard.call(c)
	}
}

// queue adds a whole frame, which is sent before any price.
func (c *conn) queue(frame []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.queueLocked(func(out []byte) []byte { return append(out, frame...) })
}

func (c *conn) queueLocked(appendTo func(out []byte) []byte) {
	if c.ended {
		return
	}
	if c.waiting >= privateQueue {
		go c.end(websocket.ClosePolicyViolation, "too slow") // in a goroutine, because the sender may have locked what end needs
		return
	}
	c.waiting++
	c.private = appendTo(c.private)
	c.callLocked()
}

// send sends a response.
func (c *conn) send(kind int, data any) error {
	text, err := json.Marshal(message{Type: kind, Data: data})
	if err != nil {
		return errBad
	}
	c.queue(appendFrame(nil, textFrame, text))
	return nil
}

// sendPrivate sends a numbered private message to each of the sockets; it is never dropped silently.
func sendPrivate(sockets []*conn, kind int, data any) error {
	text, err := json.Marshal(data)
	if err != nil {
		return err
	}
	for _, c := range sockets {
		c.number(kind, text)
	}
	return nil
}

// number queues an encoded message under the socket's next number. The queue is in the order of the numbers.
func (c *conn) number(kind int, data []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.queueLocked(func(out []byte) []byte {
		c.seq++
		var room [64]byte
		head := append(strconv.AppendInt(append(room[:0], `{"type":`...), int64(kind), 10), `,"seq":`...)
		head = append(strconv.AppendInt(head, c.seq, 10), `,"data":`...)
		out = appendHeader(out, textFrame, len(head)+len(data)+1)
		return append(append(append(out, head...), data...), '}')
	})
}

// offer queues a frame that may be dropped.
func (c *conn) offer(frame []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended || len(c.tickers) >= tickerQueue {
		return
	}
	c.tickers = append(c.tickers, frame)
	c.callLocked()
}

// follow replaces the subscription.
func (c *conn) follow(w *watchlist) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.watch = w
	c.callLocked()
}

// numbers are the socket's line numbers for its group's watchlist.
func (c *conn) numbers() []int64 {
	if c.behind != nil {
		return c.behind
	}
	return c.group.numbers()
}

// block starts a goroutine that finishes the partly written frame; nothing else is written until then. The loop calls it.
func (c *conn) block(rest []byte) {
	c.blocked = true
	if c.group != nil && c.behind == nil {
		c.behind = c.group.numbers()
	}
	rest = bytes.Clone(rest)
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.ended {
		_ = c.network.SetWriteDeadline(time.Now().Add(writeTimeout))
	}
	go c.finish(rest)
}

func (c *conn) finish(rest []byte) {
	_, err := c.network.Write(rest)
	c.mu.Lock()
	defer c.mu.Unlock()
	if err == nil && !c.ended {
		err = c.network.SetWriteDeadline(time.Time{})
	}
	c.writeEnded, c.failure = true, err
	c.callLocked()
}
