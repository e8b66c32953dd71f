package tradedesk_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
)

// TestRelations lists who shares a device with a trader, and records who looked.
func TestRelations(t *testing.T) {
	t.Parallel()
	b := setup(t)
	marta, lena, other := b.register("marta@example.com", "", 0), b.register("lena@example.com", "", 0), b.register("other@example.com", "", 0)
	for _, who := range []someone{marta, lena} {
		b.login(who, "Mozilla/5.0 (X11; Linux x86_64; rv:120.0) Gecko/20100101 Firefox/120.0", "192.0.2.9")
	}
	auditor := b.auditor()
	page := b.page(auditor, path(marta, "relations"))
	require.Contains(t, page, `href="`+path(lena)+`"`)
	require.NotContains(t, page, `href="`+path(other)+`"`)
	for _, want := range []string{"Device", "Medium", "no sealed data is opened"} {
		require.Contains(t, text(page), want)
	}
	require.Contains(t, text(b.page(auditor, path(other, "relations"))), "No other trader shares a device")
	require.Equal(t, int64(1), b.count(`SELECT count(*) FROM audit_entries WHERE action = 'trader.view_relations' AND target_id = $1`, number(marta.TraderID)))

	for _, role := range []access.Role{access.SupportAgent, access.SupportLead} {
		who := b.SignIn(t, role)
		require.Equal(t, http.StatusForbidden, who.Get(path(marta, "relations")).Code, role)
		require.NotContains(t, b.page(who, path(marta)), path(marta, "relations"), role)
	}
}
