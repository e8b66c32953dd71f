package tradedesk_test

import (
	"encoding/csv"
	"fmt"
	"html"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/admin/desk/desktest"
	"candor/app/trading"
)

func ptr[T any](v T) *T { return &v }

// place places a pending order of 0.10 lots to buy EURUSD.
func (b *bundle) place(who someone, kind trading.OrderType, terms trading.Terms) trading.Order {
	b.Helper()
	if terms.TimeInForce == "" {
		terms.TimeInForce = trading.GoodTillCancelled
	}
	done, err := b.trading.Place(b.Context(), trading.Place{
		Owner: who.Owner, ProductID: eurusd, Type: kind, Side: trading.Buy, Lots: 100_000, Leverage: 100, Terms: terms,
	}, b.once(who))
	require.NoError(b, err)
	return *done.Value.Order
}

// text is the page without markup.
func text(body string) string {
	var out strings.Builder
	inside := false
	for _, r := range body {
		switch {
		case r == '<':
			inside = true
			out.WriteByte(' ')
		case r == '>':
			inside = false
		case !inside:
			out.WriteRune(r)
		}
	}
	return strings.Join(strings.Fields(html.UnescapeString(out.String())), " ")
}

func (b *bundle) page(who *desktest.Browser, path string) string {
	b.Helper()
	page := who.Get(path)
	require.Equal(b, http.StatusOK, page.Code, path)
	return page.Body.String()
}

// sections are the addresses of the tab of orders.
var sections = []string{"orders", "orders/pending", "orders/history", "orders/closed", "orders/fills", "orders/refused"}

func TestOrders(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.quote("EURUSD", "1.08000", "1.08010")
	marta, lena := b.register("marta@example.com", "", 10_000), b.register("lena@example.com", "", 10_000)
	closed := b.buy(marta, eurusd, 50, 100)
	b.quote("EURUSD", "1.07900", "1.07910")
	b.close(marta, closed)
	done, err := b.trading.Open(t.Context(), trading.Open{
		Owner: marta.Owner, ProductID: eurusd, Side: trading.Buy, Lots: 100_000, Leverage: 100, StopLoss: ptr[int64](107_000), TakeProfit: ptr[int64](109_000),
	}, b.once(marta))
	require.NoError(t, err)
	open := done.Value.Position
	waits := b.place(marta, trading.LimitOrder, trading.Terms{Price: 107_000, StopLoss: ptr[int64](106_000)})
	cancelled := b.place(marta, trading.StopOrder, trading.Terms{Price: 109_500})
	_, err = b.trading.Cancel(t.Context(), trading.Cancel{Owner: marta.Owner, OrderID: cancelled.ID}, b.once(marta))
	require.NoError(t, err)
	auditor, agent := b.auditor(), b.agent()

	t.Run("OpenPositionsHaveTheirProtectionAndCosts", func(t *testing.T) {
		body := text(b.page(auditor, path(marta, "orders")))
		for _, want := range []string{"Stop loss", "Take profit", "Swap", "Margin", "1.07000", "1.09000", "1.07900", "107.91"} {
			require.Contains(t, body, want)
		}
		require.NotContains(t, body, "1.08010", "the closed one is in another list")
	})
	t.Run("PendingOrdersSayWhatTheyWaitFor", func(t *testing.T) {
		body := text(b.page(auditor, path(marta, "orders", "pending")))
		for _, want := range []string{number(waits.ID), "Limit", "1.07000", "1.06000", "0.00910 (0.84%)", "Its limit price", "Until cancelled"} {
			require.Contains(t, body, want)
		}
		require.NotContains(t, body, "1.09500")
	})
	t.Run("TheHistorySaysHowEachOrderEnded", func(t *testing.T) {
		body := text(b.page(auditor, path(marta, "orders", "history")))
		for _, want := range []string{number(cancelled.ID), "Stop", "1.09500", "Cancelled by the trader", "Trader"} {
			require.Contains(t, body, want)
		}
		require.NotContains(t, body, "1.07000", "a pending order has not ended")
		require.NotContains(t, text(b.page(auditor, path(marta, "orders", "history")+"?outcome=expired")), "1.09500")
		require.Contains(t, text(b.page(auditor, path(marta, "orders", "history")+"?reason=trader")), "1.09500")
	})
	t.Run("EveryFillLinksToItsReceipt", func(t *testing.T) {
		body := b.page(auditor, path(marta, "orders", "fills"))
		require.Contains(t, text(body), "EURUSD #2")
		fill := b.fillOf(closed.ID, "close")
		require.Contains(t, body, fmt.Sprintf(`href="%s?account=%d"`, path(marta, "fills", number(fill)), marta.AccountID))
		receipt := text(b.page(auditor, path(marta, "fills", number(fill))))
		for _, want := range []string{"Receipt of fill " + number(fill), "EURUSD #2", "1.07900", "1.07910", "−55.000000", "Not sealed yet"} {
			require.Contains(t, receipt, want)
		}
	})
	t.Run("OnePosition", func(t *testing.T) {
		body := text(b.page(auditor, path(marta, "positions", number(open.ID))))
		for _, want := range []string{"Position " + number(open.ID), "Still open", "1.07000", "1.09000", "EURUSD #2", "No swaps or dividends."} {
			require.Contains(t, body, want)
		}
		require.NotContains(t, body, "EURUSD #1")
		body = text(b.page(auditor, path(marta, "positions", number(closed.ID))))
		require.Contains(t, body, "−55.000000")
	})
	t.Run("NothingCanBeEdited", func(t *testing.T) {
		for _, section := range sections {
			_, main, found := strings.Cut(b.page(auditor, path(marta, section)), `id="main"`)
			require.True(t, found)
			for _, never := range []string{"hx-post", "hx-put", "hx-delete", "<input", "<textarea", "<select"} {
				require.NotContains(t, main, never, section)
			}
		}
	})
	t.Run("NotAnotherTraders", func(t *testing.T) {
		require.Equal(t, http.StatusNotFound, auditor.Get(path(lena, "positions", number(open.ID))).Code)
		require.Equal(t, http.StatusNotFound, auditor.Get(path(lena, "fills", number(b.fillOf(closed.ID, "close")))).Code)
		for _, section := range sections {
			require.NotContains(t, b.page(auditor, path(lena, section)+"?account="+number(marta.AccountID)), "EURUSD", section)
		}
	})
	t.Run("SupportReadsBandsAndExportsNothing", func(t *testing.T) {
		body := text(b.page(agent, path(marta, "orders", "closed")))
		require.Contains(t, body, "0–1")
		require.NotContains(t, body, "55.00")
		for _, section := range sections {
			require.NotContains(t, b.page(agent, path(marta, section)), "/file", section)
			require.Equal(t, http.StatusForbidden, agent.Get(path(marta, section, "file")).Code, section)
		}
	})
	t.Run("EachExportIsAuditedAboutTheTrader", func(t *testing.T) {
		for _, section := range sections {
			rows := b.file(auditor, path(marta, section, "file")+"?account="+number(marta.AccountID))
			require.NotEmpty(t, rows, section)
		}
		require.Equal(t, int64(len(sections)), b.count(`SELECT count(*) FROM audit_entries WHERE action = 'trader.export_orders' AND target_kind = 'trader' AND target_id = $1`, number(marta.TraderID)))
		rows := b.file(auditor, path(marta, "orders", "closed", "file")+"?account="+number(marta.AccountID))
		require.Len(t, rows, 2)
		require.Contains(t, rows[1], "-55.000000")
		require.Len(t, b.file(auditor, path(lena, "orders", "closed", "file")+"?account="+number(marta.AccountID)), 1, "only the head")
	})
}

func number(id int64) string { return strconv.FormatInt(id, 10) }

func (b *bundle) count(sql string, args ...any) (n int64) {
	b.Helper()
	require.NoError(b, b.DB.Pool.QueryRow(b.Context(), sql, args...).Scan(&n))
	return n
}

func (b *bundle) fillOf(position int64, entry string) int64 {
	b.Helper()
	return b.count(`SELECT id FROM fills WHERE position_id = $1 AND entry = $2`, position, entry)
}

// file reads a CSV file.
func (b *bundle) file(who *desktest.Browser, path string) [][]string {
	b.Helper()
	answer := who.Get(path)
	require.Equal(b, http.StatusOK, answer.Code, path)
	require.Contains(b, answer.Header().Get("Content-Type"), "text/csv")
	rows, err := csv.NewReader(answer.Body).ReadAll()
	require.NoError(b, err)
	return rows
}

// TestEveryReasonHasWords ends an order for each reason that there is, and reads it in words.
func TestEveryReasonHasWords(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.quote("EURUSD", "1.08000", "1.08010")
	marta := b.register("marta@example.com", "", 10_000)
	auditor := b.auditor()
	for reason, want := range map[trading.EndReason]string{
		trading.ByTrader: "Cancelled by the trader Trader", trading.NoMargin: "Not enough free margin when the price was reached System rule",
		trading.TooManyPositions: "Too many open positions when the price was reached System rule", trading.ClosingOnly: "The product was close-only when the price was reached System rule",
		trading.Restricted: "New positions were restricted when the price was reached System rule", trading.OtherEnded: "The other order in the pair was filled or ended System rule",
		trading.TimeIsUp: "Expired before its price was reached System rule",
	} {
		status := trading.Cancelled
		if reason == trading.TimeIsUp {
			status = trading.Expired
		}
		order := b.place(marta, trading.LimitOrder, trading.Terms{Price: 107_000})
		b.test.Tamper(t, fmt.Sprintf(`UPDATE orders SET status = '%s', reason = '%s', ended_at = created_at WHERE id = %d`, status, reason, order.ID))
		require.Contains(t, text(b.page(auditor, path(marta, "orders", "history")+"?reason="+string(reason))), want)
	}
	require.NotContains(t, b.page(auditor, path(marta, "orders", "history")), "trader.", "no key of a text is shown")
}

func TestRejectedRequests(t *testing.T) {
	t.Parallel()
	b := setup(t)
	marta, lena := b.register("marta@example.com", "", 0), b.register("lena@example.com", "", 0)
	for _, one := range [][2]string{{"order.no_margin", "/client/trade/insertOrder"}, {"market.new_code", "/client/trade/closePosition"}, {"code.wrong", "/client/user/login"}} {
		_, err := b.DB.Pool.Exec(t.Context(), `INSERT INTO refusals (trader_id, code, call, trace_id, at) VALUES ($1, $2, $3, 'trace-1', $4)`, marta.TraderID, one[0], one[1], b.Clock.Now())
		require.NoError(t, err)
	}
	agent := b.agent()
	body := text(b.page(agent, path(marta, "orders", "refused")))
	for _, want := range []string{"Open a position", "Not enough free margin", "order.no_margin", "trace-1", "Close a position", "Rejected; see the code", "market.new_code"} {
		require.Contains(t, body, want)
	}
	require.NotContains(t, body, "code.wrong", "only requests about orders")
	require.NotContains(t, b.page(agent, path(lena, "orders", "refused")), "order.no_margin")
}

func TestStatement(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.quote("EURUSD", "1.08000", "1.08010")
	marta := b.register("marta@example.com", "", 10_000)
	position := b.buy(marta, eurusd, 50, 100)
	b.quote("EURUSD", "1.07900", "1.07910")
	b.close(marta, position)
	today := b.Clock.Now().Format(time.DateOnly)
	days := "?from=" + today + "&to=" + today
	auditor := b.auditor()

	t.Run("AddsUp", func(t *testing.T) {
		require.Contains(t, b.page(auditor, path(marta, "funds")), "Statement…")
		rows := b.file(auditor, path(marta, "statement", "file")+days)
		account := number(marta.AccountID)
		line := func(row []string) string {
			return strings.Join([]string{row[0], row[1], row[2], row[5], row[7], row[8], row[9]}, " ")
		}
		var lines []string
		for _, row := range rows[1:] {
			lines = append(lines, line(row))
		}
		require.Equal(t, []string{
			"opening " + account + " USDT  cash  0.000000", "entry " + account + " USDT deposit cash 10000.000000 10000.000000",
			"entry " + account + " USDT trade_close cash -55.000000 9945.000000", "closing " + account + " USDT  cash  9945.000000",
			"total_opening  USDT    0.000000", "total_movement  USDT   9945.000000 ", "total_closing  USDT    9945.000000",
		}, lines, "the demo account is left out")
	})
	t.Run("IsAuditedAboutTheTrader", func(t *testing.T) {
		require.Equal(t, int64(1), b.count(`SELECT count(*) FROM audit_entries WHERE action = 'trader.export_statement' AND target_id = $1 AND after LIKE '%' || $2 || '%'`, number(marta.TraderID), today))
	})
	t.Run("NeedsDaysInOrder", func(t *testing.T) {
		for _, days := range []string{"", "?from=" + today, "?from=" + today + "&to=2020-01-01", "?from=2999-01-01&to=2999-01-02", "?from=x&to=y"} {
			require.Equal(t, http.StatusUnprocessableEntity, auditor.Get(path(marta, "statement", "file")+days).Code, days)
		}
	})
	t.Run("OnlyForRolesThatMayExport", func(t *testing.T) {
		for _, role := range []access.Role{access.SupportAgent, access.SupportLead, access.FinanceMaker, access.ComplianceReviewer} {
			s := b.SignIn(t, role)
			require.Equal(t, http.StatusForbidden, s.Get(path(marta, "statement", "file")+days).Code, role)
			require.NotContains(t, b.page(s, path(marta, "funds")), "Statement…", role)
		}
	})
	t.Run("TheLedgerAsAFileHasItsBalances", func(t *testing.T) {
		rows := b.file(auditor, path(marta, "funds", "file")+"?account="+number(marta.AccountID))
		require.Len(t, rows, 3)
		require.Equal(t, []string{"-55.000000", "9945.000000", "USDT"}, rows[1][5:8])
		require.Equal(t, int64(1), b.count(`SELECT count(*) FROM audit_entries WHERE action = 'trader.export_ledger' AND target_id = $1`, number(marta.TraderID)))
	})
}

func TestAcceptedTerms(t *testing.T) {
	t.Parallel()
	b := setup(t)
	marta, guest := b.register("marta@example.com", "", 0), b.guest()
	agent := b.agent()
	body := text(b.page(agent, path(marta)))
	for _, want := range []string{"Accepted terms", "Terms and conditions", "Risk disclosure", b.Clock.Now().UTC().Format("2006-01-02")} {
		require.Contains(t, body, want)
	}
	require.NotContains(t, b.page(agent, path(guest)), "Accepted terms")
}

// TestAnOrderHasAnAddress opens the list or the position of an order by its number, for its own trader only.
func TestAnOrderHasAnAddress(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.quote("EURUSD", "1.08000", "1.08010")
	marta, lena := b.register("marta@example.com", "", 10_000), b.register("lena@example.com", "", 0)
	order := b.place(marta, trading.LimitOrder, trading.Terms{Price: 107_000})
	agent := b.agent()
	answer := agent.Get(path(marta, "order", number(order.ID)))
	require.Equal(t, http.StatusSeeOther, answer.Code)
	require.Equal(t, path(marta, "orders", "pending")+"?account="+number(marta.AccountID), answer.Header().Get("Location"))
	require.Equal(t, http.StatusNotFound, agent.Get(path(lena, "order", number(order.ID))).Code)
	require.Equal(t, http.StatusNotFound, agent.Get(path(marta, "order", "999999999")).Code)
}
