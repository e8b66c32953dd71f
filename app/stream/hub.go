// Package stream is the traders' websocket door: one hub, one connection per socket, and the numbered messages of the wire.
package stream

import (
	"context"
	"net/http"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gorilla/websocket"

	"candor/app/market"
	"candor/app/notice"
	"candor/app/platform/events"
	"candor/app/session"
	"candor/app/switches"
	"candor/app/trading"
)

const (
	flushEvery  = 100 * time.Millisecond // price lines of all subscribed products
	focusEvery  = 20 * time.Millisecond  // those of the product in focus
	tickerEvery = 5 * time.Second        // 24-hour figures
	maxSockets  = 20_000
	readBuffer  = 256      // bytes of a request that wait to be taken apart; longer ones are read past it
	sendBuffer  = 64 << 10 // of a socket, in the kernel; Linux doubles it
	maxProducts = 500      // one socket may subscribe to
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
	notices  *notice.Service
	bus      *events.Bus
	wire     Wire
	config   Config
	upgrader websocket.Upgrader

	board    *board
	register *register
	shards   []*shard
	next     atomic.Int64   // counts sockets, to spread them over the shards
	open     sync.WaitGroup // connections that are not closed
}

// New makes the hub; the market has been loaded.
func New(m *market.Service, t *trading.Service, s *session.Service, n *notice.Service, bus *events.Bus, w Wire, config Config) *Hub {
	h := &Hub{market: m, trading: t, sessions: s, notices: n, bus: bus, wire: w, config: config, board: newBoard(m.Products()), register: newRegister()}
	h.upgrader = websocket.Upgrader{ReadBufferSize: readBuffer, WriteBufferPool: &sync.Pool{}, CheckOrigin: h.fromHere, EnableCompression: false}
	for _, p := range m.Products() {
		h.OnHalt(p.ID)
	}
	for range runtime.GOMAXPROCS(0) {
		h.shards = append(h.shards, newShard(h.board))
	}
	s.OnEnded(h.sessionEnded)
	return h
}

// fromHere allows our own pages only: a browser always says where it comes from.
func (h *Hub) fromHere(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	return origin == "http://"+r.Host || origin == "https://"+r.Host || slices.Contains(h.config.Origins, origin)
}

// ServeHTTP opens a socket.
func (h *Hub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	if !h.config.SignFits(query.Get("localtimes"), query.Get("newsign")) {
		http.Error(w, "newsign", http.StatusForbidden)
		return
	}
	if h.register.count() >= maxSockets {
		http.Error(w, "too many sockets", http.StatusServiceUnavailable)
		return
	}
	between := &link{}
	ws, err := h.upgrader.Upgrade(hijacker{w, between}, r, nil)
	if err != nil {
		return // the upgrader has answered
	}
	c := newConn(h, h.shards[h.next.Add(1)%int64(len(h.shards))], ws, between.Conn)
	between.conn = c
	if !h.register.add(c) {
		_ = c.network.Close()
		return
	}
	go c.read() // not here: this goroutine's stack and net/http's buffers are larger than all that a socket needs
}

// Run flushes prices and hands on events until ctx ends; then every socket gets a close frame.
func (h *Hub) Run(ctx context.Context) error {
	stop, err := h.bus.Subscribe(trading.AnyChanged, func(subject string, data []byte) { h.changed(ctx, subject, data) })
	if err != nil {
		return err
	}
	defer stop()
	stopHearing, err := h.bus.Subscribe(switches.Changed, func(string, []byte) { h.switched() })
	if err != nil {
		return err
	}
	defer stopHearing()
	stopReading, err := h.bus.Subscribe(notice.Changed, func(string, []byte) { h.published() })
	if err != nil {
		return err
	}
	defer stopReading()
	stopTelling, err := h.bus.Subscribe(notice.Told, func(_ string, data []byte) { h.told(ctx, data) })
	if err != nil {
		return err
	}
	defer stopTelling()
	defer h.runShards()()
	tickers := time.NewTicker(tickerEvery)
	defer tickers.Stop()
	for {
		select {
		case <-tickers.C:
			h.sendTickers()
		case <-ctx.Done():
			return nil
		}
	}
}

// runShards starts the shards' loops; stop ends them when every socket has its close frame.
func (h *Hub) runShards() (stop func()) {
	work, cancel := context.WithCancel(context.Background())
	var group sync.WaitGroup
	for _, s := range h.shards {
		group.Go(func() { s.run(work) })
	}
	return func() {
		h.register.close()
		for _, c := range h.register.all() {
			c.end(websocket.CloseGoingAway, "going down")
		}
		h.open.Wait()
		cancel()
		group.Wait()
	}
}

// Online counts the sockets that are open here.
func (h *Hub) Online() int { return h.register.count() }

func (h *Hub) sessionEnded(sessionID int64) {
	for _, c := range h.register.ofSession(sessionID) {
		c.end(websocket.ClosePolicyViolation, "session ended")
	}
}
