package systemtest

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestListsAreFiltered applies each filter of the history, fills and ledger lists, with matches and without.
func TestListsAreFiltered(t *testing.T) {
	t.Parallel()
	d := newOrderClient(t)
	require.Eventually(t, func() bool { _, err := d.platform.Market.Tradable(202); return err == nil }, 10*time.Second, 20*time.Millisecond)
	opened := d.done("insertOrder", `{"productId":201,"side":"buy","lots":"0.01","leverage":20}`)
	d.done("closePosition", fmt.Sprintf(`{"positionId":%v}`, part(opened, "position", "positionId")))
	d.done("insertOrder", `{"productId":202,"side":"sell","lots":"0.01","leverage":20}`)
	cancelled := part(d.done("insertPendingOrder", buyLimit), "order", "orderId")
	d.done("cancelOrder", fmt.Sprintf(`{"orderId":%v}`, cancelled))
	d.done("insertPendingOrder", stopLimit)
	waits := part(d.done("insertPendingOrder", sellStop), "order", "orderId")
	tomorrow := time.Now().Add(24 * time.Hour).UnixMilli()
	for _, test := range []struct {
		call string
		want int
	}{
		{"trade/findHistoryPage", 1},
		{"trade/findHistoryPage?productId=201", 1},
		{"trade/findHistoryPage?productId=202", 0},
		{"trade/findHistoryPage?side=buy", 1},
		{"trade/findHistoryPage?side=sell", 0},
		{"trade/findHistoryPage?closeReason=manual", 1},
		{"trade/findHistoryPage?closeReason=stop_out", 0},
		{"trade/findHistoryPage?openedBy=market", 1},
		{"trade/findHistoryPage?openedBy=limit", 0},
		{fmt.Sprint("trade/findHistoryPage?endTime=", tomorrow), 1},
		{fmt.Sprint("trade/findHistoryPage?startTime=", tomorrow), 0},
		{"trade/findFillPage", 3},
		{"trade/findFillPage?productId=201", 2},
		{"trade/findFillPage?side=sell", 2},
		{"trade/findFillPage?side=sell&productId=202", 1},
		{"trade/findFillPage?rule=market", 3},
		{"trade/findFillPage?rule=trailing", 0},
		{fmt.Sprint("trade/findFillPage?endTime=", tomorrow), 3},
		{fmt.Sprint("trade/findFillPage?startTime=", tomorrow), 0},
		{"trade/findOrderPage", 3},
		{"trade/findOrderPage?productId=201", 3},
		{"trade/findOrderPage?productId=202", 0},
		{"trade/findOrderPage?side=buy", 2},
		{"trade/findOrderPage?side=sell", 1},
		{"trade/findOrderPage?type=stop_limit", 1},
		{"trade/findOrderPage?type=limit&side=sell", 0},
		{"trade/findOrderPage?status=waiting", 2},
		{"trade/findOrderPage?status=ended", 1},
		{"trade/findOrderPage?status=unfilled", 1},
		{"trade/findOrderPage?status=filled", 0},
		{"trade/findOrderPage?reason=trader", 1},
		{"trade/findOrderPage?reason=no_margin", 0},
		{"trade/findOrderPage?status=waiting&reason=trader", 0},
		{fmt.Sprint("trade/findOrderPage?endTime=", tomorrow), 3},
		{fmt.Sprint("trade/findOrderPage?startTime=", tomorrow), 0},
		{"trade/findOrderPage?size=2", 2},
		{fmt.Sprint("trade/findOrderPage?next=", waits), 2},
		{fmt.Sprint("trade/findOrderPage?next=", cancelled), 0},
		{"wallet/findLedgerPage?kind=mock_top_up", 1},
		{"wallet/findLedgerPage?kind=deposit", 0},
		{fmt.Sprint("wallet/findLedgerPage?kind=mock_top_up&endTime=", tomorrow), 1},
		{fmt.Sprint("wallet/findLedgerPage?startTime=", tomorrow), 0},
	} {
		_, answer, raw := d.call(t, http.MethodGet, "/client/"+test.call, d.token, nil, nil)
		require.Equal(t, "ok", answer["code"], raw)
		require.Len(t, part(answer, "data", "list"), test.want, "%s: %s", test.call, raw)
	}
	_, answer, raw := d.call(t, http.MethodGet, "/client/wallet/findLedgerPage?size=1", d.token, nil, nil)
	newest, ok := part(answer, "data", "list").([]any)[0].(map[string]any)
	require.True(t, ok, raw)
	_, money, raw := d.call(t, http.MethodGet, "/client/wallet/findByWalletList", d.token, nil, nil)
	require.Equal(t, "ok", money["code"], raw)
	require.Equal(t, part(money, "data", "accounts").([]any)[0].(map[string]any)["balance"], newest["balanceAfter"], "the newest entry leaves the balance of now")
	for call, field := range map[string]string{
		"trade/findHistoryPage?side=up": "side", "trade/findHistoryPage?closeReason=luck": "closeReason", "trade/findHistoryPage?openedBy=sl": "openedBy",
		"trade/findFillPage?side=": "side", "trade/findFillPage?rule=luck": "rule", "trade/findFillPage?size=101": "size",
		"trade/findOrderPage?side=up": "side", "trade/findOrderPage?type=market": "type", "trade/findOrderPage?status=working": "status",
		"trade/findOrderPage?reason=": "reason", "trade/findOrderPage?size=201": "size",
		"wallet/findLedgerPage?kind=luck": "kind", "wallet/findLedgerPage?size=0": "size",
	} {
		_, answer, raw := d.call(t, http.MethodGet, "/client/"+call, d.token, nil, nil)
		require.Contains(t, answer["fields"], field, "%s: %s", call, raw)
	}
}

// TestPeriodsAreSummedUp asks for the performance and the statement of the demo account.
func TestPeriodsAreSummedUp(t *testing.T) {
	t.Parallel()
	d := newOrderClient(t)
	opened := d.done("insertOrder", `{"productId":201,"side":"buy","lots":"0.01","leverage":20}`)
	d.done("closePosition", fmt.Sprintf(`{"positionId":%v}`, part(opened, "position", "positionId")))
	yesterday, tomorrow := time.Now().Add(-24*time.Hour).UnixMilli(), time.Now().Add(24*time.Hour).UnixMilli()
	period := fmt.Sprintf("?startTime=%d&endTime=%d", yesterday, tomorrow)
	ask := func(call string) (answer map[string]any, raw string) {
		_, answer, raw = d.call(t, http.MethodGet, "/client/"+call, d.token, nil, nil)
		return answer, raw
	}
	answer, raw := ask("trade/findPerformance" + period + "&zone=Asia/Tokyo")
	require.EqualValues(t, 1, part(answer, "data", "total", "trades"), raw)
	require.Len(t, part(answer, "data", "days"), 1, raw)
	answer, raw = ask("trade/findPerformance" + period + "&zone=Asia/Tokyo&productId=202")
	require.EqualValues(t, 0, part(answer, "data", "total", "trades"), raw)
	answer, raw = ask("wallet/findStatement" + period)
	require.Equal(t, "0", part(answer, "data", "opening"), raw)
	require.NotEmpty(t, part(answer, "data", "movements"), raw)

	for call, field := range map[string]string{
		"trade/findPerformance" + period + "&zone=Asia/Atlantis":                                          "zone",
		"trade/findPerformance" + period + "&zone=Local":                                                  "zone",
		"trade/findPerformance" + period + "&zone=UTC&side=up":                                            "side",
		fmt.Sprintf("trade/findPerformance?startTime=%d&endTime=%[1]d&zone=UTC", yesterday):               "endTime",
		fmt.Sprintf("trade/findPerformance?startTime=1&endTime=%d&zone=UTC", tomorrow):                    "endTime",
		fmt.Sprintf("wallet/findStatement?startTime=%d&endTime=%d", tomorrow, yesterday):                  "endTime",
		fmt.Sprintf("wallet/findStatement?startTime=%d&endTime=%d", yesterday-1000*86_400_000, yesterday): "endTime",
	} {
		answer, raw := ask(call)
		require.Contains(t, answer["fields"], field, "%s: %s", call, raw)
	}
}

// TestChargesNameTheirUnit charges a position for a night and an ex-date directly, since no rollover falls into the test.
func TestChargesNameTheirUnit(t *testing.T) {
	t.Parallel()
	d := newOrderClient(t)
	id := part(d.done("insertOrder", `{"productId":201,"side":"buy","lots":"0.01","leverage":20}`), "position", "positionId")
	_, err := d.platform.Database.Pool.Exec(t.Context(), `
		INSERT INTO charges (kind, position_id, account_id, product_id, terms, day, nights, side, lots, rate, amount, created_at, at_ms)
		SELECT kind, id, account_id, product_id, 1, '2026-11-20', 1, side, lots, -3600000, 0, now(), 0 FROM positions, unnest(ARRAY ['swap', 'dividend']) kind WHERE id = $1`, id)
	require.NoError(t, err)
	terms, ok := d.platform.Market.Version(201, 1)
	require.True(t, ok)
	var units []any
	for _, one := range d.done("findChargePage", "")["list"].([]any) {
		units = append(units, part(one.(map[string]any), "unit"))
	}
	require.ElementsMatch(t, []any{string(terms.SwapModel), "dividend"}, units)
	require.Len(t, d.done(fmt.Sprint("findChargePage?positionId=", id), "")["list"], 2)
	require.Empty(t, d.done("findChargePage?positionId=999999", "")["list"])
}
