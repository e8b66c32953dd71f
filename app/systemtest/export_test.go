package systemtest

import (
	"encoding/csv"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/ledger"
	"candor/app/platform/db"
	"candor/app/platform/money"
)

// file downloads a list as CSV and returns its rows by column name.
func (r *apiFixture) file(t *testing.T, call, token string) ([]map[string]string, http.Header) {
	t.Helper()
	response := r.send(t, http.MethodGet, "/client/"+call, token, nil, func(q *http.Request) { q.Header.Set("language", "ar") })
	text, header := response.body, response.header
	require.Equal(t, http.StatusOK, response.status, text)
	require.Equal(t, "text/csv; charset=utf-8; header=present", header.Get("Content-Type"), text)
	require.Equal(t, "attachment", header.Get("Content-Disposition"))
	require.Equal(t, "no-store", header.Get("Cache-Control"))
	lines, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	require.NoError(t, err)
	var rows []map[string]string
	for _, line := range lines[1:] {
		row := map[string]string{}
		for i, name := range lines[0] {
			row[name] = line[i]
		}
		rows = append(rows, row)
	}
	return rows, header
}

// stamp formats a time of a JSON answer as the file does.
func stamp(ms any) string {
	return time.UnixMilli(int64(ms.(float64))).UTC().Format("2006-01-02T15:04:05.000Z")
}

// TestFilesSayWhatTheListsSay trades a little and compares each file with the list of the same filter.
func TestFilesSayWhatTheListsSay(t *testing.T) {
	t.Parallel()
	d := newOrderClient(t)
	require.Eventually(t, func() bool { _, err := d.platform.Market.Tradable(202); return err == nil }, 10*time.Second, 20*time.Millisecond)
	for _, side := range []string{"buy", "sell"} {
		opened := d.done("insertOrder", fmt.Sprintf(`{"productId":201,"side":%q,"lots":"0.01","leverage":20}`, side))
		d.done("closePosition", fmt.Sprintf(`{"positionId":%v}`, part(opened, "position", "positionId")))
	}
	d.done("insertOrder", `{"productId":202,"side":"sell","lots":"0.05","leverage":20}`)
	d.done("insertOcoOrders", `{"orders":[`+buyLimit+`,`+stopLimit+`]}`)
	d.done("insertPendingOrder", sellStop)
	d.done("cancelOrder", fmt.Sprintf(`{"orderId":%v}`, part(d.done("insertPendingOrder", buyLimit), "order", "orderId")))
	tomorrow := time.Now().Add(24 * time.Hour).UnixMilli()
	account := fmt.Sprint(d.number(t, `SELECT DISTINCT account_id FROM orders`))
	list := func(call string) []any {
		_, answer, raw := d.call(t, http.MethodGet, "/client/"+call, d.token, nil, nil)
		rows, ok := part(answer, "data", "list").([]any)
		require.True(t, ok, raw)
		return rows
	}
	tests := []struct {
		list, file string
		filters    []string
		row        func(one map[string]any) map[string]string
	}{
		{
			"trade/findHistoryPage", "trade/exportHistory",
			[]string{"", "side=buy", "productId=202", "closeReason=manual", "closeReason=sl", "openedBy=limit", fmt.Sprint("startTime=", tomorrow), fmt.Sprint("endTime=", tomorrow)},
			func(p map[string]any) map[string]string {
				return map[string]string{
					"position": fmt.Sprint(p["positionId"]), "product": "BTCUSD", "side": p["side"].(string), "lots": p["lotsOpened"].(string), "leverage": "20",
					"open_price": p["openPrice"].(string), "close_price": p["price"].(string), "close_reason": p["closeReason"].(string), "profit": p["profit"].(string),
					"commission": p["commission"].(string), "currency": "USDT", "opened_at": stamp(p["openedAt"]), "closed_at": stamp(p["closedAt"]),
				}
			},
		},
		{
			"trade/findFillPage", "trade/exportFills",
			[]string{"", "side=sell", "productId=202", "productId=301", "rule=market", "rule=stop_out", "positionId=1", fmt.Sprint("startTime=", tomorrow)},
			func(f map[string]any) map[string]string {
				return map[string]string{
					"fill": fmt.Sprint(f["fillId"]), "order": fmt.Sprint(f["orderId"]), "position": fmt.Sprint(f["positionId"]),
					"product": map[any]string{201.0: "BTCUSD", 202.0: "ETHUSD"}[f["productId"]], "side": f["side"].(string), "entry": f["entry"].(string), "rule": f["rule"].(string),
					"lots": f["lots"].(string), "price": f["price"].(string), "margin": f["margin"].(string), "profit": f["profit"].(string), "commission": f["commission"].(string),
					"currency": "USDT", "time": stamp(f["time"]), "market_time": stamp(f["marketTime"]),
				}
			},
		},
		{
			"trade/findOrderPage", "trade/exportOrders",
			[]string{
				"", "side=sell", "type=stop_limit", "productId=202", "status=waiting", "status=unfilled", "status=filled", "reason=trader", "reason=no_margin",
				fmt.Sprint("startTime=", tomorrow), fmt.Sprint("endTime=", tomorrow),
			},
			func(o map[string]any) map[string]string {
				text := func(name string) string {
					if o[name] == nil {
						return ""
					}
					return fmt.Sprint(o[name])
				}
				moment := func(name string) string {
					if o[name] == nil {
						return ""
					}
					return stamp(o[name])
				}
				return map[string]string{
					"order": text("orderId"), "product": "BTCUSD", "side": text("side"), "type": text("type"), "lots": text("lots"), "leverage": "20",
					"price": text("price"), "limit_price": text("limitPrice"), "stop_loss": text("stopLoss"), "take_profit": text("takeProfit"),
					"time_in_force": text("timeInForce"), "expires_at": moment("expiresAt"), "status": text("status"), "reason": text("reason"),
					"position": text("positionId"), "pair": text("ocoId"), "placed_at": moment("createdAt"), "ended_at": moment("endedAt"),
				}
			},
		},
		{
			"wallet/findLedgerPage", "wallet/exportLedger",
			[]string{"", "kind=trade_close", "kind=mock_top_up", "kind=deposit", fmt.Sprint("endTime=", tomorrow)},
			func(l map[string]any) map[string]string {
				return map[string]string{
					"entry": fmt.Sprint(l["id"]), "time": stamp(l["time"]), "kind": l["kind"].(string), "cause": l["cause"].(string), "bucket": l["bucket"].(string),
					"amount": l["amount"].(string), "currency": "USDT", "account": account,
				}
			},
		},
	}
	found := 0
	for _, test := range tests {
		for _, filter := range test.filters {
			var want []map[string]string
			for _, one := range list(test.list + "?size=100&" + filter) {
				want = append(want, test.row(one.(map[string]any)))
			}
			got, header := d.file(t, test.file+"?"+filter, d.token)
			require.Equal(t, want, got, "%s %s", test.file, filter)
			require.Empty(t, header.Get("Cut-At"))
			found += len(got)
		}
	}
	require.Greater(t, found, 30)
	for call, field := range map[string]string{"trade/exportHistory?closeReason=luck": "closeReason", "trade/exportFills?rule=luck": "rule", "trade/exportOrders?status=luck": "status", "trade/exportOrders?type=market": "type", "wallet/exportLedger?kind=luck": "kind"} {
		_, answer, raw := d.call(t, http.MethodGet, "/client/"+call, d.token, nil, nil)
		require.Contains(t, answer["fields"], field, raw)
	}
}

// TestFilesOfAnAccountHoldNobodyElses checks with two traders that a file contains only its own account's entries.
func TestFilesOfAnAccountHoldNobodyElses(t *testing.T) {
	t.Parallel()
	d := newOrderClient(t)
	opened := d.done("insertOrder", `{"productId":201,"side":"buy","lots":"0.01","leverage":20}`)
	id := part(opened, "position", "positionId")
	d.done("closePosition", fmt.Sprintf(`{"positionId":%v}`, id))
	d.done("insertPendingOrder", buyLimit)
	for call, own := range map[string]int{"trade/exportHistory": 1, "trade/exportFills": 2, "trade/exportOrders": 1} {
		rows, _ := d.file(t, call, d.token)
		require.Len(t, rows, own)
		rows, _ = d.file(t, call, d.other)
		require.Empty(t, rows, call)
	}
	rows, _ := d.file(t, fmt.Sprint("trade/exportFills?positionId=", id), d.other)
	require.Empty(t, rows, "a foreign position is as one that does not exist")
	rows, _ = d.file(t, "wallet/exportLedger", d.other)
	require.Len(t, rows, 1, "what it began with")
	mine, _ := d.file(t, "wallet/exportLedger", d.token)
	require.NotContains(t, mine, rows[0])
	for _, token := range []string{"", strings.Repeat("x", 43)} {
		response := d.send(t, http.MethodGet, "/client/trade/exportHistory?apptoken="+d.token, token, nil, nil)
		require.Equal(t, http.StatusUnauthorized, response.status, "a token in the address opens nothing")
		require.Contains(t, response.header.Get("Content-Type"), "application/json")
	}
}

// TestALongStatementIsCut posts more entries than a file may contain, some with causes that a spreadsheet would run as formulas.
func TestALongStatementIsCut(t *testing.T) {
	t.Parallel()
	const most = 10_000
	r := newAPIFixture(t)
	book := func(kind, cause string, amounts ...int64) {
		require.NoError(t, r.platform.Database.InTx(t.Context(), func(tx *db.Tx) error {
			account, err := ledger.LockTx(t.Context(), tx, r.otherOwner.AccountID)
			if err != nil {
				return err
			}
			entries, sum := []ledger.Entry{}, int64(0)
			for _, amount := range amounts {
				entries, sum = append(entries, ledger.Entry{AccountID: account.ID, Bucket: ledger.Cash, Amount: amount}), sum+amount
			}
			_, err = ledger.PostTx(t.Context(), tx, ledger.Transaction{
				Kind: kind, Key: cause, Cause: cause, Book: account.Book, At: time.Now(), Entries: append(entries, ledger.Entry{AccountID: 11, Bucket: "house", Amount: -sum}),
			})
			return err
		}))
	}
	many := make([]int64, most)
	for i := range many {
		many[i] = int64(i + 1)
	}
	book("trade_open", "many", many...)
	rows, header := r.file(t, "wallet/exportLedger?kind=trade_open", r.other)
	require.Len(t, rows, most)
	require.Empty(t, header.Get("Cut-At"), "all of them")
	book("trade_close", `=HYPERLINK("https://example.com","x")`, -5*money.Unit/2)
	rows, header = r.file(t, "wallet/exportLedger", r.other)
	require.Len(t, rows, most)
	require.Equal(t, strconv.Itoa(most), header.Get("Cut-At"))
	require.Equal(t, `'=HYPERLINK("https://example.com","x")`, rows[0]["cause"], "text, not a formula")
	require.Equal(t, "-2.5", rows[0]["amount"], "a number")
	require.Equal(t, "0.01", rows[1]["amount"], "newest first")
	ids := map[string]bool{}
	for _, row := range rows {
		ids[row["entry"]] = true
	}
	require.Len(t, ids, most, "no entry twice")
	require.True(t, slices.IsSortedFunc(rows, func(a, b map[string]string) int {
		x, _ := strconv.Atoi(a["entry"])
		y, _ := strconv.Atoi(b["entry"])
		return y - x
	}))
}
