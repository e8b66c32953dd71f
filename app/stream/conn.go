package stream

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gorilla/websocket"

	"candor/app/session"
)

const (
	readLimit    = 64 << 10
	readDeadline = 60 * time.Second // the client's heartbeat comes every 20 s
	writeTimeout = 5 * time.Second
	privateQueue = 256 // messages; a reader that is slower is closed and resyncs
	perSecond    = 50  // requests of a socket; more is a flood
)

// conn is one socket: one goroutine reads, one writes.
type conn struct {
	hub *Hub
	ws  *websocket.Conn

	private chan []byte   // never dropped: when it is full the socket is closed
	public  chan []byte   // tickers: dropped when nobody reads
	prices  chan []byte   // at most one frame waits; what it lacks comes with the next flush
	done    chan struct{} // closed once, by end
	once    sync.Once

	account      atomic.Int64
	session      atomic.Int64
	trader       atomic.Int64
	wantsTickers atomic.Bool
	seq          atomic.Int64

	mu         sync.Mutex
	subscribed map[int]int64 // product to the number of the line last sent
	focus      int
	unobserve  func()
}

func newConn(h *Hub, ws *websocket.Conn) *conn {
	return &conn{
		hub: h, ws: ws, private: make(chan []byte, privateQueue), public: make(chan []byte, 4), prices: make(chan []byte, 1),
		done: make(chan struct{}), subscribed: map[int]int64{},
	}
}

// end sends a close frame, once, and lets both goroutines go.
func (c *conn) end(code int, reason string) {
	c.once.Do(func() {
		close(c.done)
		c.hub.remove(c)
		_ = c.ws.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(code, reason), time.Now().Add(time.Second))
		_ = c.ws.Close()
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.unobserve != nil {
			c.unobserve()
		}
	})
}

func (c *conn) write() {
	for {
		var text []byte
		select {
		case text = <-c.private:
		default:
			select {
			case text = <-c.private:
			case text = <-c.prices:
			case text = <-c.public:
			case <-c.done:
				return
			}
		}
		_ = c.ws.SetWriteDeadline(time.Now().Add(writeTimeout))
		if err := c.ws.WriteMessage(websocket.TextMessage, text); err != nil {
			c.end(websocket.CloseGoingAway, "write")
			return
		}
	}
}

func (c *conn) read() {
	c.ws.SetReadLimit(readLimit)
	window, requests := time.Now(), 0
	for {
		_ = c.ws.SetReadDeadline(time.Now().Add(readDeadline))
		kind, text, err := c.ws.ReadMessage()
		if err != nil {
			code := websocket.CloseNormalClosure
			if errors.Is(err, websocket.ErrReadLimit) {
				code = websocket.CloseMessageTooBig
			}
			c.end(code, "")
			return
		}
		if time.Since(window) > time.Second {
			window, requests = time.Now(), 0
		}
		if requests++; requests > perSecond || kind != websocket.TextMessage {
			c.end(websocket.ClosePolicyViolation, "flood")
			return
		}
		if err := c.handle(text); err != nil {
			c.end(websocket.ClosePolicyViolation, err.Error())
			return
		}
	}
}

var errBad = errors.New("bad message")

// handle answers one request. An error closes the socket.
func (c *conn) handle(text []byte) error {
	var r request
	if err := json.Unmarshal(text, &r); err != nil {
		return errBad
	}
	switch r.Type {
	case typeHeartbeat:
		return c.send(message{Type: typeHeartbeat})
	case typePrice:
		return c.subscribe(r.Data)
	case typePreheat:
		c.wantsTickers.Store(true)
		return nil
	case typeHot:
		return c.send(message{Type: typeHot, Data: c.hub.market.Hot()})
	case typeLogin:
		return c.logIn(r.Data)
	case typeUser:
		return c.subscribeUser(r.Data)
	}
	return errBad
}

func (c *conn) subscribe(data json.RawMessage) error {
	var s subscription
	if err := json.Unmarshal(data, &s); err != nil || len(s.ProductIDs) > maxProducts {
		return errBad
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	next := make(map[int]int64, len(s.ProductIDs))
	for _, id := range s.ProductIDs {
		if c.hub.lines[id] != nil {
			next[id] = c.subscribed[id]
		}
	}
	c.subscribed, c.focus = next, s.Focus
	return nil
}

// logIn authenticates the socket; without it it stays a guest's.
func (c *conn) logIn(data json.RawMessage) error {
	var l login
	if err := json.Unmarshal(data, &l); err != nil {
		return errBad
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	p, err := c.hub.sessions.Check(ctx, l.Token)
	if errors.Is(err, session.ErrToken) {
		return c.send(message{Type: typeControl, Data: controlEvent{"token_invalid"}})
	}
	if err != nil {
		return errors.New("try again")
	}
	if l.UserID != 0 && l.UserID != p.TraderID {
		return errors.New("not your user")
	}
	return c.become(ctx, p)
}

// become binds the socket to a session and asks for its account's worth.
func (c *conn) become(ctx context.Context, p session.Principal) error {
	c.trader.Store(p.TraderID)
	c.session.Store(p.SessionID)
	if c.account.Swap(p.AccountID) == p.AccountID {
		return nil
	}
	stop, err := c.hub.trading.Observe(ctx, p.AccountID)
	if err != nil {
		return errors.New("try again")
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.unobserve != nil {
		c.unobserve()
	}
	c.unobserve = stop
	select {
	case <-c.done:
		stop()
	default:
	}
	return nil
}

// subscribeUser asks for one's own events; anybody else's id closes the socket.
func (c *conn) subscribeUser(data json.RawMessage) error {
	var u userSubscription
	if err := json.Unmarshal(data, &u); err != nil {
		return errBad
	}
	if c.trader.Load() == 0 || u.UserID != c.trader.Load() {
		return errors.New("not your user")
	}
	return nil
}

// flush offers the price lines that are newer than what the socket has; only those of the product in focus between full flushes.
func (c *conn) flush(full bool) {
	if len(c.prices) > 0 {
		return // the reader is behind: it gets the newest when it returns
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	var frame []byte
	add := func(id int) {
		newest := c.hub.lines[id].newest.Load()
		if newest == nil || newest.number <= c.subscribed[id] {
			return
		}
		if frame == nil {
			frame = append(make([]byte, 0, 1024), `{"type":12,"data":[`...)
		} else {
			frame = append(frame, ',')
		}
		frame = append(frame, newest.json...)
		c.subscribed[id] = newest.number
	}
	if _, ok := c.subscribed[c.focus]; ok && !full {
		add(c.focus)
	}
	if full {
		for id := range c.subscribed {
			add(id)
		}
	}
	if frame != nil {
		c.prices <- append(frame, "]}"...)
	}
}

func (c *conn) send(m message) error {
	text, err := json.Marshal(m)
	if err != nil {
		return errBad
	}
	c.push(text)
	return nil
}

// sendPrivate sends a numbered private message; it is never dropped silently.
func (c *conn) sendPrivate(kind int, data any) {
	_ = c.send(message{Type: kind, Seq: c.seq.Add(1), Data: data})
}

func (c *conn) push(text []byte) {
	select {
	case c.private <- text:
	case <-c.done:
	default:
		go c.end(websocket.ClosePolicyViolation, "too slow")
	}
}

// offer sends what may be dropped.
func (c *conn) offer(text []byte) {
	select {
	case c.public <- text:
	default:
	}
}
