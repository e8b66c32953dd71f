package chatdesk_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/app/ledger"
	"candor/app/platform/db"
	"candor/app/trader"
)

// TestTheContextOfATrader: an agent sees who writes and what they hold, masked and in bands; who may not read a thing sees none of it.
func TestTheContextOfATrader(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.claimed(b.kim, b.ann)
	b.exec(`UPDATE traders SET name = 'Annabel Lee', phone = '+4915112345678' WHERE id = $1`, b.ann.TraderID)
	require.NoError(t, b.DB.InTx(t.Context(), func(tx *db.Tx) error {
		_, err := ledger.OpenTx(t.Context(), tx, b.ann.TraderID, ledger.Real, trader.Ordinary, b.Clock.Now())
		return err
	}))
	b.exec(`INSERT INTO refusals (trader_id, code, call, trace_id, at) VALUES ($1, 'order.no_margin', 'insertOrder', 'abc', $2)`, b.ann.TraderID, b.Clock.Now())
	b.exec(`INSERT INTO trader_notes (trader_id, author_id, text, created_at) VALUES ($1, $2, 'prefers to be called', $3)`, b.ann.TraderID, b.kim.Person.ID, b.Clock.Now().Add(-time.Hour))
	page := b.kim.Get(path(c.ID)).Body.String()
	for _, text := range []string{"Equity", "Open positions", "Pending orders", "prefers to be called", "Recent refusals", "An***e"} {
		require.Contains(t, page, text)
	}
	for _, text := range []string{"Annabel", "15112345", "0.00 USDT"} {
		require.NotContains(t, page, text)
	}
	auditor := b.seat("Auditor 03", access.Auditor).Get(path(c.ID)).Body.String()
	require.NotContains(t, auditor, "prefers to be called", "notes need their own permission")
}
