package engine

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/ledger"
	"candor/app/trading"
)

// result gives a closed position its figures, in whole USDT, and the moment of its closing.
func (b *bundle) result(id int64, closed time.Time, realised, commission, swap, dividends int64) {
	b.t.Helper()
	_, err := b.super.Exec(b.t.Context(), `UPDATE positions SET closed_at = $2, realised = $3, commission = $4, swap = $5, dividends = $6 WHERE id = $1`,
		id, closed, realised*unit, commission*unit, swap*unit, dividends*unit)
	require.NoError(b.t, err)
}

func TestPerformance(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	o, other := b.fund(100_000*unit), b.fund(100_000*unit)
	start := time.Date(2026, 11, 24, 0, 0, 0, 0, time.UTC)
	end := start.Add(48 * time.Hour)
	_, err := b.super.Exec(t.Context(), `SET session_replication_role = replica`) // closed positions never change otherwise
	require.NoError(t, err)
	closes := func(o ledger.Owner, product int, side trading.Side, at time.Time, figures ...int64) {
		id := b.opens(trading.Open{Owner: o, ProductID: product, Side: side, Lots: cent}).Position.ID
		b.closes(o, id, 0)
		b.result(id, at, figures[0], figures[1], figures[2], figures[3])
	}
	closes(o, eurusd, trading.Buy, start, 100, 5, -3, 2)                              // net 94, at the first moment
	closes(o, eurusd, trading.Sell, start.Add(10*time.Hour), -40, 5, 0, 0)            // net -45
	closes(o, xauusd, trading.Buy, start.Add(23*time.Hour), 10, 4, 0, 0)              // net 6
	closes(o, xauusd, trading.Buy, end.Add(-time.Microsecond), 5, 5, 0, 0)            // net 0: neither won nor lost
	closes(o, eurusd, trading.Buy, start.Add(-time.Microsecond), 1_000, 0, 0, 0)      // before the period
	closes(o, eurusd, trading.Buy, end, 1_000, 0, 0, 0)                               // after it
	closes(other, eurusd, trading.Buy, start.Add(time.Hour), 1_000, 0, 0, 0)          // another account's
	b.opens(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Buy, Lots: cent}) // still open
	period := HistoryFilter{From: start, To: end}

	t.Run("SumsUpThePeriodOfTheAccount", func(t *testing.T) {
		p, err := b.engine.Performance(t.Context(), o.AccountID, period, "UTC")
		require.NoError(t, err)
		require.Equal(t, Earnings{
			Trades: 4, Wins: 2, Losses: 1, Net: 55 * unit, Profit: 75 * unit, Commission: 19 * unit, Charges: -1 * unit, Won: 100 * unit, Lost: -45 * unit,
			Largest: 94 * unit, Smallest: -45 * unit,
		}, p.Earnings)
		require.Len(t, p.Days, 2)
		require.Equal(t, []string{"2026-11-24", "2026-11-25"}, []string{p.Days[0].Day.Format(time.DateOnly), p.Days[1].Day.Format(time.DateOnly)})
		require.Equal(t, []int64{55 * unit, 0}, []int64{p.Days[0].Net, p.Days[1].Net})
		require.Equal(t, []int{eurusd, xauusd}, []int{p.Products[0].ProductID, p.Products[1].ProductID})
		require.Equal(t, []int64{49 * unit, 6 * unit}, []int64{p.Products[0].Net, p.Products[1].Net})
	})
	t.Run("DaysAreThoseOfTheZone", func(t *testing.T) {
		p, err := b.engine.Performance(t.Context(), o.AccountID, period, "Asia/Tokyo")
		require.NoError(t, err)
		require.EqualValues(t, 49*unit, p.Days[0].Net, "the position of 23:00 UTC closed on the next day of Tokyo")
		require.EqualValues(t, 6*unit, p.Days[1].Net)
		require.EqualValues(t, 55*unit, p.Net)
	})
	t.Run("FiltersAsTheHistoryDoes", func(t *testing.T) {
		sells := period
		sells.Side = trading.Sell
		p, err := b.engine.Performance(t.Context(), o.AccountID, sells, "UTC")
		require.NoError(t, err)
		require.Equal(t, []int64{1, -45 * unit, 0}, []int64{int64(p.Trades), p.Net, p.Largest})
		gold := period
		gold.ProductID, gold.Reason, gold.OpenedBy = xauusd, trading.ManualClose, trading.MarketRule
		p, err = b.engine.Performance(t.Context(), o.AccountID, gold, "UTC")
		require.NoError(t, err)
		require.Equal(t, 2, p.Trades)
		gold.Reason = trading.StopOutClose
		p, err = b.engine.Performance(t.Context(), o.AccountID, gold, "UTC")
		require.NoError(t, err)
		require.Equal(t, Performance{}, p)
	})
	t.Run("AnUnknownZoneIsRefused", func(t *testing.T) {
		_, err := b.engine.Performance(t.Context(), o.AccountID, period, "Asia/Atlantis")
		require.ErrorIs(t, err, ErrZone)
	})
}

func TestEarningsRatios(t *testing.T) {
	t.Parallel()
	r := Earnings{Trades: 3, Wins: 2, Losses: 1, Won: 100, Lost: -45}
	win, err := r.AverageWin()
	require.NoError(t, err)
	loss, err := r.AverageLoss()
	require.NoError(t, err)
	rate, err := r.WinRate()
	require.NoError(t, err)
	factor, err := r.ProfitFactor()
	require.NoError(t, err)
	require.Equal(t, []int64{50, -45, 6667, 222}, []int64{win, loss, rate, *factor})

	rate, err = Earnings{}.WinRate()
	require.NoError(t, err)
	require.Zero(t, rate, "no positions")
	factor, err = Earnings{Trades: 1, Wins: 1, Won: 100}.ProfitFactor()
	require.NoError(t, err)
	require.Nil(t, factor, "nothing was lost")
}
