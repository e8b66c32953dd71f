package systemtest

import (
	"encoding/json"
	"net/http"
	"regexp"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"candor/app/server"
	"candor/app/trader"
)

// TestPaymentPasswordAPI sets, changes and resets the payment password through the API; each answer fits the contract and reports the withdrawal lock.
func TestPaymentPasswordAPI(t *testing.T) {
	t.Parallel()
	const login, first, second, third = "correct horse battery", "482915", "739104", "604817"
	r := newAPIFixture(t)
	pool := r.platform.Database.Pool
	hash, err := trader.NewHasher().Hash(t.Context(), trader.Account(1), login)
	require.NoError(t, err)
	_, err = pool.Exec(t.Context(), `UPDATE traders SET password_hash = $1 WHERE email = 'bench0@example.com'`, hash)
	require.NoError(t, err)
	post := func(path string, body map[string]any) map[string]any {
		raw, err := json.Marshal(body)
		require.NoError(t, err)
		_, answer, _ := r.call(t, http.MethodPost, "/client/user/"+path, r.real, raw, nil)
		return answer
	}
	code := func() string {
		_, err := pool.Exec(t.Context(), `UPDATE codes SET created_at = created_at - interval '1 minute'`)
		require.NoError(t, err)
		_, answer, raw := r.call(t, http.MethodPost, "/client/user/sendPaymentPasswordValidCode", r.real, nil, nil)
		require.Equal(t, "ok", answer["code"], raw)
		list, err := server.ReadOutbox(t.Context(), r.platform.Config, r.platform.Database, "")
		require.NoError(t, err)
		return regexp.MustCompile(`\d{6}`).FindString(list[0].Body)
	}
	info := r.contract.Components.Schemas["SecurityInfo"].Value
	requireInfo := func(answer map[string]any, held any) {
		require.Equal(t, "ok", answer["code"], "%v", answer)
		require.NoError(t, info.VisitJSON(answer["data"], openapi3.MultiErrors()))
		data, _ := answer["data"].(map[string]any)
		require.Equal(t, []any{true, "be***0@example.com", held}, []any{data["payPasswordSet"], data["mail"], data["moneyOutHoldReason"]})
	}

	for field, body := range map[string]map[string]any{
		"oldPassword": {"newPassword": first, "validCode": "123456"},
		"password":    {"password": login, "oldPassword": second, "newPassword": first, "validCode": "123456"},
		"newPassword": {"password": login, "newPassword": "123456", "validCode": "123456"},
	} {
		require.Contains(t, post("updatePayPassword", body)["fields"], field)
	}
	require.Equal(t, "payment_password.unset", post("updatePayPassword", map[string]any{"oldPassword": first, "newPassword": second, "validCode": "123456"})["code"])
	require.Equal(t, "login.password_wrong", post("updatePayPassword", map[string]any{"password": "wrong password", "newPassword": first, "validCode": "123456"})["code"])
	require.Equal(t, "code.wrong", post("updatePayPassword", map[string]any{"password": login, "newPassword": first, "validCode": "12345"})["code"])

	draft, err := json.Marshal(map[string]any{"country": "DE", "documentType": "passport", "fullName": "Anna Muster", "number": "C01X00T47", "birthDate": "1985-11-23", "expiryDate": "2031-08-31"})
	require.NoError(t, err)
	_, begun, raw := r.call(t, http.MethodPost, "/client/userAuth/saveDraft", r.real, draft, nil)
	require.Equal(t, "ok", begun["code"], raw)
	_, err = pool.Exec(t.Context(), `
		WITH maker AS (INSERT INTO staff (email, name, state, created_at) VALUES ('maker@example.com', 'Maker', 'active', now()) RETURNING id)
		UPDATE kyc_applications SET state = 'approved', level = 1, attempt = 1, number_hash = number_key, submitted_at = now(), maker_id = maker.id, decided_at = now(), renew_on = now() + interval '1 year' FROM maker`)
	require.NoError(t, err)
	verified := code()
	require.Equal(t, map[string]any{"newPassword": "field.payment_birth"}, post("updatePayPassword", map[string]any{"password": login, "newPassword": "231185", "validCode": verified})["fields"])
	requireInfo(post("updatePayPassword", map[string]any{"password": login, "newPassword": first, "validCode": verified}), nil)
	wrong := post("updatePayPassword", map[string]any{"oldPassword": second, "newPassword": third, "validCode": "123456"})
	require.Equal(t, []any{"payment_password.wrong", map[string]any{"left": "4"}}, []any{wrong["code"], wrong["args"]})
	require.Equal(t, "Wrong payment password. Attempts left: 4.", wrong["enMsg"])
	requireInfo(post("updatePayPassword", map[string]any{"oldPassword": first, "newPassword": second, "validCode": code()}), "payment_password_change")
	requireInfo(post("resetPayPassword", map[string]any{"password": login, "newPassword": third, "validCode": code()}), "payment_password_reset")
	_, answer, _ := r.call(t, http.MethodGet, "/client/user/findSecurityInfo", r.real, nil, nil)
	requireInfo(answer, "payment_password_reset")
	r.requireBrowser(t, "trader.reset_payment_password")
}
