package engine

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/ledger"
	"candor/app/trading"
)

// evening is a time of a November day in New York.
func evening(day, hour, minute int) time.Time {
	return time.Date(2026, 11, day, hour+5, minute, 0, 0, time.UTC)
}

// swapping sets up an engine with swaps: EURUSD pays 8.9 points per night long and receives 2.4 short, stocks pay 6.88 and 3.5 percent per year, and BTCUSD
// pays 3.60 per lot and night.
func swapping(t *testing.T) *bundle {
	t.Helper()
	return setupOn(t, `
		swap_model = CASE WHEN product_id < 200 THEN 'points' WHEN product_id < 300 THEN 'money' ELSE 'percent' END, tiers = '',
		swap_long = CASE WHEN product_id < 200 THEN -8900000 WHEN product_id < 300 THEN -3600000 ELSE -6880000 END,
		swap_short = CASE WHEN product_id < 200 THEN 2400000 WHEN product_id < 300 THEN -3600000 ELSE -3500000 END`)
}

func (b *bundle) charges(o ledger.Owner) []trading.ListedCharge {
	b.t.Helper()
	list, _, err := b.engine.Charges(b.t.Context(), o.AccountID, 0, 0, 100)
	require.NoError(b.t, err)
	return list
}

func TestSwapIsChargedAtTheRollover(t *testing.T) {
	t.Parallel()
	b := swapping(t)
	b.prices() // Tuesday morning
	o := b.fund(10_000 * unit)
	long := b.opens(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Buy, Lots: unit}).Position
	short := b.opens(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Sell, Lots: unit / 2}).Position
	b.time.Set(evening(24, 16, 59))
	b.sweep()
	require.Empty(t, b.charges(o), "a minute before")
	b.time.Set(evening(24, 17, 0))
	b.sweep()
	list := b.charges(o)
	require.Len(t, list, 2)
	require.Equal(t, []any{trading.SwapCharge, short.ID, 1, int64(1_200_000)}, []any{list[0].Kind, list[0].PositionID, list[0].Nights, list[0].Amount}, "2.4 points of half a lot")
	require.Equal(t, []any{trading.SwapCharge, long.ID, 1, int64(-8_900_000)}, []any{list[1].Kind, list[1].PositionID, list[1].Nights, list[1].Amount}, "8.9 points of a lot")
	require.EqualValues(t, 10_000*unit-7_700_000, b.account(o).Cash)
	require.EqualValues(t, 7_700_000, b.house("swaps"))
	require.EqualValues(t, -8_900_000, b.position(o, long.ID).Swap)
	b.sweep()
	b.jump(eurusd, "1.10000", "1.10010")
	b.closes(o, short.ID, 0)
	require.Len(t, b.charges(o), 2, "once")
	b.proves()
}

func TestSwapComesBeforeAClose(t *testing.T) {
	t.Parallel()
	b := swapping(t)
	b.prices()
	o := b.fund(10_000 * unit)
	id := b.opens(trading.Open{Owner: o, ProductID: btcusd, Side: trading.Buy, Lots: unit / 10}).Position.ID
	b.time.Set(evening(24, 17, 0).Add(time.Millisecond))
	b.jump(btcusd, "50000.00", "50010.00")
	done := b.closes(o, id, 0) // before any sweep
	require.EqualValues(t, -360_000, done.Position.Swap)
	require.Len(t, b.charges(o), 1)
	b.proves()
}

func TestSwapOfEveryRolloverThatWasMissed(t *testing.T) {
	t.Parallel()
	b := swapping(t)
	b.prices()
	o := b.fund(10_000 * unit)
	id := b.opens(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Buy, Lots: unit}).Position.ID
	btc := b.opens(trading.Open{Owner: o, ProductID: btcusd, Side: trading.Sell, Lots: unit / 10}).Position.ID
	b.time.Set(evening(30, 18, 0)) // Monday: the rollovers of Tuesday to Monday have passed
	again := b.another()
	require.NoError(t, again.Load(t.Context()))
	again.monitor.Sweep(b.seen)
	workOff(t.Context(), again)
	nights := map[string]int{}
	days := 0
	for _, c := range b.charges(o) {
		if c.PositionID == id {
			nights[c.Day.Format(time.DateOnly)] = c.Nights
		} else {
			days++
		}
	}
	require.Equal(t, map[string]int{"2026-11-24": 1, "2026-11-25": 3, "2026-11-26": 1, "2026-11-27": 1, "2026-11-30": 1}, nights, "three on Wednesday, none at the weekend")
	require.Equal(t, 7, days, "a market that never closes pays every day")
	require.EqualValues(t, -7*8_900_000, b.position(o, id).Swap)
	require.EqualValues(t, -7*360_000, b.position(o, btc).Swap)
	b.proves()
}

// TestPercentSwap checks the example of https://helpcenter.ultimarkets.com/hc/en-us/articles/10926282527375-How-to-calculate-swap-fee: 6.88 % of 235.94 per
// year.
func TestPercentSwap(t *testing.T) {
	t.Parallel()
	b := swapping(t)
	b.quote(aapl, "235.94", "236.00")
	o := b.fund(10_000 * unit)
	b.opens(trading.Open{Owner: o, ProductID: aapl, Side: trading.Buy, Lots: unit})
	b.time.Set(evening(24, 15, 59))
	last := b.quote(aapl, "235.94", "236.10")
	b.time.Set(evening(25, 10, 0))
	b.jump(aapl, "240.00", "240.10")
	b.sweep()
	list := b.charges(o)
	require.Len(t, list, 1)
	require.Equal(t, []any{int64(23_594), last.Seq, int64(-45_091)}, []any{*list[0].Price, *list[0].QuoteSeq, list[0].Amount}, "of the last price before the rollover: −0.05 on the page")
	b.proves()
}

func TestSwapThatCantBePaidBecomesADeficit(t *testing.T) {
	t.Parallel()
	b := swapping(t)
	b.prices()
	o := b.fund(1_100*unit + 15*unit)
	id := b.opens(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Buy, Lots: unit}).Position.ID
	_, err := b.super.Exec(t.Context(), `UPDATE product_terms SET swap_long = -2000000000 WHERE product_id = 1`) // 2,000 a night
	require.NoError(t, err)
	require.NoError(t, b.market.ReloadTerms(t.Context()))
	b.time.Set(evening(24, 17, 1))
	b.jump(eurusd, "1.10000", "1.10010")
	b.sweep()
	require.Equal(t, trading.StateClosed, b.position(o, id).State, "stopped out")
	account := b.account(o)
	require.Zero(t, account.Cash)
	require.Zero(t, account.Deficit, "and forgiven")
	b.proves()
}

func TestDividend(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	o := b.fund(10_000 * unit)
	long := b.opens(trading.Open{Owner: o, ProductID: aapl, Side: trading.Buy, Lots: 10 * unit}).Position.ID
	short := b.opens(trading.Open{Owner: o, ProductID: aapl, Side: trading.Sell, Lots: 3 * unit}).Position.ID
	b.dividend(aapl, "2026-11-27", 260_000)
	b.time.Set(evening(25, 17, 0)) // the 26th is Thanksgiving: the next trading day is the ex-date
	b.sweep()
	list := b.charges(o)
	require.Len(t, list, 2)
	require.Equal(t, []any{trading.DividendCharge, int64(-780_000), trading.DividendCharge, int64(2_600_000)}, []any{list[0].Kind, list[0].Amount, list[1].Kind, list[1].Amount})
	require.EqualValues(t, 2_600_000, b.position(o, long).Dividends)
	require.EqualValues(t, -780_000, b.position(o, short).Dividends)
	require.EqualValues(t, -1_820_000, b.house("dividends"))
	b.time.Set(evening(30, 18, 0))
	late := b.fund(10_000 * unit)
	b.quote(aapl, "200.00", "200.10")
	b.sweep()
	require.Len(t, b.charges(o), 2)
	require.Empty(t, b.charges(late))
	b.proves()
}

// dividend inserts a dividend that one member of staff requested and another approved.
func (b *bundle) dividend(productID int, exDate string, amount int64) {
	b.t.Helper()
	_, err := b.super.Exec(b.t.Context(), `
		INSERT INTO staff (id, email, name, state, created_at) VALUES (1, 'a@example.com', 'A', 'active', now()), (2, 'b@example.com', 'B', 'active', now());
		INSERT INTO approvals (id, use, subject, proposal, note, facts, people, state, requested_by, requested_at)
		VALUES (1, 'dividend', '301', '{"ex_date": "2026-11-27", "amount": 260000}', 'declared', sha256('declared'), 2, 'requested', 1, now());
		UPDATE approvals SET state = 'applied', second_by = 2, second_at = now(), applied_at = now()`)
	require.NoError(b.t, err)
	_, err = b.db.Pool.Exec(b.t.Context(), `INSERT INTO dividends (product_id, ex_date, amount, approval_id) VALUES ($1, $2, $3, 1)`, productID, exDate, amount)
	require.NoError(b.t, err)
	require.NoError(b.t, b.market.ReloadTerms(b.t.Context()))
}

func TestVerifyNamesAWrongCharge(t *testing.T) {
	t.Parallel()
	b := swapping(t)
	b.prices()
	o := b.fund(10_000 * unit)
	b.opens(trading.Open{Owner: o, ProductID: eurgbp, Side: trading.Buy, Lots: unit})
	b.time.Set(evening(24, 17, 0))
	b.sweep()
	require.Len(t, b.charges(o), 1)
	problem, _ := b.verify(b.super)
	require.Nil(t, problem)
	for name, test := range map[string]struct{ sql, table, what string }{
		"AnAmount":          {`UPDATE charges SET amount = amount + 1`, "charges", "its amount is not what its sums give"},
		"ARate":             {`UPDATE charges SET rate = rate + 1`, "charges", "its rate is not that of its terms"},
		"Lots":              {`UPDATE charges SET lots = lots - 1`, "charges", "it counts other lots than were open"},
		"Nights":            {`UPDATE charges SET nights = 3`, "charges", "its rollover is not one of its product's"},
		"ADay":              {`UPDATE charges SET day = day - 1`, "charges", "its rollover is not one of its product's"},
		"AMoment":           {`UPDATE charges SET at_ms = at_ms + 1`, "charges", "its rollover is not one of its product's"},
		"AnotherConversion": {`UPDATE charges SET conversion_product = 1, conversion_seq = 1`, "charges", "it was not converted as its currency demands"},
		"NoConversion":      {`UPDATE charges SET conversion_product = NULL, conversion_seq = NULL`, "charges", "it was not converted as its currency demands"},
		"ALaterQuote": {`INSERT INTO tape_quotes (product_id, seq, bid, ask, at_ms, source_ms, source, batch)
			SELECT 2, 2, bid, ask, at_ms + 1, source_ms, source, batch FROM tape_quotes WHERE product_id = 2`, "charges", "its quotes are not the last before the rollover"},
		"Another":        {`UPDATE charges SET transaction_id = NULL`, "charges", "the ledger posted something else"},
		"ItsPosting":     {`UPDATE postings SET amount = amount - 1 WHERE account_id = 6`, "charges", "the ledger posted something else"},
		"Removed":        {`DELETE FROM charges`, "positions", "was not charged its swap of 2026-11-24"},
		"APositionsSwap": {`UPDATE positions SET swap = 0 WHERE swap <> 0`, "positions", "is not what its fills and charges make of it"},
	} {
		t.Run(name, func(t *testing.T) {
			tx, err := b.super.Begin(t.Context())
			require.NoError(t, err)
			defer func() { _ = tx.Rollback(t.Context()) }()
			_, err = tx.Exec(t.Context(), `SET session_replication_role = replica; `+test.sql)
			require.NoError(t, err)
			problem, _ := b.verify(tx)
			require.NotNil(t, problem)
			require.Equal(t, test.table, problem.Table)
			require.Contains(t, problem.What, test.what)
		})
	}
}

// TestChargesNameTheUnitOfTheirRate alters a unit after the first night: earlier charges keep their unit.
func TestChargesNameTheUnitOfTheirRate(t *testing.T) {
	t.Parallel()
	b := swapping(t)
	b.prices()
	o := b.fund(100_000 * unit)
	for _, id := range []int{eurusd, btcusd, aapl} {
		b.opens(trading.Open{Owner: o, ProductID: id, Side: trading.Buy, Lots: unit})
	}
	b.dividend(aapl, "2026-11-27", 260_000)
	b.time.Set(evening(24, 17, 0))
	b.sweep()
	_, err := b.super.Exec(t.Context(), `
		SET session_replication_role = replica;
		INSERT INTO product_terms OVERRIDING SYSTEM VALUE SELECT (jsonb_populate_record(t, '{"id": 999, "version": 2, "approval_id": 2, "effective_at": "2026-11-25T12:00:00Z", "swap_model": "money"}')).*
		FROM product_terms t WHERE product_id = 1;
		SET session_replication_role = DEFAULT`)
	require.NoError(t, err)
	require.NoError(t, b.market.ReloadTerms(t.Context()))
	b.time.Set(evening(25, 17, 0))
	b.sweep()
	units := map[int]map[int][]trading.ChargeUnit{24: {}, 25: {}}
	for _, c := range b.charges(o) {
		units[c.Day.Day()][c.ProductID] = append(units[c.Day.Day()][c.ProductID], c.Unit)
	}
	require.Equal(t, map[int][]trading.ChargeUnit{eurusd: {trading.PointRate}, btcusd: {trading.MoneyRate}, aapl: {trading.PercentRate}}, units[24])
	require.Equal(t, map[int][]trading.ChargeUnit{eurusd: {trading.MoneyRate}, btcusd: {trading.MoneyRate}, aapl: {trading.DividendRate, trading.PercentRate}}, units[25])
}

func TestTermsChangeAtTheirMoment(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	o := b.fund(100_000 * unit)
	_, err := b.super.Exec(t.Context(), `
		SET session_replication_role = replica;
		INSERT INTO product_terms OVERRIDING SYSTEM VALUE SELECT (jsonb_populate_record(t, '{"id": 999, "version": 2, "approval_id": 1, "effective_at": "2026-11-24T15:05:00Z", "commission_per_lot": 7000000}')).*
		FROM product_terms t WHERE product_id = 101;
		SET session_replication_role = DEFAULT`)
	require.NoError(t, err)
	require.NoError(t, b.market.ReloadTerms(t.Context()))
	before := b.opens(trading.Open{Owner: o, ProductID: xauusd, Side: trading.Buy, Lots: unit})
	require.Equal(t, []any{1, int64(3_500_000)}, []any{before.Fill.Terms, before.Fill.Commission})
	b.time.Set(time.Date(2026, 11, 24, 15, 6, 0, 0, time.UTC))
	b.jump(xauusd, "2000.00", "2000.50")
	after := b.closes(o, before.Position.ID, 0)
	require.Equal(t, []any{2, int64(7_000_000)}, []any{after.Fill.Terms, after.Fill.Commission})
	b.stop()
	problem, _ := b.verify(b.super)
	require.Nil(t, problem)
	_, err = b.super.Exec(t.Context(), `UPDATE fills SET terms = 1 WHERE entry = 'close'`)
	require.NoError(t, err)
	problem, _ = b.verify(b.super)
	require.Equal(t, "its terms were not in force", problem.What)
}

func TestCloseOnlyProducts(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	o := b.fund(100_000 * unit)
	id := b.opens(trading.Open{Owner: o, ProductID: xauusd, Side: trading.Buy, Lots: unit}).Position.ID
	order := b.places(trading.Place{Owner: o, ProductID: xauusd, Type: trading.LimitOrder, Side: trading.Buy, Lots: unit, Terms: trading.Terms{Price: 199_000, TimeInForce: trading.GoodTillCancelled}})
	_, err := b.super.Exec(t.Context(), `UPDATE product_terms SET mode = 'close_only' WHERE product_id = 101`)
	require.NoError(t, err)
	require.NoError(t, b.market.ReloadTerms(t.Context()))
	_, err = b.try(trading.Open{Owner: o, ProductID: xauusd, Side: trading.Buy, Lots: unit})
	require.ErrorIs(t, err, trading.ErrCloseOnly)
	_, err = b.tryPlace(trading.Place{Owner: o, ProductID: xauusd, Type: trading.LimitOrder, Side: trading.Buy, Lots: unit, Terms: trading.Terms{Price: 199_000, TimeInForce: trading.GoodTillCancelled}})
	require.ErrorIs(t, err, trading.ErrCloseOnly)
	b.quote(xauusd, "1989.00", "1989.50")
	b.work()
	ended := b.order(o, order.ID)
	require.Equal(t, []any{trading.Cancelled, trading.ClosingOnly}, []any{ended.Status, *ended.Reason})
	require.Equal(t, trading.StateClosed, b.closes(o, id, 0).Position.State, "what is open may be closed")
	b.proves()
}

func TestLeverageIsCappedByCountry(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	p, err := b.market.Product(eurusd)
	require.NoError(t, err)
	require.Equal(t, []int{30, 20}, b.market.Leverages(p, "DE"))
	require.Equal(t, []int{100, 50, 200, 20, 500}, b.market.Leverages(p, "AE"))
	o := b.fund(100_000 * unit)
	o.Country = "DE"
	_, err = b.try(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Buy, Lots: unit, Leverage: 100})
	require.ErrorIs(t, err, trading.ErrLeverage)
	_, err = b.tryPlace(trading.Place{Owner: o, ProductID: eurusd, Type: trading.LimitOrder, Side: trading.Buy, Lots: unit, Leverage: 50, Terms: trading.Terms{Price: 109_000, TimeInForce: trading.GoodTillCancelled}})
	require.ErrorIs(t, err, trading.ErrLeverage)
	require.Equal(t, 30, b.opens(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Buy, Lots: unit, Leverage: 30}).Fill.Leverage)
	_, err = b.db.Pool.Exec(t.Context(), `INSERT INTO leverage_caps VALUES ('forex', 'AE', 1)`)
	require.ErrorContains(t, err, "permission denied")
	b.proves()
}

// TestEqualLegsWithoutMarginAreStoppedOut checks that an account without used margin is stopped out when its equity is gone.
func TestEqualLegsWithoutMarginAreStoppedOut(t *testing.T) {
	t.Parallel()
	b := setupOn(t, `swap_model = 'money', swap_long = -1500000000, swap_short = 0, tiers = '', hedged_ratio_bps = 0`)
	b.prices()
	o := b.fund(1_200 * unit)
	b.opens(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Buy, Lots: unit})
	b.opens(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Sell, Lots: unit})
	b.quote(eurusd, "1.10000", "1.10100")
	b.sweep()
	require.Len(t, b.value(o).Positions, 2, "there is equity")
	require.Zero(t, b.value(o).Used)
	b.time.Set(evening(24, 17, 0))
	b.jump(eurusd, "1.10000", "1.10010")
	b.sweep() // the swap is larger than the equity
	b.sweep()
	require.Empty(t, b.value(o).Positions)
	b.proves()
}
