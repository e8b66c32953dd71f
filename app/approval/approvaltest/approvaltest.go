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
		INSERT INTO approvals (use, subject, trader_id, proposal, note, facts, people, state, requested_by, requested_at)
		VALUES ($1, $2::bigint::text, $3::bigint, jsonb_build_object('trader_id', $3::bigint), '', sha256('shown'), 2, 'requested', $4, now()) RETURNING id`,
		use, subject, traderID, requestedBy).Scan(&id))
	require.NoError(t, q.QueryRow(t.Context(), `UPDATE approvals SET state = 'applied', second_by = $2, second_at = now(), applied_at = now() WHERE id = $1 RETURNING id`, id, secondBy).Scan(&id))
	return id
}
