package systemtest

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/trader"
)

// TestOnlyDeclaredActsAreAccepted names acts where a code or a confirmation is asked for: the text of an act becomes part of the key of a message.
func TestOnlyDeclaredActsAreAccepted(t *testing.T) {
	t.Parallel()
	r := newAPIFixture(t)
	c := r.customer(t)
	ask := func(path string, body map[string]any) (map[string]any, string) {
		raw, err := json.Marshal(body)
		require.NoError(t, err)
		_, answer, text := r.call(t, http.MethodPost, "/client/"+path, r.real, raw, nil)
		return answer, text
	}
	const security, moneyOut, confirmation, passkey = "user/sendSecurityValidCode", "user/sendMoneyOutValidCode", "userFactor/createConfirmation", "userFactor/createPasskeyConfirmation"

	before := r.rows(t)
	for _, act := range []string{"", " ", "withdraw ", "Change_password", "bogus", "payee_restored", " \r\n\r\nDear customer, confirm at https://candor-security.example/login\r\n"} {
		for _, try := range []struct {
			path string
			body map[string]any
		}{
			{security, map[string]any{"act": act}},
			{moneyOut, map[string]any{"act": act, "payeeId": c.wallet}},
			{confirmation, map[string]any{"act": map[string]any{"security": act}, "code": "123456"}},
			{confirmation, map[string]any{"act": map[string]any{"moneyOut": map[string]any{"act": act, "payeeId": c.wallet}}, "code": "123456"}},
			{passkey, map[string]any{"security": act}},
			{passkey, map[string]any{"moneyOut": map[string]any{"act": act, "payeeId": c.wallet}}},
		} {
			answer, text := ask(try.path, try.body)
			require.Equal(t, "invalid_input", answer["code"], "%s %q: %s", try.path, act, text)
			require.Equal(t, map[string]any{"act": "field.choice"}, answer["fields"], text)
		}
	}
	require.Equal(t, before, r.rows(t), "nothing was sent, counted or locked")

	for _, act := range r.contract.Components.Schemas["SecurityAct"].Value.Enum {
		_, err := trader.ParseSecurityAct(act.(string))
		require.NoError(t, err, "the contract's %s", act)
	}
	for _, act := range r.contract.Components.Schemas["SendMoneyOutValidCode"].Value.Properties["act"].Value.Enum {
		_, err := trader.ParseMoneyOutAct(act.(string))
		require.NoError(t, err, "the contract's %s", act)
	}
	answer, text := ask(security, map[string]any{"act": trader.ChangePassword})
	require.Equal(t, "ok", answer["code"], text)
	answer, text = ask(moneyOut, map[string]any{"act": trader.OnlySaved})
	require.Equal(t, "ok", answer["code"], text)
	require.Equal(t, before["codes"]+2, r.rows(t)["codes"])
}
