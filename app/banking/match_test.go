package banking_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/approval"
	"candor/app/banking"
	"candor/app/deposit"
	"candor/app/ledger"
	"candor/app/withdrawal"
)

func TestACreditIsTheEvidenceOfADeposit(t *testing.T) {
	t.Parallel()
	b := setup(t)
	proven := b.deposit(150*usd, "CD-7Q4K-2299", deposit.ProofSubmitted)
	untold := b.deposit(150*usd, "CD-7Q4K-2288", deposit.AwaitingTransfer)
	lines := b.imported(statement(1, 0, line{15_000, "BANKREF1", traderName, proven.Reference}, line{15_000, "BANKREF2", traderName, untold.Reference}))

	l, err := b.banking.MatchDeposit(t.Context(), b.maker, lines[0].ID, lines[0].Version, proven.ID)
	require.NoError(t, err)
	require.Equal(t, banking.Matched, l.State)
	credited := b.read(proven.ID)
	require.Equal(t, deposit.Credited, credited.State, "a proof, the amount and the sender agree: one person credits")
	require.Equal(t, []any{150 * int64(usd), "BANKREF1"}, []any{*credited.Received, *credited.BankReference})

	_, err = b.banking.MatchDeposit(t.Context(), b.maker, lines[1].ID, lines[1].Version, untold.ID)
	require.NoError(t, err)
	require.Equal(t, deposit.Approved, b.read(untold.ID).State, "without a proof it takes two")
	account, err := ledger.Load(t.Context(), b.db.Pool, b.account.ID)
	require.NoError(t, err)
	require.EqualValues(t, 150*usd, account.Cash)
	require.EqualValues(t, 2, b.count(`SELECT count(*) FROM audit_entries WHERE action = 'banking.match'`))
	require.EqualValues(t, 2, b.count(`SELECT count(*) FROM audit_entries WHERE action = 'deposit.approve'`))
}

func TestALineIsMatchedOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	d, second := b.deposit(150*usd, "CD-7Q4K-2299", deposit.ProofSubmitted), b.deposit(150*usd, "CD-7Q4K-2288", deposit.ProofSubmitted)
	lines := b.imported(statement(1, 0, line{15_000, "BANKREF1", traderName, d.Reference}, line{15_000, "BANKREF2", traderName, "twice"}, line{-200, "BANKREF3", "Bank", "fee"}))
	match := func(l banking.Line, id int64) error {
		_, err := b.banking.MatchDeposit(t.Context(), b.maker, l.ID, l.Version, id)
		return err
	}
	require.ErrorIs(t, match(lines[2], d.ID), banking.ErrState, "a debit is no deposit")
	require.ErrorIs(t, match(lines[0], 1), banking.ErrOther, "no such deposit")
	require.NoError(t, match(lines[0], d.ID))
	require.ErrorIs(t, match(lines[0], second.ID), banking.ErrChanged, "an old page")
	require.ErrorIs(t, match(b.line(lines[0].ID), second.ID), banking.ErrState)
	require.ErrorIs(t, match(lines[1], d.ID), banking.ErrUsed, "the deposit has its line")
	require.Equal(t, banking.Unmatched, b.line(lines[1].ID).State)
}

// TestADepositCreditedByHandIsJoined: the line proves a credit that a maker typed; another reference does not.
func TestADepositCreditedByHandIsJoined(t *testing.T) {
	t.Parallel()
	b := setup(t)
	d := b.deposit(150*usd, "CD-7Q4K-2299", deposit.ProofSubmitted)
	_, err := b.deposits.Claim(t.Context(), b.maker, d.ID)
	require.NoError(t, err)
	_, err = b.deposits.Approve(t.Context(), b.maker, d.ID, b.read(d.ID).Version, deposit.Statement{Received: 150 * usd, Reference: "TYPED-77", Sender: traderName})
	require.NoError(t, err)
	lines := b.imported(statement(1, 0, line{15_000, "typed77", traderName, "x"}, line{15_000, "OTHER", traderName, d.Reference}))
	require.Equal(t, d.ID, *lines[0].SuggestedID)
	require.Nil(t, lines[1].SuggestedID)
	_, err = b.banking.MatchDeposit(t.Context(), b.maker, lines[1].ID, lines[1].Version, d.ID)
	require.ErrorIs(t, err, deposit.ErrReference)
	_, err = b.banking.MatchDeposit(t.Context(), b.maker, lines[0].ID, lines[0].Version, d.ID)
	require.NoError(t, err)
	require.EqualValues(t, 1, b.count(`SELECT count(*) FROM ledger_transactions WHERE kind = 'deposit'`), "credited once")
}

func TestADebitCompletesAPayout(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id, less := b.sent(80*usd, "PAY-1"), b.sent(81*usd, "PAY-2")
	l := b.imported(statement(1, 10_000, line{-8_000, "PAY1", "", "x"}))[0]
	_, err := b.banking.MatchWithdrawal(t.Context(), b.maker, l.ID, l.Version, less)
	require.ErrorIs(t, err, banking.ErrAmount)
	for _, other := range []string{`bank_account_id = 2`, `bank_account_id = NULL, provider = 'sandbox'`} {
		b.count(`INSERT INTO bank_accounts (id, name, bank, holder, iban, bic, currency, client, open, created_at) VALUES (2, 'B', 'B', 'C', 'DE2', '', 'USD', true, true, now())
			ON CONFLICT (id) DO UPDATE SET bic = '' RETURNING id`)
		b.count(`UPDATE withdrawals SET `+other+` WHERE id = $1 RETURNING id`, id)
		_, err = b.banking.MatchWithdrawal(t.Context(), b.maker, l.ID, l.Version, id)
		require.ErrorIs(t, err, banking.ErrOther, other)
		require.NoError(t, b.banking.Suggest(t.Context()))
		require.Nil(t, b.line(l.ID).SuggestedID, other)
		b.count(`UPDATE withdrawals SET bank_account_id = 1, provider = '' WHERE id = $1 RETURNING id`, id)
	}
	require.EqualValues(t, 2, b.count(`SELECT count(*) FROM withdrawals WHERE state = 'sent'`), "a refused match changes nothing")
	_, err = b.banking.MatchWithdrawal(t.Context(), b.maker, l.ID, l.Version, id)
	require.NoError(t, err)
	require.EqualValues(t, 1, b.count(`SELECT count(*) FROM withdrawals WHERE id = $1 AND state = 'completed'`, id))
	_, err = b.banking.MatchWithdrawal(t.Context(), b.maker, l.ID, l.Version+1, less)
	require.ErrorIs(t, err, banking.ErrState)
	var state withdrawal.State
	require.NoError(t, b.db.Pool.QueryRow(t.Context(), `SELECT state::text FROM withdrawals WHERE id = $1`, less).Scan(&state))
	require.Equal(t, withdrawal.Sent, state)
}

func TestFiveHundredLinesAreMatchedTogether(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var lines []line
	for n := range 50 {
		d := b.deposit(int64(100+n)*usd, fmt.Sprintf("CD-7Q4K-22%c%c", 'A'+n/8, '2'+n%8), deposit.ProofSubmitted)
		if n == 7 { // somebody else works on it
			_, err := b.deposits.Claim(t.Context(), b.checker, d.ID)
			require.NoError(t, err)
		}
		lines = append(lines, line{int64(100+n) * 100, fmt.Sprint("REF", n), traderName, d.Reference})
	}
	lines = append(lines, line{77, "LAST", "Nobody", "nothing"})
	b.imported(statement(1, 0, lines...))
	sure, err := b.banking.SureLines(t.Context())
	require.NoError(t, err)
	require.Len(t, sure, 50)
	_, err = b.banking.MatchSure(t.Context(), b.maker, banking.Fingerprint(sure[1:]))
	require.ErrorIs(t, err, banking.ErrChanged, "not the number that was shown")
	out, err := b.banking.MatchSure(t.Context(), b.maker, banking.Fingerprint(sure))
	require.NoError(t, err)
	require.Equal(t, 49, out.Done)
	require.Len(t, out.Refused, 1)
	for _, why := range out.Refused {
		require.ErrorIs(t, why, deposit.ErrClaimed)
	}
}

func TestTwoPeopleExplainALine(t *testing.T) {
	t.Parallel()
	b := setup(t)
	l := b.imported(statement(1, 10_000, line{-3_500, "FEE1", "Bank", "fee"}))[0]
	_, err := b.banking.RequestExplanation(t.Context(), b.maker, l.ID, l.Version, "because", "A reason that is long enough")
	require.ErrorIs(t, err, banking.ErrCause)
	ask := func() banking.Line {
		asked, err := b.banking.RequestExplanation(t.Context(), b.maker, l.ID, b.line(l.ID).Version, banking.BankFee, "Monthly fee of the account")
		require.NoError(t, err)
		return asked
	}
	asked := ask()
	require.Equal(t, banking.Unmatched, asked.State, "one person alone explains nothing")
	_, err = b.banking.MatchWithdrawal(t.Context(), b.maker, l.ID, asked.Version, 1)
	require.ErrorIs(t, err, banking.ErrState, "while it awaits the second person")
	a, cause, ok, err := b.banking.Explanation(t.Context(), asked)
	require.NoError(t, err)
	require.Equal(t, []any{true, banking.BankFee}, []any{ok, cause})
	require.ErrorIs(t, b.banking.ApproveExplanation(t.Context(), b.maker, a), approval.ErrSamePerson)
	require.NoError(t, b.banking.DeclineExplanation(t.Context(), b.checker, a, "It is a refund"))
	require.Nil(t, b.line(l.ID).Approval, "free again")
	a, _, _, err = b.banking.Explanation(t.Context(), ask())
	require.NoError(t, err)
	require.NoError(t, b.banking.ApproveExplanation(t.Context(), b.checker, a))
	done := b.line(l.ID)
	require.Equal(t, []any{banking.Explained, banking.BankFee}, []any{done.State, *done.Cause})
	_, err = b.db.Pool.Exec(t.Context(), `UPDATE bank_lines SET cause = 'interest', state = 'explained' WHERE id = $1`, l.ID)
	require.ErrorContains(t, err, "approval", "the database refuses what nobody approved")
}

func TestTwoPeopleAddABankAccount(t *testing.T) {
	t.Parallel()
	b := setup(t)
	draft := banking.Draft{Name: "Client EUR", Bank: "Specimen Bank", Holder: "Candor, client money", IBAN: "gb82 west 1234 5698 7654 32", BIC: "specdeff", Currency: "eur", Client: true, Open: true}
	for field, change := range map[string]func(*banking.Draft){
		"iban": func(d *banking.Draft) { d.IBAN = "GB82 WEST 1234 5698 7654 33" }, "bic": func(d *banking.Draft) { d.BIC = "SHORT" },
		"currency": func(d *banking.Draft) { d.Currency = "euro" }, "name": func(d *banking.Draft) { d.Name = " " },
	} {
		wrong := draft
		change(&wrong)
		_, err := b.banking.DraftAccount(t.Context(), b.maker, wrong)
		require.Error(t, err, field)
	}
	repeated := draft
	repeated.IBAN = iban
	_, err := b.banking.DraftAccount(t.Context(), b.maker, repeated)
	require.ErrorIs(t, err, banking.ErrRepeated)
	added, err := b.banking.DraftAccount(t.Context(), b.maker, draft)
	require.NoError(t, err)
	require.True(t, added.Draft())

	request := func(version int, d banking.Draft) (approval.Approval, error) {
		return b.banking.RequestAccount(t.Context(), b.maker, added.ID, version, d, "The bank's letter of 16 November")
	}
	a, err := request(1, draft)
	require.NoError(t, err)
	_, err = request(1, draft)
	require.ErrorIs(t, err, approval.ErrOpen)
	require.ErrorIs(t, b.banking.ApproveAccount(t.Context(), b.maker, a, draft.IBAN), approval.ErrSamePerson)
	require.ErrorIs(t, b.banking.ApproveAccount(t.Context(), b.checker, a, "GB82WEST12345698765433"), banking.ErrTyped)
	require.NoError(t, b.banking.ApproveAccount(t.Context(), b.checker, a, draft.IBAN))
	opened, err := b.banking.Account(t.Context(), added.ID)
	require.NoError(t, err)
	require.Equal(t, []any{"Client EUR", "GB82WEST12345698765432", "SPECDEFF", "EUR", true}, []any{opened.Name, opened.IBAN, opened.BIC, opened.Currency, opened.Open})

	_, err = request(1, draft)
	require.ErrorIs(t, err, banking.ErrChanged, "an old page")
	_, err = request(2, draft)
	require.ErrorIs(t, err, banking.ErrNothing)
	draft.Open, draft.Currency, draft.IBAN = false, "USD", "XX"
	a, err = request(2, draft)
	require.NoError(t, err)
	require.NoError(t, b.banking.ApproveAccount(t.Context(), b.checker, a, added.IBAN))
	closed, err := b.banking.Account(t.Context(), added.ID)
	require.NoError(t, err)
	require.False(t, closed.Open)
	require.Equal(t, []string{"EUR", added.IBAN}, []string{closed.Currency, closed.IBAN}, "number and currency stay")
	for _, sql := range []string{`UPDATE bank_accounts SET open = true WHERE id = $1`, `UPDATE bank_accounts SET holder = 'Me', open = true WHERE id = $1`} {
		_, err = b.db.Pool.Exec(t.Context(), sql, added.ID)
		require.ErrorContains(t, err, "approval", "the database refuses what nobody approved")
	}
}

// TestADeclinedDepositFreesItsLine matches a line with a deposit that takes two people, of whom the second one rejects it or asks for another proof.
func TestADeclinedDepositFreesItsLine(t *testing.T) {
	t.Parallel()
	for _, ask := range []bool{false, true} {
		b := setup(t)
		d := b.deposit(150*usd, "CD-7Q4K-2299", deposit.AwaitingTransfer)
		l := b.imported(statement(1, 0, line{15_000, "BANKREF1", traderName, d.Reference}))[0]
		l, err := b.banking.MatchDeposit(t.Context(), b.maker, l.ID, l.Version, d.ID)
		require.NoError(t, err)
		require.Equal(t, banking.Matched, l.State)
		_, err = b.deposits.Claim(t.Context(), b.checker, d.ID)
		require.NoError(t, err)
		_, err = b.deposits.Decline(t.Context(), b.checker, d.ID, b.read(d.ID).Version, ask, deposit.Reasons[0], "")
		require.NoError(t, err)
		l = b.line(l.ID)
		require.Equal(t, banking.Unmatched, l.State)
		require.Nil(t, l.DepositID)
		require.EqualValues(t, 1, b.differs(150*usd).Unmatched.Count)
		require.EqualValues(t, 1, b.count(`SELECT count(*) FROM audit_entries WHERE action = 'banking.unmatch' AND target_id = $1`, fmt.Sprint(l.ID)))
		other := b.deposit(150*usd, "CD-8AAA-2299", deposit.ProofSubmitted)
		_, err = b.banking.MatchDeposit(t.Context(), b.maker, l.ID, l.Version, other.ID)
		require.NoError(t, err, "the money finds another case")
	}
}

// TestRivalsAreNotSure has two lines that name one deposit: neither is matched without a look.
func TestRivalsAreNotSure(t *testing.T) {
	t.Parallel()
	b := setup(t)
	d, other := b.deposit(150*usd, "CD-7Q4K-2299", deposit.ProofSubmitted), b.deposit(160*usd, "CD-8AAA-2299", deposit.ProofSubmitted)
	lines := b.imported(statement(1, 0, line{15_000, "BANKREF1", traderName, d.Reference}, line{15_000, "BANKREF2", traderName, d.Reference}, line{16_000, "BANKREF3", traderName, other.Reference}))
	sure, err := b.banking.SureLines(t.Context())
	require.NoError(t, err)
	require.Len(t, sure, 1)
	require.Equal(t, lines[2].ID, sure[0].ID)
}
