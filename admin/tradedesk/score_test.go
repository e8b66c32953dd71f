package tradedesk_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"candor/admin/tradedesk"
	"candor/app/trading/engine"
)

// TestTheScoreIsShownAndNothingMore shows the last computed score; opening the page computes none.
func TestTheScoreIsShownAndNothingMore(t *testing.T) {
	t.Parallel()
	b := setup(t)
	marta := b.register("marta@example.com", "", 0)
	agent := b.agent()
	require.NotContains(t, b.page(agent, path(marta)), "Credit score")
	_, err := b.scores.Latest(t.Context(), marta.TraderID)
	require.Error(t, err, "looking computes nothing")

	_, err = b.scores.Of(t.Context(), marta.TraderID)
	require.NoError(t, err)
	page := b.page(agent, path(marta))
	for _, want := range []string{"Credit score", "500 · Fair", "rules version 1", "not a credit bureau’s", "Margin calls in 12 months", "−160 … 0", "0 … +120"} {
		require.Contains(t, page, want)
	}
	for _, r := range tradedesk.Routes(tradedesk.Services{Trading: &engine.Service{}}) {
		require.NotContains(t, r.Path, "score", "no route is about the score")
	}
}
