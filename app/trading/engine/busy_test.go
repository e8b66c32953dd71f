package engine

import (
	"context"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"candor/app/trading"
)

// TestATriggerKeepsItsQuoteWhileTheDatabaseIsBusy leaves no connection free for longer than the wait for one; the price recovers meanwhile.
func TestATriggerKeepsItsQuoteWhileTheDatabaseIsBusy(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	o := b.fund(25_500_000)
	id := b.opens(trading.Open{Owner: o, ProductID: btcusd, Side: trading.Buy, Lots: cent, StopLoss: ptr[int64](48_800_00)}).Position.ID
	q := b.quote(btcusd, "48700.00", "48710.00")

	free, held := make(chan struct{}), make(chan struct{})
	var holders sync.WaitGroup
	connections := 2 * runtime.GOMAXPROCS(0)
	for range connections {
		holders.Go(func() {
			_ = b.db.Hot(t.Context(), func(*pgx.Conn) error {
				held <- struct{}{}
				<-free
				return nil
			})
		})
	}
	for range connections {
		<-held
	}
	worked := make(chan struct{})
	go func() {
		defer close(worked)
		workOff(context.WithoutCancel(t.Context()), b.engine)
	}()
	time.Sleep(5500 * time.Millisecond) // longer than the wait for a connection
	b.quote(btcusd, "50000.00", "50010.00")
	close(free)
	holders.Wait()
	<-worked
	fills := b.fills(o)
	require.Len(t, fills, 2)
	require.Equal(t, []any{q.Seq, int64(48_700_00)}, []any{fills[1].QuoteSeq, fills[1].Price})
	require.Equal(t, trading.StateClosed, b.position(o, id).State)
	b.proves()
}
