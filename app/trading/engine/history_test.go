package engine

import (
	"cmp"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/ledger"
	"candor/app/trading"
)

// history lists the ids of closed positions, at most ten unless the filter has a limit.
func (b *bundle) history(o ledger.Owner, f HistoryFilter) (ids []int64) {
	b.t.Helper()
	if f.Limit == 0 {
		f.Limit = 10
	}
	list, _, err := b.engine.History(b.t.Context(), o.AccountID, f)
	require.NoError(b.t, err)
	for _, p := range list {
		ids = append(ids, p.ID)
	}
	return ids
}

func TestHistory(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	o := b.fund(100_000 * unit)
	var ids []int64
	for i, id := range []int{eurusd, xauusd, eurusd, btcusd} {
		side := []trading.Side{trading.Buy, trading.Sell}[i%2]
		done := b.opens(trading.Open{Owner: o, ProductID: id, Side: side, Lots: 10 * cent})
		b.real.Advance(time.Hour)
		b.closes(o, done.Position.ID, 0)
		ids = append(ids, done.Position.ID)
	}
	b.opens(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Buy, Lots: 10 * cent})
	start := tuesday.Add(time.Hour)
	tests := []struct {
		name   string
		filter HistoryFilter
		want   []int64
		total  int
	}{
		{"NewestFirst", HistoryFilter{}, []int64{ids[3], ids[2], ids[1], ids[0]}, 4},
		{"OfAProduct", HistoryFilter{ProductID: eurusd}, []int64{ids[2], ids[0]}, 2},
		{"OfASide", HistoryFilter{Side: trading.Sell}, []int64{ids[3], ids[1]}, 2},
		{"FromAMoment", HistoryFilter{From: start.Add(3 * time.Hour)}, []int64{ids[3], ids[2]}, 2},
		{"UntilAMoment", HistoryFilter{To: start.Add(3 * time.Hour)}, []int64{ids[1], ids[0]}, 2},
		{"BeforeAnID", HistoryFilter{Before: ids[2]}, []int64{ids[1], ids[0]}, 4},
		{"ASecondPage", HistoryFilter{Offset: 1, Limit: 2}, []int64{ids[2], ids[1]}, 4},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			require.Equal(t, test.want, b.history(o, test.filter))
			total, _, err := b.engine.CountHistory(t.Context(), o.AccountID, test.filter)
			require.NoError(t, err)
			require.Equal(t, test.total, total)
		})
	}
	t.Run("FillsOfOnePosition", func(t *testing.T) {
		list, _, err := b.engine.Fills(t.Context(), o.AccountID, FillFilter{PositionID: ids[1], Limit: 10})
		require.NoError(t, err)
		require.Equal(t, []string{trading.EntryClose, trading.EntryOpen}, []string{list[0].Entry, list[1].Entry})
		list, _, err = b.engine.Fills(t.Context(), o.AccountID, FillFilter{PositionID: ids[1], Before: list[0].ID, Limit: 10})
		require.NoError(t, err)
		require.Len(t, list, 1)
	})
	t.Run("PositionsOfOrders", func(t *testing.T) {
		fill := b.fills(o)[2]
		found, err := b.engine.PositionsOf(t.Context(), o.AccountID, []int64{fill.OrderID, 999_999})
		require.NoError(t, err)
		require.Equal(t, map[int64]int64{fill.OrderID: fill.PositionID}, found)
		found, err = b.engine.PositionsOf(t.Context(), b.fund(0).AccountID, []int64{fill.OrderID})
		require.NoError(t, err)
		require.Empty(t, found, "of another account")
		found, err = b.engine.PositionsOf(t.Context(), o.AccountID, nil)
		require.NoError(t, err)
		require.Empty(t, found)
	})
	t.Run("OfSomebodyElseIsEmpty", func(t *testing.T) {
		other := b.fund(0)
		require.Empty(t, b.history(other, HistoryFilter{}))
		total, _, err := b.engine.CountHistory(t.Context(), other.AccountID, HistoryFilter{})
		require.NoError(t, err)
		require.Zero(t, total)
	})
}

// TestHistoryByWhatCausedIt opens positions by each kind of order, closes one for each reason, and filters by both.
func TestHistoryByWhatCausedIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	o, poor := b.fund(10_000*unit), b.fund(25_005_000)
	buy := trading.Open{Owner: o, ProductID: eurusd, Side: trading.Buy, Lots: cent}
	opens := func(cmd trading.Open) int64 { return b.opens(cmd).Position.ID }
	manual, second, third, trailing := opens(buy), opens(buy), opens(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Sell, Lots: cent}), opens(buy)
	protected := buy
	protected.StopLoss = ptr[int64](109_800)
	stopped := opens(protected)
	protected.StopLoss, protected.TakeProfit = nil, ptr[int64](110_300)
	taken := opens(protected)
	b.closes(o, manual, 0)
	_, err := b.tryCloseBy(o, second, third)
	require.NoError(t, err)
	b.places(trading.Place{Owner: o, ProductID: eurusd, Type: trading.LimitOrder, Side: trading.Buy, Terms: priced(109_900)})
	b.places(trading.Place{Owner: o, ProductID: eurusd, Type: trading.StopOrder, Side: trading.Buy, Terms: priced(110_400)})
	b.places(trading.Place{Owner: o, ProductID: eurusd, Type: trading.StopLimitOrder, Side: trading.Buy, Terms: stopLimit(110_400, 110_500)})
	b.quote(eurusd, "1.10300", "1.10310")
	b.work()
	b.trails(o, trailing, 100)
	b.quote(eurusd, "1.10390", "1.10400")
	b.work()
	b.quote(eurusd, "1.09800", "1.09810")
	b.work()
	byRule := map[trading.Rule]int64{}
	for _, f := range b.fills(o) {
		if f.Entry == trading.EntryOpen && f.Rule != trading.MarketRule {
			byRule[f.Rule] = f.PositionID
			b.closes(o, f.PositionID, 0)
		}
	}
	require.Len(t, byRule, 3)
	out := b.opens(trading.Open{Owner: poor, ProductID: btcusd, Side: trading.Buy, Lots: cent}).Position.ID
	b.quote(btcusd, "48700.00", "48710.00")
	b.sweep()

	for reason, want := range map[trading.CloseReason][]int64{
		trading.StopLossClose: {stopped}, trading.TakeProfitClose: {taken}, trading.TrailingClose: {trailing}, trading.CloseByClose: {second, third}, trading.StopOutClose: nil,
		trading.ManualClose: {manual, byRule[trading.LimitRule], byRule[trading.StopRule], byRule[trading.StopLimitRule]},
	} {
		require.ElementsMatch(t, want, b.history(o, HistoryFilter{Reason: reason}), reason)
		total, _, err := b.engine.CountHistory(t.Context(), o.AccountID, HistoryFilter{Reason: reason})
		require.NoError(t, err)
		require.Equal(t, len(want), total, reason)
	}
	require.Equal(t, []int64{out}, b.history(poor, HistoryFilter{Reason: trading.StopOutClose}))
	for rule, want := range map[trading.Rule][]int64{
		trading.MarketRule: {manual, second, third, trailing, stopped, taken},
		trading.LimitRule:  {byRule[trading.LimitRule]}, trading.StopRule: {byRule[trading.StopRule]}, trading.StopLimitRule: {byRule[trading.StopLimitRule]},
	} {
		require.ElementsMatch(t, want, b.history(o, HistoryFilter{OpenedBy: rule}), rule)
	}
	require.Equal(t, []int64{byRule[trading.LimitRule]}, b.history(o, HistoryFilter{OpenedBy: trading.LimitRule, Reason: trading.ManualClose}))
	require.Empty(t, b.history(o, HistoryFilter{OpenedBy: trading.LimitRule, Reason: trading.StopLossClose}))

	for rule, want := range map[trading.Rule]int{trading.MarketRule: 6 + 4, trading.LimitRule: 1, trading.StopRule: 1, trading.StopLimitRule: 1, trading.StopLossRule: 1, trading.TakeProfitRule: 1, trading.TrailingRule: 1, trading.CloseByRule: 2, trading.StopOutRule: 0} {
		fills, _, err := b.engine.Fills(t.Context(), o.AccountID, FillFilter{Rule: rule, Limit: 100})
		require.NoError(t, err)
		require.Len(t, fills, want, rule)
		for _, f := range fills {
			require.Equal(t, rule, f.Rule)
		}
	}
	b.proves()
}

func TestFillsOfAnAccount(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	o := b.fund(100_000 * unit)
	for _, cmd := range []trading.Open{{ProductID: eurusd, Side: trading.Buy}, {ProductID: btcusd, Side: trading.Sell}, {ProductID: eurusd, Side: trading.Sell}} {
		cmd.Owner, cmd.Lots = o, 10*cent
		b.opens(cmd)
		b.real.Advance(time.Hour)
	}
	all := b.fills(o)
	start := tuesday.Add(time.Hour)
	for name, test := range map[string]struct {
		filter FillFilter
		want   []trading.Fill
	}{
		"NewestFirst":         {FillFilter{}, []trading.Fill{all[2], all[1], all[0]}},
		"OfAProduct":          {FillFilter{ProductID: eurusd}, []trading.Fill{all[2], all[0]}},
		"OfASide":             {FillFilter{Side: trading.Sell}, []trading.Fill{all[2], all[1]}},
		"OfBoth":              {FillFilter{ProductID: eurusd, Side: trading.Sell}, []trading.Fill{all[2]}},
		"OfAPosition":         {FillFilter{PositionID: all[1].PositionID}, []trading.Fill{all[1]}},
		"FromAMoment":         {FillFilter{From: start.Add(time.Hour)}, []trading.Fill{all[2], all[1]}},
		"UntilAMoment":        {FillFilter{To: start.Add(time.Hour)}, []trading.Fill{all[0]}},
		"BeforeAnID":          {FillFilter{Before: all[2].ID}, []trading.Fill{all[1], all[0]}},
		"BehindOthers":        {FillFilter{Offset: 2}, []trading.Fill{all[0]}},
		"OfAnUntradedProduct": {FillFilter{ProductID: aapl}, []trading.Fill{}},
	} {
		test.filter.Limit = 10
		got, _, err := b.engine.Fills(t.Context(), o.AccountID, test.filter)
		require.NoError(t, err)
		require.Equal(t, test.want, got, name)
	}
	got, _, err := b.engine.Fills(t.Context(), b.fund(0).AccountID, FillFilter{Limit: 10})
	require.NoError(t, err)
	require.Empty(t, got, "of somebody else")
}

// TestOrdersOfAnAccount has one pending order and one that ended in each way, and tests every list filter.
func TestOrdersOfAnAccount(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	o := b.fund(200 * unit)
	names, start := map[int64]string{}, b.real.Now()
	place := func(name string, cmd trading.Place) int64 {
		cmd.Owner = o
		placed := b.places(cmd)
		names[placed.ID] = name
		b.real.Advance(time.Hour)
		return placed.ID
	}
	place("waiting", trading.Place{ProductID: eurusd, Type: trading.LimitOrder, Side: trading.Buy, Terms: priced(90_000)})
	place("armed", trading.Place{ProductID: eurusd, Type: trading.StopLimitOrder, Side: trading.Sell, Terms: stopLimit(109_900, 120_000)})
	place("filled", trading.Place{ProductID: eurusd, Type: trading.StopOrder, Side: trading.Sell, Terms: priced(109_900)})
	place("no margin", trading.Place{ProductID: eurusd, Type: trading.LimitOrder, Side: trading.Buy, Lots: 10 * unit, Terms: priced(109_900)})
	_, err := b.tryCancel(o, place("trader", trading.Place{ProductID: btcusd, Type: trading.LimitOrder, Side: trading.Buy, Leverage: 20, Terms: priced(4_000_000)}))
	require.NoError(t, err)
	crowded := place("too many", trading.Place{ProductID: btcusd, Type: trading.LimitOrder, Side: trading.Sell, Leverage: 20, Terms: priced(9_000_000)})
	_, err = b.tryCancel(o, crowded)
	require.NoError(t, err)
	_, err = b.super.Exec(t.Context(), `SET session_replication_role = replica; UPDATE orders SET reason = 'too_many_positions' WHERE id = `+strconv.FormatInt(crowded, 10)+
		`; SET session_replication_role = DEFAULT`)
	require.NoError(t, err)
	pair := b.pairs(o, [2]trading.Place{
		{ProductID: eurusd, Type: trading.LimitOrder, Side: trading.Buy, Terms: priced(90_000)}, {ProductID: eurusd, Type: trading.StopOrder, Side: trading.Buy, Terms: priced(120_000)},
	})
	names[pair[0].ID], names[pair[1].ID] = "oco", "trader too"
	_, err = b.tryCancel(o, pair[1].ID)
	require.NoError(t, err)
	b.real.Advance(time.Hour)
	place("close only", trading.Place{ProductID: xauusd, Type: trading.LimitOrder, Side: trading.Buy, Terms: priced(199_000)})
	until := b.time.Now().Add(time.Minute)
	place("expired", trading.Place{ProductID: btcusd, Type: trading.StopOrder, Side: trading.Buy, Leverage: 20, Terms: trading.Terms{Price: 9_000_000, TimeInForce: trading.GoodTillDate, ExpiresAt: &until}})
	b.opens(trading.Open{Owner: o, ProductID: eurusd, Side: trading.Buy, Lots: cent}) // market orders are not listed
	_, err = b.super.Exec(t.Context(), `UPDATE product_terms SET mode = 'close_only' WHERE product_id = 101`)
	require.NoError(t, err)
	require.NoError(t, b.market.ReloadTerms(t.Context()))
	b.quote(xauusd, "1989.00", "1989.50")
	b.quote(eurusd, "1.09890", "1.09900")
	b.work()
	b.time.Advance(time.Minute)
	b.sweep()

	find := func(o ledger.Owner, f OrderFilter) (found []string) {
		f.Limit = cmp.Or(f.Limit, 100)
		list, _, err := b.engine.Orders(t.Context(), o.AccountID, f)
		require.NoError(t, err)
		require.True(t, slices.IsSortedFunc(list, func(x, y trading.Order) int { return int(y.ID - x.ID) }), "newest first")
		for _, one := range list {
			found = append(found, names[one.ID])
		}
		return found
	}
	all := []string{"expired", "close only", "trader too", "oco", "too many", "trader", "no margin", "filled", "armed", "waiting"}
	for _, test := range []struct {
		filter OrderFilter
		want   []string
	}{
		{OrderFilter{}, all},
		{OrderFilter{Group: WaitingOrders}, []string{"armed", "waiting"}},
		{OrderFilter{Group: EndedOrders}, all[:8]},
		{OrderFilter{Group: FilledOrders}, []string{"filled"}},
		{OrderFilter{Group: UnfilledOrders}, all[:7]},
		{OrderFilter{Reason: trading.ByTrader}, []string{"trader too", "trader"}},
		{OrderFilter{Reason: trading.NoMargin}, []string{"no margin"}},
		{OrderFilter{Reason: trading.TooManyPositions}, []string{"too many"}},
		{OrderFilter{Reason: trading.TimeIsUp}, []string{"expired"}},
		{OrderFilter{Reason: trading.ClosingOnly}, []string{"close only"}},
		{OrderFilter{Reason: trading.OtherEnded}, []string{"oco"}},
		{OrderFilter{Reason: trading.ByTrader, Group: FilledOrders}, nil},
		{OrderFilter{ProductID: btcusd}, []string{"expired", "too many", "trader"}},
		{OrderFilter{ProductID: aapl}, nil},
		{OrderFilter{Side: trading.Sell}, []string{"too many", "filled", "armed"}},
		{OrderFilter{Type: trading.StopOrder}, []string{"expired", "trader too", "filled"}},
		{OrderFilter{Type: trading.StopLimitOrder}, []string{"armed"}},
		{OrderFilter{Type: trading.MarketOrder}, nil},
		{OrderFilter{From: start.Add(time.Hour), To: start.Add(3 * time.Hour)}, []string{"filled", "armed"}},
		{OrderFilter{To: start}, nil},
		{OrderFilter{Group: UnfilledOrders, Reason: trading.ByTrader, ProductID: btcusd, Type: trading.LimitOrder, Side: trading.Buy, From: start, To: start.Add(24 * time.Hour)}, []string{"trader"}},
		{OrderFilter{Group: UnfilledOrders, Limit: 2}, all[:2]},
		{OrderFilter{Group: UnfilledOrders, Before: pair[1].ID, Limit: 2}, all[3:5]},
		{OrderFilter{Offset: 8}, all[8:]},
	} {
		require.Equal(t, test.want, find(o, test.filter), "%+v", test.filter)
	}
	require.Empty(t, find(b.fund(0), OrderFilter{}), "of somebody else")
}
