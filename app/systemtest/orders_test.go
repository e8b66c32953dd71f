package systemtest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"candor/app/platform/money"
)

// orderClient calls the API as a trader and checks every answer against the contract.
type orderClient struct {
	*apiFixture
	t    *testing.T
	keys int
}

func newOrderClient(t *testing.T) *orderClient {
	t.Helper()
	r := newAPIFixture(t)
	require.Eventually(t, func() bool { _, err := r.platform.Market.Tradable(201); return err == nil }, 10*time.Second, 20*time.Millisecond)
	return &orderClient{apiFixture: r, t: t}
}

// ask makes a call and returns its data, or the code of its refusal.
func (d *orderClient) ask(call, body string) (data map[string]any, code string) {
	d.t.Helper()
	d.keys++
	path, method, sent := "/client/trade/"+call, http.MethodPost, []byte(body)
	if body == "" {
		method, sent = http.MethodGet, nil
	}
	status, answer, raw := d.call(d.t, method, path, d.token, sent, withKey(fmt.Sprint("order-", d.keys)))
	require.Equal(d.t, http.StatusOK, status, raw)
	name, _, _ := strings.Cut(path, "?")
	operation := d.contract.Paths.Value(name).GetOperation(method)
	if answer["code"] == "ok" {
		schema := operation.Responses.Status(http.StatusOK).Value.Content.Get("application/json").Schema.Value
		require.NoError(d.t, schema.VisitJSON(answer, openapi3.MultiErrors()), raw)
	}
	data, _ = answer["data"].(map[string]any)
	code, _ = answer["code"].(string)
	return data, code
}

func (d *orderClient) done(call, body string) map[string]any {
	d.t.Helper()
	data, code := d.ask(call, body)
	require.Equal(d.t, "ok", code, "%s %s", call, body)
	return data
}

// part reads a nested member of an answer.
func part(data map[string]any, path ...string) any {
	var at any = data
	for _, name := range path {
		m, _ := at.(map[string]any)
		at = m[name]
	}
	return at
}

// BTCUSD trades near 92,000, so these pending orders do not trigger.
const (
	buyLimit  = `{"productId":201,"type":"limit","side":"buy","lots":"0.01","leverage":20,"price":"50000","stopLoss":"40000","takeProfit":"60000","timeInForce":"gtc"}`
	sellStop  = `{"productId":201,"type":"stop","side":"sell","lots":"0.01","leverage":20,"price":"50000","timeInForce":"day"}`
	stopLimit = `{"productId":201,"type":"stop_limit","side":"buy","lots":"0.01","leverage":20,"price":"150000","limitPrice":"150100","timeInForce":"gtc"}`
)

func TestPendingOrdersAPI(t *testing.T) {
	t.Parallel()
	d := newOrderClient(t)
	ids := []any{}
	for body, want := range map[string][3]string{buyLimit: {"limit", "working", "gtc"}, sellStop: {"stop", "untriggered", "day"}, stopLimit: {"stop_limit", "untriggered", "gtc"}} {
		placed := d.done("insertPendingOrder", body)
		require.Equal(t, want[:], []string{part(placed, "order", "type").(string), part(placed, "order", "status").(string), part(placed, "order", "timeInForce").(string)})
		require.Nil(t, part(placed, "statistics", "prepaidRatio"), "no margin is held")
		ids = append(ids, part(placed, "order", "orderId"))
	}
	require.Len(t, d.done("findOrderPage?status=waiting", "")["list"], 3)
	for name, body := range map[string]string{
		"order.price_below":  strings.Replace(buyLimit, "50000", "200000", 1),
		"order.price_above":  strings.Replace(stopLimit, "150000", "20000", 1),
		"order.stop_loss":    strings.Replace(buyLimit, "40000", "55000", 1),
		"order.lots":         strings.Replace(buyLimit, "0.01", "0.001", 1),
		"order.leverage":     strings.Replace(buyLimit, `"leverage":20`, `"leverage":21`, 1),
		"product.unknown":    strings.Replace(buyLimit, "201", "9999", 1),
		"error.invalid_type": strings.Replace(buyLimit, `"limit"`, `"market"`, 1),
	} {
		_, code := d.ask("insertPendingOrder", body)
		if name == "error.invalid_type" {
			require.NotEqual(t, "ok", code)
			continue
		}
		require.Equal(t, name, code, body)
	}
	soon := time.Now().Add(time.Hour).UnixMilli()
	revised := d.done("updateOrder", fmt.Sprintf(`{"orderId":%.0f,"price":"51000","limitPrice":null,"timeInForce":"date","expiresAt":%d}`, d.limitID(), soon))
	require.Equal(t, []any{"51000.00", float64(2), float64(soon), nil}, []any{part(revised, "order", "price"), part(revised, "order", "revision"), part(revised, "order", "expiresAt"), part(revised, "order", "stopLoss")})
	_, code := d.ask("updateOrder", fmt.Sprintf(`{"orderId":%.0f,"price":"51000","timeInForce":"date","expiresAt":1}`, d.limitID()))
	require.NotEqual(t, "ok", code, "a date that has passed")
	cancelled := d.done("cancelOrder", fmt.Sprintf(`{"orderId":%.0f}`, ids[0]))
	require.Equal(t, []any{"cancelled", "trader"}, []any{part(cancelled, "order", "status"), part(cancelled, "order", "reason")})
	_, code = d.ask("cancelOrder", fmt.Sprintf(`{"orderId":%.0f}`, ids[0]))
	require.Equal(t, "order.ended", code)
	require.Len(t, d.done("cancelAllOrders", `{"productId":201}`)["orderIds"], 2)
	require.Empty(t, d.done("findOrderPage?status=waiting", "")["list"])
	require.Len(t, d.done("findOrderPage?size=2", "")["list"], 2)
}

func (d *orderClient) limitID() any {
	d.t.Helper()
	for _, one := range d.done("findOrderPage?status=waiting", "")["list"].([]any) {
		if order := one.(map[string]any); order["type"] == "limit" {
			return order["orderId"]
		}
	}
	d.t.Fatal("no limit order waits")
	return nil
}

func TestPairedOrdersAPI(t *testing.T) {
	t.Parallel()
	d := newOrderClient(t)
	pair := d.done("insertOcoOrders", `{"orders":[`+buyLimit+`,`+stopLimit+`]}`)["orders"].([]any)
	first, second := pair[0].(map[string]any), pair[1].(map[string]any)
	require.Equal(t, []any{first["orderId"], first["orderId"]}, []any{first["ocoId"], second["ocoId"]})
	d.done("cancelOrder", fmt.Sprintf(`{"orderId":%.0f}`, second["orderId"]))
	list := d.done("findOrderPage", "")["list"].([]any)
	require.Equal(t, "oco", list[1].(map[string]any)["reason"])
	for _, bad := range []string{`{"orders":[]}`, `{"orders":[` + buyLimit + `]}`, `{"orders":[` + buyLimit + `,` + buyLimit + `,` + buyLimit + `]}`, `{"orders":[` + buyLimit + `,{}]}`} {
		_, code := d.ask("insertOcoOrders", bad)
		require.NotEqual(t, "ok", code, bad)
	}
	require.Len(t, d.done("findOrderPage", "")["list"], 2, "nothing was placed")
}

func TestTrailingStopAPI(t *testing.T) {
	t.Parallel()
	d := newOrderClient(t)
	id := part(d.done("insertOrder", `{"productId":201,"side":"buy","lots":"0.02","leverage":20}`), "position", "positionId")
	level := func(protection string) int64 {
		position := part(d.done("updatePosition", fmt.Sprintf(`{"positionId":%.0f%s}`, id, protection)), "position").(map[string]any)
		text, ok := position["trailingLevel"].(string)
		require.Equal(t, position["trailingStop"] != nil, ok)
		if !ok {
			return 0
		}
		v, err := money.Parse(text, 2)
		require.NoError(t, err)
		return v
	}
	require.Zero(t, level(""), "there is none")
	set := level(`,"trailingStop":"5000"`)
	require.Positive(t, set)
	kept := level(`,"stopLoss":"1.00","trailingStop":"5000"`)
	require.GreaterOrEqual(t, kept, set, "a stop loss beside it does not move it away")
	_, listed, _ := d.call(t, http.MethodGet, "/client/trade/findPositionList", d.token, nil, nil)
	reported, err := money.Parse(listed["data"].([]any)[0].(map[string]any)["trailingLevel"].(string), 2)
	require.NoError(t, err)
	require.GreaterOrEqual(t, reported, kept)
	require.Less(t, level(`,"stopLoss":"1.00","trailingStop":"15000"`), kept, "another distance begins anew")
	require.Zero(t, level(`,"stopLoss":"1.00"`), "it was taken away")
}

func TestBulkCloseAPI(t *testing.T) {
	t.Parallel()
	d := newOrderClient(t)
	open := func(side string) any {
		return part(d.done("insertOrder", fmt.Sprintf(`{"productId":201,"side":%q,"lots":"0.02","leverage":20}`, side)), "position", "positionId")
	}
	long := open("buy")
	trailed := d.done("updatePosition", fmt.Sprintf(`{"positionId":%.0f,"trailingStop":"5000"}`, long))
	require.Equal(t, "5000.00", part(trailed, "position", "trailingStop"))
	_, code := d.ask("updatePosition", fmt.Sprintf(`{"positionId":%.0f,"trailingStop":"900000"}`, long))
	require.Equal(t, "order.trail", code)
	short := open("sell")
	both := d.done("closeByPosition", fmt.Sprintf(`{"positionId":%.0f,"byPositionId":%.0f}`, long, short))
	require.Len(t, both["fills"], 2)
	fill := both["fills"].([]any)[0].(map[string]any)
	require.Equal(t, "close_by", fill["rule"])
	receipt := d.done(fmt.Sprintf("findReceipt?fillId=%.0f", fill["fillId"]), "")
	require.Equal(t, fill["price"], part(receipt, "byFill", "price"))
	_, code = d.ask("closeByPosition", fmt.Sprintf(`{"positionId":%.0f,"byPositionId":%.0f}`, long, short))
	require.Equal(t, "position.unknown", code)
	turned := d.done("reversePosition", fmt.Sprintf(`{"positionId":%.0f}`, open("buy")))
	require.Len(t, turned["fills"], 2)
	_, code = d.ask("closeAllPositions", `{"side":"both"}`)
	require.NotEqual(t, "ok", code)
	_, code = d.ask("closeAllPositions", `{"side":"buy"}`)
	require.Equal(t, "position.nothing_open", code)
	require.Len(t, d.done("closeAllPositions", `{}`)["fills"], 1)
	_, code = d.ask("closeAllPositions", `{}`)
	require.Equal(t, "position.nothing_open", code)
}
