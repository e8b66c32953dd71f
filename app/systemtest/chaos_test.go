//go:build chaos

package systemtest

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"candor/app/adjustment"
	"candor/app/approval"
	"candor/app/audit"
	"candor/app/banking"
	"candor/app/deposit"
	"candor/app/kyc"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/embeddedpg"
	"candor/app/platform/jobs"
	"candor/app/platform/upload"
	"candor/app/platform/vault"
	"candor/app/provider"
	"candor/app/reconciliation"
	"candor/app/server"
	"candor/app/switches"
	"candor/app/trader"
	"candor/app/withdrawal"
	"candor/migrations"
)

const chaosWorkers = 16

// chaosPlan is the total work, divided over the seeds.
type chaosPlan struct{ seed, seeds, operations, kills, stops, reads int }

func readPlan(t *testing.T) (p chaosPlan) {
	t.Helper()
	for name, field := range map[string]struct {
		to       *int
		fallback int
	}{
		"SEED": {&p.seed, 1}, "SEEDS": {&p.seeds, 1}, "OPERATIONS": {&p.operations, 20_000}, "KILLS": {&p.kills, 20}, "DBSTOPS": {&p.stops, 2}, "READS": {&p.reads, 80},
	} {
		*field.to = field.fallback
		if text := os.Getenv(name); text != "" {
			n, err := strconv.Atoi(text)
			require.NoError(t, err, name)
			*field.to = n
		}
	}
	return p
}

// chaos runs the real program on the harness's own PostgreSQL and counts what was done.
type chaos struct {
	*program
	config   embeddedpg.Config
	postgres *embeddedpg.Server
	db       *db.DB
	deposits *deposit.Service
	members  [2]audit.Actor
	lead     audit.Actor
	provider *chaosProvider

	withdrawals *withdrawal.Service
	adjustments *adjustment.Service
	identities  *kyc.Service
	vault       *vault.Vault
	reviewers   reviewers
	seed        int
	random      *rand.Rand
	done        atomic.Int64
	chaosCounts
}

// chaosCounts are the figures of the report.
type chaosCounts struct {
	requests, duplicates, malformed, acknowledged, refused, unanswered, internal, replayed, credited, withdrawn, toAdjust, posted, reads atomic.Int64
}

// TestChaos kills the server and stops the database at random moments under every money action: nothing may be lost, applied twice or answered differently.
func TestChaos(t *testing.T) {
	plan := readPlan(t)
	for n := range plan.seeds {
		seed := plan.seed + n
		t.Run(fmt.Sprint("Seed", seed), func(t *testing.T) {
			part := plan
			part.operations, part.kills, part.stops, part.reads = plan.operations/plan.seeds, plan.kills/plan.seeds, plan.stops/plan.seeds, plan.reads/plan.seeds
			runChaos(t, seed, part)
		})
	}
}

func runChaos(t *testing.T, seed int, plan chaosPlan) {
	started := time.Now()
	c := newChaos(t, seed)
	clients := c.clients(t)
	defer c.done.Store(1 << 60) // ends the workers after any failure
	problems := make(chan error, chaosWorkers+1)
	var group, readers sync.WaitGroup
	over := make(chan struct{})
	for w := range chaosWorkers {
		worker := newChaosWorker(c, w, clients)
		group.Go(func() { problems <- worker.run(plan.operations) })
	}
	readers.Go(func() { problems <- c.read(plan, over) })
	go func() { group.Wait(); close(over) }()
	c.disturb(t, plan, over)
	group.Wait()
	readers.Wait()
	close(problems)
	for err := range problems {
		require.NoError(t, err)
	}
	c.settle(t, plan, clients, time.Since(started))
}

// newChaos starts a PostgreSQL with production durability, and the program on it.
func newChaos(t *testing.T, seed int) *chaos {
	t.Helper()
	c := &chaos{seed: seed, random: rand.New(rand.NewPCG(uint64(seed), 0))} //nolint:gosec // a seed makes the run the same again
	c.program = newProgram(t)
	c.config = embeddedpg.Config{DataDir: dataFolder(t), ModuleDirs: []string{c.moduleDir(t)}}
	var err error
	c.postgres, err = embeddedpg.Start(t.Context(), c.config)
	require.NoError(t, err)
	t.Cleanup(func() { _ = c.postgres.Stop(context.Background()) })
	c.config.Port = c.postgres.Port()
	require.NoError(t, migrations.Up(t.Context(), c.postgres.OwnerURL(embeddedpg.Database)))
	url := c.postgres.ServerURL(embeddedpg.Database)
	c.env = append(c.env, "DATABASE_URL="+url)
	c.db, err = db.Open(t.Context(), url)
	require.NoError(t, err)
	t.Cleanup(c.db.Close)
	require.NoError(t, chargeFees(t.Context(), c.db))
	_, err = c.db.Pool.Exec(t.Context(), `INSERT INTO switches (key, value) VALUES ($1, '100000000'), ($2, '100000000')`, switches.WithdrawDayKey(2), switches.WithdrawMonthKey(2))
	require.NoError(t, err)
	c.startProvider(t)
	c.start(t)
	values, err := switches.Load(t.Context(), c.db, nil)
	require.NoError(t, err)
	c.vault, err = vault.Load(c.dataDir, true)
	require.NoError(t, err)
	c.deposits = deposit.New(deposit.Config{DB: c.db, Clock: clock.Real{}, Switches: values, Pictures: upload.NewStore(t.TempDir()), Identities: acceptAll{}, Vault: c.vault, Changed: func(int64) {}})
	queue, err := jobs.New(c.db.Pool) // never started: the server runs the jobs
	require.NoError(t, err)
	c.withdrawals = withdrawal.New(withdrawal.Config{DB: c.db, Clock: clock.Real{}, Switches: values, Traders: acceptAll{}, Identities: acceptAll{}, Positions: noPositions{}, Gate: reconciliation.New(c.db, clock.Real{}), Banks: banking.Payers{DB: c.db}, Vault: c.vault, Approvals: approval.New(c.db, clock.Real{}, trader.TakeDutyTx),
		Providers: provider.New(c.db, clock.Real{}, queue, c.url, c.provider.list), Queue: queue, Changed: func(int64) {}})
	c.adjustments = adjustment.New(adjustment.Config{
		DB: c.db, Clock: clock.Real{}, Switches: values, Approvals: approval.New(c.db, clock.Real{}, trader.TakeDutyTx), Positions: noPositions{}, Owners: ownCases, Changed: func(int64) {},
	})
	for n := range c.members {
		c.members[n] = hireDesk(t, c.db, n)
	}
	c.lead = hireDesk(t, c.db, len(c.members))
	c.reviewers = hireReviewers(t, c.db)
	c.identities = kyc.New(kyc.Config{DB: c.db, Clock: clock.Real{}, Vault: c.vault, Folder: vault.NewFolder(filepath.Join(c.dataDir, "kyc"))})
	return c
}

// disturb kills the server and stops the database at moments that the seed spreads over the operations. The database is restarted before the next kill.
func (c *chaos) disturb(t *testing.T, plan chaosPlan, over <-chan struct{}) {
	t.Helper()
	events := plan.kills + plan.stops
	for n := range events {
		moment := int64((float64(n) + c.random.Float64()) * float64(plan.operations) / float64(events+1))
		if !c.await(moment, over) {
			t.Fatalf("the operations ended before disturbance %d of %d", n+1, events)
		}
		if plan.stops > 0 && n%(events/plan.stops) == events/plan.stops/2 && n/(events/plan.stops) < plan.stops {
			c.stopDatabase(t)
			continue
		}
		c.kill(t)
		c.start(t)
	}
}

// await waits until the number of operations is done; false when the workers ended before that.
func (c *chaos) await(operations int64, over <-chan struct{}) bool {
	for c.done.Load() < operations {
		select {
		case <-over:
			return c.done.Load() >= operations
		case <-time.After(2 * time.Millisecond):
		}
	}
	return true
}

// stopDatabase stops PostgreSQL in immediate mode, like a crash, and restarts it.
func (c *chaos) stopDatabase(t *testing.T) {
	t.Helper()
	require.NoError(t, syscall.Kill(c.postgres.PID(), syscall.SIGQUIT))
	<-c.postgres.Done()
	require.NoError(t, c.postgres.Stop(t.Context()))
	var err error
	c.postgres, err = embeddedpg.Start(t.Context(), c.config)
	require.NoError(t, err)
}

// read checks repeated snapshots of the whole ledger; none may contain an offence.
func (c *chaos) read(plan chaosPlan, over <-chan struct{}) error {
	for n := range plan.reads {
		if !c.await(int64(n*plan.operations/plan.reads), over) {
			return fmt.Errorf("only %d of %d reads of the ledger were done", n, plan.reads)
		}
		wrong := ""
		err := c.retry(func() (err error) {
			wrong, err = c.wholeLedger()
			return err
		})
		if err != nil {
			return err
		}
		if wrong != "" {
			return fmt.Errorf("read %d of the ledger: %s", n, wrong)
		}
		c.reads.Add(1)
	}
	return nil
}

// wholeLedger lists the offences in a snapshot of the whole database.
func (c *chaos) wholeLedger() (wrong string, err error) {
	ctx := context.Background()
	err = pgx.BeginTxFunc(ctx, c.db.Pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) (err error) {
		wrong, err = violations(ctx, tx, 0)
		return err
	})
	return wrong, err
}

// settle compares the clients' answers with the database, and has the program verify everything.
func (c *chaos) settle(t *testing.T, plan chaosPlan, clients []*chaosClient, took time.Duration) {
	t.Helper()
	c.waitSettled(t)
	reported := tally(clients)
	reported.Payments, reported.Coins, reported.Payouts = c.provider.payments, c.provider.coins, c.provider.ended
	reported.Payouts.Unsent = int64(len(c.provider.payouts))
	reported.Adjustments, reported.Adjusted = c.toAdjust.Load(), c.posted.Load()
	lost, different := c.compareAnswers(t, clients)
	stored := c.stored(t)
	wrong, err := c.wholeLedger()
	require.NoError(t, err)
	require.NoError(t, c.interrupt(t))
	code, stdout, stderr := c.run(t, "verify", "--json")
	var proved server.Report
	require.NoError(t, json.Unmarshal([]byte(stdout), &proved), "%s%s", stdout, stderr)
	line, err := json.Marshal(map[string]any{
		"goal": "G1", "commit": os.Getenv("COMMIT"), "seed": c.seed, "operations": c.done.Load(), "kills": plan.kills, "databaseStops": plan.stops, "ledgerReads": c.reads.Load(),
		"requests": c.requests.Load(), "acknowledged": c.acknowledged.Load(), "refused": c.refused.Load(), "unanswered": c.unanswered.Load(), "internal": c.internal.Load(),
		"duplicates": c.duplicates.Load(), "malformed": c.malformed.Load(), "replayed": c.replayed.Load(), "credited": c.credited.Load(), "withdrawn": c.withdrawn.Load(),
		"lost": lost, "differentAnswers": different, "told": reported, "stored": stored, "offences": wrong, "seconds": int(took.Seconds()), "proved": proved.Proved, "ok": proved.OK,
	})
	require.NoError(t, err)
	fmt.Println(string(line))
	fmt.Printf("seed %-4d %8d operations %5d kills %4d database stops %5d reads %8d acknowledged %6d lost requests %4d s\n",
		c.seed, c.done.Load(), plan.kills, plan.stops, c.reads.Load(), c.acknowledged.Load(), c.unanswered.Load(), int(took.Seconds()))
	require.Empty(t, wrong)
	require.Zero(t, lost, "acknowledged, and not there")
	require.Zero(t, different, "answers that changed")
	require.Equal(t, reported, stored, "what was told of, and what is there: more is a key that was applied twice, less is a loss")
	require.Zero(t, code, "%s%s", stdout, stderr)
	require.True(t, proved.OK)
}

// effects counts effects, either from the answers or from the database.
type effects struct {
	Answers, Fills, Orders, Deposits, Withdrawals, Transfers, Exchanges, Payments, Coins, Adjustments, Adjusted int64
	Payouts                                                                                                     payoutEnds
}

func tally(clients []*chaosClient) (e effects) {
	for _, client := range clients {
		for _, ack := range client.acks {
			e.Answers++
			e.Fills += int64(ack.fills)
			e.Orders += int64(ack.orders)
			e.Deposits += int64(ack.deposits)
			e.Withdrawals += int64(ack.withdrawals)
			e.Transfers += int64(ack.transfers)
			e.Exchanges += int64(ack.exchanges)
		}
	}
	return e
}

func (c *chaos) stored(t *testing.T) (e effects) {
	t.Helper()
	require.NoError(t, c.db.Pool.QueryRow(t.Context(), `
		SELECT (SELECT count(*) FROM idempotency_keys WHERE result IS NOT NULL AND call <> '`+verifyCall+`'), (SELECT count(*) FROM fills WHERE rule IN ('market', 'close_by')),
		       (SELECT count(*) FROM orders WHERE type <> 'market'), (SELECT count(*) FROM deposits WHERE kind <> 'standard'), (SELECT count(*) FROM withdrawals),
		       (SELECT count(*) FROM transfers), (SELECT count(*) FROM exchanges),
		       (SELECT count(*) FROM deposits WHERE kind = 'third_party' AND state = 'credited'), (SELECT count(*) FROM deposits WHERE kind = 'standard' AND state = 'credited'),
		       (SELECT count(*) FROM approvals WHERE use = 'adjustment'), (SELECT count(*) FROM adjustments)`).
		Scan(&e.Answers, &e.Fills, &e.Orders, &e.Deposits, &e.Withdrawals, &e.Transfers, &e.Exchanges, &e.Payments, &e.Coins, &e.Adjustments, &e.Adjusted))
	e.Payouts = c.storedPayouts(t)
	return e
}

// compareAnswers looks for the result of every answer that a client got, and asks for it again: the answer must be the same, byte for byte.
func (c *chaos) compareAnswers(t *testing.T, clients []*chaosClient) (lost int, different int64) {
	t.Helper()
	var group errgroup.Group
	group.SetLimit(chaosWorkers)
	var changed atomic.Int64
	for i, client := range clients {
		rows, err := c.db.Pool.Query(t.Context(), `SELECT key FROM idempotency_keys WHERE trader_id = $1 AND result IS NOT NULL AND call <> $2`, client.traderID, verifyCall)
		require.NoError(t, err)
		keys, err := pgx.CollectRows(rows, pgx.RowTo[string])
		require.NoError(t, err)
		stored := map[string]bool{}
		for _, key := range keys {
			stored[key] = true
		}
		worker := newChaosWorker(c, i/tradersPerWorker, clients)
		group.Go(func() error {
			for _, ack := range client.acks {
				if err := worker.replay(client, ack); err != nil && changed.Add(1) <= 3 {
					t.Log(err)
				}
			}
			return nil
		})
		for _, ack := range client.acks {
			lost += btoi(!stored[ack.key])
		}
	}
	require.NoError(t, group.Wait())
	return lost, changed.Load()
}
