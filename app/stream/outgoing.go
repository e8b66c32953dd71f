package stream

import (
	"bytes"
	"encoding/json"
	"strconv"
	"time"

	"github.com/gorilla/websocket"
)

const (
	writeTimeout = 5 * time.Second // for what a parked socket was being sent; then it is closed
	closeTimeout = time.Second     // for what comes before and with the close frame
	privateQueue = 256             // messages; a reader that is slower is closed and resyncs
	tickerQueue  = 4               // frames; more are dropped
)

// outgoing is what waits for the shard's loop; it is guarded by conn.mu.
type outgoing struct {
	called   bool   // the loop knows
	private  []byte // whole frames, never dropped: when too many wait the socket is closed
	waiting  int    // how many frames private is
	tickers  [][]byte
	seq      int64 // of the last numbered message
	watch    *watchlist
	last     []byte // the close frame, until the loop took it
	ended    bool
	returned bool  // a parked socket took all, or failed
	failure  error // why it failed
}

// todo is what the loop took.
type todo struct {
	watch *watchlist
	text  []byte // whole frames in a row
	ended bool
}

// take hands over what waits. A parked socket's messages wait on; its tickers are dropped.
func (c *conn) take() (t todo) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.called = false
	t.watch, c.watch = c.watch, nil
	t.ended = c.ended
	if c.returned {
		c.returned, c.parked, c.broken = false, false, c.failure != nil
	}
	tickers := c.tickers
	c.tickers = nil
	if c.parked || c.broken {
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

// queue lets a whole frame go before any price.
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
		go c.end(websocket.ClosePolicyViolation, "too slow") // whoever sends may hold what end needs
		return
	}
	c.waiting++
	c.private = appendTo(c.private)
	c.callLocked()
}

// send sends an answer.
func (c *conn) send(kind int, data any) error {
	text, err := json.Marshal(message{Type: kind, Data: data})
	if err != nil {
		return errBad
	}
	c.queue(appendFrame(nil, textFrame, text))
	return nil
}

// sendPrivate sends a numbered private message to each of sockets; it is never dropped silently.
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

// number queues an encoded message under the socket's next number: what has a lower one is before it.
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

// offer sends a frame that may be dropped.
func (c *conn) offer(frame []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended || len(c.tickers) >= tickerQueue {
		return
	}
	c.tickers = append(c.tickers, frame)
	c.callLocked()
}

// follow replaces what the socket subscribed to.
func (c *conn) follow(w *watchlist) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.watch = w
	c.callLocked()
}

// numbers are those of the lines that the socket has of its group's.
func (c *conn) numbers() []int64 {
	if c.behind != nil {
		return c.behind
	}
	return c.group.numbers()
}

// park lets a goroutine finish what the socket did not take at once; until it has, nothing else is written. The loop calls it.
func (c *conn) park(rest []byte) {
	c.parked = true
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
	c.returned, c.failure = true, err
	c.callLocked()
}
