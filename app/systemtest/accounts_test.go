package systemtest

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAccountList goes through the list of accounts as an app does, and tries what another trader, a guest and a repeated request must not do.
func TestAccountList(t *testing.T) {
	t.Parallel()
	w := newWalletFixture(t)
	call := func(token, method, path, body, key string) map[string]any {
		t.Helper()
		var change func(*http.Request)
		if key != "" {
			change = withKey(key)
		}
		_, answer, raw := w.call(t, method, "/client/"+path, token, []byte(body), change)
		require.NotEmpty(t, answer["code"], raw)
		return answer
	}
	list := func(token string) (accounts []map[string]any) {
		t.Helper()
		for _, one := range call(token, http.MethodGet, "user/findAccountList", "", "")["data"].([]any) {
			accounts = append(accounts, one.(map[string]any))
		}
		return accounts
	}

	require.Len(t, list(w.real), 2)
	require.Equal(t, []any{float64(w.accountID), float64(1), "", true, float64(0), false}, pick(list(w.real)[0], "accountId", "number", "name", "open", "leverageCeiling", "netting"))
	require.Equal(t, []any{float64(5), true}, pick(list(w.real)[1], "accountType", "open"), "the demo account is last")

	const wanted = `{"mock":false,"name":"Swing","leverageCeiling":20,"netting":true}`
	require.Equal(t, "idempotency.missing", call(w.real, http.MethodPost, "user/openAccount", wanted, "")["code"])
	opened := call(w.real, http.MethodPost, "user/openAccount", wanted, "open")["data"].(map[string]any)
	require.Equal(t, opened, call(w.real, http.MethodPost, "user/openAccount", wanted, "open")["data"], "one key opens one")
	require.Equal(t, []any{float64(2), "Swing", float64(20), true}, pick(opened, "number", "name", "leverageCeiling", "netting"))
	require.Len(t, list(w.real), 3)
	second := int64(opened["accountId"].(float64))

	stranger := realSession(t, w.platform.Database.DB, w.otherOwner.TraderID)
	guest := w.guestToken(t, "device-accounts-guest")
	require.Equal(t, "guest.register", call(guest, http.MethodPost, "user/openAccount", wanted, "guest")["code"])
	for path, body := range map[string]string{"user/renameAccount": `{"accountId":%d,"name":"Mine"}`, "user/setAccountLeverage": `{"accountId":%d,"leverageCeiling":10}`} {
		require.Equal(t, "guest.register", call(guest, http.MethodPost, path, fmt.Sprintf(body, second), "")["code"])
		require.Equal(t, "account.unknown", call(stranger, http.MethodPost, path, fmt.Sprintf(body, second), "")["code"], "of another trader")
		require.Equal(t, "ok", call(w.real, http.MethodPost, path, fmt.Sprintf(body, second), "")["code"])
	}
	require.Equal(t, []any{"Mine", float64(10)}, pick(list(w.real)[1], "name", "leverageCeiling"))

	require.Equal(t, "account.unknown", call(stranger, http.MethodGet, fmt.Sprintf("copy/switchUser?accountType=1&accountId=%d", second), "", "")["code"])
	move := fmt.Sprintf(`{"from":"contract","to":"contract","toAccount":%d,"amount":"40"}`, second)
	require.Equal(t, "account.unknown", call(stranger, http.MethodPost, "wallet/insertTransfer", move, "theirs")["code"])
	moved := call(w.real, http.MethodPost, "wallet/insertTransfer", move, "mine")
	require.Equal(t, "ok", moved["code"])
	require.Equal(t, []any{float64(w.accountID), float64(second)}, pick(moved["data"].(map[string]any), "fromAccount", "toAccount"))

	there := call(w.real, http.MethodGet, fmt.Sprintf("copy/switchUser?accountType=1&accountId=%d", second), "", "")["data"].(map[string]any)
	require.Equal(t, []any{float64(second), float64(2), "Mine", float64(10), true}, pick(there["user"].(map[string]any), "accountId", "accountNumber", "accountName", "leverageCeiling", "netting"))
	token := there["token"].(string)
	require.Equal(t, "token_invalid", call(w.real, http.MethodGet, "user/findAccountList", "", "")["code"])
	require.Equal(t, "40", call(token, http.MethodPost, "userMoney/findUserMoneyOnly", `{"accountType":"contract","currencyType":"USDT"}`, "")["data"].(map[string]any)["balance"])
	for shown, code := range map[string]string{fmt.Sprint(w.accountID): "account.switched", "x": "account.switched", fmt.Sprint(second): "order.leverage", "": "order.leverage"} {
		change := func(r *http.Request) {
			r.Header.Set("accountId", shown)
			r.Header.Set("Idempotency-Key", "of the account "+shown)
		}
		_, answer, raw := w.call(t, http.MethodPost, "/client/trade/insertOrder", token, []byte(`{"productId":201,"side":"buy","lots":"0.01","leverage":500}`), change)
		require.Equal(t, code, answer["code"], raw)
		status, _, raw := w.call(t, http.MethodGet, "/client/trade/findPositionList", token, nil, change)
		require.Equal(t, http.StatusOK, status, raw)
	}
	terms := call(token, http.MethodGet, "withdraw/findWithdrawTerms", "", "")["data"].(map[string]any)
	require.Equal(t, "60", terms["balance"], "withdrawals leave the main account")
}

func pick(from map[string]any, names ...string) (values []any) {
	for _, name := range names {
		values = append(values, from[name])
	}
	return values
}
