package admin_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/admin/desk/desktest"
	"candor/app/adjustment"
	"candor/app/audit"
	"candor/app/kyc"
	"candor/app/ledger"
	"candor/app/notice"
	"candor/app/staff"
	"candor/app/switches"
)

const hash = "0xabababababababababababababababababababababababababababababababab"

// TestFind finds every kind of thing by its number, its reference or a name, and only for members who may view it.
func TestFind(t *testing.T) {
	t.Parallel()
	b := newRich(t)
	exec := func(sql string, args ...any) (id int64) {
		t.Helper()
		require.NoError(t, b.DB.Pool.QueryRow(t.Context(), sql, args...).Scan(&id))
		return id
	}
	name := "Ada Óg Lovelace"
	_, err := b.identities.Save(t.Context(), ledger.Owner{TraderID: b.trader}, kyc.Filled{FullName: &name})
	require.NoError(t, err)
	application := exec(`SELECT id FROM kyc_applications WHERE trader_id = $1`, b.trader)
	deposit := exec(`SELECT id FROM deposits WHERE trader_id = $1`, b.trader)
	exec(`UPDATE deposits SET tx_hash = $2 WHERE id = $1 RETURNING id`, deposit, hash)
	person := exec(`SELECT min(id) FROM staff`)
	own := exec(`INSERT INTO bank_accounts (name, bank, holder, iban, bic, currency, client, open, created_at) VALUES ('Clients', 'B', 'H', 'DE7', 'X', 'EUR', true, false, now()) RETURNING id`)
	statement := exec(`INSERT INTO bank_statements (account_id, sha256, format, number, first_day, last_day, gap, imported_by, imported_at)
		VALUES ($1, sha256('x'), 'mt940', '1', '2026-11-01', '2026-11-02', false, $2, now()) RETURNING id`, own, person)
	line := exec(`INSERT INTO bank_lines (statement_id, account_id, key, content_key, booked_on, value_on, amount, reference, bank_reference, detail_key, detail_sealed)
		VALUES ($1, $2, 'k', 'c', '2026-11-01', '2026-11-01', 5, '', 'SP-7781', '', '') RETURNING id`, statement, own)
	change := exec(`INSERT INTO switch_changes (key, kind, base_version, was, becomes, reason, zone, author_id, created_at, version)
		VALUES ($2, 'planned', 0, '{}', '{}', 'because', 'UTC', $1, now(), 1) RETURNING id`, person, switches.AddressKey)
	item, err := b.notices.Create(t.Context(), audit.Actor{Kind: audit.Staff, ID: person, Name: "Ed"}, notice.News, notice.Settings{
		Category: notice.Categories[notice.News][0], Placement: notice.Placements[notice.News][0], Severity: "info", Audience: "all", Zone: "Europe/Zurich", Frequency: notice.Once,
	})
	require.NoError(t, err)
	asked, err := b.adjustments.Request(t.Context(), audit.Actor{Kind: audit.Staff, ID: person, Name: "Mia"}, adjustment.Request{
		TraderID: b.trader, Amount: 1_000_000, Reason: adjustment.Reasons[0], Case: adjustment.Case{CaseKind: adjustment.Conversation, CaseID: b.conversation}, Note: "because it was wrong", Key: "one",
	})
	require.NoError(t, err)
	order := exec(`SELECT order_id FROM fills WHERE id = $1`, b.fillID)

	trader, payee := fmt.Sprint("/admin/traders/", b.trader), "DE0212…0001"
	account := fmt.Sprint("?account=", b.account)
	all := b.SignIn(t, access.SuperAdmin, access.Auditor, access.FinanceMaker, access.ComplianceReviewer, access.SupportAgent)
	for _, c := range []struct {
		words, opens string
		by           access.Role // a role that may not view it
	}{
		{fmt.Sprint(b.trader), trader, access.ContentEditor},
		{"RICH@example.com", trader, access.ContentEditor},
		{"+34 600 123418", trader, access.ContentEditor},
		{"DE02 1203 0000 0000 0000 01", trader, access.ContentEditor},
		{fmt.Sprint("dp-", deposit), fmt.Sprint("/admin/deposits/", deposit), access.SupportAgent},
		{"bank 1", fmt.Sprint("/admin/deposits/", deposit), access.SupportAgent},
		{hash, fmt.Sprint("/admin/deposits/", deposit), access.SupportAgent},
		{b.withdrawal.Number(), fmt.Sprint("/admin/withdrawals/", b.withdrawal.ID), access.ConfigAdmin},
		{fmt.Sprint("ID-", application), fmt.Sprint("/admin/identity/", application), access.SupportAgent},
		{asked.Number(), fmt.Sprint("/admin/adjustments/", asked.ID), access.SupportAgent},
		{fmt.Sprint("BA-", own), fmt.Sprint("/admin/bank-accounts/", own), access.SupportAgent},
		{fmt.Sprint("BS-", statement), fmt.Sprint("/admin/statements?statement=", statement), access.SupportAgent},
		{fmt.Sprint("bl-", line), fmt.Sprint("/admin/statements/", line), access.SupportAgent},
		{"sp7781", fmt.Sprint("/admin/statements/", line), access.SupportAgent},
		{fmt.Sprint("CR-", change), "/admin/switches/" + switches.AddressKey, access.SupportAgent},
		{fmt.Sprint("N-", item.ID), fmt.Sprint("/admin/content/", item.ID), access.ConfigAdmin},
		{"ch-1", "/admin/channels/1", access.SupportAgent},
	} {
		answer := look(all, c.words)
		require.Equal(t, http.StatusSeeOther, answer.code, "%s: %s", c.words, answer.body)
		require.Equal(t, c.opens, answer.to, c.words)
		require.Contains(t, look(b.SignIn(t, c.by), c.words).body, "Nothing found", "%s does not find %s", c.by, c.words)
	}
	for words, want := range map[string][]string{
		"ada lovelace":             {trader, "Entered this name, not verified", "r•••"},
		"LOVELACE og":              {trader},
		"Lovelace":                 {trader},
		"0001":                     {payee, trader},
		"Rich":                     {payee},
		"rich 0001":                {payee},
		fmt.Sprint(b.trader)[:5]:   {trader},
		fmt.Sprint(b.position.ID):  {fmt.Sprint(trader, "/positions/", b.position.ID, account)},
		fmt.Sprint("#", b.fillID):  {fmt.Sprint(trader, "/fills/", b.fillID, account)},
		fmt.Sprint(order):          {fmt.Sprint("Order ", order)},
		fmt.Sprint(b.conversation): {fmt.Sprint("Conversation ", b.conversation), fmt.Sprint(`"/admin/chat/`, b.conversation)},
	} {
		answer := look(all, words)
		if answer.code == http.StatusSeeOther {
			answer.body = fmt.Sprint(`"`, answer.to, "Conversation ", words)
		}
		for _, one := range want {
			require.Contains(t, answer.body, one, words)
		}
		require.NotContains(t, answer.body, "rich@example.com")
	}
	for _, words := range []string{"Ada", "Lovelace Max", "DP-1", "WD-999999999", "AD-1", "CR-999999", "N-999999", "BL-1", "BS-1", "BA-9999", "TR-1", "EX-1", "rich@example.co", "' OR 1=1 --", "%", "DE0212030000000000000"} {
		body := look(all, words).body
		if words == "Ada" {
			require.Contains(t, body, trader)
			continue
		}
		require.Contains(t, body, "Nothing found", words)
	}
	require.Contains(t, look(all, "").body, "What you can search for")
	require.NotContains(t, look(b.SignIn(t), "").body, "data-search", "somebody without a role has no box")
	require.NotContains(t, look(b.SignIn(t, access.ContentEditor), "").body, "UID")
}

type answer struct {
	code     int
	to, body string
}

func look(who *desktest.Browser, words string) answer {
	a := who.Get("/admin/find?q=" + url.QueryEscape(words))
	return answer{a.Code, a.Header().Get("Location"), a.Body.String()}
}

// TestSearchesAreRecorded looks at the audit log and at the limit.
func TestSearchesAreRecorded(t *testing.T) {
	t.Parallel()
	b := newRich(t)
	agent := b.SignIn(t, access.SupportAgent)
	entries := func() (list []string) {
		rows, err := b.DB.Pool.Query(t.Context(), `SELECT target_id || ' ' || result || ' ' || after FROM audit_entries WHERE action = 'search.find' ORDER BY id`)
		require.NoError(t, err)
		defer rows.Close()
		for rows.Next() {
			var one string
			require.NoError(t, rows.Scan(&one))
			list = append(list, one)
		}
		return list
	}
	look(agent, b.withdrawal.Number())
	look(agent, b.withdrawal.Number())
	require.Equal(t, []string{b.withdrawal.Number() + ` done {"hits":1,"kinds":"withdrawal"}`}, entries(), "the same again is one")
	for _, words := range []string{"rich@example.com", "Ada Lovelace", "DE02120300000000000001", "+34600123418", "34600123418"} {
		look(agent, words)
	}
	agent.Get("/admin/traders?q=Mustermann")
	require.Len(t, entries(), 7, "the traders' list too")
	for _, one := range entries()[1:] {
		require.True(t, strings.HasPrefix(one, "~"), one)
	}
	for i := range staff.SearchesPerHour - 7 {
		require.Equal(t, http.StatusOK, look(agent, fmt.Sprint("AD-", 70_000+i)).code)
	}
	refused := look(agent, "DP-1")
	require.Equal(t, http.StatusTooManyRequests, refused.code)
	require.Contains(t, refused.body, "You have searched 120 times in the last hour")
	require.Equal(t, http.StatusTooManyRequests, agent.Get("/admin/traders?q=Somebody+Else").Code)
	require.Contains(t, entries()[staff.SearchesPerHour], "DP-1 denied")
	require.Equal(t, http.StatusSeeOther, look(b.SignIn(t, access.SupportAgent), b.withdrawal.Number()).code, "somebody else has a limit of their own")
}

// TestSearchWordsAreCleaned sends what a page must not show.
func TestSearchWordsAreCleaned(t *testing.T) {
	t.Parallel()
	b := newRich(t)
	agent := b.SignIn(t, access.SupportAgent)
	body := look(agent, "evil\u202e\u0000\u200b <script> "+strings.Repeat("x", 200)).body
	require.NotContains(t, body, "\u202e")
	require.NotContains(t, body, "<script> ")
	require.Contains(t, body, "evil &lt;script&gt; "+strings.Repeat("x", 82)+"”")
}
