package banking_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/approval"
	"candor/app/banking"
	"candor/app/deposit"
)

// differs compares the books with the bank; the listed parts must add up to the difference.
func (b *bundle) differs(want int64) banking.Balance {
	b.Helper()
	balance, ok, err := b.banking.Balance(b.Context(), 1)
	require.NoError(b, err)
	require.True(b, ok)
	require.Equal(b, want, balance.Difference())
	sum := int64(0)
	for _, part := range []banking.Part{balance.Unmatched, balance.Unapproved, balance.NotOnFile, balance.Differing, balance.Gaps, balance.Unpaid} {
		sum += part.Amount
	}
	require.Equal(b, want, sum, "a difference equals its parts: %+v", balance)
	return balance
}

// TestADifferenceEqualsItsParts follows one account from its first statement until a unit that is too much is found and explained.
func TestADifferenceEqualsItsParts(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, ok, err := b.banking.Balance(t.Context(), 1)
	require.NoError(t, err)
	require.False(t, ok, "no statement yet")
	proven, untold := b.deposit(150*usd, "CD-7Q4K-2299", deposit.ProofSubmitted), b.deposit(100*usd, "CD-7Q4K-2288", deposit.AwaitingTransfer)
	payout := b.sent(80*usd, "PAY-1")
	lines := b.imported(statement(1, 100_000,
		line{15_000, "BANKREF1", traderName, proven.Reference}, line{10_000, "BANKREF2", traderName, untold.Reference}, line{-8_000, "PAY1", "", "x"}, line{-3_500, "FEE77", "Bank", "fee"},
	))
	require.EqualValues(t, 4, b.differs(215*usd).Unmatched.Count)
	match := func(l banking.Line, id int64) {
		t.Helper()
		_, err := b.banking.MatchDeposit(t.Context(), b.maker, l.ID, l.Version, id)
		require.NoError(t, err)
	}
	match(lines[0], proven.ID)
	b.differs(65 * usd)
	match(lines[1], untold.ID)
	require.Equal(t, banking.Part{Count: 1, Amount: 100 * usd}, b.differs(65*usd).Unapproved, "it awaits its second person")
	_, err = b.banking.MatchWithdrawal(t.Context(), b.maker, lines[2].ID, lines[2].Version, payout)
	require.NoError(t, err)
	b.differs(65 * usd)
	asked, err := b.banking.RequestExplanation(t.Context(), b.maker, lines[3].ID, lines[3].Version, banking.BankFee, "Fee of November")
	require.NoError(t, err)
	a, _, _, err := b.banking.Explanation(t.Context(), asked)
	require.NoError(t, err)
	require.NoError(t, b.banking.ApproveExplanation(t.Context(), b.checker, a))
	b.differs(100 * usd)
	_, err = b.deposits.Claim(t.Context(), b.checker, untold.ID)
	require.NoError(t, err)
	_, err = b.deposits.Confirm(t.Context(), b.checker, untold.ID, b.read(untold.ID).Version)
	require.NoError(t, err)
	agrees := b.differs(0)
	require.EqualValues(t, 1_135*usd, agrees.Books)
	closed, err := b.banking.CloseDay(t.Context(), b.maker, 1, 0, "Books and bank agree")
	require.NoError(t, err)
	require.Equal(t, approval.Applied, closed.State, "one person closes a day that agrees")
	_, err = b.banking.CloseDay(t.Context(), b.maker, 1, 0, "Books and bank agree")
	require.ErrorIs(t, err, banking.ErrState, "once")
}

func TestAUnitTooMuchIsFoundAndExplainedByTwo(t *testing.T) {
	t.Parallel()
	b := setup(t)
	d := b.deposit(150*usd, "CD-7Q4K-2299", deposit.ProofSubmitted)
	_, err := b.deposits.Claim(t.Context(), b.maker, d.ID)
	require.NoError(t, err)
	_, err = b.deposits.Approve(t.Context(), b.maker, d.ID, b.read(d.ID).Version, deposit.Statement{Received: 150*usd + 10_000, Reference: "TYPED-77", Sender: traderName})
	require.NoError(t, err)
	_, err = b.deposits.Claim(t.Context(), b.checker, d.ID)
	require.NoError(t, err)
	_, err = b.deposits.Confirm(t.Context(), b.checker, d.ID, b.read(d.ID).Version)
	require.NoError(t, err)
	lines := b.imported(statement(1, 100_000, line{15_000, "TYPED77", traderName, "x"}))
	require.Equal(t, banking.Part{Count: 1, Amount: -150*usd - 10_000}, b.differs(-10_000).NotOnFile)
	_, err = b.banking.MatchDeposit(t.Context(), b.maker, lines[0].ID, lines[0].Version, d.ID)
	require.NoError(t, err)
	require.Equal(t, banking.Part{Count: 1, Amount: -10_000}, b.differs(-10_000).Differing, "one cent too much was credited")
	_, err = b.banking.CloseDay(t.Context(), b.maker, 1, 0, "I did not look")
	require.ErrorIs(t, err, banking.ErrChanged, "not the difference that was shown")
	a, err := b.banking.CloseDay(t.Context(), b.maker, 1, -10_000, "A typing error of the maker, 0.01 USD; adjusted on Monday")
	require.NoError(t, err)
	require.Equal(t, approval.Requested, a.State)
	require.ErrorIs(t, b.banking.ApproveDay(t.Context(), b.maker, a), approval.ErrSamePerson)
	require.NoError(t, b.banking.ApproveDay(t.Context(), b.checker, a))
	days, err := b.banking.Days(t.Context(), 1, 5)
	require.NoError(t, err)
	require.Len(t, days, 1)
	require.EqualValues(t, -10_000, days[0].Bank-days[0].Books)

	out, err := b.banking.Import(t.Context(), b.maker, banking.File{Raw: statement(2, 115_001, line{100, "NEXT", "A", "x"})})
	require.NoError(t, err)
	require.True(t, out.Statements[0].Gap)
	require.Equal(t, banking.Part{Count: 1, Amount: 10_000}, b.differs(1*usd).Gaps)
}

// TestAWeekCoversItsDays has the statements of two days and that of their week: nothing is missing between them.
func TestAWeekCoversItsDays(t *testing.T) {
	t.Parallel()
	b := setup(t)
	add := func(first, last string, opening, closing int64) {
		b.count(`INSERT INTO bank_statements (account_id, sha256, format, number, first_day, last_day, opening, closing, gap, imported_by, imported_at)
			VALUES (1, sha256($1::text::bytea), 'mt940', $1::text, $1::date, $2::date, $3, $4, false, $5, now()) RETURNING id`, first, last, opening, closing, b.maker.ID)
	}
	add("2026-11-19", "2026-11-19", 1000, 1000)
	add("2026-11-20", "2026-11-20", 1000, 1000)
	add("2026-11-16", "2026-11-22", 1000, 1000)
	require.Zero(t, b.differs(0).Gaps)
	add("2026-11-23", "2026-11-23", 1007, 1007)
	require.Equal(t, banking.Part{Count: 1, Amount: 7}, b.differs(7).Gaps, "seven are missing between the week and its Monday")
}
