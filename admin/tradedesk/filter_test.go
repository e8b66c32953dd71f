package tradedesk_test

import (
	"encoding/csv"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/admin/desk/desktest"
	"candor/app/trader"
)

// filteredBundle is a desk with four traders, of whom three are restricted, one of them no longer.
func filteredBundle(t *testing.T) (b *bundle, who [4]someone) {
	t.Helper()
	b = setup(t)
	for i := range who {
		who[i] = b.register(fmt.Sprintf("marta%d@example.com", i), "", 0)
	}
	staff := b.Hire(t, "Compliance lead 09", access.ComplianceLead)
	exec := func(sql string, args ...any) {
		_, err := b.DB.Pool.Exec(t.Context(), sql, args...)
		require.NoError(t, err)
	}
	exec(`UPDATE traders SET auth_status = 3 WHERE id IN ($1, $2)`, who[0].TraderID, who[1].TraderID)
	exec(`UPDATE traders SET auth_status = 1 WHERE id = $1`, who[2].TraderID)
	for i, until := range map[int]*time.Time{1: nil, 2: new(b.Clock.Now().Add(time.Minute)), 3: new(b.Clock.Now().Add(24 * time.Hour))} {
		exec(`INSERT INTO trader_restrictions (trader_id, kind, reason, note, set_by, set_at, until_at) VALUES ($1, 'withdraw', 'other', 'Case', $2, $3, $4)`,
			who[i].TraderID, staff.ID, b.Clock.Now(), until)
	}
	b.Clock.Advance(2 * time.Minute)
	return b, who
}

func TestTheListIsFiltered(t *testing.T) {
	t.Parallel()
	b, who := filteredBundle(t)
	agent := b.agent()
	for query, want := range map[string][]int{
		"": {3, 2, 1, 0}, "verified=passed": {1, 0}, "verified=review": {2}, "verified=none": {3}, "verified=failed": nil,
		"restriction=withdraw": {3, 1}, "restriction=trade": nil, "restriction=withdraw&verified=passed": {1}, "restriction=withdraw&verified=review": nil,
		"verified=x&restriction=y": {3, 2, 1, 0}, "q=marta2@example.com&verified=passed": {2},
	} {
		body := agent.Get("/admin/traders?" + query).Body.String()
		at := -1
		for i := range who {
			require.Equal(t, slices.Contains(want, i), strings.Contains(body, fmt.Sprintf(`id="trader-%d"`, who[i].TraderID)), "%s: %d", query, i)
		}
		for _, i := range want {
			next := strings.Index(body, fmt.Sprintf(`id="trader-%d"`, who[i].TraderID))
			require.Greater(t, next, at, "%s: newest first", query)
			at = next
		}
	}
	body := agent.Get("/admin/traders?restriction=withdraw&verified=passed").Body.String()
	for _, link := range []string{"/admin/traders?restriction=withdraw", "/admin/traders?verified=passed", "/admin/traders"} {
		require.Contains(t, body, `href="`+link+`"`)
	}
	dialog := agent.Part("/admin/traders/filter").Body.String()
	require.Contains(t, dialog, `name="verified"`)
	require.Contains(t, dialog, `name="restriction"`)
	require.Equal(t, http.StatusSeeOther, agent.Get("/admin/traders/filter").Code)

	for _, f := range []trader.ListFilter{{Verified: new(3)}, {Restriction: trader.RestrictWithdraw}} {
		first, next, err := b.traders.Filtered(t.Context(), f, 0, 1)
		require.NoError(t, err)
		require.Len(t, first, 1)
		require.Equal(t, first[0].ID, next)
		second, last, err := b.traders.Filtered(t.Context(), f, next, 1)
		require.NoError(t, err)
		require.Len(t, second, 1)
		require.Less(t, second[0].ID, first[0].ID)
		require.Zero(t, last)
	}
}

func TestTheListAsAFile(t *testing.T) {
	t.Parallel()
	b, who := filteredBundle(t)
	read := func(s *desktest.Browser, query string) [][]string {
		t.Helper()
		answer := s.Get("/admin/traders/file" + query)
		require.Equal(t, http.StatusOK, answer.Code)
		require.NotContains(t, answer.Body.String(), "marta0@example.com")
		require.NotContains(t, answer.Body.String(), "secret-hash")
		table, err := csv.NewReader(answer.Body).ReadAll()
		require.NoError(t, err)
		return table
	}
	for _, role := range []access.Role{access.ComplianceLead, access.Auditor} {
		s := b.SignInAs(t, b.Hire(t, "Takes it away, "+string(role), role))
		require.Contains(t, s.Get("/admin/traders?verified=passed").Body.String(), `href="/admin/traders/file?verified=passed"`)
		table := read(s, "")
		require.Len(t, table, 5)
		require.Equal(t, []string{"trader", fmt.Sprint(who[3].TraderID), "ma•••••3@example.com"}, []string{table[0][0], table[1][0], table[1][1]})
		table = read(s, "?verified=passed&restriction=withdraw")
		require.Len(t, table, 2)
		require.Equal(t, fmt.Sprint(who[1].TraderID), table[1][0])
		require.Len(t, read(s, "?q=marta2@example.com"), 2)
		count := func(words string) (n int) {
			require.NoError(t, b.DB.Pool.QueryRow(t.Context(), `SELECT count(*) FROM audit_entries WHERE action = 'trader.export' AND actor_id = $1 AND after LIKE $2`, s.Person.ID, words).Scan(&n))
			return n
		}
		require.Equal(t, 3, count("%"), "each file is written down")
		require.Equal(t, 1, count("%passed%"))
		require.Zero(t, count("%marta2%"), "a contact is in no log")
	}
	for _, role := range []access.Role{access.SupportAgent, access.SupportLead, access.Risk, access.FinanceLead, access.ComplianceReviewer} {
		s := b.SignInAs(t, b.Hire(t, "Looks only, "+string(role), role))
		require.Equal(t, http.StatusForbidden, s.Get("/admin/traders/file").Code, role)
		require.NotContains(t, s.Get("/admin/traders").Body.String(), "/admin/traders/file", role)
	}
}
