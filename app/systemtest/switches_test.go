package systemtest

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/approval"
	"candor/app/audit"
	"candor/app/switches"
)

// flip puts another value of a key in force, with two people where the key requires them.
func (r *apiFixture) flip(t *testing.T, people [2]audit.Actor, key, value string) {
	t.Helper()
	changes := r.platform.Services.Switches
	w := switches.ChangeInput{Value: value, Reason: "a test of its effect", Zone: "UTC"}
	c, err := changes.Preview(key, w)
	require.NoError(t, err, "%s = %s", key, value)
	c, err = changes.Ask(t.Context(), people[0], key, c.BaseVersion, w)
	require.NoError(t, err, "%s = %s", key, value)
	if c.State() == approval.Requested {
		_, err = changes.Approve(t.Context(), people[1], c.ID, c.Version, key)
		require.NoError(t, err)
	}
}

func (r *apiFixture) deciders(t *testing.T) (people [2]audit.Actor) {
	t.Helper()
	for i, name := range []string{"author", "approver"} {
		id := r.number(t, `INSERT INTO staff (email, name, state, created_at) VALUES ($1 || '@house.example', $1, 'invited', now()) RETURNING id`, name)
		people[i] = audit.Actor{Kind: audit.Staff, ID: id, Name: name}
	}
	return people
}

// another is a valid value of a key that differs from the default and contradicts no other key.
func another(d switches.Definition) string {
	switch d.Type {
	case switches.Bool:
		return map[string]string{"true": "false", "false": "true"}[d.Default]
	case switches.Enum:
		return "2"
	case switches.Moment:
		return "2026-11-22T09:00:00Z"
	case switches.Countries:
		return "IR,KP"
	case switches.Decimal, switches.Int, switches.Text:
	}
	return map[string]string{
		switches.RechargeMaxKey: "900000", switches.WithdrawMaxKey: "900000", switches.WithdrawMonthKey(1): "90000", switches.WithdrawMonthKey(2): "900000",
		switches.WithdrawDayKey(1): "9000", switches.WithdrawDayKey(2): "90000", switches.AdjustMaxKey: "40000",
	}[d.Key]
}

// TestEverySwitchReachesTheApp flips each key that may be flipped and reads it as the app does; keys that are not public cannot be read.
func TestEverySwitchReachesTheApp(t *testing.T) {
	t.Parallel()
	r := newAPIFixture(t)
	people := r.deciders(t)
	for _, d := range switches.Definitions {
		if d.Risk == switches.Locked || d.Key == switches.MaintenanceKey {
			continue
		}
		value := another(d)
		if value == "" {
			value = "7"
		}
		r.flip(t, people, d.Key, value)
		status, answer, raw := r.call(t, http.MethodGet, "/client/api/findConfigByKey?key="+d.Key, "", nil, nil)
		if !d.Public {
			require.Equal(t, "switch.unknown", answer["code"], raw)
			continue
		}
		require.Equal(t, http.StatusOK, status, raw)
		require.Equal(t, value, answer["data"].(map[string]any)["value"], "%s: %s", d.Key, raw)
	}
}

// TestWhatIsOffIsOffOnTheServerToo makes the call that a switch closes, before and after.
func TestWhatIsOffIsOffOnTheServerToo(t *testing.T) {
	t.Parallel()
	r := newAPIFixture(t)
	people := r.deciders(t)
	code := func(method, path, token string, body []byte) string {
		_, answer, raw := r.call(t, method, path, token, body, nil)
		text, _ := answer["code"].(string)
		require.NotEmpty(t, text, raw)
		return text
	}
	off := []string{"module_disabled", "wallet.off"} // the wallet names the closed part
	for key, ask := range map[string]func() string{
		switches.AddressKey: func() string { return code(http.MethodGet, "/client/userAddress/findUserAddressList", r.real, nil) },
		switches.ExchangeKey: func() string {
			return code(http.MethodGet, "/client/wallet/findNewWalletExchange?from=USDT&to=USD&amount=5", r.real, nil)
		},
	} {
		require.NotContains(t, off, ask(), key)
		r.flip(t, people, key, "false")
		require.Contains(t, off, ask(), key)
	}
	r.flip(t, people, switches.DemoKey, "false")
	mock := func() string { return code(http.MethodGet, "/client/copy/switchUser?accountType=5", r.real, nil) }
	require.Equal(t, "module_disabled", mock())
	r.flip(t, people, switches.DemoKey, "true")
	require.Equal(t, "ok", mock())
	banners := func() int {
		_, answer, _ := r.call(t, http.MethodGet, "/client/api/findByBannerList", "", nil, nil)
		list, _ := answer["data"].([]any)
		return len(list)
	}
	require.Positive(t, banners())
	r.flip(t, people, switches.BannersKey, "false")
	require.Zero(t, banners())
}

// TestMaintenanceKeepsTradersOut turns maintenance on and off; the calls that report it are answered throughout.
func TestMaintenanceKeepsTradersOut(t *testing.T) {
	t.Parallel()
	r := newAPIFixture(t)
	people := r.deciders(t)
	user := func() (int, map[string]any) {
		status, answer, _ := r.call(t, http.MethodGet, "/client/user/findUserInfo", r.real, nil, nil)
		return status, answer
	}
	status, _ := user()
	require.Equal(t, http.StatusOK, status)
	until := time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)
	r.flip(t, people, switches.MaintenanceEndKey, until.Format(time.RFC3339))
	r.flip(t, people, switches.MaintenanceKey, "true")
	status, answer := user()
	require.Equal(t, []any{http.StatusServiceUnavailable, "platform.maintenance"}, []any{status, answer["code"]})
	_, answer, raw := r.call(t, http.MethodGet, "/client/common/platformRunningStatus", "", nil, nil)
	require.Equal(t, "platform.maintenance", answer["code"], raw)
	require.Equal(t, "1795338000000", answer["args"].(map[string]any)["until"])
	status, _, _ = r.call(t, http.MethodGet, "/client/config/findFrontConfigList", "", nil, nil)
	require.Equal(t, http.StatusOK, status)
	r.requireOnlyTheChat(t)
	r.flip(t, people, switches.MaintenanceKey, "false")
	status, _ = user()
	require.Equal(t, http.StatusOK, status)
}

// requireOnlyTheChat makes every call during maintenance: only the chat and the calls that report maintenance are answered.
func (r *apiFixture) requireOnlyTheChat(t *testing.T) {
	t.Helper()
	passing := map[string]bool{
		"/client/common/platformRunningStatus": true, "/client/api/findConfigByKey": true, "/client/config/findFrontConfigList": true,
		"/client/globalLanguage/findGlobalInfoByType": true, "/ws/user/plus": true,
	}
	for _, o := range r.operations() {
		_, answer, raw := r.call(t, o.method, o.path+queries[o.path], r.sessionFor(o.path), []byte(`{}`), withKey("maintenance"))
		if passing[o.path] || strings.HasPrefix(o.path, "/kefu/") {
			through := answer["code"] != "platform.maintenance" || o.path == "/client/common/platformRunningStatus"
			require.True(t, through, "%s: %s", o.path, raw)
			continue
		}
		require.Equal(t, "platform.maintenance", answer["code"], "%s: %s", o.path, raw)
	}
}

// TestTradersAskDuringMaintenance checks that a trader's message is stored and reaches the trader's socket during maintenance.
func TestTradersAskDuringMaintenance(t *testing.T) {
	t.Parallel()
	r := newAPIFixture(t)
	people := r.deciders(t)
	r.flip(t, people, switches.MaintenanceKey, "true")
	ws := r.dial(t, r.origin())
	send(t, ws, 15, map[string]any{"token": r.real, "userId": r.traderID(t)})
	send(t, ws, 1, map[string]any{})
	await(t, ws, 1) // the socket is authenticated by now
	r.must(t, r.real, "/kefu/kefuApi/insertMessage", validBodies["InsertMessage"], "")
	require.Contains(t, string(await(t, ws, 9).Data), "Where is my withdrawal?")
	_, answer, raw := r.call(t, http.MethodGet, "/kefu/kefuApi/findMessageList", r.real, nil, nil)
	require.Equal(t, "ok", answer["code"], raw)
	require.Contains(t, raw, "Where is my withdrawal?")
}
