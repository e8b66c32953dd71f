package stream

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"

	"candor/app/market"
	"candor/app/notice"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/dbtest"
	"candor/app/platform/events"
	"candor/app/platform/seal"
	"candor/app/session"
	"candor/app/trader"
	"candor/app/trading/engine"
)

var anySignature = Config{SignFits: func(string, string) bool { return true }}

// fixture is a hub behind a server. Its loops do not run, so a test performs their steps, unless it calls run.
type fixture struct {
	hub      *Hub
	server   *httptest.Server
	products []int
	seq      map[int]int64
	db       *db.DB
	clock    *clock.Fixed
	sessions *session.Service
}

// setup makes a hub with prices set by the test.
func setup(t *testing.T, secure bool) *fixture {
	t.Helper()
	return setupOn(t, dbtest.New(t).URL, "", clock.NewFixed(time.Date(2026, 11, 24, 15, 0, 0, 0, time.UTC)), anySignature, secure)
}

// setupOn makes a hub that shares a database, a clock and a NATS server with others.
func setupOn(t *testing.T, url, nats string, now *clock.Fixed, config Config, secure bool) *fixture {
	t.Helper()
	d, err := db.Open(t.Context(), url)
	require.NoError(t, err)
	t.Cleanup(d.Close)
	require.NoError(t, market.Seed(t.Context(), d))
	key, err := seal.LoadKey(t.TempDir())
	require.NoError(t, err)
	m := market.New(market.Config{DB: d, Feed: &script{clock: now}, Clock: now, Key: key, Checkpoints: seal.NewCheckpointStore(t.TempDir(), "tape")})
	require.NoError(t, m.Load(t.Context()))
	bus, err := events.Open(nats)
	require.NoError(t, err)
	t.Cleanup(bus.Close)
	sessions := session.New(d, now, bus)
	config.Clock = now
	h := New(m, engine.New(d, m, now, bus), sessions, notice.New(d, now, nil, bus, trader.Readers{DB: d}, nil), bus, config)
	server := httptest.NewUnstartedServer(h)
	if secure {
		server.StartTLS()
	} else {
		server.Start()
	}
	r := newFixture(t, h, server)
	r.db, r.clock, r.sessions = d, now, sessions
	return r
}

func newFixture(t *testing.T, h *Hub, server *httptest.Server) *fixture {
	t.Helper()
	t.Cleanup(server.Close)
	r := &fixture{hub: h, server: server, seq: map[int]int64{}}
	for id := range h.board.places {
		r.products = append(r.products, id)
	}
	slices.Sort(r.products)
	return r
}

// run starts the loops; stop shuts them down as the server does.
func (r *fixture) run(t *testing.T) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- r.hub.Run(ctx) }()
	stop = func() {
		cancel()
		select {
		case err := <-ended:
			require.NoError(t, err)
			ended <- nil
		case <-time.After(10 * time.Second):
			require.Fail(t, "the hub does not stop")
		}
	}
	t.Cleanup(stop)
	return stop
}

// quote publishes the next price of a product.
func (r *fixture) quote(product int) {
	r.seq[product]++
	r.hub.OnQuote(market.Quote{ProductID: product, Seq: r.seq[product], Bid: 100_000 + r.seq[product], Ask: 100_010 + r.seq[product]})
}

// flushAll performs one step of every loop: it handles the called sockets and flushes all groups in full.
func (r *fixture) flushAll() {
	for _, s := range r.hub.shards {
		s.serve()
		for phase := range phases {
			s.sweep(phase)
		}
	}
}

// client is both ends of one socket.
type client struct {
	*websocket.Conn
	conn *conn
}

// dial opens a socket with small buffers, so that an unread one is soon full.
func (r *fixture) dial(t *testing.T) *client {
	t.Helper()
	return r.dialFrom(t, "")
}

// dialFrom is dial with an address in a header, for a fixture that reads it from there.
func (r *fixture) dialFrom(t *testing.T, address string) *client {
	t.Helper()
	dialer := websocket.Dialer{
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true},
		NetDialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			c, err := (&net.Dialer{}).DialContext(ctx, network, address)
			if err == nil {
				err = c.(*net.TCPConn).SetReadBuffer(32 << 10)
			}
			return c, err
		},
	}
	ws, _, err := dialer.Dial(strings.Replace(r.server.URL, "http", "ws", 1), http.Header{"Origin": {r.server.URL}, "From": {address}})
	require.NoError(t, err)
	t.Cleanup(func() { _ = ws.Close() })
	c := &client{Conn: ws}
	require.Eventually(t, func() bool {
		for _, one := range r.hub.register.all() {
			if one.network.RemoteAddr().String() == ws.LocalAddr().String() {
				c.conn = one
			}
		}
		return c.conn != nil
	}, 5*time.Second, time.Millisecond)
	return c
}

// subscribe replaces the subscription. The loops must not run.
func (c *client) subscribe(t *testing.T, focus int, products ...int) {
	t.Helper()
	require.NoError(t, c.conn.subscribe(json.RawMessage(fmt.Sprintf(`{"productIds":%s,"focus":%d}`, text(t, products), focus))))
	c.conn.shard.serve()
}

func text(t *testing.T, v any) string {
	t.Helper()
	out, err := json.Marshal(v)
	require.NoError(t, err)
	return string(out)
}

// received is a frame that a client received.
type received struct {
	Type int
	Seq  int64
	Data json.RawMessage
}

func (c *client) next(t *testing.T) received {
	t.Helper()
	require.NoError(t, c.SetReadDeadline(time.Now().Add(10*time.Second)))
	var f received
	require.NoError(t, c.ReadJSON(&f))
	return f
}

func (f received) prices(t *testing.T) (lines []priceLine) {
	t.Helper()
	require.NoError(t, json.Unmarshal(f.Data, &lines))
	return lines
}

// lines are all price lines sent to the client so far; a heartbeat marks their end. The loops must not run.
func (c *client) lines(t *testing.T) (lines []priceLine) {
	t.Helper()
	require.NoError(t, c.conn.send(typeHeartbeat, nil))
	c.conn.shard.serve()
	for {
		f := c.next(t)
		if f.Type == typeHeartbeat {
			return lines
		}
		lines = append(lines, f.prices(t)...)
	}
}

// closeCode reads until the close frame.
func (c *client) closeCode(t *testing.T) int {
	t.Helper()
	require.NoError(t, c.SetReadDeadline(time.Now().Add(10*time.Second)))
	for {
		if _, _, err := c.ReadMessage(); err != nil {
			var closed *websocket.CloseError
			require.ErrorAs(t, err, &closed)
			return closed.Code
		}
	}
}
