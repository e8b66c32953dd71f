package systemtest

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/approval"
	"candor/app/audit"
	"candor/app/deposit"
	"candor/app/payee"
	"candor/app/payee/payeetest"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/money"
	"candor/app/platform/upload"
	"candor/app/platform/vault/vaulttest"
	"candor/app/reconciliation"
	"candor/app/session"
	"candor/app/switches"
	"candor/app/trader"
	"candor/app/withdrawal"
)

// TestNothingKeepsTheNameOfAnAccountInClear saves payees, pays out and pays in under unique names, through the API and the desks, and searches every table,
// file and log line for them. Authorized readers still see them.
func TestNothingKeepsTheNameOfAnAccountInClear(t *testing.T) {
	var logged vaulttest.Log
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&logged, &slog.HandlerOptions{Level: slog.LevelDebug})))
	t.Cleanup(func() { slog.SetDefault(before) })
	slog.Info("the log is read at the end")
	r := newAPIFixture(t)
	d, keys := r.platform.Database.DB, r.vault(t)
	p, err := session.New(d, clock.Real{}, nil).Check(t.Context(), r.real, session.Device{})
	require.NoError(t, err)
	owner := p.TraderID
	r.enableWithdrawals(t, owner)
	require.NoError(t, d.InTx(t.Context(), func(tx *db.Tx) error { return fundRealTx(t.Context(), tx, p.AccountID, dollars(1_000)) }))
	_, err = d.Pool.Exec(t.Context(), `UPDATE traders SET level = 1 WHERE id = $1`, owner)
	require.NoError(t, err)

	// The names are the trader's own, each with a unique part.
	canaries := []string{"Qzxbound", "Qzxrebound", "Qzxpaidout", "Qzxsender"}
	name := func(n int) string { return accountHolder + " " + canaries[n] }
	post := func(path, key string, parts ...map[string]any) (map[string]any, string) {
		t.Helper()
		body := map[string]any{}
		for _, part := range parts {
			maps.Copy(body, part)
		}
		raw, err := json.Marshal(body)
		require.NoError(t, err)
		_, answer, text := r.call(t, http.MethodPost, "/client/"+path, r.real, raw, withKey(key))
		require.Equal(t, "ok", answer["code"], text)
		return answer["data"].(map[string]any), text
	}
	// twice repeats a request unchanged: the answer is the same and contains the name
	twice := func(path, want string, parts ...map[string]any) map[string]any {
		t.Helper()
		data, first := post(path, path, parts...)
		require.Equal(t, want, data["holder"])
		_, again := post(path, path, parts...)
		require.Equal(t, first, again)
		return data
	}

	account := map[string]any{"holder": name(0), "bank": "Sparkasse", "iban": "GB82WEST12345698765432", "bic": "COBADEFFXXX", "label": "Salary"}
	bound := twice("userWallet/bindUserWallet", name(0), account, r.proof(t, owner, trader.SaveAccount, "place", account["iban"]))
	other := maps.Clone(account)
	other["holder"], other["walletId"] = name(1), bound["walletId"]
	rebound := twice("userWallet/updateUserWallet", name(1), other, r.proof(t, owner, trader.SaveAccount, "place", account["iban"]))
	require.NotEqual(t, bound["walletId"], rebound["walletId"])
	path := fmt.Sprintf("/client/userWallet/deleteUserWallet?walletId=%.0f", rebound["walletId"])
	_, answer, raw := r.call(t, http.MethodGet, path, r.real, nil, headed(r.proof(t, owner, trader.DeletePayee, "payeeId", rebound["walletId"])))
	require.Equal(t, name(1), answer["data"].(map[string]any)["holder"], raw)
	twice("userWallet/restoreUserWallet", name(1), map[string]any{"walletId": rebound["walletId"]}, r.proof(t, owner, trader.RestorePayee, "payeeId", rebound["walletId"]))
	_, _, raw = r.call(t, http.MethodGet, "/client/userWallet/findUserWalletList", r.real, nil, nil)
	require.Contains(t, raw, name(1))

	usable, err := payeetest.Bank(t.Context(), d, keys, payee.Payee{
		TraderID: owner, Label: "Mine", Bank: "Sparkasse", IBAN: "DE89370400440532013000", BIC: "COBADEFFXXX", CreatedAt: time.Now().AddDate(0, 0, -2), UsableFrom: time.Now().AddDate(0, 0, -1),
	}, name(2))
	require.NoError(t, err)
	_, answer, raw = r.call(t, http.MethodGet, fmt.Sprint("/client/userWallet/selectUserWallet?walletId=", usable), r.real, nil, nil)
	require.Equal(t, name(2), answer["data"].(map[string]any)["holder"], raw)
	asked := twice("withdraw/insertBankWithdraw", name(2), map[string]any{"walletId": usable, "amount": "100"}, r.proof(t, owner, trader.Withdraw, "payeeId", usable, "amount", "100"))
	_, _, raw = r.call(t, http.MethodGet, "/client/withdraw/findWithdrawPage", r.real, nil, nil)
	require.Contains(t, raw, name(2))
	values, err := switches.Load(t.Context(), d, nil)
	require.NoError(t, err)
	maker := hireDesk(t, d, 1)
	withdrawals := withdrawal.New(withdrawal.Config{DB: d, Clock: clock.Real{}, Switches: values, Traders: acceptAll{}, Identities: acceptAll{}, Positions: r.platform.Trading, Gate: reconciliation.New(d, clock.Real{}), Vault: keys, Approvals: approval.New(d, clock.Real{}, trader.TakeDutyTx), Changed: func(int64) {}})
	w, err := withdrawals.Claim(t.Context(), maker, int64(asked["withdrawId"].(float64)))
	require.NoError(t, err)
	c, err := withdrawals.Case(t.Context(), w.ID)
	require.NoError(t, err)
	require.Equal(t, name(2), c.Holder)
	_, err = withdrawals.Approve(t.Context(), maker, w.ID, w.Version, w.State, c.Facts())
	require.NoError(t, err)
	twice("withdraw/cancelWithdraw", name(2), map[string]any{"withdrawId": w.ID})

	announced, _ := post("recharge/insertBankRecharge", "announced", map[string]any{"channelId": r.number(t, `SELECT min(id) FROM pay_channels`), "amount": "100"})
	deposits := deposit.New(deposit.Config{DB: d, Clock: clock.Real{}, Switches: values, Pictures: upload.NewStore(t.TempDir()), Identities: acceptAll{}, Vault: keys, Approvals: approval.New(d, clock.Real{}, trader.TakeDutyTx), Changed: func(int64) {}})
	st := deposit.Statement{Received: 100 * money.Unit, Reference: "BANK-1", Sender: name(3)}
	in, err := deposits.MatchStatement(t.Context(), maker, int64(announced["rechargeId"].(float64)), 1, st, time.Now())
	require.NoError(t, err)
	in, err = deposits.Approve(t.Context(), maker, in.ID, in.Version, st)
	require.NoError(t, err)
	sender, err := deposits.SenderName(t.Context(), in)
	require.NoError(t, err)
	require.Equal(t, name(3), sender)

	known := func(request map[string]any) int64 {
		raw, err := json.Marshal(request)
		require.NoError(t, err)
		return r.number(t, `SELECT count(*) FROM idempotency_keys WHERE body_hash = sha256($1)`, raw)
	}
	require.EqualValues(t, 1, known(map[string]any{"walletId": usable, "amount": "100"}), "a request without a name is known by its hash")
	require.Zero(t, known(account)+known(other), "one with a name is not: the name could be guessed from it")

	vaulttest.RequireNoKeysInResults(t, d.Pool, "payees", "holder_key")
	vaulttest.RequireNoKeysInResults(t, d.Pool, "withdrawals", "holder_key")
	vaulttest.RequireNoKeysInResults(t, d.Pool, "deposits", "sender_name_key")
	dump := vaulttest.Dump(t, d.Pool)
	require.True(t, vaulttest.Found(dump, "Sparkasse"), "the search finds what is there")
	entries, _, err := audit.NewLog(d).List(t.Context(), audit.Filter{TargetKind: "withdrawal"})
	require.NoError(t, err)
	require.NotEmpty(t, entries)
	for where, haystack := range map[string]string{"the database": dump, "the files": vaulttest.Files(t, r.platform.Config.DataDir), "the log": logged.String()} {
		require.NotEmpty(t, haystack, where)
		for _, canary := range canaries {
			require.False(t, vaulttest.Found(haystack, canary), "%s is in %s", canary, where)
		}
	}
}
