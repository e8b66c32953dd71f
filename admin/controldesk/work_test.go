package controldesk_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/admin/desk/desktest"
	"candor/app/ledger"
	"candor/app/platform/db"
	"candor/app/trader"
)

// owner is a trader with a real account.
func (h *office) owner(t *testing.T) (id, account int64) {
	t.Helper()
	require.NoError(t, h.DB.Pool.QueryRow(t.Context(), `INSERT INTO traders (email, name, password_hash, country, language, invite_code, accepted_at, created_at)
		VALUES ('marta@example.com', 'Marta', 'x', 'ES', 'es', 'M4RTA', $1, $1) RETURNING id`, h.Clock.Now()).Scan(&id))
	require.NoError(t, h.DB.InTx(t.Context(), func(tx *db.Tx) error {
		a, err := ledger.OpenTx(t.Context(), tx, id, ledger.Real, trader.Ordinary, h.Clock.Now())
		account = a.ID
		return err
	}))
	return id, account
}

// card is the part of the start page under a heading; empty if there is none.
func card(b *desktest.Browser, title string) string {
	_, after, _ := strings.Cut(b.Get("/admin").Body.String(), "<h2>"+title+"</h2>")
	inside, _, _ := strings.Cut(after, "</section>")
	return inside
}

const second = "Waiting for your approval"

func TestHomeListsTheMoneyThatWaits(t *testing.T) {
	t.Parallel()
	h := open(t)
	maker, checker, lead := h.Hire(t, "Finance maker 02", access.FinanceMaker), h.Hire(t, "Finance checker 01", access.FinanceChecker), h.Hire(t, "Finance lead 01", access.FinanceLead)
	who, account := h.owner(t)
	h.test.Tamper(t, fmt.Sprintf(`
		INSERT INTO deposits (id, trader_id, account_id, channel_id, kind, currency, amount, reference, state, maker_id, received, bank_reference, shown_hash, proof_at, created_at, expires_at) OVERRIDING SYSTEM VALUE
		VALUES (50001, %[1]d, %[2]d, 1, 'bank', 'USD', 12000000000, 'CD-1', 'proof_submitted', NULL, NULL, NULL, NULL, '%[4]s', '%[4]s', '%[4]s'),
			(50002, %[1]d, %[2]d, 1, 'bank', 'USD', 12000000000, 'CD-2', 'approved', %[3]d, 12000000000, 'REF-1', 'x', '%[4]s', '%[4]s', '%[4]s')`,
		who, account, maker.ID, h.Clock.Now().Format(time.RFC3339)))
	h.test.Tamper(t, fmt.Sprintf(`
		INSERT INTO approvals (id, use, subject, trader_id, proposal, note, facts, people, state, requested_by, requested_at, second_by, second_at, version) OVERRIDING SYSTEM VALUE
		VALUES (402, 'withdrawal', '30402', %[1]d, '{"kind": "standard"}', '', sha256('shown'), 2, 'requested', %[2]d, now(), NULL, NULL, 1),
			(403, 'withdrawal', '30403', %[1]d, '{"kind": "standard"}', '', sha256('shown'), 3, 'confirmed', %[2]d, now(), %[3]d, now(), 2)`, who, maker.ID, checker.ID))
	h.test.Tamper(t, `
		INSERT INTO withdrawals (id, trader_id, account_id, payee_id, kind, currency, amount, fee, bank, iban, bic, chain, address, risk, risk_reasons, state, approval, taken_id, created_at, moved_at)
			OVERRIDING SYSTEM VALUE
			SELECT n, t.id, a.id, 7, 'standard', 'USDT', 4000000000, 1000000, '', '', '', 'tron', 'TJCnKsPa7y5okkXvQAidZBzqx3QyQ6sxMW', 0, '', s.state,
				(SELECT ap.id FROM approvals ap WHERE ap.subject = n::text), 1, '2026-11-20', '2026-11-20'
			FROM traders t JOIN accounts a ON a.trader_id = t.id, unnest(ARRAY['review', 'approved_1', 'approved_2', 'outcome_unknown']) WITH ORDINALITY s (state, o), LATERAL (SELECT 30400 + s.o AS n) x`)
	h.Clock.Advance(58 * time.Minute)
	inside := func(b *desktest.Browser, title string, want []string, not ...string) {
		t.Helper()
		page := card(b, title)
		for _, one := range want {
			require.Contains(t, page, one, title)
		}
		for _, one := range not {
			require.NotContains(t, page, one, title)
		}
	}

	first, check, third := h.SignInAs(t, maker), h.SignInAs(t, checker), h.SignInAs(t, lead)
	inside(check, second, []string{"DP-50002", "WD-30402", "12,000.00 USD", "4,000.00 USDT", "58 min", "Finance maker 02 decided first", `href="/admin/withdrawals/30402"`}, "DP-50001", "WD-30401", "WD-30403")
	inside(third, second, []string{"DP-50002", "WD-30403"}, "WD-30402")
	require.Empty(t, card(first, second), "whoever decided first is not the second")
	inside(first, "Outcome unknown", []string{"WD-30404"}, "WD-30401")
	inside(first, "Oldest deposits", []string{"DP-50001", "Unclaimed"}, "DP-50002")
	inside(first, "Oldest withdrawals", []string{"WD-30401"}, "WD-30402", "WD-30404")
	inside(first, "Ledger", []string{"not checked yet"})
	agent := h.SignIn(t, access.SupportAgent)
	for _, title := range []string{second, "Outcome unknown", "Oldest deposits", "Oldest withdrawals", "Ledger"} {
		require.Empty(t, card(agent, title), title)
	}

	_, err := h.DB.Pool.Exec(t.Context(), `UPDATE deposits SET maker_id = $1 WHERE state = 'approved'`, checker.ID)
	require.NoError(t, err)
	inside(check, second, []string{"WD-30402"}, "DP-50002")
	_, err = h.DB.Pool.Exec(t.Context(), `UPDATE deposits SET claimed_by = $1, claimed_until = $2 WHERE state = 'proof_submitted'`, maker.ID, h.Clock.Now().Add(time.Minute))
	require.NoError(t, err)
	inside(first, "Oldest deposits", []string{"Finance maker 02 is working on it"}, "Unclaimed")
}

func TestHomeListsTheIdentitiesAndCustomersThatWait(t *testing.T) {
	t.Parallel()
	h := open(t)
	reviewer, other := h.Hire(t, "Compliance reviewer 04", access.ComplianceReviewer), h.Hire(t, "Compliance reviewer 05", access.ComplianceReviewer)
	who, _ := h.owner(t)
	h.test.Tamper(t, `INSERT INTO kyc_applications (id, trader_id, state, attempt, document_type, country, name_key, number_key, birth_key, expiry_key, number_hash,
				claimed_by, claimed_until, maker_id, created_at, submitted_at) OVERRIDING SYSTEM VALUE
			SELECT 90000 + o, t.id + o, state, 1, 'passport', 'DE', 'x', 'x', 'x', 'x', 'x', CASE state WHEN 'in_review' THEN (SELECT id FROM staff WHERE name = 'Compliance reviewer 04') END,
				CASE state WHEN 'in_review' THEN timestamptz '2036-01-01' END, CASE state WHEN 'escalated' THEN (SELECT id FROM staff WHERE name = 'Compliance reviewer 04') END, '2026-11-20', '2026-11-20'
			FROM traders t, unnest(ARRAY['submitted', 'in_review', 'escalated']) WITH ORDINALITY s (state, o);
		INSERT INTO conversations (id, trader_id, language, state, waiting_since, created_at, moved_at) OVERRIDING SYSTEM VALUE SELECT 70, id, 'es', 'queued', '2026-11-20', '2026-11-20', '2026-11-20' FROM traders;
		INSERT INTO conversations (id, trader_id, language, state, created_at, moved_at) OVERRIDING SYSTEM VALUE SELECT 71, id + 1, 'es', 'queued', '2026-11-20', '2026-11-20' FROM traders`)
	require.Positive(t, who)
	mine, others, lead, agent := h.SignInAs(t, reviewer), h.SignInAs(t, other), h.SignIn(t, access.ComplianceLead), h.SignIn(t, access.SupportAgent)
	const oldest, held, chat = "Oldest identity cases", "Your identity cases", "Waiting customers"

	require.Contains(t, card(mine, oldest), "ID-90001")
	require.NotContains(t, card(mine, oldest), "ID-90002")
	require.Contains(t, card(mine, held), "ID-90002")
	require.Empty(t, card(others, held), "somebody else holds it")
	require.Contains(t, card(lead, second), "ID-90003")
	require.Contains(t, card(lead, second), "Compliance reviewer 04 decided first")
	require.Empty(t, card(mine, second))
	require.Contains(t, card(agent, chat), `href="/admin/chat/70"`)
	require.NotContains(t, card(agent, chat), "/admin/chat/71", "nobody waits there")
	for _, title := range []string{oldest, held, second} {
		require.Empty(t, card(agent, title), title)
	}
	require.Empty(t, card(mine, chat))
}
