package controldesk_test

import (
	"encoding/csv"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/app/audit"
)

// TestTheLogAsAFile exports the filtered log: each export is recorded, and no cell can be a formula.
func TestTheLogAsAFile(t *testing.T) {
	t.Parallel()
	h := open(t)
	note := func(ip, name, action string) {
		entry := audit.By(audit.Actor{Kind: audit.Trader, ID: 7, Name: name, IP: ip, Agent: "=browser()"}, h.Clock.Now(), action, "deposit", 50001)
		require.NoError(t, h.log.Record(t.Context(), entry))
	}
	note("203.0.113.7", "=cmd()", "deposit.request")
	note("198.51.100.1", "m***a", "deposit.prove")
	auditor := h.SignIn(t, access.Auditor)
	file := func(query string) [][]string {
		answer := auditor.Get("/admin/audit/file" + query)
		require.Equal(t, http.StatusOK, answer.Code, answer.Body.String())
		require.Contains(t, answer.Header().Get("Content-Disposition"), `filename="audit-2026-11-20-1432.csv"`)
		rows, err := csv.NewReader(strings.NewReader(answer.Body.String())).ReadAll()
		require.NoError(t, err)
		return rows
	}
	rows := file("?ip=203.0.113.7")
	require.Len(t, rows, 2)
	require.Equal(t, []string{"'=cmd()", "deposit.request", "203.0.113.7"}, []string{rows[1][4], rows[1][5], rows[1][9]})
	require.Equal(t, "2026-11-20T14:32:00.000Z", rows[1][1])
	require.Equal(t, []string{"", "'=browser()"}, rows[1][13:])
	require.Len(t, file("?area=deposit"), 3)
	require.Len(t, file("?area=deposit&ip=192.0.2.1"), 1, "the head alone")
	taken := file("?area=audit")
	require.Len(t, taken, 4, "every file was written down before its rows were read again")
	require.Contains(t, taken[3][12], `"ip":"203.0.113.7"`)
	require.Equal(t, "auditor", taken[3][13], "as what it was taken")
	page := auditor.Get("/admin/audit?ip=203.0.113.7").Body.String()
	require.Contains(t, page, `href="/admin/audit/file?ip=203.0.113.7"`)
	require.NotContains(t, page, "m***a")
	lead := h.SignIn(t, access.FinanceLead)
	require.NotContains(t, lead.Get("/admin/audit").Body.String(), "/admin/audit/file")
	require.Equal(t, http.StatusForbidden, lead.Get("/admin/audit/file").Code)
}
