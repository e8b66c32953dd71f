package deposit

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/platform/money"
	"candor/app/provider"
)

// Times and limits of provider deposits.
const (
	ThirdPartyLife    = time.Hour          // time to pay at a provider's page
	OTCLife           = 15 * time.Minute   // time to pay over the counter
	Grace             = 24 * time.Hour     // time after expiry until staff look into a payment without news
	AppealLife        = 7 * 24 * time.Hour // time after expiry in which an appeal is possible
	maxProviderWait   = 4 * time.Second    // longest wait of a trader's call for a provider
	queryInterval     = 45 * time.Second   // minimum interval between two queries about an open deposit
	lateQueryInterval = time.Hour          // the same for an expired deposit
	queryBatch        = 50
	queryConcurrency  = 8
)

// askProvider is the job that queries the provider about one deposit.
type askProvider struct {
	ID int64
}

// Kind names the job.
func (askProvider) Kind() string { return "ask_provider" }

// ByProvider reports whether the deposit comes through a provider, which can be queried about its state.
func (d Deposit) ByProvider() bool { return d.Kind == ThirdParty || d.Kind == OTC }

// Askable reports whether an outside party can be queried about the deposit: a provider, or the custodian of its address.
func (d Deposit) Askable() bool { return d.ByProvider() || d.AddressID != nil }

// Ask queries the provider about a deposit, or sends the payment order if it was not sent yet, and acts on the answer. It may run any number of times; an
// unclear answer changes nothing.
func (s *Service) Ask(ctx context.Context, id int64) error {
	_, err := s.ask(ctx, id)
	return err
}

// AskNow queries the provider or the custodian for a member of staff, and returns the deposit after the answer.
// Refusals: ErrUnknown, ErrState, provider.ErrUnavailable when the answer is unclear.
func (s *Service) AskNow(ctx context.Context, by audit.Actor, id int64) (Deposit, error) {
	d, err := s.Read(ctx, id)
	if err != nil {
		return d, err
	}
	if !d.Askable() {
		return d, ErrState
	}
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		return audit.RecordTx(ctx, tx, audit.By(by, s.clock.Now(), "deposit.ask_provider", "deposit", id))
	})
	if err != nil {
		return d, err
	}
	if d.ByProvider() {
		var reply answer
		if reply, err = s.ask(ctx, id); reply.unclear {
			err = provider.ErrUnavailable
		}
	} else {
		err = s.AskCustodian(ctx, id)
	}
	if err != nil {
		return d, err
	}
	return s.Read(ctx, id)
}

func (s *Service) ask(ctx context.Context, id int64) (reply answer, err error) {
	d, err := s.Read(ctx, id)
	if err != nil || !d.ByProvider() {
		return reply, err
	}
	reply = s.query(ctx, d)
	return reply, s.settle(context.WithoutCancel(ctx), d.ID, reply, audit.Actor{}, nil)
}

// query queries the provider, outside of any transaction. It repeats the trader's act each time; the provider applies it once.
func (s *Service) query(ctx context.Context, d Deposit) answer {
	gateway, err := s.gateway(d)
	if err != nil {
		return answer{asked: d.State, unclear: true}
	}
	traderAct := map[State]provider.Act{MarkedPaid: provider.MarkPaid, Appealed: provider.Appeal}[d.State]
	switch {
	case d.State == Created && s.clock.Now().Before(*d.ExpiresAt):
		p, err := gateway.Pay(ctx, s.order(d))
		return d.classify(p, err, true)
	case traderAct != "":
		p, err := gateway.Act(ctx, d.Reference, traderAct)
		var refused provider.RefusedError
		if !errors.As(err, &refused) {
			return d.classify(p, err, false)
		}
	}
	p, err := gateway.Payment(ctx, d.Reference)
	return d.classify(p, err, false)
}

func (s *Service) gateway(d Deposit) (provider.Gateway, error) {
	if s.providers == nil {
		return nil, provider.ErrUnavailable
	}
	return s.providers.Gateway(d.Provider)
}

// classify classifies an answer. Only a refused order means that nothing was done; an accepted order without payment details is unclear.
func (d Deposit) classify(p provider.Payment, err error, order bool) answer {
	a := answer{Payment: p, asked: d.State}
	var refused provider.RefusedError
	switch {
	case errors.As(err, &refused) && order:
		a.refused = true
	case errors.Is(err, provider.ErrAbsent) && !order:
		a.absent = true
	case err != nil:
		a.unclear = true
	case d.State == Created && (p.State == provider.Pending || p.State == provider.Disputed) && d.matchesRequest(p):
		a.unclear = !d.hasPaymentDetails(p)
	}
	if !displayable(p.State, p.Paid, p.Currency, p.PaidIn()) {
		a.unclear = true
	}
	return a
}

// order builds the payment order; it is the same on every call.
func (s *Service) order(d Deposit) provider.PaymentOrder {
	return provider.PaymentOrder{
		Reference: d.Reference, Kind: d.Kind, Amount: money.Trim(d.Amount, money.Scale), Currency: d.Currency, NotifyURL: s.providers.NotifyURL(d.Provider),
		ReturnURL: s.providers.ReturnURL(fmt.Sprintf("/deposite?id=%d", d.ID)), ExpiresAt: d.ExpiresAt.UnixMilli(),
	}
}

// handleEvent handles an event: it queries the provider, whatever the event says.
func (s *Service) handleEvent(ctx context.Context, e provider.Event) error {
	var d Deposit
	err := s.db.Rows(ctx).Where("reference = ? AND provider = ? AND kind IN ('third_party', 'otc')", e.Reference, e.Provider).Limit(1).Find(&d).Error
	if err != nil {
		return fmt.Errorf("find the deposit of event %d: %w", e.ID, err)
	}
	if d.ID == 0 {
		slog.WarnContext(ctx, "a provider told of a payment that nobody asked for", "provider", e.Provider, "event", e.Event)
		return s.db.InTx(ctx, func(tx *db.Tx) error { return s.providers.DoneTx(ctx, tx, e, "unknown reference") })
	}
	gateway, err := s.gateway(d)
	if err != nil {
		return err
	}
	p, err := gateway.Payment(ctx, d.Reference)
	reply := d.classify(p, err, false)
	if reply.unclear {
		return fmt.Errorf("ask about deposit %d after event %d: %w", d.ID, e.ID, errors.Join(provider.ErrUnclear, err))
	}
	return s.settle(ctx, d.ID, reply, audit.Actor{}, func(tx *db.Tx, now Deposit) error {
		outcome := string(now.State)
		if reply.State != e.State {
			outcome = "differs: " + outcome
		}
		return s.providers.DoneTx(ctx, tx, e, outcome)
	})
}

// AskOpen queries open deposits, the least recently queried first, so that a lost event does no harm; it returns their number.
func (s *Service) AskOpen(ctx context.Context) (n int, err error) {
	ids, err := s.dueForQuery(ctx)
	if err != nil {
		return 0, err
	}
	var group sync.WaitGroup
	room, failed := make(chan struct{}, queryConcurrency), make(chan error, len(ids))
	for _, id := range ids {
		room <- struct{}{}
		group.Go(func() {
			defer func() { <-room }()
			if err := s.Ask(ctx, id); err != nil {
				failed <- err
			}
		})
	}
	group.Wait()
	close(failed)
	for one := range failed {
		err = errors.Join(err, one)
	}
	return len(ids), err
}

// dueForQuery lists the deposits to query. An expired one may still be paid, so it stays in the list while an appeal is possible.
func (s *Service) dueForQuery(ctx context.Context) ([]int64, error) {
	now := s.clock.Now()
	rows, err := s.db.Pool.Query(ctx, `
		(SELECT id FROM deposits
		 WHERE state IN ('created', 'redirected', 'provider_pending', 'provider_unknown', 'awaiting_payment', 'marked_paid', 'appeal', 'detected', 'confirmed')
		 AND kind IN ('third_party', 'otc') AND (asked_at IS NULL OR asked_at < $1) ORDER BY asked_at NULLS FIRST, id LIMIT $4)
		UNION ALL
		(SELECT id FROM deposits WHERE state = 'expired' AND provider <> '' AND kind IN ('third_party', 'otc') AND expires_at > $3 AND (asked_at IS NULL OR asked_at < $2)
		 ORDER BY asked_at NULLS FIRST, id LIMIT $4)`, now.Add(-queryInterval), now.Add(-lateQueryInterval), now.Add(-AppealLife), queryBatch)
	if err != nil {
		return nil, fmt.Errorf("list the open deposits of providers: %w", err)
	}
	return pgx.CollectRows(rows, pgx.RowTo[int64])
}
