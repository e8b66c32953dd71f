package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"candor/app/ledger"
	"candor/app/market"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/embeddedpg"
	"candor/app/platform/money"
	"candor/app/trading"
	"candor/app/trading/engine"
	"candor/app/trading/trigger"
	"candor/migrations"
)

const (
	triggerOrders  = 1_000_000
	ordersEach     = 10 // per account
	idleQuotes     = 10_000_000
	linearQuotes   = 200
	selectQuotes   = 2_000
	firedEachRound = 50_000
	triggerProduct = 201
)

// triggerBench is a million pending orders of one product in memory, a thousand in memory, and a million in a database.
type triggerBench struct {
	dir        string
	server     *embeddedpg.Server
	owner      *pgx.Conn
	reader     *pgx.Conn
	market     *benchMarket
	many, few  *trigger.Rehearsal
	levels     []int64 // of the million orders, for the linear scan
	first      int64   // a bid that triggers none of the thousand
	price      int64   // a bid that triggers none of the remaining million
	bytes      float64 // of memory per order
	loadWall   time.Duration
	loadCPU    time.Duration
	loadedHeap float64 // MB
}

// triggerRound is in nanoseconds: of CPU time, or of elapsed time where the name ends in wall.
type triggerRound struct{ many, wall, few, linear, selected, selectedWall, fired float64 }

// benchTriggers measures the cost of a quote that reaches none of a million pending orders, against a thousand, a linear scan and an indexed SELECT.
func benchTriggers(ctx context.Context, out io.Writer) (targets []target, err error) {
	b := &triggerBench{}
	defer func() { err = errors.Join(err, b.close(ctx)) }()
	b.loadMemory()
	fmt.Fprintf(out, "%d orders in memory, %.0f bytes each\n", triggerOrders, b.bytes)
	if err := b.fill(ctx); err != nil {
		return nil, err
	}
	if err := b.load(ctx); err != nil {
		return nil, err
	}
	fmt.Fprintf(out, "100,000 accounts, 300,000 positions, %d orders loaded in %.1f s (processor %.1f s), %.0f MB\n", triggerOrders, b.loadWall.Seconds(), b.loadCPU.Seconds(), b.loadedHeap)
	var rounds []triggerRound
	for n := range benchRounds {
		r, err := b.round(ctx)
		if err != nil {
			return nil, err
		}
		rounds = append(rounds, r)
		fmt.Fprintf(out, "round %d  idle quote, 1,000,000 orders %5.1f ns (%.1f by the clock), 1,000 orders %5.1f ns  linear scan %9.0f ns  indexed SELECT %8.0f ns (%.0f by the clock)  fired %5.0f ns an order\n",
			n+1, r.many, r.wall, r.few, r.linear, r.selected, r.selectedWall, r.fired)
	}
	figure := func(f func(triggerRound) float64) float64 { return medianRound(rounds, f) }
	many := figure(func(r triggerRound) float64 { return r.many })
	detail := map[string]any{
		"idleNs": many, "idleOfThousandNs": figure(func(r triggerRound) float64 { return r.few }), "linearNs": figure(func(r triggerRound) float64 { return r.linear }),
		"firedNs": figure(func(r triggerRound) float64 { return r.fired }), "bytesAnOrder": b.bytes,
		"loadSeconds": b.loadWall.Seconds(), "loadCPUSeconds": b.loadCPU.Seconds(), "loadedMB": b.loadedHeap,
	}
	selects := map[string]any{
		"selectCPUNs": figure(func(r triggerRound) float64 { return r.selected }), "selectWallNs": figure(func(r triggerRound) float64 { return r.selectedWall }),
		"idleWallNs": figure(func(r triggerRound) float64 { return r.wall }), "cpuRatio": figure(func(r triggerRound) float64 { return r.selected / r.many }),
	}
	return []target{
		{"P13", figure(func(r triggerRound) float64 { return r.many / r.few }), 2, "lower", benchRounds, detail},
		{"P13b", figure(func(r triggerRound) float64 { return r.selectedWall / r.wall }), 10_000, "higher", benchRounds, selects},
	}, nil
}

func medianRound(list []triggerRound, figure func(triggerRound) float64) float64 {
	values := make([]float64, len(list))
	for i, r := range list {
		values[i] = figure(r)
	}
	slices.Sort(values)
	return values[len(values)/2]
}

// loadMemory loads the orders into memory.
func (b *triggerBench) loadMemory() {
	b.market = newBenchMarket()
	b.first = b.market.quotes[triggerProduct].Bid
	b.price = b.first
	b.few = b.newRehearsal(1_000)
	before := heap()
	b.many = b.newRehearsal(triggerOrders)
	b.bytes = (heap() - before) / triggerOrders
	for i := range triggerOrders {
		b.levels = append(b.levels, *b.order(i).Price)
	}
}

func heap() float64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}

func (b *triggerBench) newRehearsal(orders int) *trigger.Rehearsal {
	r := trigger.Rehearse(b.market)
	for first := 0; first < orders; first += ordersEach {
		account := ledger.Account{ID: int64(first + 1), Cash: 1_000 * money.Unit}
		var list []trading.Order
		for i := range ordersEach {
			o := b.order(first + i)
			o.AccountID = account.ID
			list = append(list, o)
		}
		r.Hold(account, nil, list)
	}
	return r
}

// order is the i-th order: buy limits below the price and sell limits above it, ten per level.
func (b *triggerBench) order(i int) trading.Order {
	o := trading.Order{
		ID: int64(i + 1), ProductID: triggerProduct, Type: trading.LimitOrder, Status: trading.Working, Lots: money.Unit, Leverage: 10, TimeInForce: trading.GoodTillCancelled,
		Side: trading.Buy, Intent: "open", Source: "user", Revision: 1, CreatedAt: b.market.now,
	}
	away := int64(10 + i/20)
	price := b.first - away
	if i%2 == 1 {
		o.Side, price = trading.Sell, b.first+away
	}
	o.Price = &price
	return o
}

// fillSQL makes a hundred thousand accounts with three positions and ten pending orders each. It drops the foreign keys to traders and products, which the
// benchmark does not read.
const fillSQL = `
	DO $$ DECLARE c record; BEGIN
		FOR c IN SELECT conrelid::regclass AS t, conname FROM pg_constraint WHERE contype = 'f' AND conrelid IN ('accounts'::regclass, 'positions'::regclass, 'orders'::regclass) LOOP
			EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', c.t, c.conname);
		END LOOP;
	END $$;
	ALTER TABLE positions DISABLE TRIGGER USER;
	ALTER TABLE orders DISABLE TRIGGER USER;
	INSERT INTO accounts (id, trader_id, kind, book, type, currency, cash) SELECT 10000 + n, n, 'contract', 'mock', 5, 'USDT', 1000000000 FROM generate_series(1, 100000) n;
	INSERT INTO positions (account_id, product_id, side, lots, lots_opened, open_price, open_value, leverage, margin, stop_loss, state, opened_at, rolled_day, opened_by)
		SELECT 10000 + 1 + n % 100000, 201, CASE WHEN n % 2 = 0 THEN 'buy' ELSE 'sell' END, 1000000, 1000000, 100000, 100000000000, 10, 100000000,
			CASE WHEN n % 2 = 0 THEN 40000 ELSE 160000 END, 'open', now(), '2026-11-23', 'market' FROM generate_series(0, 299999) n;
	INSERT INTO orders (account_id, product_id, type, intent, side, lots, leverage, price, slippage_bps, source, status, created_at)
		SELECT 10000 + 1 + n % 100000, 201, 'limit', 'open', CASE WHEN n % 2 = 0 THEN 'buy' ELSE 'sell' END, 1000000, 10,
			100000 + CASE WHEN n % 2 = 0 THEN -10 - n / 20 ELSE 10 + n / 20 END, 0, 'user', 'working', now() FROM generate_series(0, 999999) n;
	CREATE INDEX bench_limits ON orders (product_id, side, price) WHERE status = 'working';
	CREATE INDEX bench_stops ON orders (product_id, side, price) WHERE status = 'untriggered';
	ANALYZE accounts, positions, orders;`

func (b *triggerBench) fill(ctx context.Context) (err error) {
	if b.dir, err = benchFolder(); err != nil {
		return err
	}
	if b.server, err = embeddedpg.Start(ctx, embeddedpg.Config{DataDir: b.dir + "/postgres"}); err != nil {
		return err
	}
	if err := migrations.Up(ctx, b.server.OwnerURL(embeddedpg.Database)); err != nil {
		return err
	}
	if b.owner, err = pgx.Connect(ctx, b.server.OwnerURL(embeddedpg.Database)); err != nil {
		return err
	}
	if _, err := b.owner.Exec(ctx, fillSQL); err != nil {
		return fmt.Errorf("fill the database: %w", err)
	}
	b.reader, err = pgx.Connect(ctx, b.server.ServerURL(embeddedpg.Database))
	return err
}

// load starts an engine on the database like a server.
func (b *triggerBench) load(ctx context.Context) error {
	d, err := db.Open(ctx, b.server.ServerURL(embeddedpg.Database))
	if err != nil {
		return err
	}
	defer d.Close()
	engine := engine.New(d, b.market, clock.Real{}, nil)
	before, start, cpu := heap(), time.Now(), b.cpu()
	if err := engine.Load(ctx); err != nil {
		return err
	}
	b.loadWall, b.loadCPU = time.Since(start), b.cpu()-cpu
	b.loadedHeap = (heap() - before) / 1e6
	runtime.KeepAlive(engine)
	return nil
}

func (b *triggerBench) cpu() time.Duration { return ownCPU() + childrenCPU(b.server.PID()) }

func (b *triggerBench) round(ctx context.Context) (r triggerRound, err error) {
	start := time.Now()
	if r.many, err = b.idle(b.many, b.price); err != nil {
		return r, err
	}
	r.wall = float64(time.Since(start)) / idleQuotes
	if r.few, err = b.idle(b.few, b.first); err != nil {
		return r, err
	}
	if r.linear, err = each(linearQuotes, ownCPU, b.linear); err != nil {
		return r, err
	}
	start = time.Now()
	r.selected, err = each(selectQuotes, b.cpu, func(int) error { return b.selects(ctx) })
	if r.selectedWall = float64(time.Since(start)) / selectQuotes; err != nil {
		return r, err
	}
	b.price -= firedEachRound / ordersEach
	falls := b.market.setBid(triggerProduct, b.price)
	falls.Ask = falls.Bid + 2
	fired := 0
	r.fired, err = each(1, ownCPU, func(int) error { fired = b.many.Quote(&falls); return nil })
	r.fired /= float64(max(fired, 1))
	return r, err
}

// idle sends two quotes that trigger nothing, alternately, and returns the CPU time of one in nanoseconds.
func (b *triggerBench) idle(of *trigger.Rehearsal, bid int64) (float64, error) {
	quotes := [2]market.Quote{b.market.setBid(triggerProduct, bid), b.market.setBid(triggerProduct, bid+1)}
	for i := range quotes {
		quotes[i].Ask = quotes[i].Bid + 2
	}
	nanoseconds, err := each(1, ownCPU, func(int) error {
		fired := 0
		for i := range idleQuotes {
			fired += of.Quote(&quotes[i&1])
		}
		if fired != 0 {
			return errors.New("a quote that should be idle set something off")
		}
		return nil
	})
	return nanoseconds / idleQuotes, err
}

// each is the CPU time of one of n calls, in nanoseconds.
func each(n int, cpu func() time.Duration, do func(i int) error) (float64, error) {
	before := cpu()
	for i := range n {
		if err := do(i); err != nil {
			return 0, err
		}
	}
	return float64(cpu()-before) / float64(n), nil
}

// linear checks every order.
func (b *triggerBench) linear(int) error {
	reached := 0
	for i, level := range b.levels {
		if buys := i%2 == 0; buys && b.price+2 <= level || !buys && b.price >= level {
			reached++
		}
	}
	if reached > triggerOrders/2 {
		return errors.New("the price has left the orders")
	}
	return nil
}

// selectSQL is a quote's question as a query: the orders reached by an ask that rises or falls, or a bid that falls or rises.
const selectSQL = `
	SELECT id FROM orders WHERE product_id = $1 AND side = 'buy' AND price >= $2 AND status = 'working'
	UNION ALL SELECT id FROM orders WHERE product_id = $1 AND side = 'sell' AND price <= $3 AND status = 'working'
	UNION ALL SELECT id FROM orders WHERE product_id = $1 AND side = 'buy' AND price <= $2 AND status = 'untriggered'
	UNION ALL SELECT id FROM orders WHERE product_id = $1 AND side = 'sell' AND price >= $3 AND status = 'untriggered'`

func (b *triggerBench) selects(ctx context.Context) error {
	rows, err := b.reader.Query(ctx, selectSQL, triggerProduct, 100_002, 100_000)
	if err != nil {
		return err
	}
	_, err = pgx.CollectRows(rows, pgx.RowTo[int64])
	return err
}

func (b *triggerBench) close(ctx context.Context) error {
	ctx = context.WithoutCancel(ctx)
	for _, conn := range []*pgx.Conn{b.owner, b.reader} {
		if conn != nil {
			_ = conn.Close(ctx)
		}
	}
	var err error
	if b.server != nil {
		err = b.server.Stop(ctx)
	}
	return errors.Join(err, os.RemoveAll(b.dir))
}
