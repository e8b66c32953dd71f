package kycdesk_test

import (
	"encoding/csv"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
)

// TestTheQueueAsAFile checks the exported rows, that none has a text that a trader typed, and that the audit log records the export.
func TestTheQueueAsAFile(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := b.waiting()
	b.Clock.Advance(time.Minute)
	second := b.risky()
	reviewer, auditor := b.reviewer("Compliance reviewer 04"), b.seat("Auditor 01", access.Auditor)
	reviewer.claimed(second)
	require.Contains(t, auditor.Get("/admin/identity?risk=some").Body.String(), `href="/admin/identity/file?risk=some"`)
	rows := func(query string) [][]string {
		t.Helper()
		answer := auditor.Get("/admin/identity/file" + query)
		require.Equal(t, http.StatusOK, answer.Code, answer.Body.String())
		for _, secret := range []string{"Erika", "C01X", "1990-05-17", "2031-08-31"} {
			require.NotContains(t, answer.Body.String(), secret)
		}
		rows, err := csv.NewReader(strings.NewReader(answer.Body.String())).ReadAll()
		require.NoError(t, err)
		require.Equal(t, "case", rows[0][0])
		return rows[1:]
	}
	list := rows("")
	require.Len(t, list, 2)
	require.Equal(t, []string{first.Number(), "submitted", "", second.Number(), "in_review", "Compliance reviewer 04"},
		[]string{list[0][0], list[0][1], list[0][8], list[1][0], list[1][1], list[1][8]})
	require.Contains(t, list[1][6], "country_differs")
	require.Len(t, rows("?risk=some"), 1, "narrowed as the queue is")
	decided := b.approved(reviewer)
	list = rows("?tab=approved")
	require.Len(t, list, 1, "the decided ones too")
	require.Equal(t, []string{decided.Number(), "Compliance reviewer 04"}, []string{list[0][0], list[0][9]})
	require.NotEmpty(t, list[0][13], "when it was decided")
	require.EqualValues(t, 3, b.count(`SELECT count(*) FROM audit_entries WHERE action = 'kyc.export' AND actor_id = $1`, auditor.Person.ID))
	require.NotContains(t, reviewer.Get("/admin/identity").Body.String(), "/admin/identity/file", "who decides takes nothing away")
	require.Equal(t, http.StatusForbidden, reviewer.Get("/admin/identity/file").Code)
}
