package adjustdesk_test

import (
	"encoding/csv"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
)

// TestTheListAsAFile checks the exported rows, and that the audit log records each export.
func TestTheListAsAFile(t *testing.T) {
	t.Parallel()
	b := setup(t)
	waiting, refused := b.ask("out", "25"), b.ask("in", "10")
	require.Equal(t, http.StatusOK, b.decide(b.checker, refused, "refusal").Code)
	auditor := b.seat("Auditor 01", access.Auditor)
	require.Contains(t, auditor.Get("/admin/adjustments?tab=refused").Body.String(), `href="/admin/adjustments/file?tab=refused"`)
	rows := func(query string) [][]string {
		t.Helper()
		answer := auditor.Get("/admin/adjustments/file" + query)
		require.Equal(t, http.StatusOK, answer.Code, answer.Body.String())
		rows, err := csv.NewReader(strings.NewReader(answer.Body.String())).ReadAll()
		require.NoError(t, err)
		require.Equal(t, "adjustment", rows[0][0])
		return rows[1:]
	}
	list := rows("")
	require.Len(t, list, 1)
	require.Equal(t, []string{waiting.Number(), "-25.000000", "Finance maker 02", ""}, []string{list[0][0], list[0][5], list[0][9], list[0][14]})
	require.Equal(t, []string{"deposit", fmt.Sprint("DP-", b.account.TraderID)}, list[0][7:9])
	list = rows("?tab=refused")
	require.Len(t, list, 1, "narrowed as the list is")
	require.Equal(t, []string{refused.Number(), "10.000000", "Finance checker 01"}, []string{list[0][0], list[0][5], list[0][12]})
	require.NotEmpty(t, list[0][14])
	require.Empty(t, rows("?trader=1"))
	var taken int
	require.NoError(t, b.DB.Pool.QueryRow(t.Context(), `SELECT count(*) FROM audit_entries WHERE action = 'adjustment.export' AND actor_id = $1`, auditor.Person.ID).Scan(&taken))
	require.Equal(t, 3, taken)
	require.Equal(t, http.StatusForbidden, b.seat("Risk 01", access.Risk).Get("/admin/adjustments/file").Code)
}
