// Package stream is the traders' websocket door: one hub, one connection per socket, and the numbered messages of the wire.
package stream

import (
	"context"
	"encoding/json"
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gorilla/websocket"

	"candor/app/market"
	"candor/app/platform/events"
	"candor/app/session"
	"candor/app/trading"
)

const (
	flushEvery  = 100 * time.Millisecond // price lines of all subscribed products
	focusEvery  = 20 * time.Millisecond  // those of the product in focus
	tickerEvery = 5 * time.Second        // 24-hour figures
	maxSockets  = 20_000
	maxProducts = 500 // one socket may subscribe to
)

// Wire writes what the engine says in the words of the client; the JSON door has them.
type Wire interface {
	WireFill(f trading.Fill) any
	WireOrder(o trading.Order) any
	WirePosition(p trading.Position) any
	WirePositions(v trading.Valuation) any
	WireStatistics(v trading.Valuation) any
}

// Config is how the door is set up.
type Config struct {
	SignFits func(localtimes, newsign string) bool
	Origins  []string // besides the socket's own host
}

// Hub holds every socket.
type Hub struct {
	market   *market.Service
	trading  *trading.Service
	sessions *session.Service
	bus      *events.Bus
	wire     Wire
	config   Config
	upgrader websocket.Upgrader

	mu     sync.RWMutex
	conns  map[*conn]struct{}
	closed bool

	lines map[int]*line // by product; the map never changes after New
	count atomic.Int64
}

// line is a product's newest price line, encoded once for everybody.
type line struct {
	newest atomic.Pointer[encoded]
}

// encoded is a line as it is sent; its number grows with each of a product.
type encoded struct {
	number int64
	json   []byte
}

// New makes the hub; the market has been loaded.
func New(m *market.Service, t *trading.Service, s *session.Service, bus *events.Bus, w Wire, config Config) *Hub {
	h := &Hub{market: m, trading: t, sessions: s, bus: bus, wire: w, config: config, conns: map[*conn]struct{}{}, lines: map[int]*line{}}
	h.upgrader = websocket.Upgrader{ReadBufferSize: 1024, WriteBufferSize: 4096, CheckOrigin: h.fromHere, EnableCompression: false}
	for _, p := range m.Products() {
		h.lines[p.ID] = &line{}
		h.OnHalt(p.ID)
	}
	s.OnEnded(h.sessionEnded)
	return h
}

// fromHere allows our own pages only: a browser always says where it comes from.
func (h *Hub) fromHere(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	return origin == "http://"+r.Host || origin == "https://"+r.Host || slices.Contains(h.config.Origins, origin)
}

// OnQuote encodes a product's newest line; the market calls it in order.
func (h *Hub) OnQuote(q market.Quote) {
	p, err := h.market.Product(q.ProductID)
	if err != nil {
		return
	}
	status, err := h.market.Status(p.ID)
	if err != nil {
		return
	}
	text, err := json.Marshal(priceLine{
		ProductID: q.ProductID, Price: p.FormatPrice(q.Bid), Bid: p.FormatPrice(q.Bid), Ask: p.FormatPrice(q.Ask),
		Spread: p.FormatPrice(q.Ask - q.Bid), Sequence: q.Seq, Time: q.AtMS, Halted: status.Halted,
	})
	if err != nil {
		return
	}
	number := int64(1)
	if last := h.lines[q.ProductID].newest.Load(); last != nil {
		number = last.number + 1
	}
	h.lines[q.ProductID].newest.Store(&encoded{number, text})
}

// OnHalt says the newest price again, with what has become of the product; the market calls it.
func (h *Hub) OnHalt(productID int) {
	if q, ok := h.market.Newest(productID); ok {
		h.OnQuote(q)
	}
}

// ServeHTTP opens a socket.
func (h *Hub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	if !h.config.SignFits(query.Get("localtimes"), query.Get("newsign")) {
		http.Error(w, "newsign", http.StatusForbidden)
		return
	}
	if h.count.Load() >= maxSockets {
		http.Error(w, "too many sockets", http.StatusServiceUnavailable)
		return
	}
	ws, err := h.upgrader.Upgrade(w, r, nil)
	if err != nil {
		return // the upgrader has answered
	}
	c := newConn(h, ws)
	if !h.add(c) {
		_ = ws.Close()
		return
	}
	go c.write()
	c.read()
}

func (h *Hub) add(c *conn) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return false
	}
	h.conns[c] = struct{}{}
	h.count.Add(1)
	return true
}

func (h *Hub) remove(c *conn) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if _, ok := h.conns[c]; ok {
		delete(h.conns, c)
		h.count.Add(-1)
	}
}

func (h *Hub) all() []*conn {
	h.mu.RLock()
	defer h.mu.RUnlock()
	return slices.Collect(maps.Keys(h.conns))
}

// ofAccount lists the sockets that are logged in with an account.
func (h *Hub) ofAccount(accountID int64) []*conn {
	return slices.DeleteFunc(h.all(), func(c *conn) bool { return c.account.Load() != accountID })
}

// Run flushes prices and hands on events until ctx ends; then every socket gets a close frame.
func (h *Hub) Run(ctx context.Context) error {
	stop, err := h.bus.Subscribe(trading.AnyChanged, func(subject string, data []byte) { h.changed(ctx, subject, data) })
	if err != nil {
		return err
	}
	defer stop()
	focus, tickers := time.NewTicker(focusEvery), time.NewTicker(tickerEvery)
	defer focus.Stop()
	defer tickers.Stop()
	last := time.Now()
	for {
		select {
		case now := <-focus.C:
			full := now.Sub(last) >= flushEvery
			if full {
				last = now
			}
			for _, c := range h.all() {
				c.flush(full)
			}
		case <-tickers.C:
			h.sendTickers()
		case <-ctx.Done():
			h.closeAll()
			return nil
		}
	}
}

func (h *Hub) closeAll() {
	h.mu.Lock()
	h.closed = true
	h.mu.Unlock()
	var group sync.WaitGroup
	for _, c := range h.all() {
		group.Go(func() { c.end(websocket.CloseGoingAway, "going down") })
	}
	group.Wait()
}

func (h *Hub) sessionEnded(sessionID int64) {
	for _, c := range h.all() {
		if c.session.Load() == sessionID {
			c.end(websocket.ClosePolicyViolation, "session ended")
		}
	}
}

// changed tells an account's sockets of a fill, of what became of a waiting order, or that its money moved.
func (h *Hub) changed(ctx context.Context, subject string, data []byte) {
	c, err := trading.ReadChange(subject, data)
	if err != nil {
		return
	}
	conns := h.ofAccount(c.AccountID)
	if len(conns) == 0 {
		return
	}
	event, err := h.describe(ctx, c)
	if err != nil {
		slog.Error("a change can't be told", "account", c.AccountID, "fill", c.FillID, "order", c.OrderID, "error", err)
		return
	}
	for _, conn := range conns {
		conn.sendPrivate(typeOrder, event)
	}
}

func (h *Hub) describe(ctx context.Context, c trading.Change) (event orderEvent, err error) {
	event.Event = "balance"
	if c.CallID != 0 {
		v, err := h.trading.Value(ctx, c.AccountID)
		return orderEvent{Event: "margin_call", Statistics: h.wire.WireStatistics(v)}, err
	}
	if c.OrderID != 0 {
		o, err := h.trading.Order(ctx, c.AccountID, c.OrderID)
		if err != nil {
			return event, err
		}
		event.Event, event.Order = "order", h.wire.WireOrder(o)
	}
	if c.FillID != 0 {
		fill, position, err := h.trading.FillWithPosition(ctx, c.AccountID, c.FillID)
		if err != nil {
			return event, err
		}
		event.Event, event.Fill, event.Position = "fill", h.wire.WireFill(fill), h.wire.WirePosition(position)
	}
	return event, nil
}

// Valued hands an account's worth to its sockets; the engine calls it.
func (h *Hub) Valued(v trading.Valuation) {
	conns := h.ofAccount(v.Account.ID)
	if len(conns) == 0 {
		return
	}
	worth := balanceEvent{Statistics: h.wire.WireStatistics(v), Positions: h.wire.WirePositions(v)}
	for _, c := range conns {
		c.sendPrivate(typeBalance, worth)
	}
}

// sendTickers sends 24-hour figures: crypto as the currency ticker, the rest as the foreign one.
func (h *Hub) sendTickers() {
	crypto, foreign := []tickerLine{}, []tickerLine{}
	for _, p := range h.market.Products() {
		f := h.market.Figures(p.ID)
		if f.Close == 0 {
			continue
		}
		t := tickerLine{p.ID, p.FormatPrice(f.Open), p.FormatPrice(f.Close), p.FormatPrice(f.High), p.FormatPrice(f.Low)}
		if p.Class == market.Crypto {
			crypto = append(crypto, t)
		} else {
			foreign = append(foreign, t)
		}
	}
	for kind, lines := range map[int][]tickerLine{typeCurrencyTicker: crypto, typeForeignTicker: foreign} {
		text, err := json.Marshal(message{Type: kind, Data: lines})
		if err != nil {
			continue
		}
		for _, c := range h.all() {
			if c.wantsTickers.Load() {
				c.offer(text)
			}
		}
	}
}
