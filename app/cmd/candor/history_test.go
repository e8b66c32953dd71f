package main

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestListsAreNarrowed asks the lists of history, fills and ledger for one thing each, and for what is not there.
func TestListsAreNarrowed(t *testing.T) {
	t.Parallel()
	d := newOrderDesk(t)
	require.Eventually(t, func() bool { _, err := d.platform.market.Tradable(202); return err == nil }, 10*time.Second, 20*time.Millisecond)
	opened := d.done("insertOrder", `{"productId":201,"side":"buy","lots":"0.01","leverage":20}`)
	d.done("closePosition", fmt.Sprintf(`{"positionId":%v}`, part(opened, "position", "positionId")))
	d.done("insertOrder", `{"productId":202,"side":"sell","lots":"0.01","leverage":20}`)
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
		{"wallet/findLedgerPage?kind=mock_top_up", 1},
		{"wallet/findLedgerPage?kind=deposit", 0},
		{fmt.Sprint("wallet/findLedgerPage?kind=mock_top_up&endTime=", tomorrow), 1},
		{fmt.Sprint("wallet/findLedgerPage?startTime=", tomorrow), 0},
	} {
		_, answer, raw := d.call(t, http.MethodGet, "/client/"+test.call, d.token, nil, nil)
		require.Equal(t, "ok", answer["code"], raw)
		require.Len(t, part(answer, "data", "list"), test.want, "%s: %s", test.call, raw)
	}
	for call, field := range map[string]string{
		"trade/findHistoryPage?side=up": "side", "trade/findHistoryPage?closeReason=luck": "closeReason", "trade/findHistoryPage?openedBy=sl": "openedBy",
		"trade/findFillPage?side=": "side", "trade/findFillPage?rule=luck": "rule", "trade/findFillPage?size=101": "size", "wallet/findLedgerPage?kind=luck": "kind", "wallet/findLedgerPage?size=0": "size",
	} {
		_, answer, raw := d.call(t, http.MethodGet, "/client/"+call, d.token, nil, nil)
		require.Contains(t, answer["fields"], field, "%s: %s", call, raw)
	}
}
