package engine

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/ledger"
	"candor/app/trading"
	"candor/app/trading/sums"
)

// stopped lists the positions that an account's stop-outs closed, in order.
func (b *bundle) stopped(o ledger.Owner) (ids []int64) {
	b.t.Helper()
	for _, f := range b.fills(o) {
		if f.Rule == trading.StopOutRule {
			ids = append(ids, f.PositionID)
		}
	}
	return ids
}

func TestStopOut(t *testing.T) {
	t.Parallel()
	// 0.01 BTC bought at 50,010 uses a margin of 25.005; each dollar that the bid falls costs 0.01 USDT.
	bitcoin := trading.Open{ProductID: btcusd, Side: trading.Buy, Lots: cent}
	t.Run("BeginsAtExactlyHalfTheMargin", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.prices()
		o := b.fund(25_005_000)
		bitcoin := bitcoin
		bitcoin.Owner = o
		id := b.opens(bitcoin).Position.ID
		b.quote(btcusd, "48759.76", "48769.76")
		b.sweep()
		require.Empty(t, b.stopped(o), "equity 12.5026 of 25.005")
		require.EqualValues(t, 50_01, b.value(o).Level, "it is above, and reads so")
		q := b.quote(btcusd, "48759.75", "48769.75")
		b.sweep()
		require.Equal(t, []int64{id}, b.stopped(o), "equity 12.5025 of 25.005")
		fill := b.fills(o)[1]
		require.Equal(t, []any{trading.StopOutRule, int64(48_759_75), q.Seq, int64(12_502_500), int64(25_005_000)},
			[]any{fill.Rule, fill.Price, fill.QuoteSeq, fill.Equity, fill.UsedMargin})
		require.Equal(t, trading.StopOutClose, *b.position(o, id).CloseReason)
		require.EqualValues(t, 12_502_500, b.account(o).Cash)
		b.proves()
	})
	t.Run("IsJudgedAgainUnderTheLock", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.prices()
		o := b.fund(25_005_000)
		bitcoin := bitcoin
		bitcoin.Owner = o
		b.opens(bitcoin)
		b.quote(btcusd, "48759.75", "48769.75")
		b.engine.monitor.Sweep(b.seen)
		require.Equal(t, 1, b.engine.monitor.Queued())
		b.quote(btcusd, "48759.75", "48769.75")
		b.engine.monitor.Sweep(b.seen)
		require.Equal(t, 1, b.engine.monitor.Queued(), "one at a time")
		b.quote(btcusd, "49000.00", "49010.00") // it recovers before a worker is free
		b.work()
		require.Empty(t, b.stopped(o))
		b.quote(btcusd, "48700.00", "48710.00")
		b.sweep()
		require.Len(t, b.stopped(o), 1)
		b.proves()
	})
	t.Run("ClosesTheLargestLossFirstUntilTheLevelIsAbove", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.prices()
		o := b.fund(160 * unit)
		open := func(id int, side trading.Side, lots int64) int64 {
			return b.opens(trading.Open{Owner: o, ProductID: id, Side: side, Lots: lots}).Position.ID
		}
		small := open(ethusd, trading.Buy, 10*cent) // margin 12.505
		winner := open(btcusd, trading.Sell, cent)  // margin 25
		large := open(eurusd, trading.Buy, 10*cent) // margin 110.01
		b.quote(ethusd, "2450.00", "2451.00")       // -5.10
		b.quote(btcusd, "49990.00", "50000.00")     // 0
		b.jump(eurusd, "1.09500", "1.09510")        // -51
		b.jump(eurusd, "1.09000", "1.09010")        // -101
		b.sweep()
		require.Equal(t, []int64{large}, b.stopped(o), "equity 53.90 of 147.515; without it 53.90 of 37.505")
		for _, id := range []int64{small, winner} {
			require.Equal(t, trading.StateOpen, b.position(o, id).State)
		}
		b.jump(btcusd, "52000.00", "52010.00") // -20.10: the winner is the loser now
		b.jump(btcusd, "53200.00", "53210.00") // -32.10
		b.jump(ethusd, "2400.00", "2401.00")   // -10.10
		b.sweep()
		require.Equal(t, []int64{large, winner}, b.stopped(o), "equity 16.80 of 37.505; without it 16.80 of 12.505")
		b.proves()
	})
	t.Run("ClosesEverythingThatAGapLeavesNoMarginFor", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.prices()
		o := b.fund(100 * unit)
		bitcoin := bitcoin
		bitcoin.Owner = o
		var ids []int64
		for range 3 {
			ids = append(ids, b.opens(bitcoin).Position.ID)
		}
		b.jump(btcusd, "40000.00", "40010.00")
		b.sweep()
		require.Equal(t, ids, b.stopped(o), "equal losses of equal lots: the older first")
		account := b.account(o)
		require.Zero(t, account.Cash)
		require.Zero(t, account.Deficit, "forgiven: the account is flat")
		require.EqualValues(t, -(300_300_000 - 100*unit), b.house("forgiven"))
		require.EqualValues(t, 300_300_000, b.house("trading"))
		b.proves()
	})
	t.Run("SkipsClosedMarkets", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.time.Set(time.Date(2026, 11, 27, 21, 59, 0, 0, time.UTC))
		b.prices()
		o := b.fund(200 * unit)
		euro := b.opens(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Buy, Lots: 10 * cent}).Position.ID
		bitcoin := bitcoin
		bitcoin.Owner = o
		coin := b.opens(bitcoin).Position.ID
		b.jump(eurusd, "1.09500", "1.09510")
		b.jump(eurusd, "1.09100", "1.09110") // -91: the largest loss
		b.time.Set(saturday)
		b.jump(btcusd, "45000.00", "45010.00") // -50.1
		b.sweep()
		require.Equal(t, []int64{coin}, b.stopped(o), "equity 58.90 of 135.015")
		require.Equal(t, trading.StateOpen, b.position(o, euro).State)
		b.jump(btcusd, "40000.00", "40010.00")
		b.jump(eurusd, "1.08600", "1.08610") // seen on a Saturday: -141, equity 8.90 of 110.01
		b.sweep()
		require.Equal(t, []int64{coin}, b.stopped(o), "nothing that is left can be closed")
		b.time.Set(time.Date(2026, 11, 29, 22, 0, 0, 0, time.UTC))
		b.jump(eurusd, "1.08600", "1.08610")
		b.sweep()
		require.Equal(t, []int64{coin, euro}, b.stopped(o))
		b.proves()
	})
	t.Run("WaitsForAConfirmedPrice", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.time.Set(time.Date(2026, 11, 27, 21, 59, 0, 0, time.UTC))
		b.prices()
		o := b.fund(200 * unit)
		b.opens(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Buy, Lots: 10 * cent})
		bitcoin := bitcoin
		bitcoin.Owner = o
		b.opens(bitcoin)
		b.time.Set(time.Date(2026, 11, 29, 22, 0, 0, 0, time.UTC))
		b.jump(btcusd, "50000.00", "50010.00")
		before := b.value(o).Equity
		for range 2 { // the first prices of the week, wrong by 150 USDT
			b.quote(eurusd, "1.08500", "1.08510")
			b.sweep()
			require.Equal(t, before, b.value(o).Equity)
			require.Empty(t, b.stopped(o), "neither this position nor the one that could be closed")
		}
		b.quote(eurusd, "1.08500", "1.08510")
		b.sweep()
		require.Len(t, b.stopped(o), 1, "three are believed")
		b.proves()
	})
	t.Run("ABonusTakesLossesAfterTheCash", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.prices()
		o := b.fund(20 * unit)
		b.credit(o, 10*unit)
		bitcoin := bitcoin
		bitcoin.Owner = o
		b.opens(bitcoin)
		b.jump(btcusd, "47510.00", "47520.00") // -25
		b.sweep()
		account := b.account(o)
		require.Equal(t, []int64{0, 5 * unit, 0}, []int64{account.Cash, account.Bonus, account.Deficit})
		require.Zero(t, b.house("forgiven"))
		b.proves()
	})
}

// TestDeficitIsPaidByLaterProfits books a loss beyond the cash while another position is open, then closes that one with a profit.
func TestDeficitIsPaidByLaterProfits(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	o := b.fund(300 * unit)
	euro := b.opens(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Sell, Lots: 10 * cent}).Position.ID
	coin := b.opens(trading.Open{Owner: o, ProductID: btcusd, Side: trading.Buy, Lots: 5 * cent}).Position.ID
	b.jump(eurusd, "1.04990", "1.05000")   // +500
	b.jump(btcusd, "42010.00", "42020.00") // -400
	done := b.closes(o, coin, 0)
	require.Equal(t, []int64{0, -100 * unit}, []int64{b.account(o).Cash, b.account(o).Deficit})
	require.EqualValues(t, 400*unit, done.Totals.Equity, "the deficit counts")
	b.closes(o, euro, 0)
	require.Equal(t, []int64{400 * unit, 0}, []int64{b.account(o).Cash, b.account(o).Deficit})
	require.Zero(t, b.house("forgiven"), "nothing was left to forgive")
	b.proves()
}

func TestWorstPosition(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	b.quote(4, "0.65000", "0.65010")
	b.quote(4, "0.75000", "0.75010") // AUDUSD is unconfirmed
	valued := func(id, product, lots, profit int64) trading.Valued {
		return trading.Valued{Position: trading.Position{ID: id, ProductID: int(product), Lots: lots}, Value: trading.Value{Profit: profit}}
	}
	tests := []struct {
		name      string
		positions []trading.Valued
		want      int64
	}{
		{"TheLargestLoss", []trading.Valued{valued(1, eurusd, 9, -5), valued(2, btcusd, 1, -6), valued(3, eurusd, 9, 7)}, 2},
		{"OfEqualLossesTheLargerVolume", []trading.Valued{valued(1, eurusd, 1, -5), valued(2, eurusd, 2, -5), valued(3, eurusd, 1, -5)}, 2},
		{"OfEqualVolumesTheOlder", []trading.Valued{valued(3, eurusd, 2, -5), valued(2, eurusd, 2, -5), valued(4, eurusd, 2, -5)}, 2},
		{"WithoutLossesTheSmallestProfit", []trading.Valued{valued(1, eurusd, 2, 5), valued(2, eurusd, 1, 4)}, 2},
		{"AClosedMarketIsSkipped", []trading.Valued{valued(1, hk50, 2, -50), valued(2, eurusd, 1, -4)}, 2},
		{"AHaltedProductIsSkipped", []trading.Valued{valued(1, 4, 2, -50), valued(2, eurusd, 1, -4)}, 2},
		{"AProductWithoutPriceIsSkipped", []trading.Valued{valued(1, 7, 2, -50), valued(2, eurusd, 1, -4)}, 2},
		{"NothingCanBeClosed", []trading.Valued{valued(1, 4, 2, -50), valued(2, hk50, 2, -50)}, 0},
		{"NoPositions", nil, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, q, ok := b.engine.rules.NextStopOut(trading.Valuation{Positions: test.positions})
			require.Equal(t, test.want, got.ID)
			require.Equal(t, test.want > 0, ok)
			require.Equal(t, ok, q.Seq > 0)
		})
	}
}

func TestMarginCall(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	o := b.fund(27_005_000)
	id := b.opens(trading.Open{Owner: o, ProductID: btcusd, Side: trading.Buy, Lots: cent}).Position.ID
	at := func(bid, ask string) int {
		t.Helper()
		b.quote(btcusd, bid, ask)
		b.sweep()
		return len(b.calls(o))
	}
	require.Equal(t, 0, at("49810.01", "49820.00"), "equity 25.0051 of 25.005")
	require.Equal(t, 1, at("49810.00", "49820.00"), "exactly 100 %")
	require.Equal(t, b.calls(o)[0].Equity, b.calls(o)[0].UsedMargin)
	require.Equal(t, 1, at("49700.00", "49710.00"), "it only falls further")
	require.Equal(t, 1, at("49935.02", "49945.00"), "equity 26.2552: not yet above 105 %")
	require.Equal(t, 1, at("49810.00", "49820.00"))
	again := b.another() // a restart repeats no margin call
	require.NoError(t, again.Load(t.Context()))
	again.monitor.Sweep(b.seen)
	workOff(t.Context(), again)
	require.Len(t, b.calls(o), 1)
	require.Equal(t, 1, at("49935.03", "49945.00"), "above 105 %")
	require.Equal(t, 2, at("49810.00", "49820.00"), "again")
	b.closes(o, id, 0)
	require.Equal(t, 2, at("49000.00", "49010.00"), "a flat account has no level")
	b.opens(trading.Open{Owner: o, ProductID: btcusd, Side: trading.Buy, Lots: cent})
	require.Equal(t, 3, at("48900.00", "48910.00"), "a new position is warned of anew")
	b.proves()
}

func (b *bundle) calls(o ledger.Owner) []trading.MarginCall {
	b.t.Helper()
	list, _, err := b.engine.MarginCalls(b.t.Context(), o.AccountID, 0, 100)
	require.NoError(b.t, err)
	return list
}

// TestGapsInFigures runs 10,000 random accounts through random losses: no account ends below zero, and the house writes off exactly the missing amount.
func TestGapsInFigures(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(7, 8))
	balanced := func(entries []ledger.Entry) {
		sum := int64(0)
		for _, e := range entries {
			require.NotZero(t, e.Amount)
			sum += e.Amount
		}
		require.Zero(t, sum)
	}
	for range 10_000 {
		book := []ledger.Book{ledger.Real, ledger.Mock}[random.IntN(2)]
		account := ledger.Account{ID: 1000, Book: book, Cash: random.Int64N(1_000 * unit)}
		if random.IntN(3) == 0 {
			account.Bonus = random.Int64N(100 * unit)
		}
		expected := account.Worth()
		for range 1 + random.IntN(5) {
			profit, fee := random.Int64N(4_000*unit)-3_000*unit, random.Int64N(5*unit)
			expected += profit - fee
			entries := account.Result(profit, fee)
			balanced(entries)
			account = account.Apply(entries)
			require.Equal(t, expected, account.Worth(), "every unit is somewhere")
			require.True(t, account.Cash >= 0 && account.Bonus >= 0 && account.Deficit <= 0)
			require.True(t, account.Deficit == 0 || account.Cash == 0, "no debt beside free cash")
		}
		entries := account.WriteOff()
		balanced(entries)
		missing := -account.Deficit
		account = account.Apply(entries)
		require.Zero(t, account.Deficit)
		require.Equal(t, expected+missing, account.Worth())
		require.GreaterOrEqual(t, account.Worth(), int64(0))
		if missing > 0 {
			require.Equal(t, ledger.Entry{AccountID: map[ledger.Book]int64{ledger.Real: 5, ledger.Mock: 15}[book], Bucket: "house", Amount: -missing}, entries[1])
		}
	}
}

// TestGaps opens random positions in hundreds of accounts on the database and makes every price jump at once.
func TestGaps(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	random := rand.New(rand.NewPCG(9, 10))
	type holding struct {
		ledger.Owner
		before int64
	}
	var all []holding
	for range 300 {
		o := b.fund((20 + random.Int64N(200)) * unit)
		for range 1 + random.IntN(3) {
			id := []int{btcusd, ethusd, xauusd, usdjpy}[random.IntN(4)]
			_, err := b.try(trading.Open{Owner: o, ProductID: id, Side: []trading.Side{trading.Buy, trading.Sell}[random.IntN(2)], Lots: (1 + random.Int64N(3)) * cent})
			if err != nil {
				require.ErrorIs(t, err, trading.ErrMargin)
			}
		}
		all = append(all, holding{o, b.account(o).Worth()})
	}
	b.jump(btcusd, "30000.00", "30010.00")
	b.jump(ethusd, "4000.00", "4001.00")
	b.jump(xauusd, "2600.00", "2600.50")
	b.jump(usdjpy, "120.000", "120.020")
	shortfall, flat, fell := int64(0), 0, 0
	b.sweep()
	for _, h := range all {
		v, account := b.value(h.Owner), b.account(h.Owner)
		require.True(t, account.Cash >= 0 && account.Bonus == 0)
		require.False(t, sums.AtOrBelow(v.Equity, v.Used, trading.StopOutPercent), "what is left has margin")
		if len(v.Positions) > 0 {
			continue
		}
		flat++
		require.Zero(t, account.Deficit)
		worth := h.before
		for _, f := range b.fills(h.Owner) {
			if worth += f.Profit; f.Entry == trading.EntryClose {
				worth -= f.Commission // the commission of the opening is already paid
			}
		}
		if worth < 0 {
			shortfall, fell = shortfall-worth, fell+1
		}
		require.Equal(t, max(0, worth), account.Cash)
	}
	require.Greater(t, flat, 100)
	require.Greater(t, fell, 50)
	require.Equal(t, -shortfall, b.house("forgiven"), "the house forgives exactly what was missing")
	b.proves()
}
