package report_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/ledger"
	"candor/app/platform/db"
	"candor/app/report"
)

func TestASpanIsOfWholeDaysOfItsZone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := b.span("2026-10-24", "2026-10-26")
	days := s.Days()
	require.Len(t, days, 3)
	require.Equal(t, 25*time.Hour, days[2].Sub(days[1]), "the clocks went back on the 25th")
	require.Equal(t, b.moment("2026-10-27 00:00"), s.To())
	spring := b.span("2026-03-29", "2026-03-29")
	require.Equal(t, 23*time.Hour, spring.To().Sub(spring.From()))

	day := func(text string) time.Time {
		at, err := time.Parse(time.DateOnly, text)
		require.NoError(t, err)
		return at
	}
	year, err := report.NewSpan(day("2027-03-01"), day("2028-02-29"), b.zone)
	require.NoError(t, err)
	require.Len(t, year.Days(), report.MaxDays)
	for _, wrong := range [][2]string{{"2026-11-02", "2026-11-01"}, {"2027-02-28", "2028-02-29"}, {"0001-01-01", "9999-12-31"}} {
		_, err := report.NewSpan(day(wrong[0]), day(wrong[1]), b.zone)
		require.ErrorIs(t, err, report.ErrSpan, wrong)
	}
}

// deposit credits a deposit at a moment of the zone. Reversed is the moment when it was taken back; empty for never.
func (b *bundle) deposit(a ledger.Account, amount, fee int64, at, reversed string) {
	b.Helper()
	state, back, moved := "credited", "NULL", "NULL"
	if reversed != "" {
		state, back, moved = "charged_back", "1", b.at(reversed)
	}
	b.exec(fmt.Sprintf(`SET session_replication_role = replica;
		INSERT INTO deposits (trader_id, account_id, channel_id, kind, currency, amount, received, fee, reference, state, transaction_id, reversal_id, reversal_approval, created_at, decided_at, moved_at, expires_at)
		VALUES (%d, %d, 900, 'bank', 'USD', %d, %d, %d, gen_random_uuid()::text, '%s', 1, %s, %s, %s, %s, %s, now())`,
		a.TraderID, a.ID, unit(amount), unit(amount), unit(fee), state, back, back, b.at(at), b.at(at), moved))
}

func TestDepositsByDay(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a := b.trader("2026-10-01 10:00", ledger.Real)
	demo := b.trader("2026-10-01 10:00", ledger.Mock)
	b.deposit(a, 100, 1, "2026-10-24 23:59", "")
	b.deposit(a, 200, 2, "2026-10-25 00:00", "")
	b.deposit(a, 300, 0, "2026-10-25 23:59", "2026-10-26 09:00") // the day of 25 hours
	b.deposit(a, 400, 0, "2026-10-27 00:00", "")                 // after the span
	b.deposit(a, 500, 5, "2026-10-01 00:00", "2026-10-26 10:00") // before it, taken back within
	b.deposit(demo, 900, 0, "2026-10-25 12:00", "")

	table, err := b.reports.Deposits(t.Context(), b.span("2026-10-25", "2026-10-26"))
	require.NoError(t, err)
	require.Len(t, table.Rows, 2)
	require.Equal(t, "Bank A", table.Rows[0].Name)
	require.True(t, table.Rows[0].Day.Equal(b.moment("2026-10-25 00:00")))
	require.Equal(t, []int64{2, unit(500), unit(2), 0}, sums(table.Rows[0]))
	require.Equal(t, []int64{0, 0, unit(-5), unit(800)}, sums(table.Rows[1]))
	require.Equal(t, []int64{2, unit(500), unit(-3), unit(800)}, sums(table.Totals[0]))
}

func TestFirstDepositsAndTheFunnel(t *testing.T) {
	t.Parallel()
	b := setup(t)
	before, a, back, demo := b.trader("2026-09-01 10:00", ledger.Real), b.trader("2026-11-01 10:00", ledger.Real), b.trader("2026-11-01 23:59", ledger.Real), b.trader("2026-11-02 00:00", ledger.Mock)
	b.trader("2026-11-03 00:00", ledger.Real) // after the span
	b.deposit(before, 10, 0, "2026-10-31 10:00", "")
	b.deposit(before, 20, 0, "2026-11-01 10:00", "") // a second one
	b.deposit(a, 100, 0, "2026-11-02 10:00", "")
	b.deposit(a, 50, 0, "2026-11-02 11:00", "")
	b.deposit(back, 70, 0, "2026-11-02 10:00", "2026-11-02 12:00") // reversed: no first deposit
	b.deposit(demo, 80, 0, "2026-11-02 10:00", "")
	b.exec(fmt.Sprintf(`UPDATE traders SET level = 1 WHERE id = %d`, a.TraderID))
	b.fill(a, "2026-11-02 10:00", 1, 0, 0)
	b.fill(demo, "2026-11-02 10:00", 1, 0, 0)

	span := b.span("2026-11-01", "2026-11-02")
	first, err := b.reports.FirstDeposits(t.Context(), span)
	require.NoError(t, err)
	require.Len(t, first.Rows, 1)
	require.Equal(t, []int64{1, unit(100)}, sums(first.Rows[0]))

	registered, err := b.reports.Registered(t.Context(), span)
	require.NoError(t, err)
	require.Equal(t, []int64{2, 1, 5000}, sums(registered.Rows[0]))
	require.Equal(t, []int64{1, 0, 0}, sums(registered.Rows[1]))
	require.Equal(t, []int64{3, 1, 3333}, sums(registered.Totals[0]))

	funnel, err := b.reports.Funnel(t.Context(), span)
	require.NoError(t, err)
	got := map[string][]int64{}
	for _, row := range funnel.Rows {
		got[row.Key] = sums(row)
	}
	require.Equal(t, map[string][]int64{"registered": {3, 10_000}, "verified": {1, 3333}, "funded": {1, 3333}, "traded": {1, 3333}}, got)
}

// withdrawal sends a withdrawal at a moment of the zone. Returned is when the bank gave it back; empty for never.
func (b *bundle) withdrawal(a ledger.Account, amount, fee int64, at, returned string) {
	b.Helper()
	state, ended, back := "sent", "NULL", "NULL"
	if returned != "" {
		state, ended, back = "returned", b.at(returned), "1"
	}
	b.exec(fmt.Sprintf(`SET session_replication_role = replica;
		INSERT INTO withdrawals (trader_id, account_id, payee_id, kind, currency, amount, fee, bank, iban, bic, risk, risk_reasons, state, payment, taken_id, sent_id, back_id, created_at, moved_at, sent_at, ended_at, holder_key, holder_sealed)
		VALUES (%d, %d, 1, 'bank', 'USDT', %d, %d, 'B', 'DE1', 'X', 0, '', '%s', gen_random_uuid()::text, 1, 1, %s, %s, %s, %s, %s, 'x', 'x')`,
		a.TraderID, a.ID, unit(amount), unit(fee), state, back, b.at(at), b.at(at), b.at(at), ended))
}

func TestWithdrawalsByDay(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a := b.trader("2026-10-01 10:00", ledger.Real)
	b.withdrawal(a, 100, 1, "2026-11-01 23:59", "")
	b.withdrawal(a, 200, 1, "2026-11-02 00:00", "")
	b.withdrawal(a, 300, 1, "2026-10-30 10:00", "2026-11-02 10:00")
	table, err := b.reports.Withdrawals(t.Context(), b.span("2026-11-02", "2026-11-02"))
	require.NoError(t, err)
	require.Len(t, table.Rows, 1)
	require.Equal(t, "bank", table.Rows[0].Key)
	require.Equal(t, []int64{1, unit(199), 0, unit(299)}, sums(table.Rows[0]))
}

// fill trades lots of product 1 on an account.
func (b *bundle) fill(a ledger.Account, at string, lots, commission, profit int64) {
	b.Helper()
	b.exec(fmt.Sprintf(`SET session_replication_role = replica;
		INSERT INTO fills (order_id, position_id, account_id, product_id, side, entry, rule, lots, price, quote_seq, leverage, margin, commission, profit, equity, used_margin, created_at, at_ms, terms)
		VALUES ((SELECT coalesce(max(order_id), 0) + 1 FROM fills), 1, %d, (SELECT min(id) FROM products), 'buy', 'open', 'market', %d, 1, 1, 100, 0, %d, %d, 0, 0, %s, 0, 1)`,
		a.ID, unit(lots), unit(commission), unit(profit), b.at(at)))
}

func TestVolumeByDayAndClass(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a, demo := b.trader("2026-10-01 10:00", ledger.Real), b.trader("2026-10-01 10:00", ledger.Mock)
	b.fill(a, "2026-11-01 23:59", 7, 0, 0)
	b.fill(a, "2026-11-02 00:00", 1, 2, -3)
	b.fill(a, "2026-11-02 23:59", 2, 2, 10)
	b.fill(demo, "2026-11-02 12:00", 50, 2, 10)
	table, err := b.reports.Volume(t.Context(), b.span("2026-11-02", "2026-11-02"))
	require.NoError(t, err)
	require.Len(t, table.Rows, 1)
	require.Equal(t, []int64{2, unit(3), unit(4), unit(7)}, sums(table.Rows[0]))
}

func TestTheHouseResultIsTheLedgers(t *testing.T) {
	t.Parallel()
	b := setup(t)
	real, demo := b.trader("2026-10-01 10:00", ledger.Real), b.trader("2026-10-01 10:00", ledger.Mock)
	post := func(a *ledger.Account, at, key string, entries func(ledger.Account) []ledger.Entry) {
		require.NoError(t, b.db.InTx(t.Context(), func(tx *db.Tx) error {
			locked, err := ledger.LockTx(t.Context(), tx, a.ID)
			if err != nil {
				return err
			}
			_, err = ledger.PostTx(t.Context(), tx, ledger.Transaction{Kind: "test", Key: key, Cause: "test", Book: a.Book, At: b.moment(at), Entries: entries(locked)})
			return err
		}))
	}
	post(&real, "2026-11-01 12:00", "in", func(a ledger.Account) []ledger.Entry { return a.Deposit(unit(1000), unit(5)) })
	post(&real, "2026-11-02 00:00", "swap", func(a ledger.Account) []ledger.Entry { return a.Swap(unit(-3)) })
	post(&real, "2026-11-02 12:00", "dividend", func(a ledger.Account) []ledger.Entry { return a.Dividend(unit(4)) })
	post(&demo, "2026-11-02 12:00", "demo", func(a ledger.Account) []ledger.Entry { return a.Receive(unit(900)) })
	post(&demo, "2026-11-02 13:00", "demo2", func(a ledger.Account) []ledger.Entry { return a.Swap(unit(-9)) })

	table, err := b.reports.HouseResult(t.Context(), b.span("2026-11-01", "2026-11-02"))
	require.NoError(t, err)
	require.Len(t, table.Rows, 2)
	require.Equal(t, []int64{0, unit(5), 0, 0, 0, 0, unit(5)}, sums(table.Rows[0]), "a deposit is no result, its fee is")
	require.Equal(t, []int64{0, 0, unit(3), unit(-4), 0, 0, unit(-1)}, sums(table.Rows[1]))
	require.Equal(t, unit(4), byName(t, table, table.Totals[0], "result"))
}
