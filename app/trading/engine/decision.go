package engine

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"

	"github.com/jackc/pgx/v5"

	"candor/app/ledger"
	"candor/app/market"
	"candor/app/platform/idempotency"
	"candor/app/trading"
)

// decision decides a batch of commands in one transaction.
type decision struct {
	service    *Service
	shard      *shard
	ctx        context.Context
	portfolios map[int64]*trading.Portfolio
	stored     map[idempotency.ID]idempotency.Record // results of earlier requests
	results    map[idempotency.ID]idempotency.Record // new ones
	batch      writeBatch
	own        writeBatch // of the current command
	outcomes   []trading.Outcome
}

// read locks the accounts, reads the portfolios that the shard doesn't know at their version, and finds the results of requests that came before.
func (d *decision) read(conn *pgx.Conn, batch []*command) error {
	var ids []int64
	var keys []idempotency.ID
	d.portfolios, d.stored, d.results = map[int64]*trading.Portfolio{}, map[idempotency.ID]idempotency.Record{}, map[idempotency.ID]idempotency.Record{}
	for _, c := range batch {
		ids = append(ids, c.accountID)
		if c.request != nil {
			keys = append(keys, c.request.ID())
		}
	}
	d.batch.numbers = &numbers{ctx: d.ctx, conn: conn}
	var question pgx.Batch
	question.Queue("begin")
	var unknown []int64
	ledger.QueueLock(&question, ids, func(a ledger.Account) {
		f, ok := d.shard.known[a.ID]
		if !ok || f.Account.Version != a.Version {
			f = trading.Portfolio{}
			unknown = append(unknown, a.ID)
		}
		f.Account = a
		d.portfolios[a.ID] = &f
	})
	if len(keys) > 0 {
		idempotency.QueueFind(&question, keys, d.stored)
	}
	d.batch.numbers.queue(&question, len(batch))
	if err := conn.SendBatch(d.ctx, &question).Close(); err != nil {
		return err
	}
	d.own = writeBatch{numbers: d.batch.numbers, below: &d.batch, read: func(accountID, id int64) (trading.Order, error) { return readOrder(d.ctx, conn, accountID, id) }}
	if len(unknown) == 0 {
		return nil
	}
	var holdings pgx.Batch
	queuePortfolios(&holdings, unknown, d.portfolios)
	return conn.SendBatch(d.ctx, &holdings).Close()
}

// decideOne decides a command. A refusal concerns only the command; an error fails the transaction.
func (d *decision) decideOne(c *command) error {
	if c.request != nil {
		if before, ok := d.stored[c.request.ID()]; ok {
			c.result, c.err = idempotency.Replay[trading.Done](before, *c.request)
			return nil
		}
	}
	f, ok := d.portfolios[c.accountID]
	if !ok || (c.traderID != 0 && f.Account.TraderID != c.traderID) {
		c.err = ledger.ErrAccount
		return nil
	}
	d.own.clear()
	d.own.begin(f.Account)
	out, err := d.act(c, *f)
	var pg interface{ SQLState() string }
	if errors.As(err, &pg) || errors.As(err, new(market.ForgottenError)) {
		return err // a failed query ends the transaction, and so does a price that must be recalled first
	}
	if err != nil {
		c.err = trading.TooLarge(err)
		return nil
	}
	if c.request != nil || out.Portfolio.Account.Version != f.Account.Version {
		d.outcomes = append(d.outcomes, *out)
	}
	*f = out.Portfolio
	d.batch.merge(&d.own)
	return nil
}

// act settles the passed rollovers, runs the command and records its result.
func (d *decision) act(c *command, f trading.Portfolio) (out *trading.Outcome, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			slog.Error("a command panicked", "account", c.accountID, "fault", fault, "stack", string(debug.Stack()))
			err = fmt.Errorf("decide: %v", fault)
		}
	}()
	s := d.service
	if f, err = s.rules.SettleRollovers(&d.own, f); err != nil {
		return nil, err
	}
	if out, err = c.act(&d.own, f); err != nil {
		return nil, err
	}
	if c.acted = out != nil; !c.acted {
		out = &trading.Outcome{Portfolio: f}
	}
	if c.request == nil {
		return out, nil
	}
	v, err := s.value(out.Portfolio, begun(*out))
	if err != nil {
		return nil, err
	}
	done := out.Done(v)
	record, err := idempotency.NewRecord(*c.request, done)
	if err != nil {
		return nil, err
	}
	d.results[c.request.ID()] = record
	c.result = &Result{Value: done, TraceID: record.TraceID, At: record.At}
	return out, nil
}

// write stores everything and commits, in one round trip.
func (d *decision) write(conn *pgx.Conn) error {
	var batch pgx.Batch
	d.batch.quotes = d.service.sequencer.stored.without(d.batch.quotes)
	if err := d.batch.queue(&batch); err != nil {
		return err
	}
	idempotency.QueueStore(&batch, d.results)
	batch.Queue("commit")
	if err := conn.SendBatch(d.ctx, &batch).Close(); err != nil {
		return fmt.Errorf("write: %w", err)
	}
	return nil
}

// publish remembers the accounts, updates the trigger monitor and announces the outcomes to every server.
func (d *decision) publish() {
	if len(d.shard.known) > maxKnown {
		clear(d.shard.known)
	}
	for id, f := range d.portfolios {
		d.shard.known[id] = *f
	}
	d.service.sequencer.stored.add(d.batch.quotes)
	for _, out := range d.outcomes {
		d.service.announce(out)
	}
}
