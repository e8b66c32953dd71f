package systemtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/platform/mail"
	"candor/app/server"
	"candor/app/trader"
)

// thief is an attacker with one stolen thing, against a trader with money, a payment password and a saved bank account that can be paid at once.
type thief struct {
	*guesser
	t       *testing.T
	mailbox bool // can read the victim's mail
	before  string
	told    int
}

func newThief(t *testing.T, mailbox bool) *thief {
	t.Helper()
	h := &thief{guesser: newGuesserWith(t, loopbackProxy), t: t, mailbox: mailbox}
	h.before, h.told = h.state(), len(h.mails())
	return h
}

// state is everything that a thief would change on the way to the money.
func (h *thief) state() string {
	h.t.Helper()
	var text string
	require.NoError(h.t, h.platform.Database.Pool.QueryRow(h.t.Context(), `
		SELECT concat_ws(' ', (SELECT count(*) FROM withdrawals), (SELECT string_agg(p.id || coalesce(p.removed_at::text, ''), ',' ORDER BY p.id) FROM payees p),
			(SELECT sum(cash) FROM accounts WHERE trader_id = $1 AND book = 'real'), t.email, t.phone, t.password_hash, (SELECT hash FROM payment_passwords WHERE trader_id = $1),
			(SELECT count(*) FROM authenticators), (SELECT count(*) FROM passkeys), t.phrase)
		FROM traders t WHERE t.id = $1`, h.traderID).Scan(&text))
	return text
}

func (h *thief) mails() []mail.Message {
	h.t.Helper()
	list, err := server.ReadOutbox(h.t.Context(), h.platform.Config, h.platform.Database, h.contact)
	require.NoError(h.t, err)
	return list
}

// isTold requires that the victim was told something since the last call, and returns what kinds of messages.
func (h *thief) isTold() (kinds []string) {
	h.t.Helper()
	list := h.mails()
	require.Greater(h.t, len(list), h.told, "the owner must be told")
	for _, m := range list[:len(list)-h.told] {
		kinds = append(kinds, m.Kind)
	}
	h.told = len(list)
	return kinds
}

// ask makes a call from elsewhere: another address and another browser than the victim's.
func (h *thief) ask(path, token string, body map[string]any) (code string, data map[string]any) {
	h.t.Helper()
	raw, err := json.Marshal(body)
	require.NoError(h.t, err)
	_, answer, text := h.call(h.t, http.MethodPost, path, token, raw, func(q *http.Request) {
		q.Header.Set("X-Forwarded-For", "198.51.100.66")
		q.Header.Set("User-Agent", "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36")
		q.Header.Set("Idempotency-Key", fmt.Sprint("thief", time.Now().UnixNano()))
		if strings.Contains(path, "ForgetPassword") {
			h.withSolution(h.t)(q)
		}
	})
	code, ok := answer["code"].(string)
	require.True(h.t, ok, text)
	data, _ = answer["data"].(map[string]any)
	return code, data
}

// readCode reads the newest code from the stolen mailbox, and lets a minute pass so that the next one may be sent.
func (h *thief) readCode() string {
	h.t.Helper()
	require.True(h.t, h.mailbox)
	_, err := h.platform.Database.Pool.Exec(h.t.Context(), `UPDATE codes SET created_at = created_at - interval '1 minute'`)
	require.NoError(h.t, err)
	_, err = h.platform.Database.Pool.Exec(h.t.Context(), `UPDATE code_requests SET at = at - interval '1 minute'`)
	require.NoError(h.t, err)
	return sixDigits.FindString(h.mails()[0].Body)
}

// withdraw tries to send money to the victim's saved account, with whatever the thief has.
func (h *thief) withdraw(token, paymentPassword, code string) string {
	h.t.Helper()
	answer, _ := h.ask("/client/withdraw/insertBankWithdraw", token, map[string]any{"walletId": h.wallet, "amount": "20", "payPassword": paymentPassword, "validCode": code})
	return answer
}

// TestTakeover steals one thing at a time: a session, the password, the mailbox. Nobody gets money out within a day, and the owner is told each time.
func TestTakeover(t *testing.T) {
	t.Parallel()
	t.Run("ASessionUsedElsewhereEnds", func(t *testing.T) {
		t.Parallel()
		h := newThief(t, false)
		require.Equal(t, "token_invalid", h.withdraw(h.real, "000000", "000000"))
		require.Contains(t, h.isTold(), "session_moved")
		_, answer, _ := h.call(t, http.MethodGet, "/client/user/findUserInfo", h.real, nil, nil)
		require.Equal(t, "token_invalid", answer["code"], "for the thief and for the owner, who logs in again")
		require.Equal(t, h.before, h.state())
	})
	t.Run("ASessionOnTheOwnersMachineChangesNothing", func(t *testing.T) {
		t.Parallel()
		h := newThief(t, false)
		for _, o := range h.operations() {
			if o.jsonBody() == nil || endsSession[o.path] || o.path == "/client/user/freezeAccount" || strings.HasPrefix(o.path, "/client/trade/") || o.path == "/client/wallet/insertTransfer" {
				continue // trading and moving one's own money between one's own accounts take no proof
			}
			status, _, text := h.call(t, o.method, o.path, h.real, bytes.ReplaceAll(h.bodyFor(o), []byte(raceLogin), []byte("not that password")), withKey("thief"+o.path))
			require.Less(t, status, 500, "%s: %s", o.path, text)
		}
		require.Equal(t, h.before, h.state())
		require.NotEmpty(t, h.isTold(), "codes that the owner did not ask for")
	})
	t.Run("APasswordOpensNothingWithoutTheCode", func(t *testing.T) {
		t.Parallel()
		h := newThief(t, false)
		login := map[string]any{"account": h.contact, "password": raceLogin, "deviceId": "thief-device-00000001"}
		code, _ := h.ask("/client/user/login", "", login)
		require.Equal(t, "login.code_required", code)
		code, _ = h.ask("/client/user/sendLoginValidCode", "", map[string]any{"account": h.contact, "password": raceLogin})
		require.Equal(t, "ok", code)
		for n := range 8 {
			login["validCode"] = fmt.Sprintf("%06d", n)
			code, _ = h.ask("/client/user/login", "", login)
			require.Equal(t, "code.wrong", code)
		}
		require.Contains(t, h.isTold(), "login_code")
		require.Equal(t, h.before, h.state())
	})
	t.Run("AMailboxGetsInAndWaitsADay", func(t *testing.T) {
		t.Parallel()
		h := newThief(t, true)
		token := h.resetPassword("thief's new password")
		require.Contains(t, h.isTold(), "password_reset")
		code, _ := h.ask("/client/user/sendPaymentPasswordValidCode", token, nil)
		require.Equal(t, "ok", code)
		code, _ = h.ask("/client/user/resetPayPassword", token, map[string]any{"password": "thief's new password", "newPassword": "604817", "validCode": h.readCode()})
		require.Equal(t, "ok", code)
		require.Contains(t, h.isTold(), "payment_password_reset")
		code, _ = h.ask("/client/user/sendMoneyOutValidCode", token, map[string]any{"act": trader.Withdraw, "payeeId": h.wallet, "amount": "20"})
		require.Equal(t, "ok", code)
		require.Equal(t, "withdrawal.held", h.withdraw(token, "604817", h.readCode()))
		require.Zero(t, h.number(t, `SELECT count(*) FROM withdrawals`))
		var until time.Time
		require.NoError(t, h.platform.Database.Pool.QueryRow(t.Context(), `SELECT min(longest) FROM (SELECT max(until_at) AS longest FROM withdrawal_locks WHERE trader_id = $1) locks`, h.traderID).Scan(&until))
		require.Greater(t, time.Until(until), 23*time.Hour+59*time.Minute)
	})
	t.Run("AMailboxStopsAtASecondFactor", func(t *testing.T) {
		t.Parallel()
		h := newThief(t, true)
		_, err := h.platform.Database.Pool.Exec(t.Context(), `
			WITH owner AS (INSERT INTO factor_owners (trader_id, handle) VALUES ($1, decode(repeat('ab', 64), 'hex')) RETURNING id)
			INSERT INTO passkeys (owner_id, credential_id, credential, name, created_at) SELECT id, 'x', '{}', 'Phone', now() FROM owner`, h.traderID)
		require.NoError(t, err)
		require.Empty(t, h.resetPassword("thief's new password"), "no session")
		require.Contains(t, h.isTold(), "password_reset")
		require.Zero(t, h.number(t, `SELECT count(*) FROM withdrawals`))
	})
}

// resetPassword replaces the forgotten password through the mailbox, and logs in; empty where a second factor is asked for.
func (h *thief) resetPassword(password string) (token string) {
	h.t.Helper()
	code, _ := h.ask("/client/user/sendForgetPasswordValidCode", "", map[string]any{"account": h.contact})
	require.Equal(h.t, "ok", code)
	code, _ = h.ask("/client/api/forgetUserPassword", "", map[string]any{"account": h.contact, "password": password, "validCode": h.readCode()})
	require.Equal(h.t, "ok", code)
	login := map[string]any{"account": h.contact, "password": password, "deviceId": "thief-device-00000001"}
	if code, _ = h.ask("/client/user/login", "", login); code == "login.factor_required" {
		return ""
	}
	require.Equal(h.t, "login.code_required", code)
	code, _ = h.ask("/client/user/sendLoginValidCode", "", map[string]any{"account": h.contact, "password": password})
	require.Equal(h.t, "ok", code)
	login["validCode"] = h.readCode()
	code, data := h.ask("/client/user/login", "", login)
	require.Equal(h.t, "ok", code)
	return data["token"].(string)
}
