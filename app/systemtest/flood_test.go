package systemtest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"candor/app/bench"
	"candor/app/ledger"
	"candor/app/platform/db"
	"candor/app/platform/money"
	"candor/app/server"
	"candor/app/trading"
)

const (
	floodAtOnce = 500 // concurrent requests
	floodOfEach = 24  // requests of each writing call in an ordinary test run; FLOOD sets another number
)

// loopbackProxy makes the platform trust X-Forwarded-For from this machine, so that a test has many source addresses.
func loopbackProxy(c *server.Config) {
	c.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
}

// from sets a request's source address; it needs loopbackProxy.
func from(address string) func(*http.Request) {
	return func(q *http.Request) { q.Header.Set("X-Forwarded-For", address) }
}

// flood is a platform under attack.
type flood struct {
	*apiFixture
	client *http.Client
	calls  []flooded
	ofEach int
}

// flooded is a writing call with a body that passes the schema checks.
type flooded struct {
	method, path string
	body         []byte
}

func newFlood(t *testing.T) *flood {
	t.Helper()
	f := &flood{apiFixture: newAPIFixtureWith(t, loopbackProxy), ofEach: floodOfEach}
	if text := os.Getenv("FLOOD"); text != "" {
		var err error
		f.ofEach, err = strconv.Atoi(text)
		require.NoError(t, err)
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = 2 * floodAtOnce
	f.client = &http.Client{Transport: transport}
	t.Cleanup(transport.CloseIdleConnections)
	for _, o := range f.operations() {
		schema := o.jsonBody()
		if schema == nil || endsSession[o.path] || o.path == "/client/user/freezeAccount" {
			continue
		}
		name := o.spec.RequestBody.Value.Content.Get("application/json").Schema.Ref
		raw, err := json.Marshal(validBodies[name[strings.LastIndex(name, "/")+1:]])
		require.NoError(t, err)
		f.calls = append(f.calls, flooded{o.method, o.path, raw})
	}
	for path := range getsWithEffects {
		f.calls = append(f.calls, flooded{http.MethodGet, path + queries[path], nil})
	}
	require.Greater(t, len(f.calls), 60)
	return f
}

// ask sends one request and returns its status and code; a missing answer is an error.
func (f *flood) ask(ctx context.Context, call flooded, token string, change func(*http.Request)) (status int, code string, err error) {
	q, err := http.NewRequestWithContext(ctx, call.method, f.url+call.path, bytes.NewReader(call.body))
	if err != nil {
		return 0, "", err
	}
	sign(q)
	q.Header.Set("Content-Type", "application/json")
	if token != "" {
		q.Header.Set("apptoken", token)
	}
	change(q)
	response, err := f.client.Do(q)
	if err != nil {
		return 0, "", err
	}
	defer func() { _ = response.Body.Close() }()
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		return 0, "", err
	}
	var answer struct{ Code string }
	_ = json.Unmarshal(raw, &answer)
	return response.StatusCode, answer.Code, nil
}

// attack sends ofEach requests of every writing call, mixed, with one source address per token, and counts the answers by status and code.
func (f *flood) attack(t *testing.T, tokens []string) map[string]int {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	var mu sync.Mutex
	counts := map[string]int{}
	var next atomic.Int64
	var group errgroup.Group
	for range floodAtOnce {
		group.Go(func() error {
			for n := int(next.Add(1)) - 1; n < f.ofEach*len(f.calls); n = int(next.Add(1)) - 1 {
				call, who := f.calls[n%len(f.calls)], n%len(tokens)
				status, code, err := f.ask(ctx, call, tokens[who], func(q *http.Request) {
					q.Header.Set("X-Forwarded-For", fmt.Sprintf("198.51.%d.%d", 100+who/250, who%250))
					q.Header.Set("Idempotency-Key", fmt.Sprint("flood", n))
				})
				if err != nil {
					return fmt.Errorf("%s: %w", call.path, err)
				}
				mu.Lock()
				counts[fmt.Sprint(status, " ", code)]++
				mu.Unlock()
				if status >= 500 && (status != http.StatusServiceUnavailable || code == "unavailable") {
					return fmt.Errorf("%s: %d %s", call.path, status, code)
				}
			}
			return nil
		})
	}
	require.NoError(t, group.Wait())
	return counts
}

// users counts the requests of ordinary users during an attack.
type users struct {
	stop   context.CancelFunc
	group  errgroup.Group
	served map[string]*atomic.Int64
}

// runUsers runs ordinary users until it is stopped: a trader who orders and logs in, a visitor who reads prices, a member of staff who opens the sign-in page, and
// a socket that receives prices.
func (f *flood) runUsers(t *testing.T) *users {
	t.Helper()
	hash, err := cheapHash(raceLogin)
	require.NoError(t, err)
	_, err = f.platform.Database.Pool.Exec(t.Context(), `UPDATE traders SET password_hash = $1 WHERE email = 'bench1@example.com'`, hash)
	require.NoError(t, err)
	ctx, stop := context.WithCancel(t.Context())
	h := &users{stop: stop, served: map[string]*atomic.Int64{}}
	again := func(name string, act func(n int) error) {
		served := &atomic.Int64{}
		h.served[name] = served
		h.group.Go(func() error {
			for n := 0; ctx.Err() == nil; n++ {
				if err := act(n); err != nil {
					return fmt.Errorf("%s: %w", name, err)
				}
				served.Add(1)
				time.Sleep(5 * time.Millisecond) // think time; the result does not depend on it
			}
			return nil
		})
	}
	requireOK := func(call flooded, token string, change func(*http.Request)) error {
		status, code, err := f.ask(context.WithoutCancel(ctx), call, token, change)
		if err == nil && (status != http.StatusOK || code != "ok") {
			err = fmt.Errorf("%d %s", status, code)
		}
		return err
	}
	order := flooded{http.MethodPost, "/client/trade/insertOrder", []byte(`{"productId":201,"side":"buy","lots":"0.01","leverage":20}`)}
	closing := flooded{http.MethodPost, "/client/trade/closeAllPositions", []byte(`{"productId":201,"side":"buy"}`)}
	again("orders", func(n int) error {
		call := order
		if n%trading.MaxPositions == trading.MaxPositions-1 {
			call = closing
		}
		return requireOK(call, f.other, func(q *http.Request) { q.Header.Set("Idempotency-Key", fmt.Sprint("honest", n)) })
	})
	login := flooded{http.MethodPost, "/client/user/login", []byte(`{"account":"bench1@example.com","password":"` + raceLogin + `","deviceId":"` + bench.BenchDevice.Fingerprint + `"}`)}
	again("log-ins", func(int) error { return requireOK(login, "", from("203.0.113.5")) })
	again("price lists", func(int) error {
		return requireOK(flooded{http.MethodGet, "/client/api/findProductList", nil}, "", from("203.0.113.6"))
	})
	again("staff pages", func(int) error {
		response, err := f.client.Get(f.url + "/admin/signin")
		if err == nil {
			err = response.Body.Close()
		}
		if err == nil && response.StatusCode != http.StatusOK {
			err = fmt.Errorf("%d", response.StatusCode)
		}
		return err
	})
	socket := f.dial(t, f.origin())
	send(t, socket, 12, map[string]any{"productIds": []int{201}, "focus": 201})
	again("prices", func(int) error { return nextPrice(socket) })
	t.Cleanup(stop)
	return h
}

// nextPrice waits for the next price message; ten seconds without one are an error.
func nextPrice(socket *websocket.Conn) error {
	if err := socket.SetReadDeadline(time.Now().Add(10 * time.Second)); err != nil {
		return err
	}
	for {
		var f frame
		if err := socket.ReadJSON(&f); err != nil {
			return err
		}
		if f.Type == 12 {
			return nil
		}
	}
}

// end requires that no request failed and that each kind was served.
func (h *users) end(t *testing.T) {
	t.Helper()
	h.stop()
	require.NoError(t, h.group.Wait())
	for name, served := range h.served {
		require.Positive(t, served.Load(), name)
		t.Logf("%s: %d, none refused", name, served.Load())
	}
}

// TestAFloodOfWritesStopsNobody sends every writing call in parallel, from one trader and from many, while others order, log in, receive prices and work.
// Withdrawals once took two connections each, and 28 of them blocked the platform.
func TestAFloodOfWritesStopsNobody(t *testing.T) {
	t.Parallel()
	f := newFlood(t)
	require.Eventually(t, func() bool { _, err := f.platform.Market.Tradable(201); return err == nil }, 10*time.Second, 20*time.Millisecond)
	f.enableWithdrawals(t, f.traderID(t))
	tokens := []string{f.real}
	for i := range 100 {
		owner, _, err := bench.FundTrader(t.Context(), f.platform.Database.DB, fmt.Sprint("flood", i), ledger.Mock, 1000*money.Unit)
		require.NoError(t, err)
		tokens = append(tokens, realSession(t, f.platform.Database.DB, owner.TraderID))
	}
	for name, by := range map[string][]string{"one trader": {f.real}, "many traders": tokens[1:], "strangers": make([]string, 100)} {
		h := f.runUsers(t)
		t.Logf("%s: %v", name, f.attack(t, by))
		h.end(t)
	}
	for _, lane := range []db.Lane{db.Traders, db.Strangers, db.Staff, db.Sessions} {
		require.Zero(t, f.platform.Database.Pool.Of(lane).Stat().AcquiredConns(), "every connection was given back")
	}
}
