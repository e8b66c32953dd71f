package market

import (
	"context"
	"crypto/ed25519"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/stretchr/testify/require"

	"candor/app/platform/db"
	"candor/app/platform/events"
)

// partner is one of several servers on a database: its market, its feed, and the quotes it receives.
type partner struct {
	market *Service
	feed   *script
	quotes chan Quote
	cancel context.CancelFunc
	done   chan error
}

// cluster starts a NATS server on the loopback, shared by the servers of one platform.
func cluster(t *testing.T) string {
	t.Helper()
	nats, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true, NoLog: true})
	require.NoError(t, err)
	nats.Start()
	t.Cleanup(nats.Shutdown)
	require.True(t, nats.ReadyForConnections(10*time.Second))
	return nats.ClientURL()
}

// join starts another server on the bundle's database.
func (b *bundle) join(url string) *partner {
	b.t.Helper()
	bus, err := events.Open(url)
	require.NoError(b.t, err)
	b.t.Cleanup(bus.Close)
	p := &partner{feed: &script{clock: b.time, now: make(chan Raw)}, quotes: make(chan Quote, 100), done: make(chan error, 1)}
	p.market = New(Config{DB: b.db, Feed: p.feed, Clock: b.real, Key: b.key, Checkpoints: b.outside, Leadership: NewLeadership(b.db), Bus: bus})
	p.market.OnQuote(func(q Quote) { p.quotes <- q })
	require.NoError(b.t, p.market.Load(b.t.Context()))
	var ctx context.Context
	ctx, p.cancel = context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		p.done <- p.market.Run(ctx)
	}()
	b.t.Cleanup(func() {
		p.cancel()
		<-ended
	})
	return p
}

// says makes a partner's feed emit a price.
func (p *partner) says(b *bundle, symbol, bid, ask string) {
	b.t.Helper()
	b.time.Advance(time.Millisecond)
	select {
	case p.feed.now <- b.raw(symbol, bid, ask):
	case <-time.After(time.Minute):
		require.FailNow(b.t, "its feed does not run")
	}
}

// hears waits for the next quote.
func (p *partner) hears(t *testing.T) Quote {
	t.Helper()
	select {
	case q := <-p.quotes:
		return q
	case <-time.After(time.Minute):
		require.FailNow(t, "nothing was heard")
		return Quote{}
	}
}

func recorded(t *testing.T, b *bundle, q Quote) error {
	t.Helper()
	return Refusal(b.db.InTx(t.Context(), func(tx *db.Tx) error { return recordTx(t, tx, q) }))
}

// TestTheLeadChangesOver runs two servers on one feed: one leads, the other receives its quotes and takes over when the first loses its lock. Then no
// quote of the former leader is written, and the tape stays whole.
func TestTheLeadChangesOver(t *testing.T) {
	t.Parallel()
	b := setup(t)
	url := cluster(t)
	first := b.join(url)
	second := b.join(url)
	require.True(t, first.market.IsLeader())
	require.False(t, second.market.IsLeader())

	var told Quote
	require.Eventually(t, func() bool { // until the second one has subscribed
		first.says(b, "EURUSD", "1.10000", "1.10010")
		told = first.hears(t)
		select {
		case q := <-second.quotes:
			require.Equal(t, told.ProductID, q.ProductID)
			return true
		case <-time.After(50 * time.Millisecond):
			return false
		}
	}, time.Minute, time.Millisecond)
	first.says(b, "EURUSD", "1.10020", "1.10030")
	told = first.hears(t)
	for q := second.hears(t); q.Seq != told.Seq; q = second.hears(t) {
	}
	newest, ok := second.market.Newest(eurusd)
	require.True(t, ok)
	require.Equal(t, told, newest, "with its term, its batch and its source")
	require.NoError(t, recorded(t, b, newest), "and a fill of the second server may name it")

	b.tamper(`SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objid = $1 AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`, leaderLock&0xffffffff)
	require.Eventually(t, second.market.IsLeader, time.Minute, time.Millisecond)
	require.Eventually(t, func() bool { return !first.market.IsLeader() }, time.Minute, time.Millisecond)
	require.ErrorIs(t, recorded(t, b, Quote{ProductID: eurusd, Seq: told.Seq + 1, Bid: 1, Ask: 2, Source: "script", Term: told.Term}), ErrStale, "a former leader's quote")

	second.says(b, "EURUSD", "1.10040", "1.10050")
	now := second.hears(t)
	require.Greater(t, now.Seq, told.Seq+1, "no number is given twice")
	require.Greater(t, now.Term, told.Term)
	require.Equal(t, now.Seq, first.hears(t).Seq, "the first one follows")
	second.cancel()
	require.NoError(t, <-second.done)
	require.Eventually(t, first.market.IsLeader, time.Minute, time.Millisecond, "and leads again when the second one has gone")
	first.cancel()
	require.NoError(t, <-first.done)
	problem, proved, err := VerifyTape(t.Context(), b.db, b.key.Public().(ed25519.PublicKey), b.outside)
	require.NoError(t, err)
	require.Nil(t, problem)
	require.Positive(t, proved)
}

func TestAHaltIsToldToTheOthers(t *testing.T) {
	t.Parallel()
	b := setup(t)
	url := cluster(t)
	first := b.join(url)
	second := b.join(url)
	require.Eventually(t, func() bool {
		first.says(b, "EURUSD", "1.10000", "1.10010")
		_, ok := second.market.Newest(eurusd)
		return ok
	}, time.Minute, time.Millisecond)
	first.says(b, "EURUSD", "1.30000", "1.30010")
	require.Eventually(t, func() bool { s, err := second.market.Status(eurusd); return err == nil && s.Halted }, time.Minute, time.Millisecond)
	_, err := second.market.Tradable(eurusd)
	require.ErrorIs(t, err, ErrHalted)
	for _, bid := range []string{"1.10000", "1.10001", "1.10002"} { // three good quotes end a halt
		first.says(b, "EURUSD", bid, "1.10010")
	}
	require.Eventually(t, func() bool { s, err := second.market.Status(eurusd); return err == nil && !s.Halted }, time.Minute, time.Millisecond)
}

func TestWhatIsToldIsReadAsItWas(t *testing.T) {
	t.Parallel()
	want := sharedQuote{Quote{ProductID: 207, Seq: 1 << 40, Bid: 1, Ask: 2, AtMS: 3, SourceMS: -4, Source: "simulated", Batch: 5, Term: 6}, true}
	got, err := readSharedQuote(want.encode())
	require.NoError(t, err)
	require.Equal(t, want, got)
	_, err = readSharedQuote(want.encode()[:20])
	require.Error(t, err)
}

// TestAWriterThatWaitsForANewTermIsOfTheFormerOne makes a fill wait for the lock that the next leader holds while it begins its term.
func TestAWriterThatWaitsForANewTermIsOfTheFormerOne(t *testing.T) {
	t.Parallel()
	b := setup(t)
	former, err := beginTerm(t.Context(), b.db)
	require.NoError(t, err)
	told := Quote{ProductID: eurusd, Seq: 7, Bid: 1, Ask: 2, Source: "script", Term: former}
	require.NoError(t, recorded(t, b, told), "while it leads")
	written := make(chan error, 1)
	require.NoError(t, b.db.InTx(t.Context(), func(tx *db.Tx) error {
		if _, err := tx.Conn.Exec(t.Context(), `SELECT pg_advisory_xact_lock($1)`, termLock); err != nil {
			return err
		}
		told.Seq++
		go func() { written <- recorded(t, b, told) }()
		require.Eventually(t, func() bool {
			return b.count(`SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`) == 1
		}, time.Minute, time.Millisecond)
		_, err := tx.Conn.Exec(t.Context(), `INSERT INTO feed_terms (server) VALUES ('the next')`)
		return err
	}))
	require.ErrorIs(t, <-written, ErrStale)
}
