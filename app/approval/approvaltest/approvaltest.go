// Package approvaltest gives tests approvals without their requests.
package approvaltest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/platform/db"
)

// Applied is an approval in effect that two people gave to something about a trader; it returns the approval's id.
func Applied(t testing.TB, q db.Querier, use string, subject, traderID, requestedBy, secondBy int64) (id int64) {
	t.Helper()
	require.NoError(t, q.QueryRow(t.Context(), `
		INSERT INTO approvals (use, subject, trader_id, proposal, note, facts, people, state, requested_by, requested_at, second_by, second_at, applied_at)
		VALUES ($1, $2::bigint::text, $3, '{}', '', sha256('shown'), 2, 'applied', $4, now(), $5, now(), now()) RETURNING id`,
		use, subject, traderID, requestedBy, secondBy).Scan(&id))
	return id
}
