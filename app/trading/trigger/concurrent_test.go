package trigger

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/ledger"
	"candor/app/market"
	"candor/app/trading"
	"candor/app/trading/tradingtest"
)

// TestQuotesAndAccountsMeet sends quotes while accounts are remembered: every fiftieth quote reaches the limit of all orders, so each order triggers exactly
// once, whichever comes first.
func TestQuotesAndAccountsMeet(t *testing.T) {
	t.Parallel()
	const accounts, quotes = 2_000, 200_000
	tm := newWatch()
	fired, mu := map[Subject]int{}, sync.Mutex{}
	take := func(tasks []Task) {
		mu.Lock()
		defer mu.Unlock()
		for _, t := range tasks {
			fired[t.Subject]++
		}
	}
	var group sync.WaitGroup
	for worker := range int64(2) {
		group.Go(func() {
			for id := worker; id < accounts; id += 2 {
				order := trading.Order{ID: id + 1, ProductID: tradingtest.EURUSD, Type: trading.LimitOrder, Status: trading.Working, Side: trading.Buy, Price: new(int64(100))}
				take(tm.put(trading.Portfolio{Account: ledger.Account{ID: id + 1}, Orders: []trading.Order{order}}))
				tm.watchBands(trading.Portfolio{Account: ledger.Account{ID: id + 1}}, []int{tradingtest.EURUSD}, nil)
				_, _ = tm.changedAccounts()
			}
		})
	}
	group.Go(func() {
		for seq := range int64(quotes) {
			ask := int64(101)
			if seq%50 == 0 {
				ask = 100
			}
			take(tm.triggered(&market.Quote{ProductID: tradingtest.EURUSD, Seq: seq + 1, Bid: 99, Ask: ask}))
		}
	})
	group.Wait()
	take(tm.triggered(&market.Quote{ProductID: tradingtest.EURUSD, Seq: quotes + 1, Bid: 99, Ask: 100}))
	require.Len(t, fired, accounts)
	for what, times := range fired {
		require.Equal(t, 1, times, what)
	}
}
