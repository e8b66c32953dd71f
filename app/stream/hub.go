// Package stream is the traders' websocket server: one hub, one connection per socket, and the numbered messages of the wire.
package stream

import (
	"context"
	"net/http"
	"net/netip"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gorilla/websocket"

	"candor/app/market"
	"candor/app/notice"
	"candor/app/platform/admission"
	"candor/app/platform/clock"
	"candor/app/platform/events"
	"candor/app/platform/netlimit"
	"candor/app/session"
	"candor/app/support"
	"candor/app/switches"
	"candor/app/trading"
	"candor/app/trading/engine"
	"candor/app/wire"
)

const (
	flushEvery  = 100 * time.Millisecond // interval of all subscribed price lines
	focusEvery  = 20 * time.Millisecond  // interval of the focus product's
	tickerEvery = 5 * time.Second        // interval of the 24-hour figures
	readBuffer  = 256                    // bytes of a request that are buffered; longer reads bypass the buffer
	sendBuffer  = 64 << 10               // a socket's kernel buffer; Linux doubles it
	maxProducts = 500                    // a socket's subscription
)

// Chat publishes the events of conversations until stop is called.
type Chat interface {
	Subscribe(handle func(support.Event)) (stop func(), err error)
}

// Config is the hub's configuration.
type Config struct {
	SignFits func(localtimes, newsign string) bool
	Origins  []string // besides the socket's own host
	Chat     Chat     // nil sends no chat events
	Limits   Limits   // zero: those of a server with ample connections

	Clock         clock.Clock                    // for sessions; nil for real time
	ClientAddress func(*http.Request) netip.Addr // nil: the other end of the connection
}

func (c Config) withDefaults() Config {
	if c.Limits == (Limits{}) {
		c.Limits = LimitsFor(2*DefaultMaxSockets, DefaultMaxSockets)
	}
	if c.Clock == nil {
		c.Clock = clock.Real{}
	}
	if c.ClientAddress == nil {
		c.ClientAddress = remoteAddress
	}
	return c
}

// Hub owns every socket.
type Hub struct {
	market   *market.Service
	trading  *engine.Service
	sessions *session.Service
	notices  *notice.Service
	bus      *events.Bus
	convert  wire.Converter
	config   Config
	upgrader websocket.Upgrader

	board    *board
	register *register
	logins   *admission.Rate // by trader
	shards   []*shard
	next     atomic.Int64   // counts sockets, to spread them over the shards
	open     sync.WaitGroup // connections that are not closed
}

// New makes the hub; the market must be loaded.
func New(m *market.Service, t *engine.Service, s *session.Service, n *notice.Service, bus *events.Bus, config Config) *Hub {
	config = config.withDefaults()
	h := &Hub{market: m, trading: t, sessions: s, notices: n, bus: bus, convert: wire.Converter{Products: m}, config: config, board: newBoard(m.Products()), register: newRegister(config.Limits), logins: admission.NewRate(traderLogins, config.Clock.Now)}
	h.upgrader = websocket.Upgrader{ReadBufferSize: readBuffer, WriteBufferPool: &sync.Pool{}, CheckOrigin: h.checkOrigin, EnableCompression: false}
	for _, p := range m.Products() {
		h.OnHalt(p.ID)
	}
	for range runtime.GOMAXPROCS(0) {
		h.shards = append(h.shards, newShard(h.board))
	}
	s.OnEnded(func(id int64) { h.sessionsEnded([]int64{id}) })
	return h
}

// checkOrigin allows our own pages only: a browser always sends its origin.
func (h *Hub) checkOrigin(r *http.Request) bool {
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
	source := netlimit.Source(h.config.ClientAddress(r))
	displaced, ok := h.register.admit(source, h.config.Clock.Now())
	if displaced != nil {
		displaced.end(websocket.CloseTryAgainLater, "busy")
	}
	if !ok {
		refuse(w)
		return
	}
	between := &link{}
	ws, err := h.upgrader.Upgrade(hijacker{w, between}, r, nil)
	if err != nil {
		h.register.release()
		return // the upgrader has already answered
	}
	c := newConn(h, h.shards[h.next.Add(1)%int64(len(h.shards))], ws, between.Conn, source)
	between.conn = c
	if !h.register.add(c) {
		_ = c.network.Close()
		h.register.release()
		return
	}
	go c.read() // a goroutine of its own, because this one's stack and net/http's buffers are larger than all that a socket needs
}

// Run flushes prices and forwards events until ctx ends; then every socket gets a close frame.
func (h *Hub) Run(ctx context.Context) error {
	stop, err := h.bus.Subscribe(trading.AnyChanged, func(subject string, data []byte) { h.sendChange(ctx, subject, data) })
	if err != nil {
		return err
	}
	defer stop()
	stopSwitches, err := h.bus.Subscribe(switches.Changed, func(string, []byte) { h.sendSwitches() })
	if err != nil {
		return err
	}
	defer stopSwitches()
	if h.config.Chat != nil {
		stopChat, err := h.config.Chat.Subscribe(h.sendChat)
		if err != nil {
			return err
		}
		defer stopChat()
	}
	stopNotices, err := h.bus.Subscribe(notice.Changed, func(string, []byte) { h.sendNotices() })
	if err != nil {
		return err
	}
	defer stopNotices()
	stopMessages, err := h.bus.Subscribe(notice.MessageAdded, func(_ string, data []byte) { h.sendMessage(ctx, data) })
	if err != nil {
		return err
	}
	defer stopMessages()
	stopSessions, err := h.bus.Subscribe(session.Ended, func(_ string, data []byte) { h.sessionsEnded(session.ReadEnded(data)) })
	if err != nil {
		return err
	}
	defer stopSessions()
	defer h.runShards()()
	var inspecting sync.WaitGroup
	defer inspecting.Wait()
	inspecting.Go(func() { h.inspectLoop(ctx) })
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

// runShards starts the shards' loops; stop ends them after every socket got its close frame.
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

// Online counts this server's open sockets.
func (h *Hub) Online() int { return h.register.count() }
