package systemtest

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/bench"
	"candor/app/platform/db"
	"candor/app/platform/dbtest"
	"candor/app/server"
)

const (
	kills       = 20
	killWorkers = 8
)

// killFixture is the real program on a database that outlives it.
type killFixture struct {
	*program
	database *server.Database
	super    string
	product  int
}

func newKillFixture(t *testing.T, env ...string) *killFixture {
	t.Helper()
	test := dbtest.New(t)
	d, err := db.Open(context.Background(), test.URL)
	require.NoError(t, err)
	t.Cleanup(d.Close)
	return &killFixture{program: newProgram(t, append(env, "DATABASE_URL="+test.URL)...), database: &server.Database{DB: d}, super: test.SuperURL}
}

// acknowledged is an order that the program answered.
type acknowledged struct {
	call, body, key, token string
	fillID                 int64
	answer                 string
}

// trade places one order after another; an unanswered order is repeated with its key, as the app does.
func (k *killFixture) trade(done <-chan struct{}, worker int, token string, acks chan<- acknowledged) error {
	client := &http.Client{Timeout: 5 * time.Second}
	position := int64(0)
	for n := 0; ; n++ {
		select {
		case <-done:
			return nil
		default:
		}
		key := fmt.Sprintf("w%d-%d", worker, n)
		call, body := "insertOrder", fmt.Sprintf(`{"productId":%d,"side":"buy","lots":"0.01","leverage":20}`, k.product)
		if position != 0 {
			call, body = "closePosition", fmt.Sprintf(`{"positionId":%d}`, position)
		}
		answer, text, err := k.until(client, call, body, key, token)
		if err != nil {
			return err
		}
		acks <- acknowledged{call, body, key, token, answer.Data.Fill.ID, text}
		position = 0
		if answer.Data.Position.State == "open" {
			position = answer.Data.Position.ID
		}
	}
}

// tradeAnswer is the part of an API answer that tests read.
type tradeAnswer struct {
	Status int    `json:"status"`
	Code   string `json:"code"`
	Data   struct {
		Fill     fillAnswer    `json:"fill"`
		Fills    []fillAnswer  `json:"fills"`
		Order    orderAnswer   `json:"order"`
		Orders   []orderAnswer `json:"orders"`
		OrderIDs []int64       `json:"orderIds"`
		Position struct {
			ID    int64  `json:"positionId"`
			State string `json:"state"`
		} `json:"position"`
		RechargeID int64  `json:"rechargeId"`
		WithdrawID int64  `json:"withdrawId"`
		LoginCode  string `json:"code"`
	} `json:"data"`
}

type fillAnswer struct {
	ID         int64  `json:"fillId"`
	PositionID int64  `json:"positionId"`
	Entry      string `json:"entry"`
}

type orderAnswer struct {
	ID     int64  `json:"orderId"`
	Status string `json:"status"`
}

// fills lists the ids of the fills in an answer.
func (a tradeAnswer) fills() (ids []int64) {
	if a.Data.Fill.ID != 0 {
		ids = append(ids, a.Data.Fill.ID)
	}
	for _, fill := range a.Data.Fills {
		ids = append(ids, fill.ID)
	}
	return ids
}

// until repeats a write with the same key until it is answered; temporary refusals (no fresh price right after a start) are waited out.
func (k *killFixture) until(client *http.Client, call, body, key, token string) (answer tradeAnswer, text string, err error) {
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		request, err := http.NewRequest(http.MethodPost, k.url+"/client/trade/"+call, strings.NewReader(body))
		if err != nil {
			return answer, "", err
		}
		sign(request)
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("apptoken", token)
		request.Header.Set("Idempotency-Key", key)
		response, err := client.Do(request)
		if err != nil {
			continue
		}
		raw, err := io.ReadAll(response.Body)
		_ = response.Body.Close()
		answer = tradeAnswer{}
		if err != nil || response.StatusCode != http.StatusOK || json.Unmarshal(raw, &answer) != nil {
			continue
		}
		switch {
		case answer.Status == 1:
			return answer, string(raw), nil
		case strings.HasPrefix(answer.Code, "market."):
			continue
		}
		return answer, "", fmt.Errorf("%s %s answered %s", call, key, raw)
	}
	return answer, "", fmt.Errorf("%s %s was not answered within a minute", call, key)
}

// TestKilledServerLosesAndDoublesNothing kills the program under load again and again. Every acknowledged order exists exactly once, with its quote, and
// everything verifies at the end.
func TestKilledServerLosesAndDoublesNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute")
	}
	t.Parallel()
	ctx := context.Background()
	k := newKillFixture(t)
	k.start(t)
	_, tokens, err := bench.FundedTraders(ctx, k.database.DB, killWorkers)
	require.NoError(t, err)
	require.NoError(t, k.database.Pool.QueryRow(ctx, `SELECT id FROM products WHERE symbol = 'BTCUSD'`).Scan(&k.product))

	done, acks := make(chan struct{}), make(chan acknowledged, 100_000)
	failures := make(chan error, killWorkers)
	var group sync.WaitGroup
	for worker, token := range tokens {
		group.Go(func() { failures <- k.trade(done, worker, token, acks) })
	}
	var orphans atomic.Int64
	for range kills {
		time.Sleep(time.Duration(150+rand.IntN(500)) * time.Millisecond) //nolint:gosec // the moment of a kill is no secret
		k.kill(t)
		var unsealed int64
		require.NoError(t, k.database.Pool.QueryRow(ctx, `
			SELECT count(*) FROM fills f JOIN tape_quotes q ON q.product_id = f.product_id AND q.seq = f.quote_seq
			WHERE NOT EXISTS (SELECT 1 FROM tape_heads h WHERE h.batch = q.batch)`).Scan(&unsealed))
		orphans.Add(unsealed)
		k.start(t)
	}
	close(done)
	group.Wait()
	close(acks)
	close(failures)
	for err := range failures {
		require.NoError(t, err)
	}
	k.check(t, acks)
	require.NoError(t, k.interrupt(t))
	r, err := server.Verify(ctx, server.Config{DataDir: k.dataDir}, k.database)
	require.NoError(t, err)
	require.True(t, r.OK, "%+v", r.Wrong)
	t.Logf("%d fills and %d quotes proved after %d kills; %d fills were caught between their commit and their batch", r.Proved["fills"], r.Proved["quotes"], kills, orphans.Load())
	require.Positive(t, orphans.Load(), "no kill fell between a fill and its batch: the test has not tested that")
}

// check compares the acknowledged orders with the stored ones.
func (k *killFixture) check(t *testing.T, acks <-chan acknowledged) {
	t.Helper()
	ctx := context.Background()
	seen, count := map[int64]string{}, 0
	for ack := range acks {
		count++
		require.NotZero(t, ack.fillID, ack.answer)
		require.Empty(t, seen[ack.fillID], "fill %d was given to two orders", ack.fillID)
		seen[ack.fillID] = ack.key
		_, again, err := k.until(http.DefaultClient, ack.call, ack.body, ack.key, ack.token)
		require.NoError(t, err)
		require.Equal(t, ack.answer, again, "the first answer is the only one")
	}
	var orders, fills, doubled, without int
	require.NoError(t, k.database.Pool.QueryRow(ctx, `
		SELECT (SELECT count(*) FROM orders), (SELECT count(*) FROM fills), (SELECT count(*) - count(DISTINCT order_id) FROM fills),
		       (SELECT count(*) FROM fills f WHERE NOT EXISTS (SELECT 1 FROM tape_quotes q WHERE q.product_id = f.product_id AND q.seq = f.quote_seq))`).
		Scan(&orders, &fills, &doubled, &without))
	require.Equal(t, count, orders, "orders that were acknowledged, against orders that are stored")
	require.Equal(t, count, fills)
	require.Zero(t, doubled)
	require.Zero(t, without, "fills without their quote")
	require.Greater(t, count, 20)
}
