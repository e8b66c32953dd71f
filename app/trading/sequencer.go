package trading

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"candor/app/ledger"
	"candor/app/market"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/platform/once"
)

// ErrBusy refuses a command while more wait than can be decided soon. Nothing was done.
var ErrBusy = errs.New(errs.Unavailable, "busy")

const (
	maxBatch   = 256              // commands that one transaction decides
	maxWaiting = 4096             // commands that wait for one shard
	batchTime  = 15 * time.Second // after which a transaction is given up
	maxKnown   = 50_000           // accounts that a shard remembers
	attempts   = 3                // of a command alone, when two transactions had waited for each other
)

// command is one act on a locked account: what a trader asks, with the request that it came by, or what a price or the clock has triggered.
type command struct {
	accountID int64
	traderID  int64         // whose account it must be; 0 for the engine's own
	request   *once.Request // nil for the engine's own
	act       func(journal, portfolio) (*outcome, error)
	ctx       context.Context
	done      chan struct{}

	acted  bool
	answer []byte
	err    error
}

// sequencer decides commands, those of one account one after the other. Whatever waits in a shard when its last transaction ends is decided in the
// next: many commands share the cost of one commit, and nothing ever waits for company.
type sequencer struct {
	service *Service
	shards  []*shard
	limit   int // commands that may wait for one shard
	stored  storedQuotes
}

// shard decides the commands of its accounts.
type shard struct {
	mu      sync.Mutex
	waiting []*command
	running bool
	known   map[int64]portfolio // the one drain's alone: accounts as they were left; what their rows still say when they are locked is not read again
}

func newSequencer(s *Service) *sequencer {
	q := &sequencer{service: s, limit: maxWaiting}
	for range runtime.GOMAXPROCS(0) {
		q.shards = append(q.shards, &shard{known: map[int64]portfolio{}})
	}
	return q
}

// do has a command decided and waits for it. It returns ErrBusy when too many wait.
func (q *sequencer) do(c *command) error {
	c.done = make(chan struct{})
	h := q.shards[uint64(c.accountID)%uint64(len(q.shards))]
	h.mu.Lock()
	if len(h.waiting) >= q.limit {
		h.mu.Unlock()
		return ErrBusy
	}
	h.waiting = append(h.waiting, c)
	if !h.running {
		h.running = true
		go q.drain(h)
	}
	h.mu.Unlock()
	select {
	case <-c.done:
	case <-c.ctx.Done():
		if h.withdraw(c) {
			return c.ctx.Err()
		}
		<-c.done // it is being decided
	}
	return c.err
}

// withdraw removes a command that waits; false when it does not wait any more.
func (h *shard) withdraw(c *command) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	i := slices.Index(h.waiting, c)
	if i >= 0 {
		h.waiting = slices.Delete(h.waiting, i, i+1)
	}
	return i >= 0
}

// drain decides what waits until nothing does.
func (q *sequencer) drain(h *shard) {
	for {
		batch := h.take()
		if batch == nil {
			return
		}
		q.decide(h, batch)
		for _, c := range batch {
			close(c.done)
		}
		if len(batch) > 1 {
			runtime.Gosched() // those who were answered may have more to ask: it comes along
		}
	}
}

// take removes the commands that come next: of two with the same key the second waits for the answer of the first.
func (h *shard) take() (batch []*command) {
	h.mu.Lock()
	defer h.mu.Unlock()
	keys := map[once.ID]bool{}
	var later []*command
	for i, c := range h.waiting {
		if len(batch) == maxBatch {
			later = append(later, h.waiting[i:]...)
			break
		}
		if c.request != nil && keys[c.request.ID()] {
			later = append(later, c)
			continue
		}
		if c.request != nil {
			keys[c.request.ID()] = true
		}
		batch = append(batch, c)
	}
	h.waiting = later
	h.running = batch != nil
	return batch
}

// decide runs one transaction for a batch. When that fails, each command is run alone, so that no command suffers from another. A database that is away
// fails them all.
func (q *sequencer) decide(h *shard, batch []*command) {
	err := q.transact(h, batch)
	if err == nil {
		return
	}
	q.stored.forget()
	for _, c := range batch {
		delete(h.known, c.accountID)
	}
	if len(batch) == 1 || db.IsDown(err) {
		for _, c := range batch {
			c.acted, c.answer, c.err = false, nil, err
		}
		return
	}
	slog.Warn("a batch of commands is run one by one", "commands", len(batch), "error", err)
	for _, c := range batch {
		c.acted, c.answer, c.err = false, nil, nil
		for range attempts {
			if c.err = q.transact(h, []*command{c}); !db.Retryable(c.err) {
				break
			}
		}
	}
}

// transact decides a batch in one transaction and tells everybody when it is durable.
func (q *sequencer) transact(h *shard, batch []*command) error {
	ctx, cancel := context.WithTimeout(context.Background(), batchTime)
	defer cancel()
	d := &decision{service: q.service, shard: h, ctx: ctx}
	err := q.service.db.Hot(ctx, func(conn *pgx.Conn) error {
		if err := d.read(conn, batch); err != nil {
			return fmt.Errorf("lock accounts: %w", err)
		}
		for _, c := range batch {
			if err := d.one(c); err != nil {
				return err
			}
		}
		return d.write(conn)
	})
	switch {
	case db.Raised(err, db.ChangedMeanwhile):
		return db.ErrChanged
	case err != nil:
		return market.Refusal(err)
	}
	d.after()
	return nil
}

// decision is one transaction.
type decision struct {
	service    *Service
	shard      *shard
	ctx        context.Context
	portfolios map[int64]*portfolio
	answered   map[once.ID]once.Answer
	answers    map[once.ID]once.Answer // new ones
	all        sheet
	own        sheet // of the command that is being decided
	outcomes   []outcome
}

// read locks the accounts, and reads what is not known of them and which requests were answered before.
func (d *decision) read(conn *pgx.Conn, batch []*command) error {
	var ids []int64
	var keys []once.ID
	d.portfolios, d.answered, d.answers = map[int64]*portfolio{}, map[once.ID]once.Answer{}, map[once.ID]once.Answer{}
	for _, c := range batch {
		ids = append(ids, c.accountID)
		if c.request != nil {
			keys = append(keys, c.request.ID())
		}
	}
	d.all.numbers = &numbers{ctx: d.ctx, conn: conn}
	var question pgx.Batch
	question.Queue("begin")
	var unknown []int64
	ledger.QueueLock(&question, ids, func(a ledger.Account) {
		f, ok := d.shard.known[a.ID]
		if !ok || f.account.Version != a.Version {
			f = portfolio{}
			unknown = append(unknown, a.ID)
		}
		f.account = a
		d.portfolios[a.ID] = &f
	})
	if len(keys) > 0 {
		once.QueueFind(&question, keys, d.answered)
	}
	d.all.numbers.queue(&question, len(batch))
	if err := conn.SendBatch(d.ctx, &question).Close(); err != nil {
		return err
	}
	d.own = sheet{numbers: d.all.numbers, below: &d.all, read: func(accountID, id int64) (Order, error) { return readOrder(d.ctx, conn, accountID, id) }}
	if len(unknown) == 0 {
		return nil
	}
	var holdings pgx.Batch
	queueHoldings(&holdings, unknown, d.portfolios)
	return conn.SendBatch(d.ctx, &holdings).Close()
}

// one decides a command. A refusal is the command's alone; an error is the transaction's.
func (d *decision) one(c *command) error {
	if c.request != nil {
		if before, ok := d.answered[c.request.ID()]; ok {
			c.answer, c.err = before.Replay(*c.request)
			return nil
		}
	}
	f, ok := d.portfolios[c.accountID]
	if !ok || (c.traderID != 0 && f.account.TraderID != c.traderID) {
		c.err = ledger.ErrAccount
		return nil
	}
	d.own.clear()
	d.own.begin(f.account)
	out, err := d.act(c, *f)
	var pg interface{ SQLState() string }
	if errors.As(err, &pg) {
		return err // a question that failed ends the transaction
	}
	if err != nil {
		c.err = tooLarge(err)
		return nil
	}
	if c.request != nil || out.portfolio.account.Version != f.account.Version {
		d.outcomes = append(d.outcomes, *out)
	}
	*f = out.portfolio
	d.all.lay(&d.own)
	return nil
}

// act settles the rollovers that have passed, acts, and encodes the answer.
func (d *decision) act(c *command, f portfolio) (out *outcome, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			slog.Error("a command panicked", "account", c.accountID, "fault", fault, "stack", string(debug.Stack()))
			err = fmt.Errorf("decide: %v", fault)
		}
	}()
	s := d.service
	if f, err = s.roll(&d.own, f); err != nil {
		return nil, err
	}
	if out, err = c.act(&d.own, f); err != nil {
		return nil, err
	}
	if c.acted = out != nil; !c.acted {
		out = &outcome{portfolio: f}
	}
	if c.request == nil {
		return out, nil
	}
	v, err := s.value(out.portfolio, out.begun())
	if err != nil {
		return nil, err
	}
	answer, err := c.request.Answer(out.done(v))
	if err != nil {
		return nil, err
	}
	c.answer, d.answers[c.request.ID()] = answer.Body, answer
	return out, nil
}

// write stores everything and commits, in one round trip.
func (d *decision) write(conn *pgx.Conn) error {
	var batch pgx.Batch
	d.all.quotes = d.service.sequencer.stored.without(d.all.quotes)
	if err := d.all.queue(&batch); err != nil {
		return err
	}
	once.QueueStore(&batch, d.answers)
	batch.Queue("commit")
	if err := conn.SendBatch(d.ctx, &batch).Close(); err != nil {
		return fmt.Errorf("write: %w", err)
	}
	return nil
}

// after remembers the accounts and tells the watch and every server that they changed.
func (d *decision) after() {
	if len(d.shard.known) > maxKnown {
		clear(d.shard.known)
	}
	for id, f := range d.portfolios {
		d.shard.known[id] = *f
	}
	d.service.sequencer.stored.add(d.all.quotes)
	for _, out := range d.outcomes {
		d.service.announce(out)
	}
}

// storedQuotes are the last quotes that fills have stored, one a product. They need not be sent again; those of a leader that may have been replaced are,
// because the database has to judge them.
type storedQuotes struct {
	mu   sync.Mutex
	last map[int]int64 // product to number
}

func (s *storedQuotes) without(quotes []market.Quote) []market.Quote {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.DeleteFunc(quotes, func(q market.Quote) bool { return q.Term == 0 && s.last[q.ProductID] == q.Seq })
}

func (s *storedQuotes) add(quotes []market.Quote) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.last == nil {
		s.last = map[int]int64{}
	}
	for _, q := range quotes {
		s.last[q.ProductID] = q.Seq
	}
}

func (s *storedQuotes) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.last)
}
