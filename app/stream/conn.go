package stream

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/netip"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/google/uuid"
	"github.com/gorilla/websocket"
	"golang.org/x/time/rate"

	"candor/app/platform/db"
	"candor/app/session"
)

const (
	readLimit    = 64 << 10
	readDeadline = 60 * time.Second // the client's heartbeat comes every 20 s
	perSecond    = 50               // requests per socket; more is a flood
	socketLogins = 10               // per socket and minute; more is a flood. The app logs in on each connect and every minute
	traderLogins = 120              // per trader and minute, over all sockets
)

// conn is one socket: one goroutine reads, its shard's loop writes.
type conn struct {
	// The shard's loop owns these fields; it uses no others to send a price.
	fd      int     // for writes; -1 unless the connection is plain TCP
	behind  []int64 // the numbers of the socket's lines while they differ from its group's
	blocked bool    // the kernel's buffer is full; a goroutine finishes the frame
	broken  bool
	closed  bool
	group   *group // nil without a subscription

	hub     *Hub
	shard   *shard
	ws      *websocket.Conn // for reads only
	network net.Conn

	mu sync.Mutex
	outgoing
	unobserve func()

	wantsTickers atomic.Bool
	trader       int64         // owned by the reading goroutine
	sentRequest  bool          // owned by the reading goroutine: a request was sent
	logins       *rate.Limiter // owned by the reading goroutine; nil before the first log-in

	source netip.Prefix
	opened time.Time

	// The register guards the rest.
	account int64
	session int64
	reader  person
	bound   int64 // counts log-ins: a lower number is an earlier one
	active  bool  // a request was sent that only a reader needs
	guest   guestEntry
}

// tcp is a plain TCP connection, also inside a counting wrapper.
type tcp interface {
	syscall.Conn
	SetWriteBuffer(bytes int) error
}

func newConn(h *Hub, s *shard, ws *websocket.Conn, network net.Conn, source netip.Prefix) *conn {
	c := &conn{hub: h, shard: s, ws: ws, network: network, fd: -1, source: source, opened: h.config.Clock.Now()}
	if tcp, ok := network.(tcp); ok {
		// A larger kernel buffer would only hold old prices; what does not fit parks the socket.
		_ = tcp.SetWriteBuffer(sendBuffer)
		if raw, err := tcp.SyscallConn(); err == nil {
			_ = raw.Control(func(fd uintptr) { c.fd = int(fd) })
		}
	}
	return c
}

// end sends the queued private messages, then one close frame, and forgets the socket.
func (c *conn) end(code int, reason string) {
	c.endWith(appendFrame(nil, closeFrame, websocket.FormatCloseMessage(code, reason)))
}

func (c *conn) endWith(frame []byte) {
	c.mu.Lock()
	if c.ended {
		c.mu.Unlock()
		return
	}
	c.ended, c.last = true, frame
	_ = c.network.SetWriteDeadline(time.Now().Add(closeTimeout))
	stop := c.unobserve
	c.mu.Unlock()
	c.hub.register.remove(c)
	if stop != nil {
		stop()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.callLocked()
}

// close ends the connection; the loop calls it once. It does not wait, because closing a connection that is not plain TCP may take a while.
func (c *conn) close() {
	c.closed = true
	go func() {
		_ = c.network.Close()
		c.end(websocket.CloseGoingAway, "write")
		c.hub.register.release()
		c.hub.open.Done()
	}()
}

func (c *conn) read() {
	c.ws.SetReadLimit(readLimit)
	window, requests := time.Now(), 0
	for {
		_ = c.ws.SetReadDeadline(time.Now().Add(readDeadline))
		kind, text, err := c.ws.ReadMessage()
		if err != nil {
			c.end(websocket.CloseNormalClosure, "") // gorilla has already answered a frame that was too large
			return
		}
		if time.Since(window) > time.Second {
			window, requests = time.Now(), 0
		}
		if requests++; requests > perSecond || kind != websocket.TextMessage {
			c.end(websocket.ClosePolicyViolation, errFlood.Error())
			return
		}
		if err := c.handle(text); err != nil {
			code := websocket.ClosePolicyViolation
			if errors.Is(err, errTabs) {
				code = websocket.CloseTryAgainLater
			}
			c.end(code, err.Error())
			return
		}
	}
}

// Reasons to close a socket.
var (
	errBad   = errors.New("bad message")
	errFlood = errors.New("flood")
	errTabs  = errors.New("too many tabs") // the client may come back later
)

// handle answers one request. An error closes the socket.
func (c *conn) handle(text []byte) error {
	var r request
	if err := json.Unmarshal(text, &r); err != nil {
		return errBad
	}
	switch r.Type {
	case typeHeartbeat:
		return c.send(typeHeartbeat, nil)
	case typePrice:
		return c.subscribe(r.Data)
	case typePreheat:
		c.wantsTickers.Store(true)
		c.markActive()
		return nil
	case typeHot:
		return c.send(typeHot, c.hub.market.Hot())
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
	w := newWatchlist(c.hub.board, s.ProductIDs, s.Focus)
	if len(w.places) > 0 {
		c.markActive()
	}
	c.follow(w)
	return nil
}

// markActive records the first request, so that a guest socket is not closed as idle.
func (c *conn) markActive() {
	if !c.sentRequest {
		c.sentRequest = true
		c.hub.register.markActive(c)
	}
}

// logIn authenticates the socket; without a log-in it counts as a guest socket.
func (c *conn) logIn(data json.RawMessage) error {
	var l login
	if err := json.Unmarshal(data, &l); err != nil {
		return errBad
	}
	if c.logins == nil {
		c.logins = rate.NewLimiter(rate.Every(time.Minute/socketLogins), socketLogins)
	}
	if !c.logins.AllowN(c.hub.config.Clock.Now(), 1) {
		return errFlood
	}
	ctx, cancel := context.WithTimeout(db.WithLane(context.Background(), db.Traders), 5*time.Second)
	defer cancel()
	p, err := c.hub.sessions.Identify(ctx, l.Token, session.Device{IP: c.source.Addr().String(), UserAgent: l.ClientUserAgent})
	if errors.Is(err, session.ErrToken) {
		return c.send(typeControl, controlEvent{"token_invalid"})
	}
	if err != nil {
		return errors.New("try again")
	}
	if l.UserID != 0 && l.UserID != p.TraderID {
		return errors.New("not your user")
	}
	if c.hub.logins.Take(strconv.FormatInt(p.TraderID, 10)) != nil {
		return errTabs
	}
	return c.bindSession(ctx, p)
}

// bindSession binds the socket to a session and subscribes to its account's valuation. It checks the session only after binding, because an end that was published
// before reaches no unbound socket.
func (c *conn) bindSession(ctx context.Context, p session.Principal) error {
	c.trader = p.TraderID
	b := c.hub.register.bind(c, p)
	if b.overLimit != nil {
		b.overLimit.end(websocket.CloseTryAgainLater, errTabs.Error())
	}
	if b.session {
		if err := c.hub.confirm(ctx, p.SessionID); err != nil {
			return err
		}
	}
	if !b.account {
		return nil
	}
	stop, err := c.hub.trading.Observe(ctx, p.AccountID)
	if err != nil {
		return errors.New("try again")
	}
	c.mu.Lock()
	before, ended := c.unobserve, c.ended
	c.unobserve = stop
	c.mu.Unlock()
	if before != nil {
		before()
	}
	if ended {
		stop()
	}
	return nil
}

// subscribeUser subscribes to the reader's own events: a trader's, or without a session a visitor's. Another id closes the socket.
func (c *conn) subscribeUser(data json.RawMessage) error {
	var u userSubscription
	if err := json.Unmarshal(data, &u); err != nil {
		return errBad
	}
	if u.UUID != "" && c.trader == 0 {
		id, err := uuid.Parse(u.UUID)
		if err != nil {
			return errBad
		}
		c.markActive()
		c.hub.register.bindVisitor(c, id.String())
		return nil
	}
	if c.trader == 0 || u.UserID != c.trader {
		return errors.New("not your user")
	}
	return nil
}
