package stream

import (
	"context"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/market"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/dbtest"
	"candor/app/platform/seal"
	"candor/app/session"
)

func TestMain(m *testing.M) { dbtest.Run(m) }

// script is a feed whose quotes the test sends.
type script struct {
	clock   *clock.Fixed
	quotes  chan market.Raw
	handled chan struct{}
}

func (f *script) Name() string                                                        { return "script" }
func (f *script) Clock() clock.Clock                                                  { return f.clock }
func (f *script) History(context.Context, func(market.Raw)) ([]market.Candle, error)  { return nil, nil }
func (f *script) Start([]market.Product, *market.Hours, map[string]market.Last) error { return nil }

func (f *script) StaleLimit(p market.Product) time.Duration {
	return time.Duration(p.StaleMS) * time.Millisecond
}

func (f *script) Run(ctx context.Context, emit func(market.Raw)) error {
	for {
		select {
		case raw := <-f.quotes:
			emit(raw)
			f.handled <- struct{}{}
		case <-ctx.Done():
			return nil
		}
	}
}

// TestPriceLinesSayThatAProductIsHalted sends one bad price between good ones and reads what a subscriber receives.
func TestPriceLinesSayThatAProductIsHalted(t *testing.T) {
	t.Parallel()
	const bitcoin = 201
	d, err := db.Open(t.Context(), dbtest.New(t).URL)
	require.NoError(t, err)
	t.Cleanup(d.Close)
	require.NoError(t, market.Seed(t.Context(), d))
	key, err := seal.LoadKey(t.TempDir())
	require.NoError(t, err)
	now := clock.NewFixed(time.Date(2026, 11, 24, 15, 0, 0, 0, time.UTC))
	feed := &script{clock: now, quotes: make(chan market.Raw), handled: make(chan struct{})}
	m := market.New(market.Config{DB: d, Feed: feed, Clock: now, Key: key, Checkpoints: seal.NewCheckpointStore(t.TempDir(), "tape")})
	require.NoError(t, m.Load(t.Context()))
	h := New(m, nil, session.New(d, now, nil), nil, nil, anySignature)
	m.OnQuote(h.OnQuote)
	m.OnHalt(h.OnHalt)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- m.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		require.NoError(t, <-ended)
	})
	reader := newFixture(t, h, httptest.NewServer(h)).dial(t)
	reader.subscribe(t, bitcoin, bitcoin)

	// sent returns the lines that the reader receives after a quote of the feed; none when nothing is new.
	sent := func(bid string) []priceLine {
		now.Advance(time.Second)
		feed.quotes <- market.Raw{Symbol: "BTCUSD", Bid: bid, Ask: bid, At: now.Now(), SourceAt: now.Now()}
		<-feed.handled
		reader.conn.shard.sweep(reader.conn.group.phase + 1)
		return reader.lines(t)
	}
	line := func(bid string, sequence int64, at time.Duration, halted bool) []priceLine {
		when := time.Date(2026, 11, 24, 15, 0, 0, 0, time.UTC).Add(at).UnixMilli()
		return []priceLine{{ProductID: bitcoin, Price: bid, Bid: bid, Ask: bid, Spread: "0.00", Sequence: sequence, Time: when, Halted: halted}}
	}
	require.Equal(t, line("90000.00", 1, time.Second, false), sent("90000.00"))
	require.Equal(t, line("90000.00", 1, time.Second, true), sent("0"), "the last price again, and that it is not traded on")
	require.Empty(t, sent("NaN"), "it is known")
	require.Equal(t, line("90001.00", 2, 4*time.Second, true), sent("90001.00"))
	require.Equal(t, line("90002.00", 3, 5*time.Second, true), sent("90002.00"))
	require.Equal(t, line("90003.00", 4, 6*time.Second, false), sent("90003.00"), "three good ones end it")
}
