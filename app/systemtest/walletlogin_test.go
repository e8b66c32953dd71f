package systemtest

import (
	"encoding/json"
	"net/http"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/platform/ethereum/ethereumtest"
	"candor/app/platform/jobs"
	"candor/app/platform/mail"
	"candor/app/server"
	"candor/app/switches"
)

const walletSite = "https://trade.example.com"

// walletLoginFixture is a platform whose wallets are switched on.
type walletLoginFixture struct {
	*apiFixture
	device string
}

func newWalletLoginFixture(t *testing.T) walletLoginFixture {
	t.Helper()
	r := newAPIFixtureWith(t, func(c *server.Config) {
		loopbackProxy(c)
		c.Public = walletSite
	})
	return walletLoginFixture{r, "wallet-device-000001"}
}

// ask makes a call and returns the code of its answer, the data and the whole answer.
func (w walletLoginFixture) ask(t *testing.T, path, token string, body map[string]any, change func(*http.Request)) (code string, data map[string]any, raw string) {
	t.Helper()
	text, err := json.Marshal(body)
	require.NoError(t, err)
	_, answer, raw := w.call(t, http.MethodPost, path, token, text, change)
	code, _ = answer["code"].(string)
	data, _ = answer["data"].(map[string]any)
	return code, data, raw
}

// signed is a signed text for a log-in.
func (w walletLoginFixture) signed(t *testing.T, wallet ethereumtest.Wallet) map[string]any {
	t.Helper()
	body := map[string]any{"address": wallet.Address().String(), "chainId": 1, "deviceId": w.device}
	code, data, raw := w.ask(t, "/client/user/createWalletLogin", "", body, w.withSolution(t))
	require.Equal(t, "ok", code, raw)
	return map[string]any{"id": data["id"], "signature": wallet.Sign(data["text"].(string)), "deviceId": w.device}
}

// enrol adds what a new trader tells to a signed text.
func enrol(signed map[string]any) map[string]any {
	out := map[string]any{"country": "CH", "language": "en", "accepted": true}
	for name, value := range signed {
		out[name] = value
	}
	return out
}

// moneyCalls are the calls that a contact is needed for, with bodies that are well formed.
var moneyCalls = map[string]string{
	"/client/recharge/insertBankRecharge": "BankRecharge", "/client/recharge/insertStandardRecharge": "StandardRecharge",
	"/client/recharge/insertThirdPartyRecharge": "ProviderRecharge", "/client/recharge/insertOtcRecharge": "ProviderRecharge",
	"/client/withdraw/insertBankWithdraw": "BankWithdraw", "/client/withdraw/insertDaifuWithdraw": "BankWithdraw", "/client/withdraw/insertStandardWithdraw": "StandardWithdraw",
	"/client/userAddress/insertUserAddress": "InsertUserAddress", "/client/userAddress/restoreUserAddress": "RestoreUserAddress", "/client/userAddress/updateWhitelistOnly": "UpdateWhitelistOnly",
	"/client/userWallet/bindUserWallet": "BindUserWallet", "/client/userWallet/updateUserWallet": "UpdateUserWallet", "/client/userWallet/restoreUserWallet": "RestoreUserWallet",
	"/client/wallet/insertExchange": "InsertExchange", "/client/wallet/insertTransfer": "InsertTransfer",
	"/client/user/sendPaymentPasswordValidCode": "",
}

func TestWalletAccounts(t *testing.T) {
	t.Parallel()
	w := newWalletLoginFixture(t)
	people := w.deciders(t)
	wallet := ethereumtest.New(t)
	off := map[string]any{"address": wallet.Address().String(), "chainId": 1, "deviceId": w.device}
	code, _, raw := w.ask(t, "/client/user/createWalletLogin", "", off, w.withSolution(t))
	require.Equal(t, "module_disabled", code, raw)
	w.flip(t, people, switches.Web3LoginKey, "true")

	// The wallet opens an account, and logs in to it.
	signed := w.signed(t, wallet)
	code, _, raw = w.ask(t, "/client/user/walletLogin", "", signed, nil)
	require.Equal(t, "wallet.not_linked", code, raw)
	code, data, raw := w.ask(t, "/client/user/registerByWallet", "", enrol(signed), nil)
	require.Equal(t, "ok", code, raw)
	token := data["token"].(string)
	code, _, raw = w.ask(t, "/client/user/walletLogin", "", signed, nil)
	require.Equal(t, "wallet.expired", code, "a replay: %s", raw)
	again := w.signed(t, wallet)
	code, data, raw = w.ask(t, "/client/user/walletLogin", "", again, nil)
	require.Equal(t, "ok", code, raw)
	require.NotEqual(t, token, data["token"])

	// No money moves before a contact is bound.
	for path, body := range moneyCalls {
		code, _, raw := w.ask(t, path, token, validBodies[body], withKey("contact"+path))
		require.Equal(t, "contact.first", code, "%s: %s", path, raw)
	}
	_, answer, raw := w.call(t, http.MethodGet, "/client/recharge/getDepositAddress?channelId=1", token, nil, nil)
	require.Equal(t, "contact.first", answer["code"], raw)
	require.Zero(t, w.number(t, `SELECT (SELECT count(*) FROM deposits) + (SELECT count(*) FROM payees) + (SELECT count(*) FROM withdrawals) + (SELECT count(*) FROM transfers)`))
	w.must(t, token, "/client/user/sendContactValidCode", map[string]any{"account": "wallet@example.com"}, "")
	bind := map[string]any{
		"account": "wallet@example.com", "contactCode": w.mailedCode(t, w.outbox(t), "wallet@example.com"), "password": "correct horse battery", "validCode": "",
	}
	body, err := json.Marshal(bind)
	require.NoError(t, err)
	_, answer, raw = w.call(t, http.MethodPost, "/client/user/updateContact", token, body, nil)
	require.Equal(t, "wallet.confirm", answer["code"], "a session alone: %s", raw)
	text := w.must(t, token, "/client/user/createWalletConfirmation", map[string]any{"chainId": 1, "account": "wallet@example.com"}, "")["data"].(map[string]any)
	bind["wallet"] = map[string]any{"id": text["id"], "signature": wallet.Sign(text["text"].(string))}
	w.must(t, token, "/client/user/updateContact", bind, "")
	w.must(t, token, "/client/recharge/insertBankRecharge", map[string]any{"channelId": w.number(t, `SELECT min(id) FROM pay_channels`), "amount": "100"}, "deposit")

	// Switched off again, nobody comes in.
	last := w.signed(t, wallet)
	w.flip(t, people, switches.Web3LoginKey, "false")
	for _, path := range []string{"/client/user/walletLogin", "/client/user/registerByWallet"} {
		body := last
		if path == "/client/user/registerByWallet" {
			body = enrol(last)
		}
		code, _, raw := w.ask(t, path, "", body, nil)
		require.Equal(t, "module_disabled", code, raw)
	}
}

func (w walletLoginFixture) outbox(t *testing.T) *mail.Outbox {
	t.Helper()
	queue, err := jobs.New(w.platform.Database.Pool) // never started
	require.NoError(t, err)
	return mail.New(mail.Config{DB: w.platform.Database.DB, Clock: w.platform.Clock, Queue: queue, Vault: w.vault(t), KeepUnsent: true})
}

var anyID = regexp.MustCompile(`[0-9a-f]{32}`)

// TestAskingForAWalletLoginTellsNothing compares the answers about a linked and an unlinked wallet before anything is signed.
func TestAskingForAWalletLoginTellsNothing(t *testing.T) {
	t.Parallel()
	w := newWalletLoginFixture(t)
	w.flip(t, w.deciders(t), switches.Web3LoginKey, "true")
	linked, other := ethereumtest.New(t), ethereumtest.New(t)
	code, _, raw := w.ask(t, "/client/user/registerByWallet", "", enrol(w.signed(t, linked)), nil)
	require.Equal(t, "ok", code, raw)
	shape := func(wallet ethereumtest.Wallet, path string, body map[string]any) string {
		_, _, raw := w.ask(t, path, "", body, func(q *http.Request) {
			w.withSolution(t)(q)
			q.Header.Set("traceId", "trace-00000001")
		})
		raw = anyID.ReplaceAllString(raw, "id")
		raw = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ`).ReplaceAllString(raw, "time")
		return regexp.MustCompile(wallet.Address().String()).ReplaceAllString(raw, "address")
	}
	ask := func(wallet ethereumtest.Wallet) string {
		return shape(wallet, "/client/user/createWalletLogin", map[string]any{"address": wallet.Address().String(), "chainId": 1, "deviceId": w.device})
	}
	require.Equal(t, ask(other), ask(linked))
	wrong := func(wallet ethereumtest.Wallet) string {
		body := w.signed(t, wallet)
		body["signature"] = ethereumtest.New(t).Sign("anything")
		return shape(wallet, "/client/user/walletLogin", body)
	}
	require.Contains(t, wrong(linked), "wallet.signature")
	require.Equal(t, wrong(other), wrong(linked))
}
