package market

import (
	"context"
	"crypto/ed25519"
	"net/url"
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"candor/app/audit"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/dbtest"
	"candor/app/platform/seal"
)

func TestMain(m *testing.M) { dbtest.Run(m) }

// tuesday is a moment at which currencies, New York stocks and crypto trade.
const tuesday = "2026-11-24 15:00"

// Products of the catalogue used by the tests.
const (
	eurusd = 1
	usdjpy = 3
	btcusd = 201
	aapl   = 301
)

// script is a feed that emits a test's quotes on demand.
type script struct {
	clock *clock.Fixed
	past  []Raw
	drawn []Candle
	now   chan Raw
	lasts map[string]Last
}

func (f *script) Name() string       { return "script" }
func (f *script) Clock() clock.Clock { return f.clock }

func (f *script) Start(_ []Product, _ *Hours, last map[string]Last) error {
	f.lasts = last
	return nil
}

func (f *script) History(_ context.Context, emit func(Raw)) ([]Candle, error) {
	for _, raw := range f.past {
		emit(raw)
	}
	return f.drawn, nil
}

func (f *script) Run(ctx context.Context, emit func(Raw)) error {
	for {
		select {
		case raw := <-f.now:
			emit(raw)
		case <-ctx.Done():
			return nil
		}
	}
}

func (f *script) StaleLimit(p Product) time.Duration {
	return time.Duration(p.StaleMS) * time.Millisecond
}

// bundle is a market with its own database. The tests act as the feed's goroutine unless one runs.
type bundle struct {
	t       *testing.T
	test    *dbtest.DB
	db      *db.DB
	super   *pgx.Conn // for tampering, and for reading beyond the server's role
	real    *clock.Fixed
	time    *clock.Fixed // market time
	feed    *script
	key     ed25519.PrivateKey
	outside *seal.CheckpointStore
	market  *Service
	heard   []Quote
	halts   []int // products for which a halt began or ended
}

func setup(t *testing.T) *bundle {
	t.Helper()
	b := &bundle{t: t, test: dbtest.New(t), real: clock.NewFixed(utc(t, tuesday)), time: clock.NewFixed(utc(t, tuesday))}
	var err error
	b.db, err = db.Open(t.Context(), b.test.URL)
	require.NoError(t, err)
	t.Cleanup(b.db.Close)
	b.super, err = pgx.Connect(t.Context(), b.test.SuperURL)
	require.NoError(t, err)
	t.Cleanup(func() { _ = b.super.Close(context.Background()) })
	dir := t.TempDir()
	b.key, err = seal.LoadKey(dir)
	require.NoError(t, err)
	b.outside = seal.NewCheckpointStore(dir, "tape")
	require.NoError(t, Seed(t.Context(), b.db))
	b.crash()
	return b
}

// crash drops everything that is not in the database, and restarts from it.
func (b *bundle) crash() {
	b.t.Helper()
	b.feed = &script{clock: b.time, now: make(chan Raw)}
	b.market = New(Config{DB: b.db, Feed: b.feed, Clock: b.real, Key: b.key, Checkpoints: b.outside})
	b.heard, b.halts = nil, nil
	b.market.OnQuote(func(q Quote) { b.heard = append(b.heard, q) })
	b.market.OnHalt(func(productID int) { b.halts = append(b.halts, productID) })
	require.NoError(b.t, b.market.Load(b.t.Context()))
}

func (b *bundle) raw(symbol, bid, ask string) Raw {
	return Raw{Symbol: symbol, Bid: bid, Ask: ask, At: b.time.Now(), SourceAt: b.time.Now()}
}

// say makes the feed emit a quote, one second after the one before.
func (b *bundle) say(symbol, bid, ask string) {
	b.time.Advance(time.Second)
	b.market.ingest(b.raw(symbol, bid, ask), false)
}

func (b *bundle) flush() {
	b.t.Helper()
	require.NoError(b.t, b.market.tape.flush(b.t.Context()))
}

func (b *bundle) newest(productID int) Quote {
	b.t.Helper()
	q, ok := b.market.Newest(productID)
	require.True(b.t, ok)
	return q
}

func (b *bundle) publicKey() ed25519.PublicKey { return b.key.Public().(ed25519.PublicKey) }

func (b *bundle) verify() (*audit.Problem, int64) {
	b.t.Helper()
	problem, proved, err := VerifyTape(b.t.Context(), b.db, b.publicKey(), b.outside)
	require.NoError(b.t, err)
	return problem, proved
}

// proves requires a tape without a fault, with this many sealed quotes.
func (b *bundle) proves(quotes int) {
	b.t.Helper()
	problem, proved := b.verify()
	require.Nil(b.t, problem)
	require.EqualValues(b.t, quotes, proved)
}

// tamper runs SQL as the superuser, with triggers and foreign keys off.
func (b *bundle) tamper(sql string, args ...any) int64 {
	b.t.Helper()
	_, err := b.super.Exec(b.t.Context(), `SET session_replication_role = replica`)
	require.NoError(b.t, err)
	tag, err := b.super.Exec(b.t.Context(), sql, args...)
	require.NoError(b.t, err)
	return tag.RowsAffected()
}

// count runs a query that returns one number.
func (b *bundle) count(sql string, args ...any) int {
	b.t.Helper()
	var n int
	require.NoError(b.t, b.super.QueryRow(b.t.Context(), sql, args...).Scan(&n))
	return n
}

// tape reads a product's stored quotes in order.
func (b *bundle) tape(productID int) []Quote {
	b.t.Helper()
	rows, err := b.super.Query(b.t.Context(), `SELECT `+quoteColumns+` FROM tape_quotes WHERE product_id = $1 ORDER BY seq`, productID)
	require.NoError(b.t, err)
	quotes, err := pgx.CollectRows(rows, scanQuote)
	require.NoError(b.t, err)
	return quotes
}

// away makes the database unavailable until back is called: connections end, and new ones are refused.
func (b *bundle) away() (back func()) {
	b.t.Helper()
	name := b.super.Config().Database
	require.NoError(b.t, b.super.Close(b.t.Context()))
	address, err := url.Parse(b.test.SuperURL)
	require.NoError(b.t, err)
	address.Path = "/postgres"
	other, err := pgx.Connect(b.t.Context(), address.String())
	require.NoError(b.t, err)
	b.t.Cleanup(func() { _ = other.Close(context.Background()) })
	do := func(sql string, args ...any) {
		_, err := other.Exec(b.t.Context(), sql, args...)
		require.NoError(b.t, err)
	}
	quoted := pgx.Identifier{name}.Sanitize()
	do(`ALTER DATABASE ` + quoted + ` ALLOW_CONNECTIONS false`)
	do(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1`, name)
	return func() {
		do(`ALTER DATABASE ` + quoted + ` ALLOW_CONNECTIONS true`)
		b.super, err = pgx.Connect(b.t.Context(), b.test.SuperURL)
		require.NoError(b.t, err)
	}
}

// pageBack reads candles page by page until there are none, and joins the pages.
func (b *bundle) pageBack(productID, period, limit int) (all []Candle) {
	b.t.Helper()
	before := time.Time{}
	for {
		page, err := b.market.Klines(b.t.Context(), productID, period, before, limit)
		require.NoError(b.t, err)
		require.LessOrEqual(b.t, len(page), limit)
		if len(page) == 0 {
			return all
		}
		if !before.IsZero() {
			require.Less(b.t, page[len(page)-1].StartMS, before.UnixMilli(), "a page that is all before the one before it")
		}
		all = append(page, all...)
		before = time.UnixMilli(page[0].StartMS)
	}
}

// record writes quotes as a fill does.
func (b *bundle) record(quotes ...Quote) error {
	return Refusal(b.db.InTx(b.t.Context(), func(tx *db.Tx) error { return recordTx(b.t, tx, quotes...) }))
}

func recordTx(t *testing.T, tx *db.Tx, quotes ...Quote) error {
	var batch pgx.Batch
	QueueQuotes(&batch, quotes)
	return tx.Conn.SendBatch(t.Context(), &batch).Close()
}

func only(quotes []Raw, symbol string) []Raw {
	return slices.DeleteFunc(slices.Clone(quotes), func(raw Raw) bool { return raw.Symbol != symbol })
}
