package ledgerdesk_test

import (
	"fmt"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/app/platform/money"
)

func TestThePageSaysWhetherMoneyGoesOut(t *testing.T) {
	t.Parallel()
	b := setup(t)
	looker := b.seat("Auditor 01", access.Auditor)
	require.Contains(t, b.body(looker), "No check has run yet.")
	b.prove()
	body := b.body(looker)
	require.Contains(t, body, "Payouts are running.")
	require.Contains(t, body, "The last ledger check, at 14:33, found no differences.")
	require.NotContains(t, body, "Check now", "an auditor looks")
	require.NotContains(t, body, `class="cnt hot"`)

	b.stop()
	body = b.body(looker)
	require.Contains(t, body, "Payouts are frozen.")
	require.Contains(t, body, fmt.Sprintf("accounts id %d", b.account.ID))
	require.Contains(t, body, "holds 1000.000001 but its postings sum to 1000 USDT")
	b.Clock.Advance(time.Minute)
	require.Contains(t, b.body(looker), `class="cnt hot"`, "the navigation says so too")
}

// TestClientMoneyIsCompared shows what traders are owed beside what the bank has, to those who may see statements.
func TestClientMoneyIsCompared(t *testing.T) {
	t.Parallel()
	b := setup(t)
	lead := b.seat("Finance lead 01", access.FinanceLead)
	body := b.body(lead)
	require.Contains(t, body, "1 account without a statement")
	require.NotContains(t, body, "Shortfall", "nobody knows yet")
	closing := func(dollars int64) string {
		t.Helper()
		_, err := b.DB.Pool.Exec(t.Context(), `INSERT INTO bank_statements (account_id, sha256, format, number, first_day, last_day, opening, closing, gap, imported_by, imported_at)
			SELECT 1, sha256($1::text::bytea), 'mt940', $1::text, '2026-11-20', '2026-11-20', $2::bigint, $2, false, min(id), now() FROM staff`, fmt.Sprint(dollars), dollars*money.Unit)
		require.NoError(t, err)
		return b.body(lead)
	}
	body = closing(1)
	require.Contains(t, body, "Shortfall")
	require.Contains(t, body, "−999.00")
	require.NotContains(t, b.body(b.seat("Compliance lead 01", access.ComplianceLead)), "Client money", "who sees no statements sees no sums")
}

func TestTheListTurnsPages(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for range 31 {
		b.prove()
	}
	looker := b.seat("Auditor 01", access.Auditor)
	require.Contains(t, b.body(looker), `href="/admin/reconciliation?before=2"`)
	older := looker.Get("/admin/reconciliation?before=2").Body.String()
	require.Contains(t, older, `<td class="id">1</td>`)
	require.NotContains(t, older, `<td class="id">2</td>`)
	require.Contains(t, older, "Newest")
	require.Equal(t, http.StatusOK, looker.Get("/admin/reconciliation?before=x").Code)
}

func TestProveNow(t *testing.T) {
	t.Parallel()
	b := setup(t)
	maker := b.seat("Finance maker 02", access.FinanceMaker)
	answer := maker.Send("/admin/reconciliation/runs", nil)
	require.Equal(t, http.StatusOK, answer.Code, answer.Body.String())
	require.Regexp(t, `Checked 2 postings in \d+ ms. No differences`, answer.Body.String())
	b.shift(1)
	answer = maker.Send("/admin/reconciliation/runs", nil)
	require.Contains(t, answer.Body.String(), fmt.Sprintf("Difference found: accounts, id %d. Payouts are frozen.", b.account.ID))
	require.True(t, b.stopped())
	for _, role := range []access.Role{access.Auditor, access.ComplianceLead, access.SuperAdmin} {
		require.Equal(t, http.StatusForbidden, b.seat("Other", role).Send("/admin/reconciliation/runs", nil).Code, role)
	}
}

func TestAStopEnds(t *testing.T) {
	t.Parallel()
	b := setup(t)
	maker, checker, lead := b.seat("Finance maker 02", access.FinanceMaker), b.seat("Finance checker 01", access.FinanceChecker), b.seat("Finance lead 01", access.FinanceLead)
	stop := b.stop()
	answer := checker.Send(path(stop, "request"), nil)
	require.Equal(t, http.StatusConflict, answer.Code)
	require.Contains(t, answer.Body.String(), "The last check still failed")
	b.prove()
	require.Contains(t, b.body(checker), path(stop, "request"))
	require.NotContains(t, b.body(maker), path(stop, "request"), "a maker has no part in it")
	require.Equal(t, http.StatusForbidden, maker.Send(path(stop, "request"), nil).Code)
	require.Equal(t, http.StatusConflict, lead.Send(path(stop, "end"), nil).Code, "nobody has asked")

	dialog := checker.Part(path(stop, "request"))
	require.Equal(t, http.StatusOK, dialog.Code)
	require.Contains(t, dialog.Body.String(), "holds 1000.000001")
	require.Contains(t, checker.Send(path(stop, "request"), nil).Body.String(), "Requested. Another person must approve it.")
	require.Equal(t, http.StatusForbidden, checker.Send(path(stop, "end"), nil).Code, "a checker does not agree")
	require.Contains(t, b.body(checker), "Only the finance lead can approve this.")
	require.True(t, b.stopped())
	require.Equal(t, http.StatusOK, lead.Part(path(stop, "end")).Code)
	require.Contains(t, lead.Send(path(stop, "end"), nil).Body.String(), "Payouts are running again.")
	require.False(t, b.stopped())
	body := b.body(lead)
	require.Contains(t, body, "Finance checker 01")
	require.Contains(t, body, "Ended")
	require.Equal(t, http.StatusNotFound, lead.Send(path(stop, "end"), nil).Code)
	require.Equal(t, http.StatusNotFound, lead.Part(path(stop, "end")).Code)
	require.Equal(t, http.StatusSeeOther, lead.Get(path(stop, "end")).Code, "without the script the page is shown")
}

func TestNobodyEndsAStopAlone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	lead, other := b.seat("Finance lead 01", access.FinanceLead), b.seat("Finance lead 02", access.FinanceLead)
	stop := b.stop()
	b.prove()
	require.Equal(t, http.StatusOK, lead.Send(path(stop, "request"), nil).Code)
	answer := lead.Send(path(stop, "end"), nil)
	require.Equal(t, http.StatusForbidden, answer.Code)
	require.Contains(t, answer.Body.String(), "You requested it, so another person must approve it.")
	require.Contains(t, b.body(lead), "You requested it, so another person must approve it.", "the button is locked with the reason")
	require.True(t, b.stopped())
	b.shift(1)
	b.prove()
	b.shift(-1)
	require.Equal(t, http.StatusConflict, other.Send(path(stop, "end"), nil).Code, "it is wrong again")
	b.prove()
	require.Equal(t, http.StatusConflict, other.Send(path(stop, "end"), nil).Code, "what was asked is void")
	require.Equal(t, http.StatusOK, lead.Send(path(stop, "request"), nil).Code)
	require.Equal(t, http.StatusOK, other.Send(path(stop, "end"), nil).Code)
	require.False(t, b.stopped())
}

// TestSomebodyStopsMoneyOut: one person stops withdrawals with a reason and a length; two people end the stop early.
func TestSomebodyStopsMoneyOut(t *testing.T) {
	t.Parallel()
	b := setup(t)
	lead, other, auditor := b.seat("Finance lead 01", access.FinanceLead), b.seat("Risk 01", access.Risk), b.seat("Auditor 01", access.Auditor)
	form := func(reason, life string) url.Values { return url.Values{"reason": {reason}, "life": {life}} }

	require.NotContains(t, b.body(auditor), "Freeze payouts…")
	require.Equal(t, http.StatusForbidden, auditor.Send("/admin/reconciliation/stops", form("an incident at the bank", "4")).Code)
	require.Contains(t, other.Part("/admin/reconciliation/stops/new").Body.String(), "4 hours")
	for _, wrong := range []url.Values{form("short", "4"), form("an incident at the bank", "5"), form("an incident at the bank", "x")} {
		require.Equal(t, http.StatusUnprocessableEntity, other.Send("/admin/reconciliation/stops", wrong).Code)
	}
	require.False(t, b.stopped())

	answer := other.Send("/admin/reconciliation/stops", form("an incident at the bank", "4"))
	require.Equal(t, http.StatusOK, answer.Code, answer.Body.String())
	require.True(t, b.stopped())
	for _, want := range []string{"Payouts are frozen.", "Frozen by Risk 01", "an incident at the bank"} {
		require.Contains(t, b.body(lead), want)
	}
	require.NotContains(t, b.body(lead), "Freeze payouts…", "there is one already")
	require.Equal(t, http.StatusConflict, lead.Send("/admin/reconciliation/stops", form("an incident at the bank", "1")).Code)

	stop, _, err := b.books.Living(t.Context())
	require.NoError(t, err)
	checker := b.seat("Finance checker 01", access.FinanceChecker)
	require.Contains(t, checker.Part(path(stop, "request")).Body.String(), "an incident at the bank")
	require.Equal(t, http.StatusOK, checker.Send(path(stop, "request"), nil).Code)
	require.Equal(t, http.StatusForbidden, checker.Send(path(stop, "end"), nil).Code)
	require.Equal(t, http.StatusOK, lead.Send(path(stop, "end"), nil).Code)
	require.False(t, b.stopped())

	require.Equal(t, http.StatusOK, lead.Send("/admin/reconciliation/stops", form("an incident at the bank", "1")).Code)
	b.Clock.Advance(time.Hour)
	require.False(t, b.stopped())
	require.Contains(t, b.body(b.seat("Finance lead 02", access.FinanceLead)), "Expired")
}
