package engine

import (
	"context"
	"crypto/ed25519"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"candor/app/audit"
	"candor/app/ledger"
	"candor/app/market"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/dbtest"
	"candor/app/platform/events"
	"candor/app/platform/idempotency"
	"candor/app/platform/money"
	"candor/app/platform/seal"
	"candor/app/trading"
	"candor/app/trading/proof"
)

func TestMain(m *testing.M) { dbtest.Run(m) }

// tuesday is a moment at which currencies, New York stocks and crypto trade.
var tuesday = time.Date(2026, 11, 24, 15, 0, 0, 0, time.UTC)

// saturday is a moment at which only crypto trades.
var saturday = time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)

const (
	unit = money.Unit // one lot, or one USDT
	cent = unit / 100
)

// Products of the catalogue that the tests trade.
const (
	eurusd = 1   // forex, quoted in dollars
	usdjpy = 3   // forex, converts yen
	eurgbp = 8   // forex, a cross
	xauusd = 101 // pays commission by the lot
	btcusd = 201 // open at all times
	ethusd = 202
	aapl   = 301 // pays commission by its worth
	us500  = 401
	hk50   = 402 // quoted in Hong Kong dollars
)

// script is a feed that emits a test's quotes on demand.
type script struct {
	clock *clock.Fixed
	said  chan market.Raw
	heard chan struct{}
}

func (f *script) Name() string                                                       { return "script" }
func (f *script) Clock() clock.Clock                                                 { return f.clock }
func (f *script) History(context.Context, func(market.Raw)) ([]market.Candle, error) { return nil, nil }
func (f *script) StaleLimit(p market.Product) time.Duration {
	return time.Duration(p.StaleMS) * time.Millisecond
}
func (f *script) Start([]market.Product, *market.Hours, map[string]market.Last) error { return nil }

func (f *script) Run(ctx context.Context, emit func(market.Raw)) error {
	for {
		select {
		case raw := <-f.said:
			emit(raw)
			f.heard <- struct{}{}
		case <-ctx.Done():
			return nil
		}
	}
}

// recorder is an observer that records the valuations.
type recorder struct{ valued []trading.Valuation }

func (r *recorder) Valued(v trading.Valuation) { r.valued = append(r.valued, v) }

// bundle is an engine on a real market with a database of its own. Time stands still until a test moves it, and nothing runs in the background: tests call work
// for triggered tasks and sweep for valuations.
type bundle struct {
	t       *testing.T
	test    *dbtest.DB
	db      *db.DB
	super   *pgx.Conn
	time    *clock.Fixed // market time
	real    *clock.Fixed
	feed    *script
	bus     *events.Bus
	market  *market.Service
	engine  *Service
	seen    *recorder
	dir     string // directory of the key and of the checkpoints
	key     ed25519.PrivateKey
	outside *seal.CheckpointStore
	keys    atomic.Int64
	stop    func() // ends the market and seals its tape
}

func setup(t *testing.T) *bundle {
	t.Helper()
	return setupOn(t, `swap_model = 'none', swap_long = 0, swap_short = 0, tiers = ''`)
}

// setupOn is setup with a test's terms for all products: a list of SQL assignments.
func setupOn(t *testing.T, terms string) *bundle {
	t.Helper()
	b := prepare(t)
	_, err := b.super.Exec(t.Context(), `UPDATE product_terms SET `+terms)
	require.NoError(t, err)
	b.feed = &script{clock: b.time, said: make(chan market.Raw), heard: make(chan struct{})}
	b.start(b.feed)
	b.open()
	return b
}

// prepare makes the database with the catalogue.
func prepare(t *testing.T) *bundle {
	t.Helper()
	b := &bundle{t: t, test: dbtest.New(t), time: clock.NewFixed(tuesday), real: clock.NewFixed(tuesday.Add(time.Hour)), seen: &recorder{}, dir: t.TempDir()}
	var err error
	b.db, err = db.Open(t.Context(), b.test.URL)
	require.NoError(t, err)
	t.Cleanup(b.db.Close)
	b.super, err = pgx.Connect(t.Context(), b.test.SuperURL)
	require.NoError(t, err)
	t.Cleanup(func() { _ = b.super.Close(context.Background()) })
	b.bus, err = events.Open("")
	require.NoError(t, err)
	t.Cleanup(b.bus.Close)
	b.key, err = seal.LoadKey(b.dir)
	require.NoError(t, err)
	b.outside = seal.NewCheckpointStore(b.dir, "tape")
	require.NoError(t, market.Seed(t.Context(), b.db))
	return b
}

// start makes the market of a feed and the engine on it.
func (b *bundle) start(feed market.Feed) {
	b.t.Helper()
	b.market = market.New(market.Config{DB: b.db, Feed: feed, Clock: b.real, Key: b.key, Checkpoints: b.outside})
	require.NoError(b.t, b.market.Load(b.t.Context()))
	b.engine = b.another()
	b.market.OnQuote(func(q market.Quote) { b.engine.OnQuote(q) })
}

// another is a second engine on the same database, market and bus.
func (b *bundle) another() *Service { return New(b.db, b.market, b.real, b.bus) }

// open starts the feed's goroutine.
func (b *bundle) open() {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- b.market.Run(ctx) }()
	ended := false
	b.stop = func() {
		b.t.Helper()
		if ended {
			return
		}
		ended = true
		cancel()
		require.NoError(b.t, <-done)
	}
	b.t.Cleanup(b.stop)
}

// touched raises an account's version after a test has changed its rows: the engine doesn't read an account again while it knows its version.
func (b *bundle) touched(o ledger.Owner) {
	b.t.Helper()
	_, err := b.super.Exec(b.t.Context(), `UPDATE accounts SET version = version + 1 WHERE id = $1`, o.AccountID)
	require.NoError(b.t, err)
}

// symbols are the feed's names of the products.
var symbols = func() map[int]string {
	out := map[int]string{}
	for _, p := range market.Catalogue() {
		out[p.ID] = p.Symbol
	}
	return out
}()

// quote has the feed emit a price now, and returns the product's newest quote.
func (b *bundle) quote(productID int, bid, ask string) market.Quote {
	b.t.Helper()
	b.time.Advance(time.Millisecond)
	b.feed.said <- market.Raw{Symbol: symbols[productID], Bid: bid, Ask: ask, At: b.time.Now(), SourceAt: b.time.Now()}
	<-b.feed.heard
	q, _ := b.market.Newest(productID)
	return q
}

// jump moves a price by any distance, or ends a halt: the market accepts three quotes that agree.
func (b *bundle) jump(productID int, bid, ask string) market.Quote {
	b.t.Helper()
	var q market.Quote
	for range 3 {
		q = b.quote(productID, bid, ask)
	}
	p, err := b.market.Product(productID)
	require.NoError(b.t, err)
	want, err := money.ParseNearest(bid, p.Point)
	require.NoError(b.t, err)
	require.Equal(b.t, want, q.Bid)
	return q
}

// prices sets the first price of the products that most tests trade.
func (b *bundle) prices() {
	b.t.Helper()
	b.quote(eurusd, "1.10000", "1.10010")
	b.quote(usdjpy, "150.000", "150.020")
	b.quote(2, "1.25000", "1.25020") // GBPUSD
	b.quote(eurgbp, "0.88000", "0.88010")
	b.quote(xauusd, "2000.00", "2000.50")
	b.quote(btcusd, "50000.00", "50010.00")
	b.quote(ethusd, "2500.00", "2501.00")
	b.quote(aapl, "200.00", "200.10")
	b.quote(13, "7.80000", "7.80040") // USDHKD
}

// work works off the triggered tasks, in order.
func (b *bundle) work() { workOff(b.t.Context(), b.engine) }

func workOff(ctx context.Context, s *Service) {
	for s.monitor.Queued() > 0 {
		t, ok := s.monitor.Next(ctx)
		if !ok {
			return
		}
		s.perform(ctx, t)
	}
}

// sweep values the accounts that are due, and works off the tasks that follow.
func (b *bundle) sweep() {
	b.engine.monitor.Sweep(b.seen)
	b.work()
}

// fund makes a trader whose account has this cash.
func (b *bundle) fund(cash int64) ledger.Owner {
	b.t.Helper()
	return b.fundIn(ledger.Real, cash)
}

func (b *bundle) fundIn(book ledger.Book, cash int64) (o ledger.Owner) {
	b.t.Helper()
	n := b.keys.Add(1)
	err := b.db.Pool.QueryRow(b.t.Context(), `
		INSERT INTO traders (email, name, password_hash, country, invite_code, accepted_at) VALUES ($1, 'Trader', 'x', 'DE', $2, now()) RETURNING id`,
		fmt.Sprintf("trader%d@example.com", n), fmt.Sprint("code", n)).Scan(&o.TraderID)
	require.NoError(b.t, err)
	require.NoError(b.t, b.db.InTx(b.t.Context(), func(tx *db.Tx) error {
		kind := map[ledger.Book]int{ledger.Real: 1, ledger.Mock: 5}[book]
		account, err := ledger.OpenTx(b.t.Context(), tx, o.TraderID, book, kind, b.real.Now())
		if o.AccountID = account.ID; err != nil || cash == 0 {
			return err
		}
		_, err = ledger.PostTx(b.t.Context(), tx, ledger.Transaction{
			Kind: "test", Key: fmt.Sprint("test:", n), Cause: "deposit", Book: book, At: b.real.Now(), Entries: account.Receive(cash),
		})
		return err
	}))
	return o
}

// credit adds a bonus to an account.
func (b *bundle) credit(o ledger.Owner, bonus int64) {
	b.t.Helper()
	require.NoError(b.t, b.db.InTx(b.t.Context(), func(tx *db.Tx) error {
		_, err := ledger.PostTx(b.t.Context(), tx, ledger.Transaction{
			Kind: "bonus", Key: fmt.Sprint("bonus:", b.keys.Add(1)), Cause: "bonus", Book: ledger.Real, At: b.real.Now(),
			Entries: []ledger.Entry{{AccountID: o.AccountID, Bucket: ledger.Bonus, Amount: bonus}, {AccountID: 4, Bucket: "house", Amount: -bonus}},
		})
		return err
	}))
}

// request is a request with an idempotency key of its own.
func (b *bundle) request(o ledger.Owner) idempotency.Request {
	return idempotency.Request{TraderID: o.TraderID, Call: "order", Key: strconv.FormatInt(b.keys.Add(1), 10)}
}

// try sends a market order, at the first leverage of the product's list unless the order names one.
func (b *bundle) try(cmd trading.Open) (trading.Done, error) {
	b.t.Helper()
	if cmd.Leverage == 0 {
		p, err := b.market.Product(cmd.ProductID)
		require.NoError(b.t, err)
		cmd.Leverage = p.Leverages()[0]
	}
	result, err := b.engine.Open(b.t.Context(), cmd, b.request(cmd.Owner))
	return result.Value, err
}

// opens requires that the order is filled.
func (b *bundle) opens(cmd trading.Open) trading.Done {
	b.t.Helper()
	done, err := b.try(cmd)
	require.NoError(b.t, err)
	return done
}

func (b *bundle) tryClose(cmd trading.Close) (trading.Done, error) {
	b.t.Helper()
	result, err := b.engine.Close(b.t.Context(), cmd, b.request(cmd.Owner))
	return result.Value, err
}

func (b *bundle) closes(o ledger.Owner, positionID, lots int64) trading.Done {
	b.t.Helper()
	done, err := b.tryClose(trading.Close{Owner: o, PositionID: positionID, Lots: lots})
	require.NoError(b.t, err)
	return done
}

func (b *bundle) tryProtect(cmd trading.Protect) (trading.Done, error) {
	b.t.Helper()
	result, err := b.engine.Protect(b.t.Context(), cmd, b.request(cmd.Owner))
	return result.Value, err
}

// known is the account as its shard remembers it.
func (b *bundle) known(o ledger.Owner) ledger.Account {
	q := b.engine.sequencer
	return q.shards[uint64(o.AccountID)%uint64(len(q.shards))].known[o.AccountID].Account
}

func (b *bundle) value(o ledger.Owner) trading.Valuation {
	b.t.Helper()
	v, err := b.engine.Value(b.t.Context(), o.AccountID)
	require.NoError(b.t, err)
	return v
}

func (b *bundle) account(o ledger.Owner) ledger.Account {
	b.t.Helper()
	a, err := ledger.Load(b.t.Context(), b.db.Pool, o.AccountID)
	require.NoError(b.t, err)
	return a
}

func (b *bundle) position(o ledger.Owner, id int64) trading.Position {
	b.t.Helper()
	p, err := b.engine.Position(b.t.Context(), o.AccountID, id)
	require.NoError(b.t, err)
	return p
}

// fills lists an account's fills, oldest first.
func (b *bundle) fills(o ledger.Owner) []trading.Fill {
	b.t.Helper()
	list, _, err := b.engine.Fills(b.t.Context(), o.AccountID, FillFilter{Limit: 1_000})
	require.NoError(b.t, err)
	for i, j := 0, len(list)-1; i < j; i, j = i+1, j-1 {
		list[i], list[j] = list[j], list[i]
	}
	return list
}

// number runs a query that returns one number.
func (b *bundle) number(sql string, args ...any) (n int64) {
	b.t.Helper()
	require.NoError(b.t, b.super.QueryRow(b.t.Context(), sql, args...).Scan(&n))
	return n
}

// house is the balance of a house account: the sum of its postings.
func (b *bundle) house(name string) int64 {
	b.t.Helper()
	return b.number(`SELECT coalesce(sum(p.amount), 0) FROM postings p JOIN accounts a ON a.id = p.account_id WHERE a.kind = 'house' AND a.name = $1`, name)
}

// proves requires the ledger, every fill and the tape to be without a fault. It ends the market.
func (b *bundle) proves() {
	b.t.Helper()
	b.stop()
	problem, _, err := ledger.Verify(b.t.Context(), b.db.Pool)
	require.NoError(b.t, err)
	require.Nil(b.t, problem)
	problem, proved, err := proof.Verify(b.t.Context(), b.db.Pool, b.market.Products())
	require.NoError(b.t, err)
	require.Nil(b.t, problem)
	require.Equal(b.t, b.number(`SELECT count(*) FROM fills`), proved)
	problem, _, err = market.VerifyTape(b.t.Context(), b.db, b.key.Public().(ed25519.PublicKey), b.outside)
	require.NoError(b.t, err)
	require.Nil(b.t, problem)
}

// reader reads receipts from the bundle's database and market.
func (b *bundle) reader() *proof.Reader { return proof.NewReader(b.db.Pool, b.market) }

func (b *bundle) verify(q ledger.Querier) (*audit.Problem, int64) {
	b.t.Helper()
	problem, proved, err := proof.VerifySnapshot(b.t.Context(), q, b.market.Products())
	require.NoError(b.t, err)
	return problem, proved
}

// units reads a decimal in units of 10^-scale.
func units(t testing.TB, text string, scale int) int64 {
	t.Helper()
	v, err := money.Parse(text, scale)
	require.NoError(t, err, text)
	return v
}

func ptr[T any](v T) *T { return &v }

// same compares by value: a time read from the database is equal in another zone.
func same(t *testing.T, want, got any) {
	t.Helper()
	texts := [2]string{}
	for i, v := range []any{want, got} {
		text, err := json.Marshal(v)
		require.NoError(t, err)
		texts[i] = strings.ReplaceAll(string(text), "+00:00", "Z")
	}
	require.JSONEq(t, texts[0], texts[1])
}
