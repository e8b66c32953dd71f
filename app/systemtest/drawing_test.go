package systemtest

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/market"
	"candor/app/trader"
)

// TestDrawingsOfATrader saves and reads drawings through the contract: the same on the real and the mock account, of each trader and product alone, and none of a guest.
func TestDrawingsOfATrader(t *testing.T) {
	t.Parallel()
	r := newAPIFixture(t)
	const read, write = "/client/drawing/findDrawingList?productId=201", "/client/drawing/saveDrawings"
	drawings := func(method, path, token, body string) []any {
		t.Helper()
		return r.getData(t, method, path, token, "en", body).(map[string]any)["drawings"].([]any)
	}
	const line = `{"id":"0123456789abcdef0123456789abcdef","tool":"segment","anchors":[{"time":1700000000000,"price":"1.15824"},{"time":1700000900000,"price":"1.16"}],` +
		`"style":{"colour":"#ff8800","width":2,"dash":"dashed","fill":0},"note":"Support","locked":false,"hidden":false,"deleted":false,"changedAt":1700000000000}`
	require.Empty(t, drawings(http.MethodGet, read, r.real, ""))
	saved := drawings(http.MethodPost, write, r.real, `{"productId":201,"drawings":[`+line+`]}`)
	require.Len(t, saved, 1)
	require.Equal(t, "Support", saved[0].(map[string]any)["note"])
	require.Equal(t, map[string]any{"colour": "#ff8800", "width": 2.0, "dash": "dashed", "fill": 0.0}, saved[0].(map[string]any)["style"])
	require.Equal(t, saved, drawings(http.MethodGet, read, r.token, ""), "the mock account of the trader has the same")
	require.Empty(t, drawings(http.MethodGet, read, r.other, ""), "another trader has none")
	require.Empty(t, drawings(http.MethodGet, "/client/drawing/findDrawingList?productId=202", r.real, ""))

	_, answer, raw := r.call(t, http.MethodPost, write, r.real, []byte(`{"productId":9999,"drawings":[]}`), nil)
	require.Equal(t, market.ErrProduct.Key, answer["code"], raw)
	guest := r.guestToken(t, "drawings-0000-0001")
	for method, path := range map[string]string{http.MethodGet: read, http.MethodPost: write} {
		_, answer, raw := r.call(t, method, path, guest, []byte(`{"productId":201,"drawings":[]}`), nil)
		require.Equal(t, trader.ErrGuest.Key, answer["code"], raw)
	}
}
