package bench

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"gorm.io/gorm"

	"candor/app/api"
	"candor/app/ledger"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/embeddedpg"
	"candor/app/platform/idempotency"
	"candor/app/platform/money"
	"candor/app/server"
	"candor/app/session"
	"candor/app/trader"
	"candor/app/trading"
	"candor/app/trading/engine"
	"candor/migrations"
)

const (
	benchSymbol   = "BTCUSD" // trades at all hours
	benchAccounts = 256
	oneOrderPool  = 32 // the references' best number of connections
)

// orderBench is the platform on its own PostgreSQL with funded traders, and the references.
type orderBench struct {
	dir      string
	server   *embeddedpg.Server
	database *server.Database
	platform *server.Platform
	product  int
	owners   []ledger.Owner
	tokens   []string
	open     []atomic.Int64 // each worker's open position, 0 for none
	pool     *pgxpool.Pool
	gorm     *gorm.DB
	address  string
	clients  []*client
	keys     atomic.Int64
	stop     func()
}

// benchOrders measures durable orders, through the service and through HTTP, against one order per transaction in SQL over pgx.
func benchOrders(ctx context.Context, out io.Writer) (targets []target, err error) {
	b := &orderBench{}
	defer func() { err = errors.Join(err, b.close()) }()
	if err := b.setUp(ctx); err != nil {
		return nil, err
	}
	variants := []struct {
		name    string
		workers int
		run     func(context.Context, int) error
	}{
		{"sql function, 32 in flight", 32, b.sqlFunction},
		{"sql statement by statement, 32 in flight", 32, b.sqlStatements},
		{"gorm transaction, 32 in flight", 32, b.gormTransaction},
		{"service, 256 in flight", 256, b.service},
		{"service, 32 in flight", 32, b.service},
		{"http, 256 in flight", 256, b.http},
		{"sql function, alone", 1, b.sqlFunction},
		{"service, alone", 1, b.service},
	}
	samples := map[string][]sample{}
	opened := map[string][]time.Duration{}
	for round := range benchRounds {
		for _, v := range variants {
			var s sample
			err := profiled(fmt.Sprint(v.name, " ", round+1), func() (err error) {
				s, err = measure(ctx, v.workers, b.cpu, v.run)
				return err
			})
			if err != nil {
				return nil, fmt.Errorf("%s: %w", v.name, err)
			}
			samples[v.name] = append(samples[v.name], s)
			fmt.Fprintf(out, "round %d  %-42s %8.0f/s  p50 %7.2f ms  p99 %7.2f ms  cpu %5.0f µs\n", round+1, v.name, s.perSecond, p50Millis(s), p99Millis(s), cpuMicros(s))
		}
		if err := b.openRound(ctx, out, round+1, opened); err != nil {
			return nil, err
		}
		if err := b.pgbench(ctx, out, round+1); err != nil {
			return nil, err
		}
	}
	return append(b.targets(samples), openTarget(opened)), nil
}

const openHTTP, openSQL = "http, open loop", "sql function, open loop"

// openRound adds a round of orders that arrive at their own times, through HTTP and in the SQL function.
func (b *orderBench) openRound(ctx context.Context, out io.Writer, round int, opened map[string][]time.Duration) error {
	list := poissonArrivals(round)
	for _, v := range []struct {
		name string
		run  func(context.Context, int) error
	}{{openSQL, b.sqlFunction}, {openHTTP, b.http}} {
		took, err := openLoop(ctx, list, v.run)
		if err != nil {
			return fmt.Errorf("%s: %w", v.name, err)
		}
		opened[v.name] = append(opened[v.name], took...)
		s := sample{p50: took[len(took)/2], p99: took[len(took)*99/100]}
		fmt.Fprintf(out, "round %d  %-42s %8d/s  p50 %7.2f ms  p99 %7.2f ms\n", round, v.name, openPerSecond, p50Millis(s), p99Millis(s))
	}
	return nil
}

// openTarget is P20, over all rounds: a stall in one of them counts.
func openTarget(opened map[string][]time.Duration) target {
	detail := map[string]any{}
	p99 := func(name string) float64 {
		all := slices.Sorted(slices.Values(opened[name]))
		s := sample{p50: all[len(all)/2], p99: all[len(all)*99/100]}
		detail[name] = map[string]float64{"orders": float64(len(all)), "p50ms": p50Millis(s), "p99ms": p99Millis(s)}
		return p99Millis(s)
	}
	return target{"P20", p99(openHTTP) / p99(openSQL), 1.5, "lower", benchRounds, detail}
}

// pgbench runs the reference's function with PostgreSQL's own tool, where it is installed. No target depends on it.
func (b *orderBench) pgbench(ctx context.Context, out io.Writer, round int) error {
	tool, missing := exec.LookPath("pgbench")
	if missing != nil {
		return nil //nolint:nilerr // without the tool there is nothing to print
	}
	script := filepath.Join(b.dir, "order.sql")
	if err := os.WriteFile(script, []byte("\\set account random(0, 255)\nSELECT bench_order(:account);\n"), 0o600); err != nil {
		return err
	}
	seconds := strconv.Itoa(int(benchRound / time.Second))
	clients := strconv.Itoa(oneOrderPool)
	text, err := exec.CommandContext(ctx, tool, "-n", "-M", "prepared", "-f", script, "-c", clients, "-j", "2", "-T", seconds, b.server.ServerURL(embeddedpg.Database)).Output()
	if err != nil {
		return fmt.Errorf("pgbench: %w", err)
	}
	if perSecond := regexp.MustCompile(`tps = (\d+)`).FindSubmatch(text); perSecond != nil {
		fmt.Fprintf(out, "round %d  %-42s %8s/s\n", round, "pgbench, sql function, 32 clients", perSecond[1])
	}
	return nil
}

func (b *orderBench) targets(samples map[string][]sample) []target {
	figure := func(name string, f func(sample) float64) float64 { return medianOf(samples[name], f) }
	reference := "sql function, 32 in flight"
	detail := map[string]any{}
	for name := range samples {
		detail[name] = map[string]float64{
			"perSecond": figure(name, perSecond), "p50ms": figure(name, p50Millis), "p99ms": figure(name, p99Millis), "cpuMicros": figure(name, cpuMicros),
		}
	}
	statementsMean := 32 / figure("sql statement by statement, 32 in flight", perSecond) * 1_000
	return []target{
		{"P1", figure("service, 256 in flight", perSecond) / figure(reference, perSecond), 3.0, "higher", benchRounds, detail},
		{"P2", figure("http, 256 in flight", perSecond) / figure(reference, perSecond), 2.0, "higher", benchRounds, nil},
		{"P3", figure("service, 256 in flight", cpuMicros) / figure(reference, cpuMicros), 0.35, "lower", benchRounds, nil},
		{"P4", figure("service, 32 in flight", p99Millis) / statementsMean, 1.0, "lower", benchRounds, nil},
		{"P5", figure("service, alone", p50Millis) / figure("sql function, alone", p50Millis), 1.25, "lower", benchRounds, nil},
	}
}

func (b *orderBench) setUp(ctx context.Context) (err error) {
	if b.dir, err = benchFolder(); err != nil {
		return err
	}
	if b.server, err = embeddedpg.Start(ctx, embeddedpg.Config{DataDir: b.dir + "/postgres"}); err != nil {
		return err
	}
	if err := migrations.Up(ctx, b.server.OwnerURL(embeddedpg.Database)); err != nil {
		return err
	}
	d, err := db.Open(ctx, b.server.ServerURL(embeddedpg.Database))
	if err != nil {
		return err
	}
	b.database = &server.Database{DB: d}
	config := server.Config{DataDir: b.dir, Mode: server.Development, Feed: "simulated", FeedSpeed: 1, NewsignKey: "candor-web"}
	if err := server.Seed(ctx, config, b.database); err != nil {
		return err
	}
	if b.platform, err = server.Build(ctx, config, b.database); err != nil {
		return err
	}
	return b.start(ctx)
}

func (b *orderBench) start(ctx context.Context) error {
	work, cancel := context.WithCancel(context.WithoutCancel(ctx))
	var group sync.WaitGroup
	b.platform.Start(work, &group)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		cancel()
		return err
	}
	server := &http.Server{Handler: b.platform.Handler, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = server.Serve(listener) }()
	b.address = listener.Addr().String()
	b.stop = func() {
		_ = server.Close()
		b.platform.StopSockets()
		_ = b.platform.Jobs.Stop(context.WithoutCancel(ctx))
		cancel()
		group.Wait()
		b.platform.Bus.Close()
	}
	if err := b.fund(ctx); err != nil {
		return err
	}
	if err := b.reference(ctx); err != nil {
		return err
	}
	b.clients = make([]*client, benchAccounts)
	return b.awaitPrice(ctx)
}

// fund makes the traders, each with a session and a million USDT.
func (b *orderBench) fund(ctx context.Context) (err error) {
	b.open = make([]atomic.Int64, benchAccounts)
	if b.owners, b.tokens, err = FundedTraders(ctx, b.database.DB, benchAccounts); err != nil {
		return err
	}
	p, err := b.platform.Market.ProductBySymbol(benchSymbol)
	b.product = p.ID
	return err
}

// FundedTraders makes traders with a mock account of a million USDT and a session each, only for benchmarks and tests.
func FundedTraders(ctx context.Context, d *db.DB, n int) (owners []ledger.Owner, tokens []string, err error) {
	for i := range n {
		owner, token, err := FundTrader(ctx, d, fmt.Sprint("bench", i), ledger.Mock, 1_000_000*money.Unit)
		if err != nil {
			return nil, nil, err
		}
		owners, tokens = append(owners, owner), append(tokens, token)
	}
	return owners, tokens, nil
}

// FundTrader makes a verified trader with a unique name, a funded account and a session.
func FundTrader(ctx context.Context, d *db.DB, name string, book ledger.Book, sum int64) (owner ledger.Owner, token string, err error) {
	sessions := session.New(d, clock.Real{}, nil)
	err = d.InTx(ctx, func(tx *db.Tx) error {
		err := tx.Conn.QueryRow(ctx, `
			INSERT INTO traders (email, name, password_hash, country, level, invite_code, accepted_at) VALUES ($1 || '@example.com', $2, '', 'CH', 1, $2, now()) RETURNING id`,
			name, strings.ToUpper(name)).Scan(&owner.TraderID)
		if err != nil {
			return err
		}
		if owner.AccountID, err = OpenFundedTx(ctx, tx, owner.TraderID, book, sum); err != nil {
			return err
		}
		token, err = sessions.OpenTx(ctx, tx, owner.TraderID, owner.AccountID, BenchDevice)
		return err
	})
	if err != nil {
		return owner, "", fmt.Errorf("fund the trader %s: %w", name, err)
	}
	return owner, token, nil
}

// BenchDevice is the device of every benchmark's session.
var BenchDevice = session.Device{Fingerprint: "bench-device-00000001", IP: "127.0.0.1"}

// OpenFundedTx opens an account of a trader and credits it with a sum.
func OpenFundedTx(ctx context.Context, tx *db.Tx, traderID int64, book ledger.Book, sum int64) (accountID int64, err error) {
	accountType := map[ledger.Book]int{ledger.Real: trader.Ordinary, ledger.Mock: trader.MockType}[book]
	account, err := ledger.OpenTx(ctx, tx, traderID, book, accountType, time.Now())
	if err != nil || sum == 0 {
		return account.ID, err
	}
	_, err = ledger.PostTx(ctx, tx, ledger.Transaction{
		Kind: "mock_top_up", Key: fmt.Sprint("bench:", account.ID), Cause: "bench", Book: ledger.Mock, At: time.Now(), Entries: account.Receive(sum),
	})
	return account.ID, err
}

// referenceSQL is one order in the best SQL with one order per transaction: it locks the account, inserts order, position and four postings, and updates the
// account.
const referenceSQL = `
	CREATE TABLE bench_accounts (id int PRIMARY KEY, cash bigint NOT NULL CHECK (cash >= 0), version bigint NOT NULL DEFAULT 0);
	CREATE TABLE bench_orders (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, account_id int NOT NULL REFERENCES bench_accounts (id), lots bigint NOT NULL, price bigint NOT NULL, created_at timestamptz NOT NULL DEFAULT now());
	CREATE TABLE bench_positions (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, account_id int NOT NULL REFERENCES bench_accounts (id), order_id bigint NOT NULL REFERENCES bench_orders (id), lots bigint NOT NULL, price bigint NOT NULL, margin bigint NOT NULL);
	CREATE TABLE bench_postings (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, order_id bigint NOT NULL REFERENCES bench_orders (id), account_id int NOT NULL, amount bigint NOT NULL);
	CREATE INDEX ON bench_orders (account_id, id DESC);
	CREATE INDEX ON bench_positions (account_id);
	CREATE INDEX ON bench_postings (account_id, id DESC);
	INSERT INTO bench_accounts SELECT n, 1000000000000 FROM generate_series(0, 255) n;
	CREATE FUNCTION bench_order(account int) RETURNS bigint LANGUAGE plpgsql AS $$
	DECLARE cash_now bigint; order_id bigint;
	BEGIN
		SELECT cash INTO cash_now FROM bench_accounts WHERE id = account FOR UPDATE;
		IF cash_now < 100 THEN RAISE EXCEPTION 'no cash'; END IF;
		INSERT INTO bench_orders (account_id, lots, price) VALUES (account, 10000, 9218400) RETURNING id INTO order_id;
		INSERT INTO bench_positions (account_id, order_id, lots, price, margin) VALUES (account, order_id, 10000, 9218400, 46092000);
		INSERT INTO bench_postings (order_id, account_id, amount) VALUES (order_id, account, -100), (order_id, 1, 60), (order_id, 2, 30), (order_id, 3, 10);
		UPDATE bench_accounts SET cash = cash - 100, version = version + 1 WHERE id = account;
		RETURN order_id;
	END $$;
	GRANT SELECT, INSERT, UPDATE ON bench_accounts, bench_orders, bench_positions, bench_postings TO candor_server;`

func (b *orderBench) reference(ctx context.Context) error {
	owner, err := pgxpool.New(ctx, b.server.OwnerURL(embeddedpg.Database))
	if err != nil {
		return err
	}
	defer owner.Close()
	if _, err := owner.Exec(ctx, referenceSQL); err != nil {
		return fmt.Errorf("make the reference: %w", err)
	}
	config, err := pgxpool.ParseConfig(b.server.ServerURL(embeddedpg.Database))
	if err != nil {
		return err
	}
	config.MaxConns = oneOrderPool
	if b.pool, err = pgxpool.NewWithConfig(ctx, config); err != nil {
		return err
	}
	return b.openGORM()
}

func (b *orderBench) sqlFunction(ctx context.Context, worker int) error {
	var id int64
	return b.pool.QueryRow(ctx, `SELECT bench_order($1)`, worker).Scan(&id)
}

func (b *orderBench) sqlStatements(ctx context.Context, worker int) error {
	tx, err := b.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback(ctx) }()
	var cash, order int64
	if err := tx.QueryRow(ctx, `SELECT cash FROM bench_accounts WHERE id = $1 FOR UPDATE`, worker).Scan(&cash); err != nil {
		return err
	}
	if err := tx.QueryRow(ctx, `INSERT INTO bench_orders (account_id, lots, price) VALUES ($1, 10000, 9218400) RETURNING id`, worker).Scan(&order); err != nil {
		return err
	}
	for _, statement := range []string{
		`INSERT INTO bench_positions (account_id, order_id, lots, price, margin) VALUES ($1, $2, 10000, 9218400, 46092000)`,
		`INSERT INTO bench_postings (order_id, account_id, amount) VALUES ($2, $1, -100), ($2, 1, 60), ($2, 2, 30), ($2, 3, 10)`,
		`UPDATE bench_accounts SET cash = cash - 100, version = version + 1 WHERE id = $1 AND $2::bigint > 0`,
	} {
		if _, err := tx.Exec(ctx, statement, worker, order); err != nil {
			return err
		}
	}
	return tx.Commit(ctx)
}

// service places one order, alternately opening and closing, so that positions do not accumulate.
func (b *orderBench) service(ctx context.Context, worker int) error {
	key := strconv.FormatInt(b.keys.Add(1), 10)
	position := b.open[worker].Load()
	request := idempotency.Request{TraderID: b.owners[worker].TraderID, Call: "bench", Key: key, At: time.Now()}
	var done engine.Result
	var err error
	if position != 0 {
		done, err = b.platform.Trading.Close(ctx, trading.Close{Owner: b.owners[worker], PositionID: position}, request)
	} else {
		done, err = b.platform.Trading.Open(ctx, trading.Open{Owner: b.owners[worker], ProductID: b.product, Side: trading.Buy, Lots: money.Unit / 100, Leverage: 20}, request)
	}
	if err != nil {
		return err
	}
	b.open[worker].Store(openID(done.Value.Position))
	return nil
}

func openID(p trading.Position) int64 {
	if p.Lots == 0 {
		return 0
	}
	return p.ID
}

// http places one order through the API, with token and signature checks.
func (b *orderBench) http(_ context.Context, worker int) error {
	call, body := "closePosition", fmt.Sprintf(`{"positionId":%d}`, b.open[worker].Load())
	if b.open[worker].Load() == 0 {
		call, body = "insertOrder", fmt.Sprintf(`{"productId":%d,"side":"buy","lots":"0.01","leverage":20}`, b.product)
	}
	client, err := b.client(worker)
	if err != nil {
		return err
	}
	now := strconv.FormatInt(time.Now().UnixMilli(), 10)
	client.text = fmt.Appendf(client.text[:0], "POST /client/trade/%s HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\napptoken: %s\r\nlocaltimes: %s\r\nnewsign: %s\r\n"+
		"Idempotency-Key: h%d\r\nContent-Length: %d\r\n\r\n%s", call, b.tokens[worker], now, api.Sign(now, "candor-web"), b.keys.Add(1), len(body), body)
	if _, err := client.conn.Write(client.text); err != nil {
		return err
	}
	response, err := http.ReadResponse(client.from, nil)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	var answer struct {
		Status int    `json:"status"`
		Code   string `json:"code"`
		Data   struct {
			Position struct {
				ID    int64  `json:"positionId"`
				State string `json:"state"`
			} `json:"position"`
		} `json:"data"`
	}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		return err
	}
	if answer.Status != 1 {
		return fmt.Errorf("%s answered %s", call, answer.Code)
	}
	b.open[worker].Store(answer.Data.Position.ID)
	if answer.Data.Position.State == "closed" {
		b.open[worker].Store(0)
	}
	_, err = io.Copy(io.Discard, response.Body)
	return err
}

// client is one connection of the load generator, which costs as little as possible, because the server is what is measured.
type client struct {
	conn net.Conn
	from *bufio.Reader
	text []byte
}

// client is a worker's connection, opened on first use, because the server does not wait long for a first request.
func (b *orderBench) client(worker int) (*client, error) {
	if b.clients[worker] == nil {
		conn, err := net.Dial("tcp", b.address)
		if err != nil {
			return nil, err
		}
		b.clients[worker] = &client{conn: conn, from: bufio.NewReader(conn)}
	}
	return b.clients[worker], nil
}

func (b *orderBench) awaitPrice(ctx context.Context) error {
	for range 200 {
		if _, err := b.platform.Market.Tradable(b.product); err == nil {
			return nil
		}
		select {
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return errors.New("no price came within 10 s")
}

func (b *orderBench) cpu() time.Duration { return ownCPU() + childrenCPU(b.server.PID()) }

func (b *orderBench) close() error {
	for _, c := range b.clients {
		if c != nil {
			_ = c.conn.Close()
		}
	}
	if b.stop != nil {
		b.stop()
	}
	if b.pool != nil {
		b.pool.Close()
	}
	if b.database != nil {
		b.database.DB.Close()
	}
	var err error
	if b.server != nil {
		err = b.server.Stop(context.Background())
	}
	return errors.Join(err, os.RemoveAll(b.dir))
}
