package systemtest

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/ledger"
	"candor/app/platform/clock"
	"candor/app/platform/money"
	"candor/app/session"
	"candor/app/trader"
)

// TestWithdrawalsAPI requests and cancels withdrawals with real proofs, beside open positions; other traders see nothing of them.
func TestWithdrawalsAPI(t *testing.T) {
	t.Parallel()
	r := newAPIFixture(t)
	c := r.customer(t)
	d := r.platform.Database
	p, err := session.New(d.DB, clock.Real{}, nil).Check(t.Context(), r.real, session.Device{})
	require.NoError(t, err)
	stranger := realSession(t, d.DB, r.otherOwner.TraderID)
	cash := func() int64 {
		a, err := ledger.Load(t.Context(), d.Pool, c.accountID)
		require.NoError(t, err)
		return a.Cash
	}
	call := func(path, key, token string, parts ...map[string]any) (map[string]any, string) {
		body := map[string]any{}
		for _, part := range parts {
			maps.Copy(body, part)
		}
		raw, err := json.Marshal(body)
		require.NoError(t, err)
		_, answer, text := r.call(t, http.MethodPost, "/client/withdraw/"+path, token, raw, withKey(key))
		return answer, text
	}
	r.enableWithdrawals(t, p.TraderID)
	_, err = d.Pool.Exec(t.Context(), `UPDATE traders SET level = 0 WHERE id = $1`, p.TraderID)
	require.NoError(t, err)
	request := map[string]any{"walletId": c.wallet, "amount": "100.5"}
	answer, raw := call("insertBankWithdraw", "unverified", r.real, request, r.proof(t, p.TraderID, trader.Withdraw, "payeeId", c.wallet, "amount", "100.5"))
	require.Equal(t, "withdrawal.unverified", answer["code"], raw)
	_, err = d.Pool.Exec(t.Context(), `UPDATE traders SET level = 1 WHERE id = $1`, p.TraderID)
	require.NoError(t, err)

	_, answer, raw = r.call(t, http.MethodGet, "/client/withdraw/findWithdrawTerms", r.real, nil, nil)
	require.Equal(t, "ok", answer["code"], raw)
	terms := answer["data"].(map[string]any)
	available, err := money.Parse(terms["available"].(string), money.Scale)
	require.NoError(t, err)
	require.Positive(t, available)
	require.Less(t, available, cash(), "positions need some of it")
	require.Equal(t, "10000", terms["dayLeft"])

	before := cash()
	answer, raw = call("insertBankWithdraw", "all", r.real, map[string]any{"walletId": c.wallet, "amount": "9999.999999"}, map[string]any{"payPassword": "111222", "validCode": "1"})
	require.Equal(t, "payment_password.wrong", answer["code"], raw)
	require.Equal(t, before, cash())
	less := r.proof(t, p.TraderID, trader.Withdraw, "payeeId", c.wallet, "amount", "100.4")
	answer, raw = call("insertBankWithdraw", "more", r.real, request, less)
	require.Equal(t, "code.wrong", answer["code"], "a code is good for one amount: %s", raw)
	proof := r.proof(t, p.TraderID, trader.Withdraw, "payeeId", c.wallet, "amount", "100.50")
	answer, first := call("insertBankWithdraw", "one", r.real, request, proof)
	require.Equal(t, "ok", answer["code"], first)
	made := answer["data"].(map[string]any)
	require.Equal(t, []any{"review", "100.5", "DE89370400440532013000", true}, []any{made["state"], made["amount"], made["iban"], made["cancellable"]})
	require.Equal(t, before-100_500_000, cash())
	_, again := call("insertBankWithdraw", "one", r.real, request, map[string]any{"payPassword": "", "validCode": ""})
	require.Equal(t, first, again, "the same key has the same answer, and asks for no proof")
	answer, raw = call("insertBankWithdraw", "two", r.real, request, proof)
	require.Equal(t, "code.wrong", answer["code"], raw, "a code works once")
	require.Equal(t, before-100_500_000, cash())

	underWay := func(token string) any {
		_, answer, raw := r.call(t, http.MethodPost, "/client/userMoney/findUserMoneyOnly", token, []byte(`{"accountType":"contract","currencyType":"USDT"}`), nil)
		require.Equal(t, "ok", answer["code"], raw)
		return answer["data"].(map[string]any)["underWay"]
	}
	require.Equal(t, []any{"100.5", "0"}, []any{underWay(r.real), underWay(stranger)})

	id := map[string]any{"withdrawId": made["withdrawId"]}
	for path, more := range map[string]map[string]any{"cancelWithdraw": {}, "replyWithdraw": {"answer": "Mine."}} {
		answer, raw = call(path, "stranger"+path, stranger, id, more)
		require.Equal(t, "withdrawal.unknown", answer["code"], raw)
	}
	answer, raw = call("insertBankWithdraw", "theirs", stranger, request, r.proofOf(t, stranger, r.otherOwner.TraderID, trader.OnlySaved))
	require.EqualValues(t, 0, answer["status"], raw)
	_, _, raw = r.call(t, http.MethodGet, "/client/withdraw/findWithdrawPage", stranger, nil, nil)
	require.NotContains(t, raw, made["withdrawNo"])
	_, _, raw = r.call(t, http.MethodGet, "/client/withdraw/findWithdrawPage", r.real, nil, nil)
	require.Contains(t, raw, made["withdrawNo"])
	for _, inside := range []string{"risk", "staff", "maker", "hash"} {
		require.NotContains(t, strings.ToLower(raw), inside, "that stays inside")
	}
	_, _, raw = r.call(t, http.MethodGet, "/client/wallet/findLedgerPage", r.real, nil, nil)
	require.Contains(t, raw, fmt.Sprint("withdrawal:", made["withdrawId"]), "the statement leads to it")

	answer, raw = call("cancelWithdraw", "back", r.real, id)
	require.Equal(t, "ok", answer["code"], raw)
	require.Equal(t, "cancelled", answer["data"].(map[string]any)["state"])
	require.Equal(t, before, cash())
	r.requireBrowser(t, "withdrawal.request")
}
