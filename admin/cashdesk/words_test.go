package cashdesk

import (
	"encoding/json"
	"io/fs"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/deposit"
	"candor/locales"
)

// TestEveryActAndStateIsTold checks that every audited act has a step and a text, and every state of the lifecycle a chip.
func TestEveryActAndStateIsTold(t *testing.T) {
	t.Parallel()
	raw, err := fs.ReadFile(locales.Backoffice(), "en/backoffice.json")
	require.NoError(t, err)
	texts := map[string]string{}
	require.NoError(t, json.Unmarshal(raw, &texts))
	count := 0
	for key := range texts {
		act, ok := strings.CutPrefix(key, "audit.deposit.")
		if !ok || act == "export" || act == "address" { // these concern a list or a trader, not one deposit
			continue
		}
		count++
		require.Contains(t, steps, act)
		require.Contains(t, texts, "deposit.event."+act)
	}
	require.Greater(t, count, 20)
	for _, kind := range []deposit.Kind{deposit.ByBank, deposit.ThirdParty, deposit.OTC, deposit.Crypto} {
		for state, next := range deposit.Moves(kind) {
			for _, one := range append(next, state) {
				require.Contains(t, looks, one)
				require.Contains(t, texts, "deposit.chip."+string(one))
			}
		}
	}
}
