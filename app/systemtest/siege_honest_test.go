//go:build chaos

package systemtest

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"

	"candor/app/bench"
	"candor/app/ledger"
	"candor/app/trader"
)

const (
	thinkTime    = 10 * time.Second // average time between two acts of an honest trader
	beatInterval = 20 * time.Second
	siegeProduct = 201
	listEvery    = 25 // one trader in this many views a list
)

// sourceClient sends from a separate address within 127.0.0.0/8, which this machine answers.
func sourceClient(network, n int) (*http.Client, *net.Dialer) {
	address := net.IPv4(127, byte(network), byte(n/250), byte(1+n%250))
	dialer := &net.Dialer{LocalAddr: &net.TCPAddr{IP: address}, Timeout: 10 * time.Second}
	transport := &http.Transport{DialContext: dialer.DialContext, MaxIdleConnsPerHost: 2, IdleConnTimeout: 15 * time.Second}
	return &http.Client{Timeout: time.Minute, Transport: transport}, dialer
}

// newRequest makes a signed request to the program.
func (c *chaos) newRequest(ctx context.Context, method, path, token string, body []byte, kind, key string) (*http.Request, error) {
	request, err := http.NewRequestWithContext(ctx, method, c.url+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	sign(request)
	request.Header.Set("Content-Type", cmp.Or(kind, "application/json"))
	for name, value := range map[string]string{"apptoken": token, "Idempotency-Key": key} {
		if value != "" {
			request.Header.Set(name, value)
		}
	}
	return request, nil
}

// socket opens a socket from a source; status is the HTTP status of a refusal, 0 without an answer.
func (c *chaos) socket(ctx context.Context, from *net.Dialer, messages ...string) (socket *websocket.Conn, status int, err error) {
	now := fmt.Sprint(time.Now().UnixMilli())
	dialer := websocket.Dialer{NetDialContext: from.DialContext, HandshakeTimeout: 30 * time.Second}
	socket, response, err := dialer.DialContext(ctx, strings.Replace(c.url, "http", "ws", 1)+"/ws?newsign="+apiSign(now)+"&localtimes="+now, http.Header{"Origin": {c.url}})
	if response != nil {
		status = response.StatusCode
		_ = response.Body.Close()
	}
	for _, message := range messages {
		if err == nil {
			err = socket.WriteMessage(websocket.TextMessage, []byte(message))
		}
	}
	return socket, status, err
}

// traderLoad is all honest users together.
type traderLoad struct {
	*chaos
	traders   []*loadTrader
	calmCores float64 // cores that they and the server take without an attack
	ctx       context.Context
	cancel    context.CancelFunc
	group     sync.WaitGroup

	mu      sync.Mutex
	orders  []time.Duration
	logins  []time.Duration
	refused map[string]int

	prices atomic.Int64
	began  atomic.Int64 // start of the phase, in nanoseconds since 1970
	gap    atomic.Int64 // longest time between two prices in the phase, in nanoseconds
	others atomic.Int64 // successful log-ins, pages and files
}

// loadTrader is a trader with a separate address.
type loadTrader struct {
	client    *http.Client
	dialer    *net.Dialer
	token     string
	positions []int64
	random    *rand.Rand
	acts      atomic.Int64
	lists     bool         // views many prices instead of one
	lastPrice atomic.Int64 // time of the last price, in nanoseconds since 1970
}

// newTraderLoad opens the accounts of the honest traders.
func newTraderLoad(t *testing.T, c *chaos) *traderLoad {
	t.Helper()
	h := &traderLoad{chaos: c, refused: map[string]int{}}
	h.ctx, h.cancel = context.WithCancel(t.Context())
	t.Cleanup(h.cancel)
	for n := range siegeTraders {
		_, token, err := bench.FundTrader(t.Context(), c.db, fmt.Sprint("honest", n), ledger.Mock, dollars(1_000_000))
		require.NoError(t, err)
		one := &loadTrader{token: token, lists: n%listEvery == 0, random: rand.New(rand.NewPCG(1, uint64(n)))} //nolint:gosec // a seed makes the run the same again
		one.client, one.dialer = sourceClient(10, n)
		h.traders = append(h.traders, one)
	}
	hash, err := trader.NewHasher().Hash(t.Context(), trader.Account(1), raceLogin)
	require.NoError(t, err)
	_, err = c.db.Pool.Exec(t.Context(), `UPDATE traders SET password_hash = $1 WHERE email LIKE 'honest%'`, hash)
	require.NoError(t, err)
	return h
}

// start starts all honest users, spread over the think time.
func (h *traderLoad) start(t *testing.T) {
	t.Helper()
	for _, one := range h.traders {
		h.group.Go(func() { h.trade(one) })
		h.group.Go(func() { h.watch(one) })
	}
	photo := photograph(t)
	visitor, _ := sourceClient(11, 0)
	client, _ := sourceClient(11, 1)
	var proofs []string
	for n := range 20 { // the proofs per trader and day are limited
		proofs = append(proofs, realSession(t, h.db, h.findTrader(t, fmt.Sprintf("honest%d@example.com", n))))
	}
	h.repeat(2*time.Second, "log-in", func(n int) error {
		body := fmt.Sprintf(`{"account":"honest%d@example.com","password":%q,"deviceId":%q}`, n%siegeTraders, raceLogin, bench.BenchDevice.Fingerprint)
		began := time.Now()
		err := h.requireOK(client, http.MethodPost, "/client/user/login", "", []byte(body), "")
		h.mu.Lock()
		h.logins = append(h.logins, time.Since(began))
		h.mu.Unlock()
		return err
	})
	h.repeat(500*time.Millisecond, "price list", func(int) error {
		return h.requireOK(visitor, http.MethodGet, "/client/api/findProductList", "", nil, "")
	})
	h.repeat(5*time.Second, "proof", func(n int) error {
		body, kind := formOf(t, photo)
		return h.requireOK(client, http.MethodPost, "/client/common/uploadFileImg", proofs[n%len(proofs)], body, kind)
	})
	h.repeat(time.Second, "staff page", func(int) error {
		response, err := client.Get(h.url + "/admin/signin")
		if err != nil {
			return err
		}
		defer func() { _ = response.Body.Close() }()
		if _, err := io.Copy(io.Discard, response.Body); err != nil || response.StatusCode != http.StatusOK {
			return fmt.Errorf("%d %w", response.StatusCode, err)
		}
		return nil
	})
}

func (h *traderLoad) findTrader(t *testing.T, email string) (id int64) {
	t.Helper()
	require.NoError(t, h.db.Pool.QueryRow(t.Context(), `SELECT id FROM traders WHERE email = $1`, email).Scan(&id))
	return id
}

// repeat repeats an act until the end.
func (h *traderLoad) repeat(pause time.Duration, name string, act func(n int) error) {
	h.group.Go(func() {
		for n := 0; h.wait(pause); n++ {
			if err := act(n); err != nil {
				h.refuse(name, err)
				continue
			}
			h.others.Add(1)
		}
	})
}

// wait returns false at the end.
func (h *traderLoad) wait(pause time.Duration) bool {
	select {
	case <-h.ctx.Done():
		return false
	case <-time.After(pause):
		return true
	}
}

func (h *traderLoad) refuse(name string, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.refused[fmt.Sprint(name, ": ", err)]++
}

func (h *traderLoad) refusals() map[string]int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return maps.Clone(h.refused)
}

// requireOK sends a request that must be answered "ok".
func (h *traderLoad) requireOK(client *http.Client, method, path, token string, body []byte, kind string) error {
	_, err := h.send(client, method, path, token, body, kind, "")
	return err
}

func (h *traderLoad) send(client *http.Client, method, path, token string, body []byte, kind, key string) (a tradeAnswer, err error) {
	request, err := h.newRequest(context.Background(), method, path, token, body, kind, key)
	if err != nil {
		return a, err
	}
	response, err := client.Do(request)
	if err != nil {
		return a, err
	}
	defer func() { _ = response.Body.Close() }()
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		return a, err
	}
	_ = json.Unmarshal(raw, &a)
	if response.StatusCode != http.StatusOK || a.Code != "ok" {
		return a, fmt.Errorf("%d %s", response.StatusCode, a.Code)
	}
	return a, nil
}

// trade orders, closes and views pages until the end.
func (h *traderLoad) trade(one *loadTrader) {
	pause := time.Duration(one.random.Int64N(int64(thinkTime)))
	for h.wait(pause) {
		pause = thinkTime/2 + time.Duration(one.random.Int64N(int64(thinkTime)))
		if err := h.act(one); err != nil {
			h.refuse("trader", err)
		}
		one.acts.Add(1)
	}
}

func (h *traderLoad) act(one *loadTrader) error {
	if one.random.IntN(6) == 0 {
		if err := h.requireOK(one.client, http.MethodGet, "/client/trade/findPositionList", one.token, nil, ""); err != nil {
			return fmt.Errorf("findPositionList: %w", err)
		}
		return nil
	}
	call, body := "insertOrder", marketOrder([]string{"buy", "sell"}[one.random.IntN(2)], "0.01")
	if len(one.positions) > 0 && one.random.IntN(2) == 0 {
		call, body = "closePosition", at("positionId", one.positions[0])
		one.positions = one.positions[1:]
	}
	began := time.Now()
	answer, err := h.send(one.client, http.MethodPost, "/client/trade/"+call, one.token, []byte(body), "", fmt.Sprint("siege", one.acts.Load()))
	took := time.Since(began)
	if err != nil {
		return fmt.Errorf("%s: %w", call, err)
	}
	if answer.Data.Position.State == "open" {
		one.positions = append(one.positions, answer.Data.Position.ID)
	}
	h.mu.Lock()
	h.orders = append(h.orders, took)
	h.mu.Unlock()
	return nil
}

// watch receives prices and the account's own events until the end. A socket closed by the server counts as a refusal.
func (h *traderLoad) watch(one *loadTrader) {
	socket, _, err := h.socket(h.ctx, one.dialer, `{"type":15,"data":{"token":"`+one.token+`"}}`, one.prices())
	if err != nil {
		h.refuse("socket", err)
		return
	}
	defer func() { _ = socket.Close() }()
	go func() {
		<-h.ctx.Done()
		_ = socket.Close()
	}()
	one.lastPrice.Store(time.Now().UnixNano())
	beat := time.Now()
	for {
		_, message, err := socket.ReadMessage()
		if h.ctx.Err() != nil {
			return
		}
		if err != nil {
			h.refuse("socket", err)
			return
		}
		now := time.Now()
		if bytes.HasPrefix(message, []byte(`{"type":12,`)) {
			h.prices.Add(1)
			h.recordGap(one, one.lastPrice.Swap(now.UnixNano()), now)
		}
		if now.Sub(beat) > beatInterval {
			beat = now
			if err := socket.WriteMessage(websocket.TextMessage, []byte(`{"type":1,"data":{}}`)); err != nil && h.ctx.Err() == nil {
				h.refuse("socket", err)
				return
			}
		}
	}
}

// recordGap keeps the longest gap among traders with lists: a single product may have no new price for a while.
func (h *traderLoad) recordGap(one *loadTrader, last int64, now time.Time) {
	gap := now.UnixNano() - max(last, h.began.Load())
	for most := h.gap.Load(); one.lists && gap > most && !h.gap.CompareAndSwap(most, gap); most = h.gap.Load() {
	}
}

// prices subscribes to one product, or to a list.
func (one *loadTrader) prices() string {
	if one.lists {
		return `{"type":12,"data":{"productIds":[101,102,103,201,202,203,301,302],"focus":201}}`
	}
	return fmt.Sprintf(`{"type":12,"data":{"productIds":[%d],"focus":%d}}`, siegeProduct, siegeProduct)
}

func (h *traderLoad) everyoneActed(times int64) bool {
	for _, one := range h.traders {
		if one.acts.Load() < times {
			return false
		}
	}
	return true
}

// begin resets the measurements.
func (h *traderLoad) begin() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.orders, h.logins = nil, nil
	h.prices.Store(0)
	h.gap.Store(0)
	h.began.Store(time.Now().UnixNano())
}

// collect takes the measurements since begin.
func (h *traderLoad) collect(p *phase) {
	for _, one := range h.traders { // the current gap
		h.recordGap(one, one.lastPrice.Load(), time.Now())
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	p.orders, p.logins, p.prices, p.gap = h.orders, h.logins, h.prices.Load(), time.Duration(h.gap.Load())
	slices.Sort(p.orders)
	slices.Sort(p.logins)
}

// end stops all users and requires that the others were served too.
func (h *traderLoad) end(t *testing.T) {
	t.Helper()
	h.cancel()
	h.group.Wait()
	require.Positive(t, h.others.Load())
}
