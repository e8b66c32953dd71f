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

// ErrBusy refuses a command while too many are queued to be decided soon. Nothing was done.
var ErrBusy = errs.New(errs.Unavailable, "busy")

const (
	maxBatch   = 256              // commands per transaction
	maxWaiting = 4096             // queued commands per shard
	batchTime  = 15 * time.Second // time limit of a batch, and of all single retries of a failed batch
	aloneTime  = 5 * time.Second  // time limit of one single retry
	maxKnown   = 50_000           // accounts that a shard remembers
	attempts   = 3                // tries of a single command after a deadlock or serialization failure
)

// command is one act on a locked account: a trader's, with its request, or one that a price or the clock has triggered.
type command struct {
	accountID int64
	traderID  int64                // the account's owner; 0 for the engine's own commands
	request   *idempotency.Request // nil for the engine's own commands
	act       func(trading.Journal, trading.Portfolio) (*trading.Outcome, error)
	ctx       context.Context
	done      chan struct{}

	acted  bool
	result *Result
	err    error
}

// sequencer decides commands, those of one account one after the other. Commands that queue in a shard during a transaction are decided together in the next
// one: they share the cost of one commit, and no command waits for others to join it.
type sequencer struct {
	service *Service
	shards  []*shard
	limit   int // maximum of queued commands per shard
	stored  storedQuotes
}

// shard decides the commands of its accounts.
type shard struct {
	mu      sync.Mutex
	waiting []*command
	running bool
	known   map[int64]trading.Portfolio // used by drain only: portfolios after their last command, not read again while the version is the same
}

func newSequencer(s *Service) *sequencer {
	q := &sequencer{service: s, limit: maxWaiting}
	for range runtime.GOMAXPROCS(0) {
		q.shards = append(q.shards, &shard{known: map[int64]trading.Portfolio{}})
	}
	return q
}

// do queues a command and waits for its decision. It returns ErrBusy when the queue is full.
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

// withdraw removes a command from the queue; false when it is no longer queued.
func (h *shard) withdraw(c *command) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	i := slices.Index(h.waiting, c)
	if i >= 0 {
		h.waiting = slices.Delete(h.waiting, i, i+1)
	}
	return i >= 0
}

// drain decides batches until the queue is empty.
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
			runtime.Gosched() // the answered callers can queue their next commands for the next batch
		}
	}
}

// take removes the next batch from the queue. Of two commands with the same key, the second waits for the answer of the first.
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

// decide runs one transaction for a batch. When it fails, each command is run alone, so that no command fails because of another. An unavailable database fails
// them all; one that stops answering fails those that run out of time.
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
			c.acted, c.result, c.err = false, nil, err
		}
		return
	}
	slog.Warn("a batch of commands is run one by one", "commands", len(batch), "error", err)
	until := time.Now().Add(batchTime)
	for _, c := range batch {
		q.retryAlone(h, c, until, err)
	}
}

// retryAlone runs one command of a failed batch. before is the batch's error; the command keeps it when no time is left.
func (q *sequencer) retryAlone(h *shard, c *command, until time.Time, before error) {
	c.acted, c.result, c.err = false, nil, before
	for range attempts {
		if time.Now().After(until) {
			return
		}
		c.err = nil // the decision sets its own refusal
		err := q.transact(h, []*command{c}, aloneTime)
		if err == nil {
			return
		}
		if c.err = err; !db.Retryable(err) {
			return
		}
	}
}

// transact decides a batch in one transaction and publishes it after the commit. A price that must be recalled is read before it tries again.
func (q *sequencer) transact(h *shard, batch []*command, within time.Duration) error {
	ctx, cancel := context.WithTimeout(context.Background(), within)
	defer cancel()
	d, err := q.attempt(ctx, h, batch)
	var forgotten market.ForgottenError
	for errors.As(err, &forgotten) { // once per rollover of a product since the server started
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
	d.publish()
	return nil
}

// attempt decides a batch in one transaction, from the start.
func (q *sequencer) attempt(ctx context.Context, h *shard, batch []*command) (*decision, error) {
	d := &decision{service: q.service, shard: h, ctx: ctx}
	for _, c := range batch {
		c.acted, c.result, c.err = false, nil, nil
	}
	return d, q.service.db.Hot(ctx, func(conn *pgx.Conn) error {
		if err := d.read(conn, batch); err != nil {
			return fmt.Errorf("lock accounts: %w", err)
		}
		for _, c := range batch {
			if err := d.decideOne(c); err != nil {
				return err
			}
		}
		return d.write(conn)
	})
}

// storedQuotes are the last quotes that fills have stored, one per product. They are not sent again, except quotes with a leader's term: the leader may have
// been replaced, so the database must check them.
type storedQuotes struct {
	mu   sync.Mutex
	last map[int]int64 // product to sequence
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
