package systemtest

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/trader"
)

// TestPreferencesOfATrader saves and reads preferences through the contract: the same on the real and the mock account, of each trader alone, and none of a guest.
func TestPreferencesOfATrader(t *testing.T) {
	t.Parallel()
	r := newAPIFixture(t)
	const read, write = "/client/user/getPreferences", "/client/user/savePreferences"
	fields := func(method, path, token, body string) []any {
		t.Helper()
		return r.getData(t, method, path, token, "en", body).(map[string]any)["fields"].([]any)
	}
	require.Empty(t, fields(http.MethodGet, read, r.real, ""))
	want := []any{
		map[string]any{"name": "defaultLots", "value": map[string]any{"201": "0.5"}, "changedAt": 1_700_000_000_001.0},
		map[string]any{"name": "theme", "value": "dark", "changedAt": 1_700_000_000_000.0},
	}
	require.Equal(t, want, fields(http.MethodPost, write, r.real, `{"fields":[{"name":"theme","value":"dark","changedAt":1700000000000},{"name":"defaultLots","value":{"201":"0.5"},"changedAt":1700000000001}]}`))
	require.Equal(t, want, fields(http.MethodGet, read, r.token, ""), "the mock account of the trader has the same")
	require.Equal(t, want, fields(http.MethodPost, write, r.token, `{"fields":[{"name":"theme","value":"light","changedAt":1699999999999}]}`), "an older change is not stored")
	require.Empty(t, fields(http.MethodGet, read, r.other, ""), "another trader has none")

	ahead := fields(http.MethodPost, write, r.real, `{"fields":[{"name":"theme","value":"light","changedAt":9000000000000000}]}`)[1].(map[string]any)
	require.Equal(t, "light", ahead["value"])
	require.LessOrEqual(t, ahead["changedAt"], float64(time.Now().UnixMilli()), "a device whose clock is ahead has no future")

	for body, field := range map[string]string{
		`{"fields":[{"name":"balance","value":"1","changedAt":1}]}`:                                                                  "name",
		`{"fields":[{"name":"theme","value":"blue","changedAt":1}]}`:                                                                 "theme",
		`{"fields":[{"name":"theme","changedAt":1}]}`:                                                                                "theme",
		`{"fields":[{"name":"theme","value":"dark","changedAt":-1}]}`:                                                                "changedAt",
		`{"fields":[{"name":"theme","value":"dark","changedAt":1},{"name":"theme","value":"light","changedAt":1}]}`:                  "name",
		`{"fields":[{"name":"orderSounds","value":true,"changedAt":9000000000000000},{"name":"hideSmall","value":1,"changedAt":1}]}`: "hideSmall",
	} {
		_, answer, raw := r.call(t, http.MethodPost, write, r.real, []byte(body), nil)
		require.Equal(t, "invalid_input", answer["code"], raw)
		require.Contains(t, answer["fields"], field, raw)
	}
	require.Len(t, fields(http.MethodGet, read, r.real, ""), 2, "what is refused stores nothing")

	guest := r.guestToken(t, "preferences-0000-0001")
	for method, path := range map[string]string{http.MethodGet: read, http.MethodPost: write} {
		_, answer, raw := r.call(t, method, path, guest, []byte(`{"fields":[]}`), nil)
		require.Equal(t, trader.ErrGuest.Key, answer["code"], raw)
	}
}
