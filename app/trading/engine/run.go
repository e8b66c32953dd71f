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

// workers is the number of triggered tasks that run in parallel; tasks of one account wait for its lock.
const workers = 4

// Run works off triggered tasks, sweeps the accounts and reloads those that other servers changed, until ctx ends.
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
			s.monitor.Sweep(o)
		case <-s.monitor.Reload():
			if err := s.Load(ctx); err != nil && ctx.Err() == nil {
				slog.Error("trailing stops wait for the database", "error", err)
				s.monitor.RetryLoad()
			}
		case <-ctx.Done():
			group.Wait()
			return nil
		}
	}
}

func (s *Service) work(ctx context.Context) {
	for {
		t, ok := s.monitor.Next(ctx)
		if !ok {
			return
		}
		s.perform(ctx, t)
	}
}

// perform retries a task until it is done. An unavailable database delays the task, which still fills at the quote that triggered it.
// A refusal, such as an account that can't be valued, drops the task: the next quote triggers it again. ErrBusy and a busy database are retried.
func (s *Service) perform(ctx context.Context, t trigger.Task) {
	for pause := 50 * time.Millisecond; ctx.Err() == nil; pause = min(2*pause, 2*time.Second) {
		acted, err := s.act(ctx, t)
		if err == nil && !acted { // the monitor's state of the account is out of date
			err = s.reload(ctx, t.Account)
		}
		if err == nil {
			s.monitor.Done(t)
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
	s.monitor.Drop(t)
}

// act decides a task under the account's lock; acted is false when the task no longer applies.
func (s *Service) act(ctx context.Context, t trigger.Task) (acted bool, err error) {
	c := command{ctx: ctx, accountID: t.Account, act: func(j trading.Journal, f trading.Portfolio) (*trading.Outcome, error) {
		return follow(s.rules, j, f, t)
	}}
	if err := s.sequencer.do(&c); err != nil {
		return false, err
	}
	return c.acted, nil
}

// follow runs the rule of a task. It returns nil when the task no longer applies.
func follow(rules *trading.Rules, j trading.Journal, f trading.Portfolio, t trigger.Task) (*trading.Outcome, error) {
	switch {
	case t.Position != 0:
		return rules.FireProtection(j, f, t.Position, t.Quote, t.Best)
	case t.Order != 0 && t.Quote.Seq != 0:
		return rules.FireOrder(j, f, t.Order, t.Quote)
	case t.Order != 0:
		return rules.ExpireOrder(j, f, t.Order)
	}
	out, err := rules.CheckLevel(j, f)
	return &out, err
}
