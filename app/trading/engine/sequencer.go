package engine

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"candor/app/market"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/platform/idempotency"
	"candor/app/trading"
)

// ErrBusy refuses a command while more wait than can be decided soon. Nothing was done.
var ErrBusy = errs.New(errs.Unavailable, "busy")

const (
	maxBatch   = 256              // commands that one transaction decides
	maxWaiting = 4096             // commands that wait for one shard
	batchTime  = 15 * time.Second // after which a transaction is given up, and so are those that a failed batch is run as
	aloneTime  = 5 * time.Second  // of a command whose batch has failed
	maxKnown   = 50_000           // accounts that a shard remembers
	attempts   = 3                // of a command alone, when two transactions had waited for each other
)

// command is one act on a locked account: what a trader asks, with the request that it came by, or what a price or the clock has triggered.
type command struct {
	accountID int64
	traderID  int64                // whose account it must be; 0 for the engine's own
	request   *idempotency.Request // nil for the engine's own
	act       func(trading.Journal, trading.Portfolio) (*trading.Outcome, error)
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
	known   map[int64]trading.Portfolio // the one drain's alone: accounts as they were left; what their rows still say when they are locked is not read again
}

func newSequencer(s *Service) *sequencer {
	q := &sequencer{service: s, limit: maxWaiting}
	for range runtime.GOMAXPROCS(0) {
		q.shards = append(q.shards, &shard{known: map[int64]trading.Portfolio{}})
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
	keys := map[idempotency.ID]bool{}
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
// fails them all, and one that has stopped answering those that it leaves no time for.
func (q *sequencer) decide(h *shard, batch []*command) {
	err := q.transact(h, batch, batchTime)
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
	until := time.Now().Add(batchTime)
	for _, c := range batch {
		q.alone(h, c, until, err)
	}
}

// alone runs one command of a batch that has failed; before is why. When no time is left, that is its answer.
func (q *sequencer) alone(h *shard, c *command, until time.Time, before error) {
	c.acted, c.answer, c.err = false, nil, before
	for range attempts {
		if time.Now().After(until) {
			return
		}
		c.err = nil // what it is refused for is its own
		err := q.transact(h, []*command{c}, aloneTime)
		if err == nil {
			return
		}
		if c.err = err; !db.Retryable(err) {
			return
		}
	}
}

// transact decides a batch in one transaction and tells everybody when it is durable.
func (q *sequencer) transact(h *shard, batch []*command, within time.Duration) error {
	ctx, cancel := context.WithTimeout(context.Background(), within)
	defer cancel()
	d, err := q.attempt(ctx, h, batch)
	var forgotten market.ForgottenError
	for errors.As(err, &forgotten) { // each rollover of a product once since the server started
		if err = q.service.market.Recall(ctx, forgotten); err == nil {
			d, err = q.attempt(ctx, h, batch)
		}
	}
	switch {
	case db.Raised(err, db.ChangedMeanwhile):
		return db.ErrChanged
	case err != nil:
		return market.Refusal(err)
	}
	d.after()
	return nil
}

// attempt decides a batch in one transaction, from the beginning.
func (q *sequencer) attempt(ctx context.Context, h *shard, batch []*command) (*decision, error) {
	d := &decision{service: q.service, shard: h, ctx: ctx}
	for _, c := range batch {
		c.acted, c.answer, c.err = false, nil, nil
	}
	return d, q.service.db.Hot(ctx, func(conn *pgx.Conn) error {
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
