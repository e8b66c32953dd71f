package api

import (
	"candor/app/wire"
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

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
	"candor/app/trading/engine"
	"candor/app/trading/proof"
)

func TestMain(m *testing.M) { dbtest.Run(m) }

// The fixtures have a receipt of every kind of fill and charge, for these tests and those of the trader app. UPDATE_GOLDEN rewrites them.
const (
	receiptsFixture       = "../../customer-web/src/features/receipt/model/receipts.fixture.json"
	chargeReceiptsFixture = "../../customer-web/src/features/receipt/model/charge-receipts.fixture.json"
)

// patience limits the wait for the engine, and for transactions of other tests that delay sealing.
const patience = time.Minute

// script is a feed whose quotes the test sends.
type script struct {
	clock   *clock.Fixed
	quotes  chan market.Raw
	handled chan struct{}
}

func (f *script) Name() string                                                       { return "script" }
func (f *script) Clock() clock.Clock                                                 { return f.clock }
func (f *script) History(context.Context, func(market.Raw)) ([]market.Candle, error) { return nil, nil }
func (f *script) StaleLimit(market.Product) time.Duration                            { return time.Hour }
func (f *script) Start([]market.Product, *market.Hours, map[string]market.Last) error {
	return nil
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

type discardEvents struct{}

func (discardEvents) MarginCall(trading.Valuation) {}
func (discardEvents) Valued(trading.Valuation)     {}

// engineFixture is an engine on a scripted market that keeps every fill under a name.
type engineFixture struct {
	*testing.T
	db       *db.DB
	feed     *script
	market   *market.Service
	engine   *engine.Service
	key      ed25519.PrivateKey
	chain    *audit.Chain
	charges  *audit.Chain
	keys     int
	stop     func()
	names    []string
	fills    map[string]int64
	owners   map[string]ledger.Owner
	lastFill int64 // the last named fill
	product  map[string]market.Product
}

func newEngineFixture(t *testing.T) *engineFixture {
	t.Helper()
	test := dbtest.New(t)
	d, err := db.Open(t.Context(), test.URL)
	require.NoError(t, err)
	t.Cleanup(d.Close)
	require.NoError(t, market.Seed(t.Context(), d))
	test.Tamper(t, `UPDATE product_terms SET tiers = CASE product_id WHEN 6 THEN '1:100,50:50' ELSE '' END, hedged_ratio_bps = CASE product_id WHEN 6 THEN 5000 ELSE 0 END;
		UPDATE product_terms SET swap_model = 'money', swap_long = -3600000, swap_short = 1200000 WHERE product_id = 202;
		SET session_replication_role = replica;
		INSERT INTO dividends (product_id, ex_date, amount, approval_id) VALUES (301, '2026-11-25', 260000, 1);
		SET session_replication_role = DEFAULT`)
	e := &engineFixture{T: t, db: d, fills: map[string]int64{}, owners: map[string]ledger.Owner{}, product: map[string]market.Product{}}
	dir, real := t.TempDir(), clock.NewFixed(time.Date(2026, 11, 24, 16, 0, 0, 0, time.UTC))
	e.key, err = seal.LoadKey(dir)
	require.NoError(t, err)
	e.feed = &script{clock.NewFixed(time.Date(2026, 11, 24, 15, 0, 0, 0, time.UTC)), make(chan market.Raw), make(chan struct{})}
	e.market = market.New(market.Config{DB: d, Feed: e.feed, Clock: real, Key: e.key, Checkpoints: seal.NewCheckpointStore(dir, "tape")})
	require.NoError(t, e.market.Load(t.Context()))
	bus, err := events.Open("")
	require.NoError(t, err)
	t.Cleanup(bus.Close)
	e.engine = engine.New(d, e.market, real, bus)
	e.market.OnQuote(e.engine.OnQuote)
	e.chain = audit.NewChain(proof.FillSource(e.market.Products(), e.market.Version), d, real, e.key, seal.NewCheckpointStore(dir, "fills"))
	e.charges = audit.NewChain(proof.ChargeSource(e.market.Products(), e.market.Version), d, real, e.key, seal.NewCheckpointStore(dir, "charges"))
	for _, p := range e.market.Products() {
		e.product[p.Symbol] = p
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 2)
	go func() { ended <- e.market.Run(ctx) }()
	go func() { ended <- e.engine.Run(ctx, discardEvents{}) }()
	e.stop = sync.OnceFunc(func() {
		cancel()
		require.NoError(t, <-ended)
		require.NoError(t, <-ended)
	})
	t.Cleanup(e.stop)
	return e
}

// quote sends a price through the feed, three times, so that the guard accepts a far one.
func (e *engineFixture) quote(symbol, bid, ask string) {
	e.Helper()
	for range 3 {
		e.feed.clock.Advance(time.Millisecond)
		e.feed.quotes <- market.Raw{Symbol: symbol, Bid: bid, Ask: ask, At: e.feed.clock.Now(), SourceAt: e.feed.clock.Now()}
		<-e.feed.handled
	}
}

func (e *engineFixture) fund(cash int64) (o ledger.Owner) {
	e.Helper()
	e.keys++
	err := e.db.Pool.QueryRow(e.Context(), `
		INSERT INTO traders (email, name, password_hash, country, invite_code, accepted_at) VALUES ($1, 'Trader', 'x', 'DE', $2, now()) RETURNING id`,
		fmt.Sprintf("trader%d@example.com", e.keys), fmt.Sprint("code", e.keys)).Scan(&o.TraderID)
	require.NoError(e, err)
	require.NoError(e, e.db.InTx(e.Context(), func(tx *db.Tx) error {
		account, err := ledger.OpenTx(e.Context(), tx, o.TraderID, ledger.Real, 1, time.Now())
		if o.AccountID = account.ID; err != nil {
			return err
		}
		_, err = ledger.PostTx(e.Context(), tx, ledger.Transaction{
			Kind: "deposit", Key: fmt.Sprint("deposit:", e.keys), Cause: "deposit", Book: ledger.Real, At: time.Now(), Entries: account.Receive(cash),
		})
		return err
	}))
	return o
}

func (e *engineFixture) request(o ledger.Owner) idempotency.Request {
	e.keys++
	return idempotency.Request{TraderID: o.TraderID, Call: "order", Key: strconv.Itoa(e.keys)}
}

func (e *engineFixture) done(result engine.Result, err error) trading.Done {
	e.Helper()
	require.NoError(e, err)
	return result.Value
}

// open places a market order and returns its position; name, unless empty, is its fill's.
func (e *engineFixture) open(name string, o ledger.Owner, symbol string, side trading.Side, lots string, leverage int) int64 {
	e.Helper()
	done := e.done(e.engine.Open(e.Context(), trading.Open{Owner: o, ProductID: e.product[symbol].ID, Side: side, Lots: e.lots(lots), Leverage: leverage}, e.request(o)))
	e.recordFill(name, o, done.Fill.ID)
	return done.Position.ID
}

func (e *engineFixture) close(name string, o ledger.Owner, position int64, lots string) {
	e.Helper()
	done := e.done(e.engine.Close(e.Context(), trading.Close{Owner: o, PositionID: position, Lots: e.lots(lots)}, e.request(o)))
	e.recordFill(name, o, done.Fill.ID)
}

func (e *engineFixture) protect(o ledger.Owner, position int64, symbol, stopLoss, takeProfit, trail string) {
	e.Helper()
	e.done(e.engine.Protect(e.Context(), trading.Protect{
		Owner: o, PositionID: position, StopLoss: e.price(symbol, stopLoss), TakeProfit: e.price(symbol, takeProfit), Trail: e.price(symbol, trail),
	}, e.request(o)))
}

func (e *engineFixture) place(o ledger.Owner, symbol string, kind trading.OrderType, side trading.Side, price, limit string) {
	e.Helper()
	e.done(e.engine.Place(e.Context(), trading.Place{
		Owner: o, ProductID: e.product[symbol].ID, Type: kind, Side: side, Lots: e.lots("0.1"), Leverage: 100,
		Terms: trading.Terms{Price: *e.price(symbol, price), LimitPrice: e.price(symbol, limit), TimeInForce: trading.GoodTillCancelled},
	}, e.request(o)))
}

// awaitTrigger waits for a triggered fill.
func (e *engineFixture) awaitTrigger(name string, o ledger.Owner) {
	e.Helper()
	var id int64
	require.Eventually(e, func() bool {
		list, _, err := e.engine.Fills(e.Context(), o.AccountID, engine.FillFilter{Limit: 1})
		if err == nil && len(list) == 1 {
			id = list[0].ID
		}
		return id > e.lastFill
	}, patience, 5*time.Millisecond, name)
	e.recordFill(name, o, id)
}

func (e *engineFixture) recordFill(name string, o ledger.Owner, fill int64) {
	e.lastFill = max(e.lastFill, fill)
	if name != "" {
		e.names, e.fills[name], e.owners[name] = append(e.names, name), fill, o
	}
}

func (e *engineFixture) lots(text string) int64 {
	e.Helper()
	v, err := money.Parse(text, money.Scale)
	require.NoError(e, err)
	return v
}

func (e *engineFixture) price(symbol, text string) *int64 {
	e.Helper()
	if text == "" {
		return nil
	}
	v, err := money.Parse(text, e.product[symbol].Point)
	require.NoError(e, err)
	return &v
}

// makeFills makes a fill of every kind, on products with conversion and with commission.
func (e *engineFixture) makeFills() {
	rich, poor := e.fund(100_000*money.Unit), e.fund(10_000*money.Unit)
	e.quote("EURUSD", "1.39341", "1.39343")
	e.quote("USDJPY", "102.416", "102.418")
	e.quote("EURJPY", "142.128", "142.130")
	e.quote("USDCHF", "0.87782", "0.87784")
	e.quote("EURCHF", "1.22620", "1.22624")
	e.quote("AAPL", "599.17", "599.19")
	e.quote("XAUUSD", "1309.81", "1309.83")
	e.quote("NZDUSD", "0.87046", "0.87050")
	e.quote("GBPUSD", "1.69500", "1.69510")
	e.quote("AUDUSD", "0.93000", "0.93010")
	e.open("EURUSD open, margin at its own price", rich, "EURUSD", trading.Buy, "0.30", 100)
	cross := e.open("EURJPY open, margin at the EURUSD mid", rich, "EURJPY", trading.Sell, "0.20", 100)
	yen := e.open("", rich, "USDJPY", trading.Buy, "0.10", 100)
	apple := e.open("AAPL open, commission by its worth", rich, "AAPL", trading.Buy, "10", 5)
	e.open("XAUUSD open, commission by lot", rich, "XAUUSD", trading.Sell, "0.05", 100)
	franc := e.open("", rich, "EURCHF", trading.Sell, "0.20", 100)
	e.quote("EURJPY", "142.116", "142.120")
	e.quote("USDJPY", "102.407", "102.410")
	e.quote("AAPL", "599.14", "599.17")
	e.quote("EURCHF", "1.22616", "1.22619")
	e.close("EURJPY part closed", rich, cross, "0.07")
	e.close("EURJPY rest closed", rich, cross, "0")
	e.close("USDJPY closed, converted by itself", rich, yen, "0")
	e.close("AAPL closed", rich, apple, "0")
	e.close("EURCHF closed", rich, franc, "0")
	e.protections(rich, poor)
	e.orders(rich)
	e.stopOut(e.fund(1_490 * money.Unit))
}

// stopOut closes the largest loss of an account with hedged, tiered and converted positions.
func (e *engineFixture) stopOut(thin ledger.Owner) {
	e.open("", thin, "USDCHF", trading.Sell, "0.30", 100)
	e.open("", thin, "EURCHF", trading.Sell, "0.05", 100)
	e.open("", thin, "USDCHF", trading.Buy, "1.10", 100)
	e.quote("USDCHF", "0.87140", "0.87142")
	e.waitUntil(`SELECT count(*) = 1 FROM margin_calls WHERE account_id = $1`, thin.AccountID)
	e.quote("USDCHF", "0.86950", "0.86952")
	e.awaitTrigger("USDCHF closed by stop-out, the largest loss of three", thin)
}

// makeCharges keeps positions of each kind open over a rollover.
func (e *engineFixture) makeCharges() {
	o := e.fund(100_000 * money.Unit)
	e.quote("ETHUSD", "2500.00", "2501.00")
	held := map[string]int64{
		"EURJPY, a swap in points, converted": e.open("", o, "EURJPY", trading.Sell, "0.20", 100), "ETHUSD, a swap in money": e.open("", o, "ETHUSD", trading.Sell, "0.30", 20),
		"AAPL, a swap in percent": e.open("", o, "AAPL", trading.Buy, "10", 5),
	}
	e.close("", o, held["EURJPY, a swap in points, converted"], "0.07")
	e.feed.clock.Set(time.Date(2026, 11, 24, 22, 0, 0, 0, time.UTC))
	e.waitUntil(`SELECT count(*) = 4 FROM charges WHERE account_id = $1`, o.AccountID)
	list, _, err := e.engine.Charges(e.Context(), o.AccountID, 0, 0, 10)
	require.NoError(e, err)
	for name, position := range held {
		for _, c := range list {
			switch {
			case c.PositionID != position:
			case c.Kind == trading.DividendCharge:
				e.fills["AAPL, a dividend"], e.owners["AAPL, a dividend"] = c.ID, o
			default:
				e.fills[name], e.owners[name] = c.ID, o
			}
		}
	}
}

// chargeNames are the names that night gives to charges.
var chargeNames = []string{"EURJPY, a swap in points, converted", "ETHUSD, a swap in money", "AAPL, a swap in percent", "AAPL, a dividend"}

// waitUntil waits until a query on the engine's tables returns true.
func (e *engineFixture) waitUntil(sql string, args ...any) {
	e.Helper()
	require.Eventually(e, func() bool {
		var done bool
		return e.db.Pool.QueryRow(e.Context(), sql, args...).Scan(&done) == nil && done
	}, patience, 5*time.Millisecond, sql)
}

func (e *engineFixture) protections(rich, poor ledger.Owner) {
	kiwi := e.open("", rich, "NZDUSD", trading.Sell, "0.10", 100)
	e.protect(rich, kiwi, "NZDUSD", "0.87086", "", "")
	e.quote("NZDUSD", "0.87087", "0.87095")
	e.awaitTrigger("NZDUSD sell closed by stop loss, with a gap", rich)

	e.quote("EURUSD", "1.39327", "1.39329")
	long := e.open("", poor, "EURUSD", trading.Buy, "0.10", 100)
	e.open("", poor, "EURUSD", trading.Buy, "33", 500)
	e.protect(poor, long, "EURUSD", "", "1.39357", "")
	e.quote("EURUSD", "1.39357", "1.39359")
	e.awaitTrigger("EURUSD closed by take profit", poor)
	e.quote("EURUSD", "1.39127", "1.39129")
	e.awaitTrigger("EURUSD closed by stop-out", poor)

	e.quote("EURUSD", "1.39257", "1.39259")
	short := e.open("", rich, "EURUSD", trading.Sell, "0.10", 100)
	e.protect(rich, short, "EURUSD", "", "1.39229", "")
	e.quote("EURUSD", "1.39227", "1.39229")
	e.awaitTrigger("EURUSD sell closed by take profit", rich)

	cable := e.open("", rich, "GBPUSD", trading.Buy, "0.10", 100)
	e.protect(rich, cable, "GBPUSD", "", "", "0.00100")
	e.quote("GBPUSD", "1.69600", "1.69610")
	e.quote("GBPUSD", "1.69490", "1.69500")
	e.awaitTrigger("GBPUSD closed by its trailing stop", rich)
	swap := e.open("", rich, "GBPUSD", trading.Sell, "0.10", 100)
	e.protect(rich, swap, "GBPUSD", "", "", "0.00100")
	e.quote("GBPUSD", "1.69400", "1.69410")
	e.quote("GBPUSD", "1.69505", "1.69515")
	e.awaitTrigger("GBPUSD sell closed by its trailing stop", rich)
}

func (e *engineFixture) orders(o ledger.Owner) {
	e.place(o, "AUDUSD", trading.LimitOrder, trading.Buy, "0.92900", "")
	e.quote("AUDUSD", "0.92880", "0.92890")
	e.awaitTrigger("AUDUSD opened by a limit, better than asked", o)
	e.place(o, "AUDUSD", trading.StopOrder, trading.Sell, "0.92800", "")
	e.quote("AUDUSD", "0.92790", "0.92800")
	e.awaitTrigger("AUDUSD opened by a stop, with a gap", o)
	e.place(o, "AUDUSD", trading.StopLimitOrder, trading.Buy, "0.92900", "0.92850")
	e.quote("AUDUSD", "0.92900", "0.92910")
	e.quote("AUDUSD", "0.92830", "0.92840")
	e.awaitTrigger("AUDUSD opened by a stop-limit", o)
	first, second := e.open("", o, "GBPUSD", trading.Buy, "0.30", 100), int64(0)
	e.quote("GBPUSD", "1.69600", "1.69610")
	second = e.open("", o, "GBPUSD", trading.Sell, "0.20", 100)
	both := e.done(e.engine.CloseBy(e.Context(), trading.CloseBy{Owner: o, PositionID: first, ByPositionID: second}, e.request(o)))
	e.recordFill("GBPUSD settled against its opposite", o, both.Fills[0].ID)
	e.recordFill("GBPUSD settled at its own open price", o, both.Fills[1].ID)
}

// sealAll waits until every fill and charge is sealed, then stops the market, which seals its tape.
func (e *engineFixture) sealAll() {
	e.Helper()
	e.stop()
	require.Eventually(e, func() bool {
		_, err := e.chain.Seal(e.Context())
		require.NoError(e, err)
		_, err = e.charges.Seal(e.Context())
		require.NoError(e, err)
		var open int
		err = e.db.Pool.QueryRow(e.Context(), `
			SELECT (SELECT count(*) FROM fills WHERE NOT EXISTS (SELECT 1 FROM fill_heads WHERE fills.id = ANY(ids)))
			     + (SELECT count(*) FROM charges WHERE NOT EXISTS (SELECT 1 FROM charge_heads WHERE charges.id = ANY(ids)))`).Scan(&open)
		return err == nil && open == 0
	}, patience, 5*time.Millisecond)
}

func (e *engineFixture) receipt(name string) wire.Receipt {
	e.Helper()
	r, err := proof.NewReader(e.db.Pool, e.market).Receipt(e.Context(), e.owners[name].AccountID, e.fills[name])
	require.NoError(e, err)
	require.NotNil(e, r.Fill.Proof, name)
	return receiptOf(r, hex.EncodeToString(e.key.Public().(ed25519.PublicKey)))
}

// TestReceiptsOfEveryKindOfFill trades, seals, and checks each receipt from its file alone, as a third party would.
func TestReceiptsOfEveryKindOfFill(t *testing.T) {
	t.Parallel()
	e := newEngineFixture(t)
	e.makeFills()
	e.makeCharges()
	e.sealAll()
	files, rules := map[string]wire.Receipt{}, []string{}
	for _, name := range e.names {
		r := e.receipt(name)
		files[name] = r
		rules = append(rules, string(r.Fill.Rule))
		raw, err := json.Marshal(r)
		require.NoError(t, err)
		require.Empty(t, fileProblem(t, raw), name)
	}
	slices.Sort(rules)
	require.Equal(t, []string{"close_by", "limit", "market", "sl", "stop", "stop_limit", "stop_out", "tp", "trailing"}, slices.Compact(rules))
	_, err := proof.NewReader(e.db.Pool, e.market).Receipt(t.Context(), e.owners["EURUSD closed by stop-out"].AccountID, e.fills["AAPL closed"])
	require.ErrorIs(t, err, trading.ErrFill, "somebody else's")
	problem, proved, err := e.chain.Verify(t.Context())
	require.NoError(t, err)
	require.Nil(t, problem)
	var fills int64
	require.NoError(t, e.db.Pool.QueryRow(t.Context(), `SELECT count(*) FROM fills`).Scan(&fills))
	require.Equal(t, fills, proved)
	charges := map[string]wire.ChargeReceipt{}
	for _, name := range chargeNames {
		r, err := proof.NewReader(e.db.Pool, e.market).ChargeReceipt(t.Context(), e.owners[name].AccountID, e.fills[name])
		require.NoError(t, err, name)
		require.NotNil(t, r.Charge.Proof, name)
		charges[name] = chargeReceiptOf(r, hex.EncodeToString(e.key.Public().(ed25519.PublicKey)))
		raw, err := json.Marshal(charges[name])
		require.NoError(t, err)
		require.Empty(t, fileProblem(t, raw), name)
	}
	_, err = proof.NewReader(e.db.Pool, e.market).ChargeReceipt(t.Context(), e.owners["AAPL closed"].AccountID, e.fills["AAPL, a dividend"])
	require.ErrorIs(t, err, trading.ErrCharge, "somebody else's")
	problem, _, err = e.charges.Verify(t.Context())
	require.NoError(t, err)
	require.Nil(t, problem)
	problem, _, err = proof.Verify(t.Context(), e.db.Pool, e.market.Products())
	require.NoError(t, err)
	require.Nil(t, problem)
	for path, content := range map[string]any{receiptsFixture: files, chargeReceiptsFixture: charges} {
		if os.Getenv("UPDATE_GOLDEN") != "" {
			text, err := json.MarshalIndent(content, "", "  ")
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(path, append(text, '\n'), 0o644)) //nolint:gosec // a file of the repository
		}
	}
}

// fileProblem is the first reason to refuse a receipt file; empty without one.
func fileProblem(t *testing.T, raw []byte) string {
	t.Helper()
	r, _, key, err := ReadReceipt(raw)
	if err != nil {
		return err.Error()
	}
	return receiptProblem(r, key)
}
