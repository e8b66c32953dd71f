package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/audit"
	"candor/app/ledger"
	"candor/app/market"
	"candor/app/platform/clock"
	"candor/app/platform/seal"
	"candor/app/trading/proof"
)

// recordings is the folder of recorded prices, outside the project.
const recordings = "../../../../shared/market-data"

// roundEvery is the market time between two rounds: accounts are valued, and scripted ones act.
const roundEvery = 10 * time.Second

// recorded emits recorded quotes at their own times, as fast as they are consumed.
type recorded struct {
	*market.Replay
	clock *clock.Fixed
	until time.Time
	to    func(at time.Time) error // runs the rounds before a quote
	after func() error
	ended func() // called at the end: the market would wait for more
}

func (f *recorded) Clock() clock.Clock { return f.clock }

func (f *recorded) History(context.Context, func(market.Raw)) ([]market.Candle, error) {
	return nil, nil
}

func (f *recorded) Run(ctx context.Context, emit func(market.Raw)) (failed error) {
	defer f.ended()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	_, err := f.Replay.History(ctx, func(raw market.Raw) {
		if failed != nil || raw.At.After(f.until) {
			stop()
			return
		}
		if failed = f.to(raw.At); failed == nil {
			f.clock.Set(raw.At)
			emit(raw)
			failed = f.after()
		}
	})
	if errors.Is(err, context.Canceled) {
		err = nil
	}
	return cmp.Or(failed, err)
}

// twoDays is the engine on recorded prices with scripted accounts, each with its model.
type twoDays struct {
	*bundle
	accounts []*scripted
	watching map[int][]*scripted // by product
	newest   map[int]market.Quote
	believed map[int]market.Quote // the newest confirmed quotes, which the models use
	priced   map[int]market.Quote // the newest quotes when the last rollover was priced
	heard    []market.Quote
	products []market.Product
	settled  time.Time // the day of the models' last rollover
	pricedAt time.Time // when the next rollover is priced
	next     time.Time // the next round
	chains   []*audit.Chain
	seldom   int // rounds per turn of an account
	rounds   int
	compared int
	stopped  int
}

func (r *twoDays) tradable(id int) bool {
	_, err := r.market.Tradable(id)
	return err == nil
}

// to runs the rounds that are due before a quote.
func (r *twoDays) to(at time.Time) error {
	for !r.next.After(at) {
		r.price(r.next)
		r.time.Set(r.next)
		if err := r.round(); err != nil {
			return fmt.Errorf("at %s: %w", r.next.Format(time.DateTime), err)
		}
		r.next = r.next.Add(roundEvery)
	}
	r.price(at)
	return nil
}

// price stores the newest quotes when the next rollover is priced.
func (r *twoDays) price(at time.Time) {
	if r.pricedAt.Before(at) {
		r.priced = maps.Clone(r.newest)
		r.pricedAt = r.pricedAt.AddDate(0, 0, 1) // no clock changes in the recordings
	}
}

// told has the engine and the models act on the quotes that arrived.
func (r *twoDays) told() error {
	for _, q := range r.heard {
		r.work()
		r.newest[q.ProductID] = q
		if c, ok := r.market.Confirmed(q.ProductID); ok {
			r.believed[q.ProductID] = c
		}
		open := r.tradable(q.ProductID)
		for _, a := range r.watching[q.ProductID] {
			if open {
				a.m.quote(q)
			}
			a.m.follow(q)
		}
	}
	r.heard = r.heard[:0]
	return nil
}

// round settles rollovers, values every account, has some of them act, and once an hour compares all.
func (r *twoDays) round() error {
	now := r.time.Now()
	if last := market.LastRollover(now); last.Day.After(r.settled) {
		r.settled = last.Day
		for _, a := range r.accounts {
			a.m.night(func(p market.Product) (int64, int64) { return nightsOf(p, last.Day), 0 }, r.priced)
		}
	}
	for again := true; again; {
		r.engine.monitor.Sweep(r.seen)
		again = r.engine.monitor.Queued() > 0
		r.work()
	}
	for _, a := range r.accounts {
		a.m.expire(now)
		if !a.m.safe() {
			before := a.m.closed
			a.m.stopOut()
			r.stopped += a.m.closed - before
		}
	}
	if err := r.act(); err != nil {
		return err
	}
	r.work()
	clear(r.watching)
	for _, a := range r.accounts {
		for id := range a.m.touches() {
			r.watching[id] = append(r.watching[id], a)
		}
	}
	if r.rounds++; r.rounds%360 == 0 {
		return r.compare()
	}
	return nil
}

// act runs the turns of the accounts that are due, four at once.
func (r *twoDays) act() error {
	turns := make(chan *scripted)
	var group sync.WaitGroup
	var mu sync.Mutex
	var failed error
	for range 4 {
		group.Go(func() {
			for a := range turns {
				if err := a.act(); err != nil {
					mu.Lock()
					failed = cmp.Or(failed, fmt.Errorf("account %d: %w", a.o.AccountID, err))
					mu.Unlock()
				}
			}
		})
	}
	for _, a := range r.accounts {
		if a.random.IntN(r.seldom) == 0 {
			turns <- a
		}
	}
	close(turns)
	group.Wait()
	return failed
}

// compare compares every account with its model, equity and margin included, and seals the rows so far.
func (r *twoDays) compare() error {
	if err := r.seal(); err != nil {
		return err
	}
	for _, a := range r.accounts {
		f, err := r.engine.read(r.t.Context(), a.o.AccountID)
		if err != nil {
			return err
		}
		if what := a.m.differs(f); what != "" {
			return fmt.Errorf("account %d: %w", a.o.AccountID, a.explain(what))
		}
		v, err := r.engine.rules.Value(f)
		if err != nil {
			return err
		}
		if equity, used := a.m.equity(), a.m.used(a.m.positions); equity != v.Equity || used != v.Used {
			return fmt.Errorf("account %d: equity %d, used margin %d in the engine, %d and %d in the model", a.o.AccountID, v.Equity, v.Used, equity, used)
		}
		r.compared++
	}
	return nil
}

func (r *twoDays) seal() error {
	for _, chain := range r.chains {
		if _, err := chain.Seal(r.t.Context()); err != nil {
			return err
		}
	}
	return nil
}

// nightsOf is the number of nights of a rollover in a week without holidays.
func nightsOf(p market.Product, day time.Time) int64 {
	if p.TripleDay != nil && int(day.Weekday()) == *p.TripleDay {
		return 3
	}
	return 1
}

// TestTwoDays runs scripted accounts through recorded prices: engine and model must agree to the last unit, and all of it must be proved. The default is seven
// hours of few accounts; CANDOR_TWO_DAYS=1000 runs both days with a thousand.
func TestTwoDays(t *testing.T) {
	t.Parallel()
	dir, err := filepath.Abs(recordings)
	require.NoError(t, err)
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("there are no recorded quotes in %s", dir)
	}
	number, seldom, hours := 20, 30, 7
	if text := os.Getenv("CANDOR_TWO_DAYS"); text != "" {
		seldom, hours = 288, 30*24
		number, err = strconv.Atoi(text)
		require.NoError(t, err)
	}
	began := time.Now()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	r := newTwoDays(t, stop, dir, number, time.Duration(hours)*time.Hour)
	r.seldom = seldom
	require.NoError(t, r.market.Run(ctx))
	require.NoError(t, r.compare())
	require.Zero(t, r.market.Rejections()["database_away"], "every recorded quote came to the tape")
	r.compareHouse()
	proved := r.proveWithTheProgram()
	counts := map[string]int{}
	for _, a := range r.accounts {
		for what, n := range a.did {
			counts[what] += n
		}
	}
	line, err := json.Marshal(map[string]any{
		"goal": "G7", "accounts": number, "commands": counts, "stopOuts": r.stopped, "comparisons": r.compared, "differences": 0,
		"rejectedQuotes": r.market.Rejections(), "proved": proved, "seconds": int(time.Since(began).Seconds()),
	})
	require.NoError(t, err)
	t.Log(string(line))
}

func newTwoDays(t *testing.T, ended func(), dir string, number int, last time.Duration) *twoDays {
	t.Helper()
	replay, err := market.NewReplay(dir, 1, 30*24*time.Hour)
	require.NoError(t, err)
	r := &twoDays{
		bundle: prepare(t), watching: map[int][]*scripted{}, newest: map[int]market.Quote{}, believed: map[int]market.Quote{}, priced: map[int]market.Quote{},
	}
	start := replay.Clock().Now().Truncate(24 * time.Hour)
	r.time.Set(start)
	r.real, r.next, r.settled = r.time, start.Add(roundEvery), market.LastRollover(start).Day
	r.pricedAt = market.Rollover{At: market.RolloverOn(r.settled.AddDate(0, 0, 1))}.PricedAt()
	r.start(&recorded{Replay: replay, clock: r.time, until: start.Add(last), to: r.to, after: r.told, ended: ended})
	r.market.OnQuote(func(q market.Quote) { r.heard = append(r.heard, q) })
	r.products = r.market.Products()
	schedule, err := market.ReadSchedule(t.Context(), r.db.Pool)
	require.NoError(t, err)
	for name, source := range map[string]audit.Source{
		"audit": audit.Entries, "fills": proof.FillSource(r.products, schedule.Terms), "charges": proof.ChargeSource(r.products, schedule.Terms), "terms": market.SealedTerms,
	} {
		r.chains = append(r.chains, audit.NewChain(source, r.db, r.real, r.key, seal.NewCheckpointStore(r.dir, name)))
	}
	for n := range number {
		random := rand.New(rand.NewPCG(uint64(n), 20_140_506))
		book, cash := ledger.Real, (500+random.Int64N(20_000))*unit
		if n%10 == 9 {
			book = ledger.Mock
		}
		a := &scripted{twoDays: r, o: r.fundIn(book, cash), random: random, did: map[string]int{}, book: book, bold: 0.02 + 0.9*random.Float64()*random.Float64()}
		a.m = &model{quotes: r.believed, tradable: r.tradable, cash: cash}
		r.accounts = append(r.accounts, a)
	}
	return r
}

// compareHouse compares the house accounts with the sums of the models.
func (r *twoDays) compareHouse() {
	r.t.Helper()
	for book, suffix := range map[ledger.Book]string{ledger.Real: "real", ledger.Mock: "mock"} {
		want := map[string]int64{}
		for _, a := range r.accounts {
			if a.book == book {
				want["trading"] -= a.m.won
				want["fees"] += a.m.fees
				want["forgiven"] -= a.m.forgiven
				want["swaps"] -= a.m.swaps
			}
		}
		for name, sum := range want {
			got := r.number(`SELECT coalesce(sum(p.amount), 0) FROM postings p JOIN accounts a ON a.id = p.account_id
				WHERE a.kind = 'house' AND a.name = $1 AND a.book = $2`, name, suffix)
			require.Equal(r.t, sum, got, "%s of the %s book", name, suffix)
		}
	}
}

// proveWithTheProgram has `candor verify` recompute the whole run.
func (r *twoDays) proveWithTheProgram() (proved map[string]int64) {
	r.t.Helper()
	require.Eventually(r.t, func() bool { // a transaction of a parallel test can delay the seal of the newest rows
		return r.seal() == nil && r.number(`SELECT (SELECT count(*) FROM fills) + (SELECT count(*) FROM charges)`) ==
			r.number(`SELECT coalesce((SELECT sum(count) FROM fill_heads), 0) + coalesce((SELECT sum(count) FROM charge_heads), 0)`)
	}, time.Minute, 10*time.Millisecond)
	command := exec.CommandContext(r.t.Context(), "go", "run", "candor/app/cmd/candor", "verify", "-json")
	command.Env = append(os.Environ(), "DATABASE_URL="+r.test.URL, "CANDOR_DATA_DIR="+r.dir)
	command.Stderr = os.Stderr
	out, err := command.Output()
	require.NoError(r.t, err, string(out))
	var report struct {
		OK     bool
		Proved map[string]int64
	}
	require.NoError(r.t, json.Unmarshal(out, &report))
	require.True(r.t, report.OK)
	require.Equal(r.t, r.number(`SELECT count(*) FROM fills`), report.Proved["sealed fills"])
	require.Equal(r.t, r.number(`SELECT count(*) FROM charges`), report.Proved["sealed charges"])
	return report.Proved
}
