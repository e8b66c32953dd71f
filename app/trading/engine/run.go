package engine

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/trading"
	"candor/app/trading/trigger"
)

// workers is how many triggered tasks run side by side; one account's tasks wait for each other at its row.
const workers = 4

// Run works on what prices trigger and values accounts, until ctx ends.
func (s *Service) Run(ctx context.Context, o trigger.Observer) error {
	stop, err := s.bus.Subscribe(trading.AnyChanged, func(subject string, data []byte) {
		if c, err := trading.ReadChange(subject, data); err == nil && c.From != s.id {
			_ = s.reload(ctx, c.AccountID)
		}
	})
	if err != nil {
		return err
	}
	defer stop()
	var group sync.WaitGroup
	for range workers {
		group.Go(func() { s.work(ctx) })
	}
	ticker := time.NewTicker(trigger.SweepEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			s.watch.Sweep(o)
		case <-s.watch.Stale():
			if err := s.Load(ctx); err != nil && ctx.Err() == nil {
				slog.Error("trailing stops wait for the database", "error", err)
				s.watch.Again()
			}
		case <-ctx.Done():
			group.Wait()
			return nil
		}
	}
}

func (s *Service) work(ctx context.Context) {
	for {
		t, ok := s.watch.Next(ctx)
		if !ok {
			return
		}
		s.perform(ctx, t)
	}
}

// perform acts on a task until it is done: a database that is away delays it, and the quote that triggered it stays the one it fills at.
// What the engine itself refuses, such as an account that can't be valued, would be refused again: the next quote triggers it anew. Busy is no such refusal.
func (s *Service) perform(ctx context.Context, t trigger.Task) {
	for pause := 50 * time.Millisecond; ctx.Err() == nil; pause = min(2*pause, 2*time.Second) {
		acted, err := s.act(ctx, t)
		if err == nil && !acted { // what we remembered of the account is out of date
			err = s.reload(ctx, t.Account)
		}
		if err == nil {
			s.watch.Done(t)
			return
		}
		refused := errs.As(err) != nil && !db.IsBusy(err) && !errors.Is(err, ErrBusy)
		slog.Error("what a price triggered waits", "account", t.Account, "position", t.Position, "order", t.Order, "refused", refused, "error", err)
		if refused {
			break
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
		}
	}
	s.watch.Drop(t)
}

// act does what a task is about, if it still holds under the lock; acted tells whether it did.
func (s *Service) act(ctx context.Context, t trigger.Task) (acted bool, err error) {
	c := command{ctx: ctx, accountID: t.Account, act: func(j trading.Journal, f trading.Portfolio) (*trading.Outcome, error) {
		return follow(s.rules, j, f, t)
	}}
	if err := s.sequencer.do(&c); err != nil {
		return false, err
	}
	return c.acted, nil
}

// follow does what a task is about; nil when it no longer holds.
func follow(rules *trading.Rules, j trading.Journal, f trading.Portfolio, t trigger.Task) (*trading.Outcome, error) {
	switch {
	case t.Position != 0:
		return rules.FireProtection(j, f, t.Position, t.Quote, t.Best)
	case t.Order != 0 && t.Quote.Seq != 0:
		return rules.FireOrder(j, f, t.Order, t.Quote)
	case t.Order != 0:
		return rules.ExpireOrder(j, f, t.Order)
	}
	out, err := rules.LookAfter(j, f)
	return &out, err
}
