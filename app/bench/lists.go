package bench

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"candor/app/audit"
	"candor/app/deposit"
	"candor/app/market"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/embeddedpg"
	"candor/app/platform/events"
	"candor/app/platform/jobs"
	"candor/app/platform/mail"
	"candor/app/platform/seal"
	"candor/app/server"
	"candor/app/trader"
	"candor/app/trading/engine"
	"candor/app/withdrawal"
	"candor/migrations"
)

const (
	listRowsMany, listRowsFew = 1_000_000, 1_000
	listCalls                 = 15 // of each question per round, alternating between the databases
)

// lists are the services that read lists, on a database with a number of rows of each.
type lists struct {
	rows     int
	database *db.DB
	trading  *engine.Service
	deposits *deposit.Service
	traders  *trader.Service
	audit    *audit.Log
	outbox   *mail.Outbox

	withdrawals *withdrawal.Service
}

// question is one service call: a page of a list.
type question struct {
	list, name string
	few        bool // for the account with a thousand rows among the million
	ask        func(ctx context.Context, l lists, account int64) (found int, err error)
}

// listBench is one PostgreSQL with two databases of the same schema, their rows and the questions.
type listBench struct {
	id        string // of the target
	fill      []string
	questions []question
	dir       string
	server    *embeddedpg.Server
	many, few lists
	cpuRatios []float64 // of all questions together, one per round
}

// benchLists measures pages of every list at a million rows against a thousand.
func benchLists(ctx context.Context, out io.Writer) ([]target, error) {
	return (&listBench{id: "P19", fill: listRows, questions: listQuestions()}).run(ctx, out)
}

func (b *listBench) run(ctx context.Context, out io.Writer) (targets []target, err error) {
	defer func() { err = errors.Join(err, b.close()) }()
	if err := b.setUp(ctx, out); err != nil {
		return nil, err
	}
	figures := map[string]*listFigures{}
	for round := range benchRounds {
		for _, q := range b.questions {
			name := q.list + ", " + q.name
			if figures[name] == nil {
				figures[name] = &listFigures{list: q.list}
			}
			if err := b.measure(ctx, q, figures[name]); err != nil {
				return nil, fmt.Errorf("round %d, %s: %w", round+1, name, err)
			}
		}
		if err := b.sweep(ctx); err != nil {
			return nil, err
		}
	}
	return []target{b.target(out, figures)}, nil
}

// listFigures are the medians of a question, one per round.
type listFigures struct {
	list              string
	many, few, ratios []float64 // milliseconds, and many ÷ few
}

// measure asks both databases alternately; the median of each is one sample.
func (b *listBench) measure(ctx context.Context, q question, f *listFigures) error {
	account := int64(listMost)
	if q.few {
		account = listFew
	}
	many, few := make([]float64, listCalls), make([]float64, listCalls)
	for call := range listCalls {
		for _, side := range []struct {
			lists   lists
			account int64
			took    []float64
		}{{b.many, account, many}, {b.few, listMost, few}} {
			begin := time.Now()
			if _, err := q.ask(ctx, side.lists, side.account); err != nil {
				return err
			}
			side.took[call] = float64(time.Since(begin).Nanoseconds()) / 1e6
		}
	}
	f.many, f.few = append(f.many, median(many)), append(f.few, median(few))
	f.ratios = append(f.ratios, median(many)/median(few))
	return nil
}

// sweep asks all questions of one database and then of the other, for the CPU time of both.
func (b *listBench) sweep(ctx context.Context) error {
	var spent [2]time.Duration
	for side, l := range []lists{b.many, b.few} {
		before := b.cpu()
		for range listCalls / 3 {
			for _, q := range b.questions {
				account := int64(listMost)
				if q.few && l.rows == listRowsMany {
					account = listFew
				}
				if _, err := q.ask(ctx, l, account); err != nil {
					return fmt.Errorf("%s, %s: %w", q.list, q.name, err)
				}
			}
		}
		spent[side] = b.cpu() - before
	}
	b.cpuRatios = append(b.cpuRatios, float64(spent[0])/float64(max(spent[1], 1)))
	return nil
}

func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}

// target prints a line per question; the target's value is the worst ratio.
func (b *listBench) target(out io.Writer, figures map[string]*listFigures) target {
	t := target{ID: b.id, Target: 2, Better: "lower", Rounds: benchRounds, Detail: map[string]any{}}
	for _, q := range b.questions {
		name := q.list + ", " + q.name
		f := figures[name]
		ratio := median(f.ratios)
		fmt.Fprintf(out, "%-58s %7.2f ms  %7.2f ms  ratio %5.2f\n", name, median(f.many), median(f.few), ratio)
		t.Detail[name] = map[string]float64{"ratio": ratio, "ms": median(f.many), "msAtAThousand": median(f.few)}
		t.Value = max(t.Value, ratio)
	}
	fmt.Fprintf(out, "processor time of all together, ratio %.2f\n", median(b.cpuRatios))
	t.Detail["processor time of all together"] = median(b.cpuRatios)
	return t
}

func (b *listBench) setUp(ctx context.Context, out io.Writer) (err error) {
	if b.dir, err = benchFolder(); err != nil {
		return err
	}
	if err := b.startServer(ctx); err != nil {
		return err
	}
	start := time.Now()
	if b.few, err = b.open(ctx, "few", listRowsFew); err != nil {
		return err
	}
	if b.many, err = b.open(ctx, "many", listRowsMany); err != nil {
		return err
	}
	fmt.Fprintf(out, "filled %d rows of each list in %.0f s\n", listRowsMany, time.Since(start).Seconds())
	return nil
}

// startServer starts a PostgreSQL with the memory settings of a server for a million rows instead of the default 128 MB.
func (b *listBench) startServer(ctx context.Context) (err error) {
	config := embeddedpg.Config{DataDir: b.dir + "/postgres"}
	if b.server, err = embeddedpg.Start(ctx, config); err != nil {
		return err
	}
	conn, err := pgx.Connect(ctx, b.server.SuperURL(embeddedpg.Database))
	if err != nil {
		return err
	}
	_, err = conn.Exec(ctx, `ALTER SYSTEM SET shared_buffers = '1GB'`)
	if err := errors.Join(err, conn.Close(ctx), b.server.Stop(ctx)); err != nil {
		return err
	}
	b.server, err = embeddedpg.Start(ctx, config)
	return err
}

// open creates and fills a database, and opens the services on it with the server's role.
func (b *listBench) open(ctx context.Context, name string, rows int) (l lists, err error) {
	if err := b.create(ctx, name); err != nil {
		return l, err
	}
	l.rows = rows
	if l.database, err = db.Open(ctx, b.server.ServerURL(name)); err != nil {
		return l, err
	}
	if err := market.Seed(ctx, l.database); err != nil {
		return l, err
	}
	if err := fillLists(ctx, b.server.SuperURL(name), b.fill, rows); err != nil {
		return l, err
	}
	return l, l.services(ctx, b.dir)
}

func (b *listBench) create(ctx context.Context, name string) error {
	conn, err := pgx.Connect(ctx, b.server.OwnerURL(embeddedpg.Database))
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	if _, err := conn.Exec(ctx, "CREATE DATABASE "+name); err != nil {
		return err
	}
	return migrations.Up(ctx, b.server.OwnerURL(name))
}

func (l *lists) services(ctx context.Context, dir string) error {
	d, now := l.database, clock.Real{}
	_, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		return err
	}
	bus, err := events.Open("")
	if err != nil {
		return err
	}
	queue, err := jobs.New(d.Pool)
	if err != nil {
		return err
	}
	m := market.New(market.Config{DB: d, Feed: market.NewSimulated(server.SimulationSeed, now), Clock: now, Key: key, Checkpoints: seal.NewCheckpointStore(dir, "tape")})
	if err := m.Load(ctx); err != nil {
		return err
	}
	l.trading = engine.New(d, m, now, bus)
	l.deposits, l.audit, l.outbox = deposit.New(deposit.Config{DB: d, Clock: now}), audit.NewLog(d), mail.New(mail.Config{DB: d, Clock: now, Queue: queue, KeepUnsent: true})
	l.withdrawals = withdrawal.New(withdrawal.Config{DB: d, Clock: now})
	l.traders = trader.New(trader.Config{DB: d, Clock: now, Outbox: l.outbox})
	return nil
}

func (b *listBench) cpu() time.Duration { return ownCPU() + childrenCPU(b.server.PID()) }

func (b *listBench) close() error {
	for _, l := range []lists{b.many, b.few} {
		if l.database != nil {
			l.database.Close()
		}
	}
	var err error
	if b.server != nil {
		err = b.server.Stop(context.Background())
	}
	return errors.Join(err, os.RemoveAll(b.dir))
}
