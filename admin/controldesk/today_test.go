package controldesk_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
)

func TestHomeShowsTheDayOfFinance(t *testing.T) {
	t.Parallel()
	h := open(t)
	maker := h.Hire(t, "Finance maker 05", access.FinanceMaker)
	now := h.Clock.Now().UTC()
	at := func(before time.Duration) string { return "'" + now.Add(-before).Format(time.RFC3339) + "'" }
	h.test.Tamper(t, `SET session_replication_role = replica;
		INSERT INTO pay_channels (id, kind, name, currency, minimum, maximum, iban, sort, enabled) VALUES (900, 'bank', 'Bank A', 'USD', 1, 1000000000000, 'DE1', 1, true);
		INSERT INTO accounts (id, trader_id, kind, book, type, currency) VALUES (5000, 5000, 'contract', 'real', 1, 'USDT'), (5001, 5000, 'contract', 'mock', 5, 'USDT');
		INSERT INTO deposits (trader_id, account_id, channel_id, kind, currency, amount, received, fee, reference, state, transaction_id, created_at, decided_at, expires_at)
		SELECT 5000, a.account, 900, 'bank', 'USD', a.sum, a.sum, 0, a.reference, 'credited', 1, `+at(time.Hour)+`, a.at::timestamptz, now()
		FROM (VALUES (5000, 1500000000, 'R1', `+at(time.Minute)+`), (5000, 7000000000, 'R2', `+at(24*time.Hour)+`), (5001, 9000000000, 'R3', `+at(time.Minute)+`)) a (account, sum, reference, at);
		INSERT INTO audit_entries (at, actor_kind, actor_id, actor_name, action, target_kind, target_id, result, ip, trace_id, before, after)
		VALUES (`+at(3*time.Hour)+`, 'trader', 5000, 'T', 'product.request', 'product', '7', 'done', '', '', '', ''), (`+at(2*time.Hour)+`, 'staff', 1, 'M', 'product.approve', 'product', '7', 'done', '', '', '', '')`)
	page := h.SignInAs(t, maker).Get("/admin").Body.String()
	for _, want := range []string{"Money today", "Bank A", "+1,500.00 USD", "Net", "Finance maker 05 (you)", `data-again="/admin/home"`} {
		require.Contains(t, page, want)
	}
	for _, not := range []string{"7,000.00", "9,000.00", "8,500.00"} {
		require.NotContains(t, page, not, "yesterday and demo accounts are not today's money")
	}
	approver := h.SignIn(t, access.ConfigApprover).Get("/admin").Body.String()
	require.Contains(t, approver, "100.0%", "the one decision of today came within the target")
	require.Contains(t, approver, "1 h 0")
	require.NotContains(t, h.SignIn(t, access.SupportAgent).Get("/admin").Body.String(), "Money today")
}

func TestHomeIsAskedForAgain(t *testing.T) {
	t.Parallel()
	h := open(t)
	answer := h.SignIn(t, access.SupportAgent).Part("/admin/home")
	require.Equal(t, http.StatusOK, answer.Code)
	require.Contains(t, answer.Body.String(), `hx-swap-oob="morph"`)
	require.Contains(t, answer.Body.String(), "First reply, my median today")
	require.NotContains(t, answer.Body.String(), "<html", "the content alone")
}
