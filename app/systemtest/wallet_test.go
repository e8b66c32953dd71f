package systemtest

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/ledger"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/money"
	"candor/app/reconciliation"
	"candor/app/server"
	"candor/app/session"
)

// walletFixture is a trader with 100 USDT on the real account.
type walletFixture struct {
	*apiFixture
	accountID int64
	tried     int
}

func newWalletFixture(t *testing.T) *walletFixture {
	t.Helper()
	r := newAPIFixture(t)
	return &walletFixture{apiFixture: r, accountID: r.funded(t)}
}

// transferAndExchange has the fixture's trader transfer and exchange money once.
func (r *apiFixture) transferAndExchange(t *testing.T) {
	t.Helper()
	w := &walletFixture{apiFixture: r, accountID: r.funded(t)}
	require.Equal(t, "ok", w.post(t, r.real, "insertTransfer", `{"from":"contract","to":"funding","amount":"60"}`)["code"])
	quote := w.data(t, r.real, "findNewWalletExchange?from=USDT&to=BTC&amount=50")
	require.Equal(t, "ok", w.post(t, r.real, "insertExchange", fmt.Sprintf(`{"quoteId":%.0f}`, quote["quoteId"]))["code"])
}

// funded puts 100 USDT on the real account of the fixture's trader.
func (r *apiFixture) funded(t *testing.T) (accountID int64) {
	t.Helper()
	p, err := session.New(r.platform.Database.DB, clock.Real{}, nil).Check(t.Context(), r.real, session.Device{})
	require.NoError(t, err)
	require.NoError(t, r.platform.Database.InTx(t.Context(), func(tx *db.Tx) error {
		account, err := ledger.LockTx(t.Context(), tx, p.AccountID)
		if err != nil {
			return err
		}
		_, err = ledger.PostTx(t.Context(), tx, ledger.Transaction{
			Kind: "test", Key: "test:wallet", Cause: "test", Book: ledger.Real, At: time.Now(), Entries: account.Receive(100 * money.Unit),
		})
		return err
	}))
	return p.AccountID
}

func (r *walletFixture) get(t *testing.T, token, path string) map[string]any {
	t.Helper()
	_, answer, _ := r.call(t, http.MethodGet, "/client/wallet/"+path, token, nil, nil)
	return answer
}

func (r *walletFixture) data(t *testing.T, token, path string) map[string]any {
	t.Helper()
	answer := r.get(t, token, path)
	require.Equal(t, "ok", answer["code"], "%v", answer)
	data, _ := answer["data"].(map[string]any)
	return data
}

// post sends a write with a fresh key.
func (r *walletFixture) post(t *testing.T, token, path, body string) map[string]any {
	t.Helper()
	r.tried++
	_, answer, _ := r.call(t, http.MethodPost, "/client/wallet/"+path, token, []byte(body), withKey(fmt.Sprint("wallet-", r.tried)))
	return answer
}

// account is the wallet's entry of an account.
func (r *walletFixture) account(t *testing.T, kind, currency string) map[string]any {
	t.Helper()
	list, _ := r.data(t, r.real, "findByWalletList")["accounts"].([]any)
	for _, one := range list {
		if a, _ := one.(map[string]any); a["kind"] == kind && a["currency"] == currency {
			return a
		}
	}
	require.Fail(t, "no such account", "%s %s: %v", kind, currency, list)
	return nil
}

func TestWalletAPI(t *testing.T) {
	t.Parallel()
	r := newWalletFixture(t)
	require.Eventually(t, func() bool { _, err := r.platform.Market.Tradable(bitcoin); return err == nil }, 10*time.Second, 20*time.Millisecond)
	require.EqualValues(t, 0, r.account(t, "funding", "BTC")["accountId"], "nothing was ever on it")
	require.Equal(t, "100", r.data(t, r.real, "findByWalletList")["total"])

	moved := r.post(t, r.real, "insertTransfer", `{"from":"contract","to":"funding","amount":"60"}`)
	require.Equal(t, "ok", moved["code"], "%v", moved)
	require.Equal(t, "wallet.funds", r.post(t, r.real, "insertTransfer", `{"from":"contract","to":"funding","amount":"40.000001"}`)["code"])
	require.Equal(t, []any{"40", "60"}, []any{r.account(t, "contract", "USDT")["available"], r.account(t, "funding", "USDT")["available"]})

	quote := r.data(t, r.real, "findNewWalletExchange?from=USDT&to=BTC&amount=50")
	require.Equal(t, []any{"50", "0.5", nil}, []any{quote["fromAmount"], quote["spread"], quote["sold"]})
	require.InDelta(t, 15_000, quote["lifeMs"], 5_000)
	bought, _ := quote["bought"].(map[string]any)
	require.EqualValues(t, bitcoin, bought["productId"])
	require.EqualValues(t, 1, r.number(t, `SELECT count(*) FROM tape_quotes WHERE product_id = $1 AND seq = $2`, bitcoin, int64(bought["sequence"].(float64))))
	done := r.post(t, r.real, "insertExchange", fmt.Sprintf(`{"quoteId":%.0f}`, quote["quoteId"]))
	require.Equal(t, "ok", done["code"], "%v", done)
	require.Equal(t, "wallet.quote_used", r.post(t, r.real, "insertExchange", fmt.Sprintf(`{"quoteId":%.0f}`, quote["quoteId"]))["code"])
	got := r.account(t, "funding", "BTC")
	require.Equal(t, quote["toAmount"], got["balance"])
	require.EqualValues(t, 8, got["scale"])

	t.Run("TheLedgerSaysWhy", func(t *testing.T) {
		for account, want := range map[any][]any{
			got["accountId"]: {"exchange", "exchange:70001", quote["toAmount"], "BTC"},
			r.account(t, "funding", "USDT")["accountId"]: {"exchange", "exchange:70001", "-50", "USDT"},
		} {
			list, _ := r.data(t, r.real, fmt.Sprintf("findLedgerPage?accountId=%.0f&size=1", account))["list"].([]any)
			line, _ := list[0].(map[string]any)
			require.Equal(t, want, []any{line["kind"], line["cause"], line["amount"], line["currency"]})
		}
		list, _ := r.data(t, r.real, "findLedgerPage?kind=transfer")["list"].([]any)
		require.Len(t, list, 1, "of the session's account unless told")
		rows, _ := r.file(t, fmt.Sprintf("wallet/exportLedger?accountId=%.0f", got["accountId"]), r.real)
		require.Len(t, rows, 1)
		require.Equal(t, []string{"exchange", "exchange:70001", fmt.Sprint(quote["toAmount"]), "BTC", fmt.Sprintf("%.0f", got["accountId"])},
			[]string{rows[0]["kind"], rows[0]["cause"], rows[0]["amount"], rows[0]["currency"], rows[0]["account"]})
	})
	t.Run("ItsCausesCanBeRead", func(t *testing.T) {
		e := r.data(t, r.real, "findExchange?exchangeId=70001")
		require.Equal(t, []any{"EX-70001", "50", quote["toAmount"], quote["rate"], quote["bought"], nil}, []any{e["exchangeNo"], e["fromAmount"], e["toAmount"], e["rate"], e["bought"], e["sold"]})
		m := r.data(t, r.real, "findTransfer?transferId=90001")
		require.Equal(t, []any{"TR-90001", "contract", "funding", "60", "USDT"}, []any{m["transferNo"], m["from"], m["to"], m["amount"], m["currency"]})
		for _, path := range []string{"findExchange?exchangeId=1", "findTransfer?transferId=1"} {
			require.Equal(t, "wallet.unknown", r.get(t, r.real, path)["code"])
		}
	})
	t.Run("SomebodyElsesAccountIsUnknown", func(t *testing.T) {
		for name, token := range map[string]string{"another trader": r.guestToken(t, "guest-device-0000002"), "a mock session of the same trader": r.token} {
			for _, path := range []string{"findLedgerPage", "exportLedger"} {
				answer := r.get(t, token, fmt.Sprintf("%s?accountId=%d", path, r.accountID))
				require.Equal(t, "account.unknown", answer["code"], name)
			}
		}
		require.Equal(t, "account.unknown", r.get(t, r.real, "findLedgerPage?accountId=1")["code"], "the house's is nobody's")
	})
	t.Run("WhatIsMalformed", func(t *testing.T) {
		for query, field := range map[string]string{
			"from=USD&to=USD&amount=5": "to", "from=USD&to=EUR&amount=5": "to", "from=EUR&to=USD&amount=5": "from", "from=USD&to=USDT&amount=0": "amount",
			"from=USD&to=USDT&amount=-5": "amount", "from=USD&to=USDT&amount=5e3": "amount", "from=USD&to=USDT&amount=0.0000001": "amount",
			"from=USD&to=USDT&amount=5&given=both": "given", "from=BTC&to=USDT&amount=0.000000001": "amount",
		} {
			answer := r.get(t, r.real, "findNewWalletExchange?"+query)
			fields, _ := answer["fields"].(map[string]any)
			require.Contains(t, fields, field, "%s: %v", query, answer)
		}
		require.Equal(t, "idempotency.missing", func() any {
			_, answer, _ := r.call(t, http.MethodPost, "/client/wallet/insertTransfer", r.real, []byte(`{"from":"funding","to":"contract","amount":"1"}`), nil)
			return answer["code"]
		}())
		require.Equal(t, "wallet.quote_unknown", r.post(t, r.real, "insertExchange", `{"quoteId":1}`)["code"])
	})
	t.Run("AMockSessionSeesItsMockAccountAlone", func(t *testing.T) {
		list, _ := r.data(t, r.token, "findByWalletList")["accounts"].([]any)
		require.Len(t, list, 1)
	})
	// The tape is sealed every second; the first head may not be there yet.
	require.Eventually(t, func() bool {
		_, err := os.Stat(filepath.Join(r.platform.Config.DataDir, "heads", "tape.jsonl"))
		return err == nil
	}, time.Minute, 50*time.Millisecond)
	proved, err := server.Verify(t.Context(), r.platform.Config, r.platform.Database)
	require.NoError(t, err)
	require.True(t, proved.OK, "%+v", proved.Wrong)
	require.EqualValues(t, 1, proved.Proved["exchanges"])
	r.requireBrowser(t, "wallet.transfer")
}

// TestTheLedgerNamesTheReceipts follows a ledger entry of a deal to the fill that proves it.
func TestTheLedgerNamesTheReceipts(t *testing.T) {
	t.Parallel()
	r := newWalletFixture(t)
	require.Eventually(t, func() bool { _, err := r.platform.Market.Tradable(bitcoin); return err == nil }, 10*time.Second, 20*time.Millisecond)
	r.must(t, r.token, "/client/trade/insertOrder", map[string]any{"productId": bitcoin, "side": "buy", "lots": "0.01", "leverage": 20}, "buy")
	r.must(t, r.token, "/client/trade/closeAllPositions", map[string]any{}, "close")
	list, _ := r.data(t, r.token, "findLedgerPage?kind=trade_close")["list"].([]any)
	require.NotEmpty(t, list)
	line, _ := list[0].(map[string]any)
	require.EqualValues(t, r.number(t, `SELECT max(id) FROM fills`), line["fillId"])
	list, _ = r.data(t, r.token, "findLedgerPage?kind=mock_top_up")["list"].([]any)
	for _, one := range list {
		require.NotContains(t, one, "fillId", "money that no deal brought")
	}
}

// TestTheBooksAgreeAfterASweep runs the server's job that deletes unused quotes: exchanges are verified as before.
func TestTheBooksAgreeAfterASweep(t *testing.T) {
	t.Parallel()
	r := newWalletFixture(t)
	d := r.platform.Database
	require.Eventually(t, func() bool { _, err := r.platform.Market.Tradable(bitcoin); return err == nil }, 10*time.Second, 20*time.Millisecond)
	require.Equal(t, "ok", r.post(t, r.real, "insertTransfer", `{"from":"contract","to":"funding","amount":"60"}`)["code"])
	quote := func() int64 {
		return int64(r.data(t, r.real, "findNewWalletExchange?from=USDT&to=BTC&amount=50")["quoteId"].(float64))
	}
	taken, unused := quote(), quote()
	require.Equal(t, "ok", r.post(t, r.real, "insertExchange", fmt.Sprintf(`{"quoteId":%d}`, taken))["code"])
	r.test.Tamper(t, `
		UPDATE exchange_quotes SET created_at = created_at - interval '2 days', expires_at = expires_at - interval '2 days';
		UPDATE exchanges SET created_at = created_at - interval '2 days'`)
	young := quote()
	for _, job := range r.platform.PeriodicJobs() {
		require.NoError(t, job.Run(t.Context()), job.Name)
	}
	require.Zero(t, r.number(t, `SELECT count(*) FROM exchange_quotes WHERE id = $1`, unused))
	require.EqualValues(t, 2, r.number(t, `SELECT count(*) FROM exchange_quotes WHERE id IN ($1, $2)`, taken, young))
	proved, err := server.Verify(t.Context(), r.platform.Config, d)
	require.NoError(t, err)
	require.True(t, proved.OK, "%+v", proved.Wrong)
	require.EqualValues(t, 1, proved.Proved["exchanges"])
	books, err := reconciliation.New(d.DB, clock.Real{}).Run(t.Context())
	require.NoError(t, err)
	require.Nil(t, books.Wrong)
}
