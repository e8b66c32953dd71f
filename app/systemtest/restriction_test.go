package systemtest

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/audit"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/session"
	"candor/app/trader"
)

// TestRestrictedTraderAPI makes every call that takes on risk or pays money out: each is refused while the restriction lasts, and accepted afterwards.
func TestRestrictedTraderAPI(t *testing.T) {
	t.Parallel()
	r := newAPIFixture(t)
	c := r.customer(t)
	d := r.platform.Database.DB
	sessions := session.New(d, clock.Real{}, nil)
	p, err := sessions.Check(t.Context(), r.real, session.Device{})
	require.NoError(t, err)
	r.enableWithdrawals(t, p.TraderID)
	proof := r.proof(t, p.TraderID, trader.Withdraw, "payeeId", c.wallet, "amount", "100")
	staff := func(name string) audit.Actor {
		id := r.number(t, `INSERT INTO staff (email, name, state, created_at) VALUES ($1 || '@example.com', $1, 'active', now()) RETURNING id`, name)
		return audit.Actor{Kind: audit.Staff, ID: id, Name: name}
	}
	setter, lifter := staff("setter"), staff("lifter")
	traders := trader.New(trader.Config{DB: d, Clock: clock.Real{}, Sessions: sessions, Changed: func(int64) {}})
	var set []trader.Restriction
	for _, kind := range []trader.RestrictionKind{trader.RestrictTrade, trader.RestrictWithdraw} {
		one, err := traders.Restrict(t.Context(), setter, trader.RestrictionRequest{TraderID: p.TraderID, Kind: kind, Reason: "legal_order", Note: "x"})
		require.NoError(t, err)
		set = append(set, one)
	}
	call := func(path, key string, body map[string]any) (map[string]any, string) {
		raw, err := json.Marshal(body)
		require.NoError(t, err)
		_, answer, text := r.call(t, http.MethodPost, "/client/"+path, r.real, raw, withKey(key))
		return answer, text
	}
	with := func(more map[string]any) map[string]any {
		maps.Copy(more, proof)
		return more
	}
	far := map[string]any{"productId": 201, "type": "limit", "side": "buy", "lots": "0.01", "leverage": 20, "price": "1", "timeInForce": "gtc"}
	high := map[string]any{"productId": 201, "type": "limit", "side": "sell", "lots": "0.01", "leverage": 20, "price": "9000000", "timeInForce": "gtc"}
	bank := map[string]any{"holder": "Anna Muster", "bank": "Bank", "iban": "NL91ABNA0417164300", "bic": "ABNANL2A", "label": "New"}
	changed := maps.Clone(bank)
	changed["walletId"] = c.wallet
	before := r.realRows(t)
	for path, refused := range map[string]struct {
		code string
		body map[string]any
	}{
		"trade/insertOrder":               {"restriction.trade", map[string]any{"productId": 201, "side": "buy", "lots": "0.01", "leverage": 20}},
		"trade/insertPendingOrder":        {"restriction.trade", far},
		"trade/insertOcoOrders":           {"restriction.trade", map[string]any{"orders": []any{far, high}}},
		"trade/reversePosition":           {"restriction.trade", map[string]any{"positionId": c.position}},
		"withdraw/insertBankWithdraw":     {"restriction.withdraw", with(map[string]any{"walletId": c.wallet, "amount": "100"})},
		"withdraw/insertStandardWithdraw": {"restriction.withdraw", with(map[string]any{"addressId": c.address, "amount": "100"})},
		"userAddress/insertUserAddress": {"restriction.withdraw", with(map[string]any{
			"coin": "USDT", "chain": "tron", "address": "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t", "label": "New",
		})},
		"userAddress/deleteUserAddress":   {"restriction.withdraw", with(map[string]any{"addressId": c.address})},
		"userAddress/updateWhitelistOnly": {"restriction.withdraw", with(map[string]any{"whitelistOnly": true})},
		"userWallet/bindUserWallet":       {"restriction.withdraw", with(bank)},
		"userWallet/updateUserWallet":     {"restriction.withdraw", with(changed)},
	} {
		answer, raw := call(path, "restricted"+path, refused.body)
		require.Equal(t, refused.code, answer["code"], "%s: %s", path, raw)
		require.Equal(t, map[string]any{"why": "legal_order"}, answer["args"], "%s: %s", path, raw)
		require.NotContains(t, raw, "error.restriction", "in words")
	}
	require.Equal(t, before, r.realRows(t), "nothing came of it")

	_, answer, raw := r.call(t, http.MethodGet, "/client/user/findUserInfo", r.real, nil, nil)
	require.Equal(t, []any{map[string]any{"kind": "trade", "reason": "legal_order"}, map[string]any{"kind": "withdraw", "reason": "legal_order"}},
		answer["data"].(map[string]any)["restrictions"], raw)
	require.NotContains(t, raw, "setter", "nobody's name")
	_, answer, raw = r.call(t, http.MethodGet, "/client/withdraw/findWithdrawTerms", r.real, nil, nil)
	require.Equal(t, "ok", answer["code"], raw)
	answer, raw = call("trade/closePosition", "close", map[string]any{"positionId": c.position})
	require.Equal(t, "ok", answer["code"], raw)
	answer, raw = call("trade/cancelOrder", "cancel", map[string]any{"orderId": c.order})
	require.Equal(t, "ok", answer["code"], raw)

	for _, one := range set {
		_, err := traders.Lift(t.Context(), lifter, p.TraderID, one.ID, one.Version, "cleared")
		require.NoError(t, err)
	}
	_, answer, raw = r.call(t, http.MethodGet, "/client/user/findUserInfo", r.real, nil, nil)
	require.NotContains(t, answer["data"], "restrictions", raw)
	answer, raw = call("trade/insertOrder", "again", map[string]any{"productId": 201, "side": "buy", "lots": "0.01", "leverage": 20})
	require.Equal(t, "ok", answer["code"], raw)
	answer, raw = call("withdraw/insertBankWithdraw", "again", with(map[string]any{"walletId": c.wallet, "amount": "100"}))
	require.Equal(t, "ok", answer["code"], raw)
}

// TestATraderFreezesTheAccount ends all sessions of the trader and blocks withdrawals and logins.
func TestATraderFreezesTheAccount(t *testing.T) {
	t.Parallel()
	r := newAPIFixture(t)
	d := r.platform.Database
	p, err := session.New(d.DB, clock.Real{}, nil).Check(t.Context(), r.real, session.Device{})
	require.NoError(t, err)
	var contact, code string
	require.NoError(t, d.Pool.QueryRow(t.Context(), `SELECT coalesce(email, phone) FROM traders WHERE id = $1`, p.TraderID).Scan(&contact))
	require.NoError(t, d.InTx(t.Context(), func(tx *db.Tx) error {
		code, err = session.New(d.DB, clock.Real{}, nil).IssueCodeTx(t.Context(), tx, session.FreezeCode.To(contact), session.Owner("127.0.0.1"))
		return err
	}))
	elsewhere := realSession(t, d.DB, p.TraderID)
	freeze := func(code string) (map[string]any, string) {
		_, answer, raw := r.call(t, http.MethodPost, "/client/user/freezeAccount", r.real, []byte(fmt.Sprintf(`{"validCode":%q}`, code)), nil)
		return answer, raw
	}
	answer, raw := freeze("12345")
	require.Equal(t, "code.wrong", answer["code"], raw)
	require.Zero(t, r.number(t, `SELECT count(*) FROM trader_restrictions`))
	answer, raw = freeze(code)
	require.Equal(t, "ok", answer["code"], raw)
	require.EqualValues(t, 2, r.number(t, `SELECT count(*) FROM trader_restrictions WHERE reason = 'self_frozen' AND set_by IS NULL AND ended_at IS NULL`))
	for _, token := range []string{r.real, elsewhere} {
		status, answer, raw := r.call(t, http.MethodGet, "/client/user/findUserInfo", token, nil, nil)
		require.NotEqual(t, "ok", answer["code"], "%d %s", status, raw)
	}
}
