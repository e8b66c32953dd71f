package banking_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/banking"
	"candor/app/deposit"
)

func TestAFileIsImportedOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := statement(1, 100_000, line{150_000, "B1", traderName, "CD-7Q4K-2291"}, line{-3_500, "B2", "Bank", "FEE"})
	out, err := b.banking.Import(t.Context(), b.maker, banking.File{Raw: first})
	require.NoError(t, err)
	require.Equal(t, []int{2, 0}, []int{out.New, out.Known})
	require.Equal(t, []int64{1_000 * usd, 2_465 * usd}, []int64{*out.Statements[0].Opening, *out.Statements[0].Closing})
	require.EqualValues(t, 1, b.count(`SELECT count(*) FROM audit_entries WHERE action = 'banking.import'`))
	_, err = b.banking.Import(t.Context(), b.maker, banking.File{Raw: first})
	require.ErrorIs(t, err, banking.ErrTwice)

	overlapping := statement(2, 100_000, line{150_000, "B1", traderName, "CD-7Q4K-2291"}, line{-3_500, "B2", "Bank", "FEE"}, line{2_000, "B3", "Somebody", "Thanks"})
	out, err = b.banking.Import(t.Context(), b.maker, banking.File{Raw: overlapping})
	require.NoError(t, err)
	require.Equal(t, []int{1, 2}, []int{out.New, out.Known}, "a line counts once, whatever file it is in")
	require.EqualValues(t, 3, b.count(`SELECT count(*) FROM bank_lines`))
}

func TestAStatementThatDoesNotContinueTheOneBeforeIsMarked(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, one := range []struct {
		opening int64
		gap     bool
	}{{100_000, false}, {105_000, false}, {110_001, true}} {
		out, err := b.banking.Import(t.Context(), b.maker, banking.File{Raw: statement(b.next(), one.opening, line{5_000, fmt.Sprint("REF", b.next()), "A", "x"})})
		require.NoError(t, err)
		require.Equal(t, one.gap, out.Statements[0].Gap, "opening %d", one.opening)
	}
}

func TestAFileOfAnAccountThatIsNotOursIsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	raw := statement(1, 0, line{100, "B1", "A", "x"})
	_, err := b.banking.Import(t.Context(), b.maker, banking.File{AccountID: 99, Raw: raw})
	require.ErrorIs(t, err, banking.ErrAccount, "the named account is another one")
	b.count(`UPDATE bank_accounts SET open = false RETURNING 1`)
	_, err = b.banking.Import(t.Context(), b.maker, banking.File{Raw: raw})
	require.ErrorIs(t, err, banking.ErrAccount, "closed")
	b.database.Tamper(t, `UPDATE bank_accounts SET open = true, currency = 'EUR'`)
	_, err = b.banking.Import(t.Context(), b.maker, banking.File{Raw: raw})
	require.ErrorIs(t, err, banking.ErrCurrency)
	_, err = b.banking.Import(t.Context(), b.maker, banking.File{Raw: []byte("no statement")})
	require.Error(t, err)
	require.Zero(t, b.count(`SELECT count(*) FROM bank_statements`))
}

func TestWhatALineSaysOfPeopleIsSealed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	l := b.imported(statement(1, 0, line{100, "B1", "Olga Example", "Rent for May"}))[0]
	require.NotContains(t, string(l.DetailSealed), "Olga")
	detail, err := b.banking.Detail(t.Context(), l)
	require.NoError(t, err)
	require.Equal(t, "Olga Example", detail.Counterparty)
	require.Contains(t, detail.Text, "Rent for May")
}

func TestSuggestions(t *testing.T) {
	t.Parallel()
	b := setup(t)
	exact := b.deposit(1_500*usd, "CD-7Q4K-2299", deposit.ProofSubmitted)
	other := b.deposit(700*usd, "CD-8AAA-2299", deposit.AwaitingTransfer)
	for range 2 {
		b.deposit(300*usd, "CD-9"+string(rune('A'+b.next()%20))+"BC-2345", deposit.AwaitingTransfer)
	}
	ended := b.deposit(900*usd, "CD-6666-2345", deposit.Cancelled)
	payout := b.sent(80*usd, "PAY-1")
	lines := b.imported(statement(1, 1_000_000,
		line{150_000, "B1", "RUIZ MARTA", "cd 7q4k 2299 thank you"}, // the name is written in another order: the fake compares it whole
		line{70_000, "B2", traderName, "my deposit"},
		line{30_000, "B3", "Somebody", "no idea"},
		line{90_000, "B4", traderName, "CD-6666-2345"},
		line{-8_000, "PAY1", "", "payout"},
		line{-8_001, "B6", "", "bank fee"},
	))
	for i, want := range []struct {
		id    int64
		score int
	}{{exact.ID, 85}, {other.ID, 40}, {0, 0}, {0, 0}, {payout, 85}, {0, 0}} {
		if want.id == 0 {
			require.Nil(t, lines[i].SuggestedID, "line %d", i)
			continue
		}
		require.NotNil(t, lines[i].SuggestedID, "line %d", i)
		require.Equal(t, want.id, *lines[i].SuggestedID, "line %d", i)
		require.Equal(t, want.score, lines[i].Score, "line %d", i)
	}
	require.NotEqual(t, ended.ID, int64(0))
	counts, err := b.banking.Counts(t.Context())
	require.NoError(t, err)
	require.Equal(t, map[string]int64{"suggested": 3, "unclaimed": 3}, counts)
}

// TestALateDepositIsSuggested announces a deposit after its line came, and cancels it.
func TestALateDepositIsSuggested(t *testing.T) {
	t.Parallel()
	b := setup(t)
	lines := b.imported(statement(1, 1_000_000, line{70_000, "B1", traderName, "cd 8aaa 2299"}))
	require.Nil(t, lines[0].SuggestedID)
	d := b.deposit(700*usd, "CD-8AAA-2299", deposit.AwaitingTransfer)
	suggested := func() *int64 {
		t.Helper()
		require.NoError(t, b.banking.Suggest(t.Context()))
		return b.line(lines[0].ID).SuggestedID
	}
	require.Equal(t, d.ID, *suggested())
	b.count(`UPDATE deposits SET state = 'cancelled' WHERE id = $1 RETURNING id`, d.ID)
	require.Nil(t, suggested(), "a cancelled deposit takes no money")
}

// TestEqualLinesOfOneDay imports two files of one day with lines that look the same, both again in one file, and the second in another format.
func TestEqualLinesOfOneDay(t *testing.T) {
	t.Parallel()
	b := setup(t)
	fee := line{-100, "NONREF", "Bank", "fee"}
	imported := func(raw []byte) []int {
		t.Helper()
		out, err := b.banking.Import(t.Context(), b.maker, banking.File{Raw: raw})
		require.NoError(t, err)
		return []int{out.New, out.Known}
	}
	require.Equal(t, []int{1, 0}, imported(statement(1, 100_000, fee)))
	require.Equal(t, []int{1, 0}, imported(statement(2, 99_900, fee)), "it begins where the first one ended")
	b.differs(-2 * usd)
	require.Equal(t, []int{0, 2}, imported(statement(3, 100_000, fee, fee)), "the whole day")
	require.Equal(t, []int{0, 1}, imported(statement(4, 99_900, fee)), "the second file again")
	b.differs(-2 * usd)
}

// TestALineIsKnownWithoutItsReference imports lines in a format that has the bank's references and in one that hasn't, in both orders.
func TestALineIsKnownWithoutItsReference(t *testing.T) {
	t.Parallel()
	for _, references := range [][]string{{"BANKREF1", "NONREF"}, {"NONREF", "BANKREF1"}} {
		b := setup(t)
		for n, reference := range references {
			out, err := b.banking.Import(t.Context(), b.maker, banking.File{Raw: statement(n+1, 0, line{15_000, reference, traderName, "x"})})
			require.NoError(t, err)
			require.Equal(t, 1-n, out.New, references)
		}
		out, err := b.banking.Import(t.Context(), b.maker, banking.File{Raw: statement(3, 0, line{15_000, "BANKREF2", traderName, "y"})})
		require.NoError(t, err)
		require.Equal(t, 1, out.New, "it says something else")
	}
}

// TestAStatementOfTheFutureIsRefused imports a statement two days before its day, and on it.
func TestAStatementOfTheFutureIsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	raw := statement(1, 0, line{15_000, "BANKREF1", traderName, "x"}) // of 20 November
	b.clock.Set(time.Date(2026, 11, 18, 12, 0, 0, 0, time.UTC))
	_, err := b.banking.Import(t.Context(), b.maker, banking.File{Raw: raw})
	require.ErrorIs(t, err, banking.ErrFuture)
	require.Zero(t, b.count(`SELECT count(*) FROM bank_statements`))
	b.clock.Set(time.Date(2026, 11, 19, 12, 0, 0, 0, time.UTC))
	_, err = b.banking.Import(t.Context(), b.maker, banking.File{Raw: raw})
	require.NoError(t, err, "it is the 20th in the east")
}
