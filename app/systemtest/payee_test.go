package systemtest

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/platform/clock"
	"candor/app/server"
	"candor/app/session"
	"candor/app/trader"
)

// payeeRows reads all payees as text.
func (r *apiFixture) payeeRows(t *testing.T) (out []string) {
	t.Helper()
	require.NoError(t, r.platform.Database.Rows(t.Context()).Raw(`SELECT p::text FROM payees p ORDER BY id`).Scan(&out).Error)
	return out
}

// TestPayeesAPI makes every call about payees: the owner needs a proof for each change, other traders get payee.unknown.
func TestPayeesAPI(t *testing.T) {
	t.Parallel()
	r := newAPIFixture(t)
	c := r.customer(t)
	stranger := realSession(t, r.platform.Database.DB, r.otherOwner.TraderID)
	proof := map[string]any{"payPassword": "000000", "validCode": "000000"}
	with := func(more map[string]any) []byte {
		for k, v := range proof {
			more[k] = v
		}
		raw, err := json.Marshal(more)
		require.NoError(t, err)
		return raw
	}
	account := func() map[string]any {
		return map[string]any{"walletId": c.wallet, "holder": "Anna Muster", "bank": "Sparkasse", "iban": "NL91ABNA0417164300", "bic": "ABNANL2A", "label": "New"}
	}
	address := map[string]any{"coin": "USDT", "chain": "tron", "address": "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t", "label": "New"}
	bound := account()
	delete(bound, "walletId")
	aimed := []struct {
		method, path string
		body         []byte
		foreign      bool // names the customer's payee
	}{
		{http.MethodPost, "/client/userAddress/insertUserAddress", with(address), false},
		{http.MethodPost, "/client/userAddress/deleteUserAddress", with(map[string]any{"addressId": c.address}), true},
		{http.MethodPost, "/client/userAddress/updateWhitelistOnly", with(map[string]any{"whitelistOnly": true}), false},
		{http.MethodPost, "/client/userWallet/bindUserWallet", with(bound), false},
		{http.MethodPost, "/client/userWallet/updateUserWallet", with(account()), true},
		{http.MethodGet, fmt.Sprint("/client/userWallet/deleteUserWallet?walletId=", c.wallet), nil, true},
	}
	before := r.payeeRows(t)
	for _, call := range aimed {
		status, answer, raw := r.call(t, call.method, call.path, stranger, call.body, withKey("stranger"+call.path))
		require.Equal(t, http.StatusOK, status, "%s: %s", call.path, raw)
		if call.foreign {
			require.Equal(t, "payee.unknown", answer["code"], "%s: %s", call.path, raw)
		}
		status, answer, raw = r.call(t, call.method, call.path, r.real, call.body, withKey("owner"+call.path))
		require.Less(t, status, 500, raw)
		require.EqualValues(t, 0, answer["status"], "without a proof nothing changes: %s: %s", call.path, raw)
		require.NotEqual(t, "payee.unknown", answer["code"], raw)
		require.Equal(t, before, r.payeeRows(t), "%s: %s", call.path, raw)
	}
	_, answer, raw := r.call(t, http.MethodGet, fmt.Sprint("/client/userWallet/selectUserWallet?walletId=", c.wallet), stranger, nil, nil)
	require.Equal(t, "payee.unknown", answer["code"], raw)
	require.Equal(t, before, r.payeeRows(t))

	for path, id := range map[string]int64{"/client/userAddress/findUserAddressList": c.address, "/client/userWallet/findUserWalletList": c.wallet} {
		_, answer, raw = r.call(t, http.MethodGet, path, r.real, nil, nil)
		require.Equal(t, "ok", answer["code"], raw)
		require.Contains(t, raw, fmt.Sprint(id))
		_, _, raw = r.call(t, http.MethodGet, path, stranger, nil, nil)
		require.NotContains(t, raw, fmt.Sprint(id))
	}
	_, answer, raw = r.call(t, http.MethodGet, fmt.Sprint("/client/userWallet/selectUserWallet?walletId=", c.wallet), r.real, nil, nil)
	require.Equal(t, "ok", answer["code"], raw)
	require.Equal(t, true, answer["data"].(map[string]any)["selected"])
	require.Equal(t, c.wallet, r.number(t, `SELECT id FROM payees WHERE preferred`))
}

const paymentPassword = "482915"

// proof is proofOf for the fixture's trader.
func (r *apiFixture) proof(t *testing.T, traderID int64, act trader.MoneyOutAct, more ...any) map[string]any {
	t.Helper()
	return r.proofOf(t, r.real, traderID, act, more...)
}

// proofOf sets the trader's payment password and has a fresh code sent for an act. It checks that the message describes the act.
func (r *apiFixture) proofOf(t *testing.T, token string, traderID int64, act trader.MoneyOutAct, more ...any) map[string]any {
	t.Helper()
	hash, err := trader.NewHasher().Hash(t.Context(), trader.Account(1), paymentPassword)
	require.NoError(t, err)
	d := r.platform.Database
	_, err = d.Pool.Exec(t.Context(), `
		INSERT INTO payment_passwords (trader_id, hash, changed_at) VALUES ($1, $2, now()) ON CONFLICT (trader_id) DO UPDATE SET hash = $2`, traderID, hash)
	require.NoError(t, err)
	_, err = d.Pool.Exec(t.Context(), `UPDATE codes SET created_at = created_at - interval '2 days'`)
	require.NoError(t, err)
	body := map[string]any{"act": act}
	for n := 0; n < len(more); n += 2 {
		body[more[n].(string)] = more[n+1]
	}
	raw, err := json.Marshal(body)
	require.NoError(t, err)
	_, answer, text := r.call(t, http.MethodPost, "/client/user/sendMoneyOutValidCode", token, raw, nil)
	require.Equal(t, "ok", answer["code"], text)
	var contact string
	require.NoError(t, d.Pool.QueryRow(t.Context(), `SELECT coalesce(email, phone) FROM traders WHERE id = $1`, traderID).Scan(&contact))
	list, err := server.ReadOutbox(t.Context(), r.platform.Config, r.platform.Database, contact)
	require.NoError(t, err)
	require.NotContains(t, list[0].Body, "{{")
	require.NotContains(t, list[0].Body, "message.")
	if place, ok := body["place"].(string); ok {
		require.Contains(t, list[0].Body, place[len(place)-4:])
		require.Equal(t, act == trader.SaveAddress, strings.Contains(list[0].Body, place), "of a bank account only its end is told")
	}
	return map[string]any{"payPassword": paymentPassword, "validCode": sixDigits.FindString(list[0].Body)}
}

var sixDigits = regexp.MustCompile(`\b\d{6}\b`)

// TestAProvenWriteHappensOnce saves, repeats, changes and deletes payees with real proofs.
func TestAProvenWriteHappensOnce(t *testing.T) {
	t.Parallel()
	r := newAPIFixture(t)
	p, err := session.New(r.platform.Database.DB, clock.Real{}, nil).Check(t.Context(), r.real, session.Device{})
	require.NoError(t, err)
	owner := p.TraderID
	send := func(path, key string, proof, more map[string]any) (map[string]any, string) {
		body := maps.Clone(more)
		maps.Copy(body, proof)
		raw, err := json.Marshal(body)
		require.NoError(t, err)
		_, answer, text := r.call(t, http.MethodPost, path, r.real, raw, withKey(key))
		return answer, text
	}
	const insert, remove = "/client/userAddress/insertUserAddress", "/client/userAddress/deleteUserAddress"
	address := map[string]any{"coin": "USDT", "chain": "tron", "address": "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t", "label": "Cold"}
	proof := r.proof(t, owner, trader.SaveAddress, "place", address["address"])

	wrong := maps.Clone(address)
	wrong["address"] = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u"
	answer, raw := send(insert, "typo", proof, wrong)
	require.Equal(t, "invalid_input", answer["code"], raw)
	answer, first := send(insert, "save", proof, address)
	require.Equal(t, "ok", answer["code"], "the typing error has cost no code: %s", first)
	require.Equal(t, "cooling", answer["data"].(map[string]any)["state"])
	id := answer["data"].(map[string]any)["addressId"]
	answer, raw = send(insert, "save", proof, address)
	require.Equal(t, first, raw, "the answer is repeated: %v", answer)
	answer, raw = send(insert, "save", map[string]any{"payPassword": "000000", "validCode": "000000"}, address)
	require.Equal(t, first, raw, "what is kept of a request is kept without its proof: %v", answer)
	answer, raw = send(insert, "save", proof, wrong)
	require.NotEqual(t, "ok", answer["code"], raw)
	answer, raw = send(remove, "used", proof, map[string]any{"addressId": id})
	require.Equal(t, "code.wrong", answer["code"], "a code works once: %s", raw)
	answer, raw = send(remove, "gone", r.proof(t, owner, trader.DeletePayee, "payeeId", id), map[string]any{"addressId": id})
	require.Equal(t, "removed", answer["data"].(map[string]any)["state"], raw)
	wallet := map[string]any{"holder": "Anna Muster", "bank": "Sparkasse", "iban": "GB82WEST12345698765432", "bic": "COBADEFFXXX", "label": "Salary"}
	other := r.proof(t, owner, trader.SaveAccount, "place", "NL91ABNA0417164300")
	answer, raw = send("/client/userWallet/bindUserWallet", "other", other, wallet)
	require.Equal(t, "code.wrong", answer["code"], "a code is good for one account: %s", raw)
	answer, raw = send("/client/userWallet/bindUserWallet", "bind", r.proof(t, owner, trader.SaveAccount, "place", wallet["iban"]), wallet)
	require.Equal(t, "ok", answer["code"], raw)
	walletID := answer["data"].(map[string]any)["walletId"]
	path := fmt.Sprintf("/client/userWallet/deleteUserWallet?walletId=%.0f", walletID)
	for _, shown := range []map[string]any{{}, {"payPassword": paymentPassword}, {"payPassword": "000000", "validCode": "000000"}} {
		_, answer, raw = r.call(t, http.MethodGet, path, r.real, nil, headed(shown))
		require.EqualValues(t, 0, answer["status"], raw)
	}
	_, answer, raw = r.call(t, http.MethodGet, path, r.real, nil, headed(r.proof(t, owner, trader.DeletePayee, "payeeId", walletID)))
	require.Equal(t, "removed", answer["data"].(map[string]any)["state"], raw)
	require.Zero(t, r.number(t, `SELECT count(*) FROM payees WHERE removed_at IS NULL`))

	_, answer, again := r.call(t, http.MethodGet, path, r.real, nil, headed(map[string]any{}))
	require.Equal(t, raw, again, "deleted twice it is deleted once: %v", answer)

	const restore, restoreBank = "/client/userAddress/restoreUserAddress", "/client/userWallet/restoreUserWallet"
	unspent := r.proof(t, owner, trader.RestorePayee, "payeeId", id)
	answer, raw = send(insert, "anew", unspent, address)
	require.Equal(t, "payee.removed", answer["code"], raw)
	answer, raw = send(restore, "unproven", map[string]any{"payPassword": "000000", "validCode": "000000"}, map[string]any{"addressId": id})
	require.EqualValues(t, 0, answer["status"], raw)
	answer, first = send(restore, "restore", unspent, map[string]any{"addressId": id})
	require.Equal(t, "cooling", answer["data"].(map[string]any)["state"], first)
	_, raw = send(restore, "restore", map[string]any{"payPassword": "000000", "validCode": "000000"}, map[string]any{"addressId": id})
	require.Equal(t, first, raw, "the answer is repeated")
	answer, raw = send(remove, "gone again", r.proof(t, owner, trader.DeletePayee, "payeeId", id), map[string]any{"addressId": id})
	require.Equal(t, "removed", answer["data"].(map[string]any)["state"], raw)
	answer, raw = send(restoreBank, "restore", r.proof(t, owner, trader.RestorePayee, "payeeId", walletID), map[string]any{"walletId": walletID})
	require.Equal(t, "cooling", answer["data"].(map[string]any)["state"], raw)
	_, answer, raw = r.call(t, http.MethodGet, path, r.real, nil, headed(map[string]any{}))
	require.EqualValues(t, 0, answer["status"], "restored, it is not deleted by an answer from before: %s", raw)
	_, answer, raw = r.call(t, http.MethodGet, path, r.real, nil, headed(r.proof(t, owner, trader.DeletePayee, "payeeId", walletID)))
	require.Equal(t, "removed", answer["data"].(map[string]any)["state"], raw)
	require.Zero(t, r.number(t, `SELECT count(*) FROM payees WHERE removed_at IS NULL`))

	answer, raw = send("/client/userAddress/updateWhitelistOnly", "only", r.proof(t, owner, trader.OnlySaved), map[string]any{"whitelistOnly": true})
	require.Equal(t, true, answer["data"].(map[string]any)["whitelistOnly"], raw)
	unspent = r.proof(t, owner, trader.NotOnlySaved)
	answer, raw = send(insert, "closed", unspent, address)
	require.Equal(t, "payee.only_saved", answer["code"], raw)
	answer, raw = send("/client/userWallet/bindUserWallet", "closed", unspent, wallet)
	require.Equal(t, "payee.only_saved", answer["code"], raw)
	answer, raw = send(restore, "closed", unspent, map[string]any{"addressId": id})
	require.Equal(t, "payee.only_saved", answer["code"], raw)
}

// headed puts a proof into the headers.
func headed(proof map[string]any) func(*http.Request) {
	return func(q *http.Request) {
		for name, header := range map[string]string{"payPassword": "Pay-Password", "validCode": "Valid-Code"} {
			if text, ok := proof[name].(string); ok {
				q.Header.Set(header, text)
			}
		}
	}
}
