package controldesk_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
)

// TestTheStartPageWarnsOfAStop: members who work on money see the warning, others don't.
func TestTheStartPageWarnsOfAStop(t *testing.T) {
	t.Parallel()
	h := open(t)
	finance, support := h.SignIn(t, access.FinanceMaker), h.SignIn(t, access.SupportAgent)
	require.NotContains(t, finance.Get("/admin").Body.String(), "Payouts are frozen.")
	h.test.Tamper(t, `INSERT INTO ledger_transactions (kind, key, cause, book, created_at) VALUES ('test', 'k', 'c', 'real', now())`)
	found, err := h.books.Run(t.Context())
	require.NoError(t, err)
	require.NotNil(t, found.Wrong)
	body := finance.Get("/admin").Body.String()
	require.Contains(t, body, "Payouts are frozen.")
	require.Contains(t, body, "The ledger has not balanced since 14:32: ledger_transactions, id 1.")
	require.Contains(t, body, `href="/admin/reconciliation"`)
	require.NotContains(t, support.Get("/admin").Body.String(), "Payouts are frozen.")
}
