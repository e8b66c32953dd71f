package trigger

import (
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/ledger"
	"candor/app/market"
	"candor/app/trading"
	"candor/app/trading/tradingtest"
)

// TestQuotesOfALongLoadAreKept sends a hundred quotes while accounts are read; the first of them reaches an order.
func TestQuotesOfALongLoadAreKept(t *testing.T) {
	t.Parallel()
	order := trading.Order{ID: 1, ProductID: tradingtest.EURUSD, Type: trading.LimitOrder, Status: trading.Working, Side: trading.Buy, Price: new(int64(90))}
	for _, loading := range []bool{true, false} {
		tm := newWatch()
		tm.KeepQuotes(loading)
		for seq := range int64(100) {
			q := market.Quote{ProductID: tradingtest.EURUSD, Seq: seq + 1, Bid: 99, Ask: 100}
			if seq == 0 {
				q.Bid, q.Ask = 89, 90
			}
			require.Empty(t, tm.triggered(&q))
		}
		tasks := tm.put(trading.Portfolio{Account: ledger.Account{ID: 1}, Orders: []trading.Order{order}})
		if !loading {
			require.Empty(t, tasks, "the ring holds the last ones only")
			continue
		}
		require.Len(t, tasks, 1)
		require.EqualValues(t, 1, tasks[0].Quote.Seq, "at the quote that reached it")
		tm.KeepQuotes(false)
		require.Len(t, tm.Recent(tradingtest.EURUSD), recentQuotes, "afterwards the last ones are left")
	}
}

// TestTheFiredLeaveTheBooks triggers an order: no quote checks it again while its task is under way, and a dropped task puts it back at its level.
func TestTheFiredLeaveTheBooks(t *testing.T) {
	t.Parallel()
	tm := newWatch()
	order := trading.Order{ID: 1, ProductID: tradingtest.EURUSD, Type: trading.LimitOrder, Status: trading.Working, Side: trading.Buy, Price: new(int64(90))}
	require.Empty(t, tm.put(trading.Portfolio{Account: ledger.Account{ID: 1}, Orders: []trading.Order{order}}))
	waiting := func() int { return tm.book(tradingtest.EURUSD).levels[triggers][askFalls].tree.Len() }
	tasks := tm.triggered(&market.Quote{ProductID: tradingtest.EURUSD, Seq: 1, Bid: 89, Ask: 90})
	require.Len(t, tasks, 1)
	require.Zero(t, waiting())
	require.Empty(t, tm.triggered(&market.Quote{ProductID: tradingtest.EURUSD, Seq: 2, Bid: 88, Ask: 89}))
	tm.Drop(tasks[0])
	require.Equal(t, 1, waiting())
	require.Len(t, tm.triggered(&market.Quote{ProductID: tradingtest.EURUSD, Seq: 3, Bid: 89, Ask: 90}), 1, "the next quote tries again")
}
