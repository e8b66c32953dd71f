//go:build chaos

package systemtest

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/bench"
	"candor/app/deposit"
	"candor/app/ledger"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/platform/upload"
	"candor/app/session"
)

// tradersPerWorker is the number of traders that one worker acts for in turn.
const tradersPerWorker = 4

// chaosClient is a trader with the state that their app would know.
type chaosClient struct {
	traderID, realAccount int64
	payeeID, addressID    int64
	contact               string
	token, realToken      string // of the mock and the real account
	positions, orders     []int64
	acks                  []ack
}

// ack is a write with its answer.
type ack struct {
	real                    bool
	call, body, key, raw    string
	fills, orders, deposits int
	withdrawals             int
	transfers, exchanges    int
}

func (c *chaos) clients(t *testing.T) (list []*chaosClient) {
	t.Helper()
	sessions := session.New(c.db, clock.Real{}, nil)
	for n := range chaosWorkers * tradersPerWorker {
		owner, token, err := bench.FundTrader(t.Context(), c.db, fmt.Sprint("chaos", n), ledger.Mock, dollars(1_000_000))
		require.NoError(t, err)
		client := &chaosClient{traderID: owner.TraderID, token: token}
		require.NoError(t, c.db.InTx(t.Context(), func(tx *db.Tx) (err error) {
			if client.realAccount, err = bench.OpenFundedTx(t.Context(), tx, owner.TraderID, ledger.Real, 0); err != nil {
				return err
			}
			if err = fundRealTx(t.Context(), tx, client.realAccount, dollars(20_000)); err != nil {
				return err
			}
			client.realToken, err = sessions.OpenTx(t.Context(), tx, owner.TraderID, client.realAccount, bench.BenchDevice)
			return err
		}))
		require.NoError(t, c.verifyTrader(client))
		list = append(list, client)
	}
	return list
}

// chaosWorker performs one action after another for its traders.
type chaosWorker struct {
	*chaos
	number  int
	clients []*chaosClient
	random  *rand.Rand
	http    *http.Client
	keys    int
}

func newChaosWorker(c *chaos, n int, all []*chaosClient) *chaosWorker {
	return &chaosWorker{
		chaos: c, number: n, clients: all[n*tradersPerWorker : (n+1)*tradersPerWorker],
		random: rand.New(rand.NewPCG(uint64(c.seed), uint64(n+1))), //nolint:gosec // a seed makes the run the same again
		http:   &http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 4}},
	}
}

func (w *chaosWorker) run(operations int) error {
	for w.done.Load() < int64(operations) {
		client := w.clients[w.random.IntN(len(w.clients))]
		if err := w.runOperation(client); err != nil {
			return fmt.Errorf("worker %d: %w", w.number, err)
		}
		w.done.Add(1)
	}
	return nil
}

// runOperation runs one operation: usually an action, sometimes a malformed request or a replay.
func (w *chaosWorker) runOperation(client *chaosClient) error {
	switch dice := w.random.IntN(100); {
	case dice < 5:
		w.malformed.Add(1)
		return w.sendMalformed(client)
	case dice < 8 && len(client.acks) > 0:
		w.replayed.Add(1)
		return w.replay(client, client.acks[w.random.IntN(len(client.acks))])
	case dice < 12:
		return w.deposit(client)
	case dice < 14:
		return w.providerDeposit(client)
	case dice < 19:
		return w.withdraw(client)
	case dice < 27:
		return w.transferOrExchange(client)
	case dice < 30:
		return w.adjust(client)
	}
	call, body := w.choose(client)
	answer, ok, err := w.until(client, false, call, body)
	if err == nil && ok {
		client.apply(call, body, answer)
	}
	return err
}

// choose picks a trading action that the trader may take now.
func (w *chaosWorker) choose(client *chaosClient) (call, body string) {
	position := func() int64 { return client.positions[w.random.IntN(len(client.positions))] }
	order := func() int64 { return client.orders[w.random.IntN(len(client.orders))] }
	dice := w.random.IntN(100)
	if dice >= 30 && dice < 70 && len(client.positions) > 0 {
		switch {
		case dice < 44:
			return "closePosition", at("positionId", position())
		case dice < 52:
			return "closePosition", at("positionId", position(), `,"lots":"0.02"`)
		case dice < 57:
			return "reversePosition", at("positionId", position())
		case dice < 61:
			return "closeByPosition", fmt.Sprintf(`{"positionId":%d,"byPositionId":%d}`, position(), position())
		case dice < 67:
			return "updatePosition", at("positionId", position(), `,"stopLoss":"20000","takeProfit":"400000"`)
		}
		return "closeAllPositions", `{}`
	}
	if dice >= 85 && len(client.orders) > 0 {
		switch {
		case dice < 91:
			return "updateOrder", at("orderId", order(), `,"price":"51000","timeInForce":"gtc"`)
		case dice < 98:
			return "cancelOrder", at("orderId", order())
		}
		return "cancelAllOrders", `{}`
	}
	switch {
	case dice >= 77 && len(client.orders) < 40:
		return "insertPendingOrder", buyLimit
	case dice >= 72 && len(client.orders) < 40:
		return "insertOcoOrders", ocoPair
	}
	return "insertOrder", marketOrder([]string{"buy", "sell"}[w.random.IntN(2)], "0.05")
}

// apply updates the open positions and orders from an answer.
func (client *chaosClient) apply(call, body string, a tradeAnswer) {
	drop := func(list []int64, id int64) []int64 {
		kept := list[:0]
		for _, one := range list {
			if one != id {
				kept = append(kept, one)
			}
		}
		return kept
	}
	for _, fill := range append(a.Data.Fills, a.Data.Fill) {
		switch {
		case fill.ID == 0:
		case fill.Entry == "open":
			client.positions = append(client.positions, fill.PositionID)
		case !strings.Contains(body, "lots"):
			client.positions = drop(client.positions, fill.PositionID)
		}
	}
	switch call {
	case "insertPendingOrder":
		client.orders = append(client.orders, a.Data.Order.ID)
	case "insertOcoOrders":
		for _, o := range a.Data.Orders {
			client.orders = append(client.orders, o.ID)
		}
	case "cancelOrder":
		client.orders = drop(client.orders, a.Data.Order.ID)
	case "cancelAllOrders":
		client.orders = nil
	}
}

// until repeats one write with one key until it is answered; every tenth write is sent twice at once. ok is false when the answer is a refusal.
func (w *chaosWorker) until(client *chaosClient, real bool, call, body string) (answer tradeAnswer, ok bool, err error) {
	w.keys++
	a := ack{real: real, call: call, body: body, key: fmt.Sprintf("%d-%d-%d", w.seed, w.number, w.keys)}
	twice := w.random.IntN(10) == 0
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		var code, other, otherRaw string
		if twice {
			w.duplicates.Add(1)
			second := make(chan struct{})
			go func() {
				other, otherRaw, _ = w.send(client, a)
				close(second)
			}()
			code, a.raw, answer = w.send(client, a)
			<-second
			if code == "ok" && other == "ok" && otherRaw != a.raw {
				return answer, false, fmt.Errorf("one key, two answers: %s and %s", a.raw, otherRaw)
			}
			if code != "ok" && other == "ok" {
				continue // the write took effect: the next try returns its answer
			}
		} else {
			code, a.raw, answer = w.send(client, a)
		}
		switch {
		case code == "ok":
			a.fills, a.deposits = len(answer.fills()), btoi(answer.Data.RechargeID != 0 && (call == "insertBankRecharge" || call == insertThirdPartyRecharge))
			a.withdrawals, a.transfers, a.exchanges = btoi(strings.HasPrefix(call, insertsWithdrawal)), btoi(call == insertTransfer), btoi(call == insertExchange)
			if call == "insertPendingOrder" || call == "insertOcoOrders" {
				a.orders = len(answer.Data.Orders) + btoi(answer.Data.Order.ID != 0)
			}
			client.acks = append(client.acks, a)
			w.acknowledged.Add(1)
			return answer, true, nil
		case code == "" || strings.HasPrefix(code, "market."):
			continue
		}
		w.refused.Add(1)
		return answer, false, nil
	}
	return answer, false, fmt.Errorf("%s %s was not answered", call, a.key)
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// send makes one request. The code is empty without a final answer.
func (w *chaosWorker) send(client *chaosClient, a ack) (code, raw string, answer tradeAnswer) {
	w.requests.Add(1)
	token, area := client.token, "trade/"
	if a.real {
		token, area = client.realToken, "recharge/"
	}
	if strings.Contains(a.call, "/") {
		area = ""
	}
	request, err := http.NewRequest(http.MethodPost, w.url+"/client/"+area+a.call, strings.NewReader(a.body))
	if err != nil {
		return "", "", answer
	}
	sign(request)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("apptoken", token)
	request.Header.Set("Idempotency-Key", a.key)
	response, err := w.http.Do(request)
	if err != nil {
		w.unanswered.Add(1)
		return "", "", answer
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode >= http.StatusInternalServerError {
		w.unanswered.Add(1)
		w.internal.Add(int64(btoi(response.StatusCode == http.StatusInternalServerError)))
		return "", "", answer
	}
	_ = json.Unmarshal(text, &answer)
	return answer.Code, string(text), answer
}

// replay repeats an answered write: the answer must be the same, byte for byte.
func (w *chaosWorker) replay(client *chaosClient, a ack) error {
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if code, raw, _ := w.send(client, a); code != "" {
			if raw != a.raw {
				return fmt.Errorf("%s %s was answered %s and then %s", a.call, a.key, a.raw, raw)
			}
			return nil
		}
	}
	return fmt.Errorf("%s %s was not answered again", a.call, a.key)
}

// malformedBodies are malformed: every call must refuse them.
var malformedBodies = []string{``, `null`, `[]`, `{`, `{"productId":201}`, `{"productId":201,"side":"buy","lots":"NaN","leverage":20}`, `{"productId":201,"side":"buy","lots":"-1","leverage":20}`,
	`{"positionId":"x"}`, `{"orderId":1e400}`, `{"productId":201,"side":"buy","lots":"0.01","leverage":20,"price":"0x1"}`}

// sendMalformed sends a malformed request, which must be refused without effect.
func (w *chaosWorker) sendMalformed(client *chaosClient) error {
	w.keys++
	a := ack{call: "insertOrder", body: malformedBodies[w.random.IntN(len(malformedBodies))], key: fmt.Sprintf("%d-%d-%d", w.seed, w.number, w.keys)}
	if w.random.IntN(3) == 0 {
		a.real, a.call, a.body = true, insertBankWithdraw, fmt.Sprintf(malformedWithdrawals[w.random.IntN(len(malformedWithdrawals))], client.payeeID)
	}
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if code, raw, _ := w.send(client, a); code == "ok" {
			return fmt.Errorf("%s was taken: %s", a.body, raw)
		} else if code != "" {
			return nil
		}
	}
	return errors.New("a malformed request was not answered")
}

// deposit announces a deposit, then cancels it, or has it proved and credited by the desk.
func (w *chaosWorker) deposit(client *chaosClient) error {
	sum := []string{"100", "6000"}[w.random.IntN(2)]
	answer, ok, err := w.until(client, true, "insertBankRecharge", fmt.Sprintf(`{"channelId":1,"amount":%q}`, sum))
	if err != nil || !ok {
		return err
	}
	id := answer.Data.RechargeID
	if w.random.IntN(4) == 0 {
		_, _, err := w.until(client, true, "cancelRecharge", at("rechargeId", id))
		return err
	}
	picture := fmt.Appendf(nil, "picture %d", id)
	var name string
	err = w.retry(func() error {
		_, err := w.db.Pool.Exec(context.Background(), `UPDATE files SET created_at = created_at - interval '1 day' WHERE trader_id = $1`, client.traderID) // avoids the daily limit
		if err != nil {
			return err
		}
		file, err := w.deposits.SaveFile(context.Background(), client.traderID, upload.Picture{Bytes: picture, Width: 3, Height: 4, SHA256: sha256.Sum256(picture)})
		name = file.Name
		return err
	})
	if err != nil {
		return err
	}
	if _, ok, err = w.until(client, true, "updateRechargeProof", at("rechargeId", id, fmt.Sprintf(`,"file":%q`, name))); err != nil || !ok {
		return err
	}
	return w.credit(id)
}

// credit is the desk's part: a maker, and a checker where the sum requires one. A repeated act whose answer was lost is refused.
func (w *chaosWorker) credit(id int64) error {
	ctx := context.Background()
	for n, desk := range w.members {
		err := w.retry(func() error {
			d, err := w.deposits.Claim(ctx, desk, id)
			if err == nil && n == 0 {
				_, err = w.deposits.Approve(ctx, desk, id, d.Version, deposit.Statement{Received: d.Amount, Reference: fmt.Sprint("BANK-", id), Sender: "Example Payer"})
			} else if err == nil {
				_, err = w.deposits.Confirm(ctx, desk, id, d.Version)
			}
			return err
		})
		if refusal := errs.As(err); err != nil && refusal == nil {
			return err
		}
	}
	d, err := w.deposits.Read(ctx, id)
	if err == nil && d.TransactionID != nil {
		w.credited.Add(1)
	}
	return nil
}

// retry repeats a database act until it succeeds or is refused.
func (c *chaos) retry(act func() error) error {
	for end := time.Now().Add(2 * time.Minute); ; time.Sleep(10 * time.Millisecond) {
		err := act()
		if err == nil || errs.As(err) != nil || time.Now().After(end) {
			return err
		}
	}
}
