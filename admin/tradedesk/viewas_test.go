package tradedesk_test

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/app/notice"
	"candor/app/platform/db"
	"candor/app/trading"
)

// TestViewAs shows what a trader sees, in the trader's language, for a logged reason; and it changes nothing.
func TestViewAs(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.quote("EURUSD", "1.08000", "1.08010")
	marta := b.register("marta@example.com", "", 10_000)
	_, err := b.DB.Pool.Exec(t.Context(), `UPDATE traders SET language = 'zh_CN' WHERE id = $1`, marta.TraderID)
	require.NoError(t, err)
	b.buy(marta, eurusd, 50, 100)
	b.place(marta, trading.LimitOrder, trading.Terms{Price: 107_000})
	require.NoError(t, b.DB.InTx(t.Context(), func(tx *db.Tx) error {
		_, err := b.notices.AddMessageTx(t.Context(), tx, notice.Message{
			TraderID: marta.TraderID, Category: "money", Key: "message.deposit_rejected", Cause: "deposit:1", At: b.Clock.Now(), InApp: true,
			Args: map[string]string{"number": "DP-1", "amount": "8765.43 USDT", "reason": "{{deposit.reason.not_received}}"},
		})
		return err
	}))
	auditor, agent := b.auditor(), b.agent()
	page := path(marta, "view-as")
	sessions := b.count(`SELECT count(*) FROM trader_sessions`)

	require.Equal(t, http.StatusSeeOther, auditor.Get(page).Code, "not without a reason")
	require.Contains(t, auditor.Part(path(marta, "view-as", "reason")).Body.String(), "Read only")
	short := auditor.Send(page, url.Values{"reason": {"no"}})
	require.Equal(t, http.StatusUnprocessableEntity, short.Code)
	require.Equal(t, int64(0), b.count(`SELECT count(*) FROM audit_entries WHERE action = 'trader.view_as'`))
	require.Equal(t, page, auditor.Send(page, url.Values{"reason": {"The trader asked in chat"}}).Header().Get("HX-Redirect"))
	require.Equal(t, http.StatusSeeOther, agent.Get(page).Code, "another member needs a reason too")

	body := b.page(auditor, page)
	for _, want := range []string{`lang="zh-CN"`, "You see what the trader sees", "EURUSD", "订单", "10,000.00", "8,765.43 USDT", "DP-1"} {
		require.Contains(t, body, want)
	}
	for _, not := range []string{"{{deposit", "{{number", "message.deposit", "deposit.reason", "wallet.balance"} {
		require.NotContains(t, body, not)
	}
	require.Contains(t, body, path(marta, "view-as")+"?account=", "the practice account can be chosen")

	agent.Send(page, url.Values{"reason": {"The trader asked in chat"}})
	banded := b.page(agent, page)
	require.Contains(t, banded, "You read amounts as ranges.")
	require.Contains(t, banded, "5,000–25,000")
	require.Contains(t, banded, "5,000–25,000 USDT", "in messages too")
	for _, not := range []string{"10,000.00", "8,765.43", "8765"} {
		require.NotContains(t, banded, not)
	}
	require.Equal(t, int64(2), b.count(`SELECT count(*) FROM audit_entries WHERE action = 'trader.view_as' AND target_id = $1 AND after LIKE '%asked in chat%'`, number(marta.TraderID)))
	require.Equal(t, sessions, b.count(`SELECT count(*) FROM trader_sessions`), "no session of the trader")
	require.Equal(t, int64(1), b.count(`SELECT count(*) FROM user_messages WHERE trader_id = $1 AND read_at IS NULL`, marta.TraderID), "nothing is marked as read")

	b.Clock.Advance(16 * time.Minute)
	require.Equal(t, http.StatusSeeOther, auditor.Get(page).Code, "a reason does not last")
	require.Equal(t, http.StatusForbidden, b.SignIn(t, access.ContentEditor).Send(page, url.Values{"reason": {"I am curious"}}).Code)
}
