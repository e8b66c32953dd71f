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
	perSecond    = 50               // requests of a socket; more is a flood
	socketLogins = 10               // of a socket in a minute; more is a flood. The app logs in on each connect, and again every minute
	traderLogins = 120              // of a trader in a minute, over all sockets
)

// conn is one socket: one goroutine reads, its shard's loop writes.
type conn struct {
	// These belong to the shard's loop, and are all that it looks at when it sends a price.
	fd     int     // for its writes; -1 unless the connection is plain TCP
	behind []int64 // the numbers of the lines that the socket has, while they are not its group's
	parked bool    // it does not take more at the moment; a goroutine finishes the frame that it was being sent
	broken bool
	closed bool
	group  *group // nil while nothing is subscribed to

	hub     *Hub
	shard   *shard
	ws      *websocket.Conn // reads only
	network net.Conn

	mu sync.Mutex
	outgoing
	unobserve func()

	wantsTickers atomic.Bool
	trader       int64         // the reading goroutine's
	spoke        bool          // the reading goroutine's: it has asked for something
	logins       *rate.Limiter // the reading goroutine's; nil before the first log-in

	source netip.Prefix
	opened time.Time

	// The register guards the rest.
	account int64
	session int64
	reader  person
	bound   int64 // counts log-ins: a lower one came before
	asked   bool  // for something that only a reader wants
	spot    spot
}

// tcp is a plain TCP connection, whatever counts it.
type tcp interface {
	syscall.Conn
	SetWriteBuffer(bytes int) error
}

func newConn(h *Hub, s *shard, ws *websocket.Conn, network net.Conn, source netip.Prefix) *conn {
	c := &conn{hub: h, shard: s, ws: ws, network: network, fd: -1, source: source, opened: h.config.Clock.Now()}
	if tcp, ok := network.(tcp); ok {
		// More than this in the kernel would be old prices; what does not fit parks the socket.
		_ = tcp.SetWriteBuffer(sendBuffer)
		if raw, err := tcp.SyscallConn(); err == nil {
			_ = raw.Control(func(fd uintptr) { c.fd = int(fd) })
		}
	}
	return c
}

// end lets what is private go out, then a close frame, once, and forgets the socket.
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

// close ends the connection; its loop calls it, once. Closing what is not plain TCP may take a while, so the loop does not wait.
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
			c.end(websocket.CloseNormalClosure, "") // gorilla has said so already if the frame was too large
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
		c.ask()
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
		c.ask()
	}
	c.follow(w)
	return nil
}

// ask notes once that the socket asked for something, so that a guest's is not closed as idle.
func (c *conn) ask() {
	if !c.spoke {
		c.spoke = true
		c.hub.register.ask(c)
	}
}

// logIn authenticates the socket; without it it stays a guest's.
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
	p, err := c.hub.sessions.Identify(ctx, l.Token)
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
	return c.become(ctx, p)
}

// become binds the socket to a session and asks for its account's worth. A session that ended meanwhile is found once the socket is bound: its end may have
// been published before.
func (c *conn) become(ctx context.Context, p session.Principal) error {
	c.trader = p.TraderID
	b := c.hub.register.bind(c, p)
	if b.crowded != nil {
		b.crowded.end(websocket.CloseTryAgainLater, errTabs.Error())
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

// subscribeUser asks for one's own events: a trader's, or without a session a visitor's. Anybody else's id closes the socket.
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
		c.ask()
		c.hub.register.meet(c, id.String())
		return nil
	}
	if c.trader == 0 || u.UserID != c.trader {
		return errors.New("not your user")
	}
	return nil
}
