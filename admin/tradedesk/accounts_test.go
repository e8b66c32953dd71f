package tradedesk_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/ledger"
	"candor/app/platform/db"
	"candor/app/trader"
)

// TestEveryAccountIsNamedAndReachable: staff see the number, the name and the rules of each account, and its orders and entries.
func TestEveryAccountIsNamedAndReachable(t *testing.T) {
	t.Parallel()
	b := setup(t)
	who := b.register("anna@example.com", "", 0)
	var second ledger.Account
	require.NoError(t, b.DB.InTx(t.Context(), func(tx *db.Tx) (err error) {
		second, err = ledger.OpenAnotherTx(t.Context(), tx, ledger.Another{
			TraderID: who.TraderID, Book: ledger.Real, Type: trader.Ordinary, Name: "Swing <b>", LeverageCeiling: 50, Netting: true,
		}, b.Clock.Now())
		return err
	}))
	agent := b.agent()
	overview := agent.Get(path(who)).Body.String()
	for _, want := range []string{fmt.Sprint(second.ID), "Real 2 · \u2068Swing &lt;b&gt;\u2069", "Up to 1:50 · Netting"} {
		require.Contains(t, overview, want)
	}
	for _, tab := range []string{"/orders", "/funds"} {
		body := agent.Get(path(who) + tab).Body.String()
		require.Contains(t, body, fmt.Sprintf("Real 2 · \u2068Swing &lt;b&gt;\u2069 · %d", second.ID), tab)
		require.Contains(t, body, fmt.Sprintf("Real %d", who.real.ID), "the main account as ever")
		page := agent.Get(fmt.Sprintf("%s%s?account=%d", path(who), tab, second.ID))
		require.Equal(t, http.StatusOK, page.Code, tab)
	}
	other := b.register("other@example.com", "", 0)
	require.NotContains(t, agent.Get(fmt.Sprintf("%s/funds?account=%d", path(other), second.ID)).Body.String(), "Swing", "not through another trader")
}
