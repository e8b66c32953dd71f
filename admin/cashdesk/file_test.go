package cashdesk_test

import (
	"encoding/csv"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/admin/desk/desktest"
)

// TestTheQueueAsAFile checks the exported rows, and that the audit log records the export.
func TestTheQueueAsAFile(t *testing.T) {
	t.Parallel()
	b := setup(t)
	waiting := b.waiting(500)
	auditor := b.SignIn(t, access.Auditor)
	require.Contains(t, auditor.Get("/admin/deposits").Body.String(), `href="/admin/deposits/file"`)
	answer := auditor.Get("/admin/deposits/file")
	require.Equal(t, http.StatusOK, answer.Code, answer.Body.String())
	rows, err := csv.NewReader(strings.NewReader(answer.Body.String())).ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, 2)
	require.Equal(t, []string{"deposit", waiting.Number(), "500.000000"}, []string{rows[0][0], rows[1][0], rows[1][5]})
	filtered := func(query string) []string {
		t.Helper()
		answer := auditor.Get("/admin/deposits/file?" + query)
		require.Equal(t, http.StatusOK, answer.Code)
		rows, err := csv.NewReader(strings.NewReader(answer.Body.String())).ReadAll()
		require.NoError(t, err)
		var numbers []string
		for _, row := range rows[1:] {
			numbers = append(numbers, row[0])
		}
		return numbers
	}
	require.Equal(t, []string{waiting.Number()}, filtered("tab=bank"))
	require.Empty(t, filtered("tab=otc"), "the file is narrowed as the list is")
	require.Empty(t, filtered("tab=ended"))
	var how string
	require.NoError(t, b.DB.Pool.QueryRow(t.Context(), `SELECT after FROM audit_entries WHERE action = 'deposit.export' ORDER BY id DESC LIMIT 1`).Scan(&how))
	require.Regexp(t, `"tab": ?"ended"`, how)
	var taken int
	require.NoError(t, b.DB.Pool.QueryRow(t.Context(), `SELECT count(*) FROM audit_entries WHERE action = 'deposit.export' AND actor_id = $1`, auditor.Person.ID).Scan(&taken))
	require.Equal(t, 4, taken)
	risk := b.SignIn(t, access.Risk)
	require.NotContains(t, risk.Get("/admin/deposits").Body.String(), "/admin/deposits/file", "who looks takes nothing away")
	for _, other := range []*desktest.Browser{risk, b.SignIn(t, access.SupportAgent)} {
		require.Equal(t, http.StatusForbidden, other.Get("/admin/deposits/file").Code)
	}
}
