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

// Times of payments by providers.
const (
	ThirdPartyLife = time.Hour          // how long a trader has for a provider's page
	OTCLife        = 15 * time.Minute   // and for a payment over the counter
	Grace          = 24 * time.Hour     // after the end, before people look why nothing was heard
	AppealLife     = 7 * 24 * time.Hour // how long after the end an appeal is possible
	patience       = 4 * time.Second    // how long a trader's call waits for a provider
	askAgain       = 45 * time.Second   // how old an answer about what is open gets, at least
	askLate        = time.Hour          // the same of what has expired
	askedAtOnce    = 50
	askedTogether  = 8
)

// askProvider is the job that asks about one deposit.
type askProvider struct {
	ID int64
}

// Kind names the job.
func (askProvider) Kind() string { return "ask_provider" }

// ByProvider tells whether it comes through a provider, which can say how the deposit stands.
func (d Deposit) ByProvider() bool { return d.Kind == ThirdParty || d.Kind == OTC }

// Askable says whether somebody outside can be asked how it stands: a provider, or the custodian of its address.
func (d Deposit) Askable() bool { return d.ByProvider() || d.AddressID != nil }

// Ask asks the provider how a deposit stands, or for the payment if it was not asked yet, and acts on the answer. It is done as often as anybody likes; an answer
// that is unclear changes nothing.
func (s *Service) Ask(ctx context.Context, id int64) error {
	_, err := s.ask(ctx, id)
	return err
}

// AskNow asks the provider or the custodian for a member of staff, who is told how it stands. Refusals: ErrUnknown, ErrState, provider.ErrAway when the answer
// is unclear.
func (s *Service) AskNow(ctx context.Context, by Desk, id int64) (Deposit, error) {
	d, err := s.Read(ctx, id)
	if err != nil {
		return d, err
	}
	if !d.Askable() {
		return d, ErrState
	}
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		return audit.RecordTx(ctx, tx, audit.By(by.Actor, s.clock.Now(), "deposit.ask_provider", "deposit", id))
	})
	if err != nil {
		return d, err
	}
	if d.ByProvider() {
		var heard answer
		if heard, err = s.ask(ctx, id); heard.unclear {
			err = provider.ErrAway
		}
	} else {
		err = s.AskCustodian(ctx, id)
	}
	if err != nil {
		return d, err
	}
	return s.Read(ctx, id)
}

func (s *Service) ask(ctx context.Context, id int64) (heard answer, err error) {
	d, err := s.Read(ctx, id)
	if err != nil || !d.ByProvider() {
		return heard, err
	}
	heard = s.question(ctx, d)
	return heard, s.settle(context.WithoutCancel(ctx), d.ID, heard, audit.Actor{}, nil)
}

// question asks, outside of any transaction. What the trader did is said again each time: it is done once.
func (s *Service) question(ctx context.Context, d Deposit) answer {
	gateway, err := s.gateway(d)
	if err != nil {
		return answer{asked: d.State, unclear: true}
	}
	said := map[State]provider.Act{MarkedPaid: provider.MarkPaid, Appealed: provider.Appeal}[d.State]
	switch {
	case d.State == Created && s.clock.Now().Before(*d.ExpiresAt):
		p, err := gateway.Pay(ctx, s.order(d))
		return d.heard(p, err, true)
	case said != "":
		p, err := gateway.Act(ctx, d.Reference, said)
		var refused provider.RefusedError
		if !errors.As(err, &refused) {
			return d.heard(p, err, false)
		}
	}
	p, err := gateway.Payment(ctx, d.Reference)
	return d.heard(p, err, false)
}

func (s *Service) gateway(d Deposit) (provider.Gateway, error) {
	if s.providers == nil {
		return nil, provider.ErrAway
	}
	return s.providers.Gateway(d.Provider)
}

// heard sorts an answer. Only a refused order means that nothing was done; and one that does not say where to pay is as good as none.
func (d Deposit) heard(p provider.Payment, err error, order bool) answer {
	a := answer{Payment: p, asked: d.State}
	var refused provider.RefusedError
	switch {
	case errors.As(err, &refused) && order:
		a.refused = true
	case errors.Is(err, provider.ErrAbsent) && !order:
		a.absent = true
	case err != nil:
		a.unclear = true
	case d.State == Created && (p.State == provider.Pending || p.State == provider.Disputed) && d.fits(p):
		a.unclear = !d.leads(p)
	}
	if !shown(p.State, p.Paid, p.Currency, p.PaidIn()) {
		a.unclear = true
	}
	return a
}

// order is the same whenever it is made.
func (s *Service) order(d Deposit) provider.PaymentOrder {
	return provider.PaymentOrder{
		Reference: d.Reference, Kind: d.Kind, Amount: money.Trim(d.Amount, money.Scale), Currency: d.Currency, NotifyURL: s.providers.NotifyURL(d.Provider),
		ReturnURL: s.providers.ReturnURL(fmt.Sprintf("/deposite?id=%d", d.ID)), ExpiresAt: d.ExpiresAt.UnixMilli(),
	}
}

// hear acts on an event: whatever it says, the provider is asked.
func (s *Service) hear(ctx context.Context, e provider.Event) error {
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
	heard := d.heard(p, err, false)
	if heard.unclear {
		return fmt.Errorf("ask about deposit %d after event %d: %w", d.ID, e.ID, errors.Join(provider.ErrUnclear, err))
	}
	return s.settle(ctx, d.ID, heard, audit.Actor{}, func(tx *db.Tx, now Deposit) error {
		outcome := string(now.State)
		if heard.State != e.State {
			outcome = "differs: " + outcome
		}
		return s.providers.DoneTx(ctx, tx, e, outcome)
	})
}

// AskOpen asks about what is under way, those first that were asked about longest ago, so that a lost event changes nothing; it returns how many.
func (s *Service) AskOpen(ctx context.Context) (n int, err error) {
	ids, err := s.unheard(ctx)
	if err != nil {
		return 0, err
	}
	var group sync.WaitGroup
	room, failed := make(chan struct{}, askedTogether), make(chan error, len(ids))
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

// unheard lists what is to be asked about. What has expired may still be paid, while an appeal is possible.
func (s *Service) unheard(ctx context.Context) ([]int64, error) {
	now := s.clock.Now()
	rows, err := s.db.Pool.Query(ctx, `
		(SELECT id FROM deposits
		 WHERE state IN ('created', 'redirected', 'provider_pending', 'provider_unknown', 'awaiting_payment', 'marked_paid', 'appeal', 'detected', 'confirmed')
		 AND kind IN ('third_party', 'otc') AND (asked_at IS NULL OR asked_at < $1) ORDER BY asked_at NULLS FIRST, id LIMIT $4)
		UNION ALL
		(SELECT id FROM deposits WHERE state = 'expired' AND provider <> '' AND kind IN ('third_party', 'otc') AND expires_at > $3 AND (asked_at IS NULL OR asked_at < $2)
		 ORDER BY asked_at NULLS FIRST, id LIMIT $4)`, now.Add(-askAgain), now.Add(-askLate), now.Add(-AppealLife), askedAtOnce)
	if err != nil {
		return nil, fmt.Errorf("list the open deposits of providers: %w", err)
	}
	return pgx.CollectRows(rows, pgx.RowTo[int64])
}
