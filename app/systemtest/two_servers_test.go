//go:build chaos

package systemtest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	natsserver "github.com/nats-io/nats-server/v2/server"
	"github.com/stretchr/testify/require"

	"candor/app/bench"
	"candor/app/ledger"
	"candor/app/platform/db"
	"candor/app/platform/embeddedpg"
	"candor/app/platform/money"
	"candor/migrations"
)

// pairOfServers are two programs on one database, one NATS server and one data folder.
type pairOfServers struct {
	programs  [2]*program
	db        *db.DB
	tokens    []string
	requested atomic.Int64
	accepted  atomic.Int64
	key       atomic.Int64
}

func newPairOfServers(t *testing.T, traders int) *pairOfServers {
	t.Helper()
	nats, err := natsserver.NewServer(&natsserver.Options{Host: "127.0.0.1", Port: natsserver.RANDOM_PORT, NoSigs: true, NoLog: true})
	require.NoError(t, err)
	nats.Start()
	t.Cleanup(nats.Shutdown)
	require.True(t, nats.ReadyForConnections(10*time.Second))
	p := &pairOfServers{}
	dir := dataFolder(t)
	for i := range p.programs {
		p.programs[i] = newProgram(t, "NATS_URL="+nats.ClientURL(), "CANDOR_DATA_DIR="+dir)
	}
	postgres, err := embeddedpg.Start(t.Context(), embeddedpg.Config{DataDir: dataFolder(t), ModuleDirs: []string{p.programs[0].moduleDir(t)}})
	require.NoError(t, err)
	t.Cleanup(func() { _ = postgres.Stop(context.Background()) })
	require.NoError(t, migrations.Up(t.Context(), postgres.OwnerURL(embeddedpg.Database)))
	url := postgres.ServerURL(embeddedpg.Database)
	p.db, err = db.Open(t.Context(), url)
	require.NoError(t, err)
	t.Cleanup(p.db.Close)
	for _, one := range p.programs {
		one.env = append(one.env, "DATABASE_URL="+url)
		one.start(t)
	}
	for n := range traders {
		_, token, err := bench.FundTrader(t.Context(), p.db, fmt.Sprint("pair", n), ledger.Mock, 1_000_000*money.Unit)
		require.NoError(t, err)
		p.tokens = append(p.tokens, token)
	}
	return p
}

// bitcoin is the newest price on the tape, in cents.
func (p *pairOfServers) bitcoin(t *testing.T) (bid, ask int64) {
	t.Helper()
	require.NoError(t, p.db.Pool.QueryRow(t.Context(), `SELECT bid, ask FROM tape_quotes WHERE product_id = 201 ORDER BY seq DESC LIMIT 1`).Scan(&bid, &ask))
	return bid, ask
}

// post calls one of the servers; refusals are accepted, since the price keeps moving.
func (p *pairOfServers) post(server int, token, call string, body map[string]any) (answer struct {
	Status int
	Data   struct{ Position struct{ PositionID int64 } }
}) {
	text, _ := json.Marshal(body)
	request, _ := http.NewRequest(http.MethodPost, p.programs[server].url+"/client/trade/"+call, bytes.NewReader(text))
	sign(request)
	request.Header.Set("apptoken", token)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Idempotency-Key", "pair-key-"+strconv.FormatInt(p.key.Add(1), 10)+"-0000")
	p.requested.Add(1)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return answer
	}
	defer func() { _ = response.Body.Close() }()
	raw, _ := io.ReadAll(response.Body)
	if json.Unmarshal(raw, &answer) == nil && answer.Status == 1 {
		p.accepted.Add(1)
	}
	return answer
}

// placeOrders gives one trader pending orders and pairs around the price, and positions with every protection.
func (p *pairOfServers) placeOrders(t *testing.T, n int, token string) {
	random := rand.New(rand.NewPCG(uint64(n), 5)) //nolint:gosec // a seed makes the run the same again
	price := func(cents int64) string { return money.Format(cents, 2) }
	pending := func(kind string, buy bool, bid, ask int64) map[string]any {
		distance, at, side := 1_500+random.Int64N(9_000), bid, "sell"
		if buy {
			at, side = ask, "buy"
		}
		if buy == (kind == "limit") {
			distance = -distance
		}
		return map[string]any{"productId": 201, "type": kind, "side": side, "lots": "0.01", "leverage": 20, "price": price(at + distance), "timeInForce": "gtc"}
	}
	for i := range 60 {
		bid, ask := p.bitcoin(t)
		p.post(i%2, token, "insertPendingOrder", pending([]string{"limit", "stop"}[random.IntN(2)], random.IntN(2) == 0, bid, ask))
		if i%4 == 0 {
			p.post(i%2, token, "insertOcoOrders", map[string]any{"orders": []any{pending("limit", true, bid, ask), pending("stop", true, bid, ask)}})
		}
		if i%6 == 0 {
			p.post(i%2, token, "insertOrder", map[string]any{"productId": 201, "side": "buy", "lots": "0.02", "leverage": 20, "stopLoss": price(bid - 4_000), "takeProfit": price(ask + 4_000)})
			opened := p.post(i%2, token, "insertOrder", map[string]any{"productId": 201, "side": "sell", "lots": "0.02", "leverage": 20})
			if id := opened.Data.Position.PositionID; id != 0 {
				p.post(1-i%2, token, "updatePosition", map[string]any{"positionId": id, "trailingStop": "30"})
			}
		}
	}
}

// TestTwoServers has two servers trigger thousands of pending orders and protections, once each, while one of them is repeatedly killed and restarted:
// leadership passes each time that the leader is killed.
func TestTwoServers(t *testing.T) {
	traders := 115 // some 10,000 orders and protections
	if text := os.Getenv("TRADERS"); text != "" {
		var err error
		traders, err = strconv.Atoi(text)
		require.NoError(t, err)
	}
	started := time.Now()
	p := newPairOfServers(t, traders)
	var group sync.WaitGroup
	for w := range 8 {
		group.Go(func() {
			for n := w; n < traders; n += 8 {
				p.placeOrders(t, n, p.tokens[n])
			}
		})
	}
	group.Wait()
	kills := 0
	for round := range 8 {
		victim := p.programs[round%2]
		victim.kill(t)
		kills++
		time.Sleep(3 * time.Second) // the other server works alone
		victim.start(t)
		time.Sleep(2 * time.Second)
	}
	count := func(sql string) (n int64) {
		require.NoError(t, p.db.Pool.QueryRow(t.Context(), sql).Scan(&n))
		return n
	}
	const reached = `
		SELECT count(*) FROM orders o JOIN LATERAL (SELECT seq, bid, ask FROM tape_quotes WHERE product_id = o.product_id ORDER BY seq DESC LIMIT 1) q ON true
		WHERE q.seq > o.since_seq AND (o.status = 'working' AND (o.side = 'buy' AND q.ask <= o.price OR o.side = 'sell' AND q.bid >= o.price)
		OR o.status = 'untriggered' AND (o.side = 'buy' AND q.ask >= o.price OR o.side = 'sell' AND q.bid <= o.price))`
	require.Eventually(t, func() bool { return count(reached) == 0 }, time.Minute, time.Second, "an order whose price is reached waits")
	for _, one := range p.programs {
		require.NoError(t, one.interrupt(t))
	}
	line, err := json.Marshal(map[string]any{
		"goal": "two servers", "commit": os.Getenv("COMMIT"), "requests": p.requested.Load(), "taken": p.accepted.Load(), "kills": kills, "terms": count(`SELECT count(*) FROM feed_terms`),
		"orders": count(`SELECT count(*) FROM orders WHERE type <> 'market'`), "filled": count(`SELECT count(*) FROM orders WHERE type <> 'market' AND status = 'filled'`),
		"protections": count(`SELECT count(*) FROM fills WHERE rule IN ('sl', 'tp', 'trailing')`), "seconds": int(time.Since(started).Seconds()),
	})
	require.NoError(t, err)
	fmt.Println(string(line))
	require.Equal(t, count(`SELECT count(*) FROM orders WHERE type <> 'market' AND status = 'filled'`), count(`SELECT count(*) FROM fills WHERE rule IN ('limit', 'stop', 'stop_limit')`), "each once")
	require.Zero(t, count(`SELECT count(*) FROM (SELECT oco FROM orders WHERE oco IS NOT NULL GROUP BY oco HAVING count(*) FILTER (WHERE status = 'filled') > 1) pairs`))
	require.Zero(t, count(`SELECT count(*) FROM (SELECT position_id FROM fills WHERE rule IN ('sl', 'tp', 'trailing') GROUP BY position_id HAVING count(*) > 1) positions`))
	wrong, err := violations(t.Context(), p.db.Pool, 0)
	require.NoError(t, err)
	require.Empty(t, wrong)
	code, stdout, stderr := p.programs[0].run(t, "verify")
	require.Zero(t, code, "%s%s", stdout, stderr)
}
