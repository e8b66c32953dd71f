//go:build chaos

package systemtest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/platform/clock"
	"candor/app/provider"
	"candor/app/provider/sandbox"
)

const insertThirdPartyRecharge = "insertThirdPartyRecharge"

// chaosProvider is a sandbox provider that outlives the server, with counts of its payments and payouts.
type chaosProvider struct {
	*sandbox.Sandbox
	list     []provider.Provider
	mu       sync.Mutex
	unpaid   []string // references that the server has not asked about yet
	payments int64    // payments made
	coins    int64    // confirmed transfers
	payouts  []payout // payouts without a final state
	ended    payoutEnds
}

// startProvider starts the provider and configures the program to use it.
func (c *chaos) startProvider(t *testing.T) {
	t.Helper()
	secret := strings.Repeat("s3cret", 6)
	c.provider = &chaosProvider{Sandbox: sandbox.New(secret, clock.Real{}, 0)}
	server := httptest.NewServer(c.provider.Handler())
	t.Cleanup(server.Close)
	c.provider.list = []provider.Provider{{ID: "sandbox", Name: "Sandbox", URL: server.URL, Secret: secret, Sandbox: true}}
	list, err := json.Marshal(c.provider.list)
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll(c.dataDir, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(c.dataDir, "providers.json"), list, 0o600))
}

// schedulePayment schedules a payment for when the server has created it at the provider.
func (f *chaosProvider) schedulePayment(reference string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.unpaid = append(f.unpaid, reference)
	f.payAll()
}

func (f *chaosProvider) payAll() {
	kept := f.unpaid[:0]
	for _, reference := range f.unpaid {
		if f.Settle(reference, provider.Paid, "") != nil { // the server was killed before it asked the provider; it will ask again
			kept = append(kept, reference)
			continue
		}
		f.payments++
	}
	f.unpaid = kept
	f.sendAll()
}

// send transfers coins to an address and confirms them as often as required.
func (f *chaosProvider) send(reference string) error {
	id, err := f.Receive(reference, "USDT", "tron", "50")
	for n := 0; err == nil && n < sandbox.Required; n++ {
		err = f.Mine(id)
	}
	if err == nil {
		f.mu.Lock()
		f.coins++
		f.mu.Unlock()
	}
	return err
}

// providerDeposit makes a provider deposit: a payment, or coins to the trader's own address. The server credits it by itself.
func (w *chaosWorker) providerDeposit(client *chaosClient) error {
	var reference string
	find := func(sql string, id int64) error {
		return w.retry(func() error { return w.db.Pool.QueryRow(context.Background(), sql, id).Scan(&reference) })
	}
	if w.random.IntN(3) > 0 {
		answer, ok, err := w.until(client, true, insertThirdPartyRecharge, `{"channelId":101,"amount":"75.5"}`)
		if err != nil || !ok {
			return err
		}
		if err := find(`SELECT reference FROM deposits WHERE id = $1`, answer.Data.RechargeID); err != nil {
			return err
		}
		w.provider.schedulePayment(reference)
		return nil
	}
	ok, err := w.fetch(client, fmt.Sprintf("recharge/getDepositAddress?channelId=%d", cryptoChannel), nil)
	if err != nil || !ok {
		return err
	}
	if err := find(`SELECT reference FROM deposit_addresses WHERE trader_id = $1 AND address <> ''`, client.traderID); err != nil {
		return err
	}
	return w.provider.send(reference)
}

// fetch repeats a read until it is answered; false is a refusal.
func (w *chaosWorker) fetch(client *chaosClient, path string, data any) (ok bool, err error) {
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		w.requests.Add(1)
		request, err := http.NewRequest(http.MethodGet, w.url+"/client/"+path, nil)
		if err != nil {
			return false, err
		}
		sign(request)
		request.Header.Set("apptoken", client.realToken)
		response, err := w.http.Do(request)
		if err != nil {
			w.unanswered.Add(1)
			continue
		}
		answer := struct {
			Code string
			Data any
		}{Data: data}
		err = json.NewDecoder(response.Body).Decode(&answer)
		_ = response.Body.Close()
		if err != nil || response.StatusCode >= http.StatusInternalServerError {
			w.unanswered.Add(1)
			continue
		}
		if ok = answer.Code == "ok"; !ok {
			w.refused.Add(1)
		}
		return ok, nil
	}
	return false, fmt.Errorf("%s was not answered", path)
}

// waitSettled waits until every paid deposit is credited and every payout is final; lost events are recovered by queries.
func (c *chaos) waitSettled(t *testing.T) {
	t.Helper()
	missing := ""
	hurried := time.Time{}
	for end := time.Now().Add(5 * time.Minute); ; time.Sleep(250 * time.Millisecond) {
		if missing = c.missing(t); missing == "" {
			return
		}
		if time.Since(hurried) > 3*time.Second {
			if c.hurry(t) {
				hurried = time.Now()
			}
		}
		if time.Now().After(end) {
			break
		}
	}
	require.Failf(t, "what was paid is not credited, or what is sent has not ended", "%s", missing)
}

// hurry makes every deposit, address and payout due for a query, and adds the jobs that query them, which otherwise run each minute. False
// means that there are none to copy: a server that has just started schedules them some seconds later, when it has been elected.
func (c *chaos) hurry(t *testing.T) bool {
	t.Helper()
	for _, table := range []string{"deposits", "deposit_addresses", "withdrawals"} {
		_, err := c.db.Pool.Exec(t.Context(), `UPDATE `+table+` SET asked_at = NULL WHERE asked_at IS NOT NULL`)
		require.NoError(t, err)
	}
	added, err := c.db.Pool.Exec(t.Context(), `
		INSERT INTO river_job (kind, args, max_attempts)
		SELECT DISTINCT kind, args, 1 FROM river_job WHERE kind = 'periodic' AND args->>'name' LIKE 'poll %'`)
	require.NoError(t, err)
	return added.RowsAffected() > 0
}

// missing describes the open deposits and payouts; empty when there are none.
func (c *chaos) missing(t *testing.T) string {
	t.Helper()
	c.provider.mu.Lock()
	defer c.provider.mu.Unlock()
	c.provider.payAll()
	sent := c.allSent(t)
	e := c.stored(t)
	if len(c.provider.unpaid) == 0 && e.Payments >= c.provider.payments && e.Coins >= c.provider.coins && sent {
		return ""
	}
	var states string
	require.NoError(t, c.db.Pool.QueryRow(t.Context(), `
		SELECT coalesce(string_agg(line, E'\n'), '') FROM (
			SELECT format('deposits %s %s: %s', kind, state, count(*)) AS line FROM deposits GROUP BY kind, state
			UNION ALL SELECT format('withdrawals through %s %s: %s', provider, state, count(*)) FROM withdrawals GROUP BY provider, state
			UNION ALL SELECT format('jobs %s %s: %s, last error %s', kind, state, count(*), max(errors[cardinality(errors)]->>'error')) FROM river_job GROUP BY kind, state) AS lines`).Scan(&states))
	return fmt.Sprintf("unpaid %d, payments %d of %d, coins %d of %d, payouts %+v of %+v with %d never asked for\n%s",
		len(c.provider.unpaid), e.Payments, c.provider.payments, e.Coins, c.provider.coins, e.Payouts, c.provider.ended, len(c.provider.payouts), states)
}
