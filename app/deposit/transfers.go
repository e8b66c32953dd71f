package deposit

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/provider"
)

// Times and limits of custodian queries.
const (
	addressBatch         = 50
	addressQueryInterval = 45 * time.Second    // minimum interval between two queries about one address
	addressLife          = 90 * 24 * time.Hour // time after its last use in which an address is still queried
)

// handleTransferEvent handles an event: it queries the custodian, whatever the event says.
func (s *Service) handleTransferEvent(ctx context.Context, e provider.Event) error {
	a, c, err := s.addressByReference(ctx, e.Provider, e.Reference)
	outcome := "asked"
	switch {
	case errors.Is(err, ErrUnknown):
		slog.WarnContext(ctx, "a custodian told of a transfer to an address that is not ours", "provider", e.Provider, "event", e.Event)
		outcome = "unknown reference"
	case err != nil:
		return err
	default:
		if err := s.queryTransfers(ctx, a, c); err != nil {
			return err
		}
	}
	return s.db.InTx(ctx, func(tx *db.Tx) error { return s.providers.DoneTx(ctx, tx, e, outcome) })
}

// addressByReference finds the address by a custodian's reference, and its channel. It returns ErrUnknown.
func (s *Service) addressByReference(ctx context.Context, providerID, reference string) (a Address, c Channel, err error) {
	if a, err = s.addressBy(ctx, "reference = ?", reference); err != nil {
		return a, c, err
	}
	if err := s.db.Rows(ctx).Where("id = ?", a.ChannelID).Limit(1).Find(&c).Error; err != nil {
		return a, c, fmt.Errorf("read channel %d: %w", a.ChannelID, err)
	}
	if c.Provider != providerID {
		return a, c, ErrUnknown
	}
	return a, c, nil
}

// AskCustodians queries the transfers to addresses in use, the least recently queried first, so that a lost event does no harm. It returns the number of
// addresses.
func (s *Service) AskCustodians(ctx context.Context) (n int, err error) {
	if s.normalizeAddress == nil {
		return 0, nil
	}
	now := s.clock.Now()
	rows, err := s.db.Pool.Query(ctx, `
		UPDATE deposit_addresses a SET asked_at = $1 FROM (
			SELECT id FROM deposit_addresses WHERE address <> '' AND wanted_at > $2 AND (asked_at IS NULL OR asked_at < $3)
			ORDER BY asked_at NULLS FIRST, id LIMIT $4 FOR UPDATE SKIP LOCKED) due
		WHERE a.id = due.id RETURNING a.reference, (SELECT provider FROM pay_channels c WHERE c.id = a.channel_id)`,
		now, now.Add(-addressLife), now.Add(-addressQueryInterval), addressBatch)
	if err != nil {
		return 0, fmt.Errorf("list the addresses in use: %w", err)
	}
	due, err := pgx.CollectRows(rows, pgx.RowToStructByPos[struct{ Reference, Provider string }])
	if err != nil {
		return 0, fmt.Errorf("list the addresses in use: %w", err)
	}
	for _, one := range due {
		a, c, wrong := s.addressByReference(ctx, one.Provider, one.Reference)
		if wrong == nil {
			wrong = s.queryTransfers(ctx, a, c)
		}
		err = errors.Join(err, wrong)
	}
	return len(due), err
}

// AskCustodian queries the transfers to the address of a deposit now. Refusals: ErrUnknown, ErrState, provider.ErrUnavailable.
func (s *Service) AskCustodian(ctx context.Context, id int64) error {
	d, err := s.Read(ctx, id)
	if err != nil {
		return err
	}
	a, err := s.AddressOf(ctx, d)
	if err != nil {
		return err
	}
	if a == nil || s.normalizeAddress == nil {
		return ErrState
	}
	_, c, err := s.addressByReference(ctx, d.Provider, a.Reference)
	if err != nil {
		return err
	}
	if err := s.queryTransfers(ctx, *a, c); err != nil {
		slog.WarnContext(ctx, "a custodian did not say what has arrived", "provider", d.Provider, "error", err)
		return provider.ErrUnavailable
	}
	return nil
}

// queryTransfers queries the transfers to an address and books each in a transaction of its own.
func (s *Service) queryTransfers(ctx context.Context, a Address, c Channel) error {
	gateway, err := s.providers.Gateway(c.Provider)
	if err != nil {
		return err
	}
	list, err := gateway.Transfers(ctx, a.Reference)
	if err != nil {
		return fmt.Errorf("ask what has reached %s: %w", a.Reference, err)
	}
	for _, t := range list {
		in, ok := readTransfer(t)
		if !ok || t.Reference != a.Reference {
			slog.ErrorContext(ctx, "a custodian told of a transfer that can't be", "provider", c.Provider, "reference", a.Reference, "transfer", t.ID)
			continue
		}
		err = errors.Join(err, s.book(ctx, a, c, in))
	}
	return err
}

// book applies a transfer to its deposit: state, money and audit entry share one transaction. A repeated transfer changes nothing.
func (s *Service) book(ctx context.Context, a Address, c Channel, in parsedTransfer) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		d, fresh, err := s.transferTx(ctx, tx, a, c, in)
		if err != nil || d.ID == 0 {
			return err
		}
		if !in.sameAs(d) || *d.AddressID != a.ID {
			slog.ErrorContext(ctx, "a custodian told of a transfer again with another content", "provider", c.Provider, "transfer", in.ID, "deposit", d.ID)
			return nil
		}
		before, from, now := summary(d), d.State, s.clock.Now()
		next, columns, settled := in.step(d, now)
		if settled {
			if next, err = s.judgeTx(ctx, tx, d, c); err != nil {
				return err
			}
		}
		moving := next != d.State
		if moving && !d.May(next) {
			return fmt.Errorf("deposit %d may not turn from %s into %s", d.ID, d.State, next)
		}
		if !moving && len(columns) == 0 {
			if fresh {
				return s.recordTx(ctx, tx, d, from, "deposit.detect", "")
			}
			return nil
		}
		if moving {
			columns["state"], columns["moved_at"] = next, now
		}
		switch {
		case next == Credited && moving:
			columns["received"] = d.Amount
			if columns, err = s.creditTx(ctx, tx, &d, d.Amount, columns); err != nil {
				return err
			}
		case moving && slices.Contains(ReviewStates, next):
			columns["reason"], columns["proof_at"] = string(next), now
		}
		_, turned := columns["gone_at"]
		if _, back := columns["reversal_approval"]; back {
			if err := s.lapseReversalTx(ctx, tx, d); err != nil {
				return err
			}
		}
		if err := moveTx(tx, &d, columns); err != nil {
			return err
		}
		if !moving && !turned && !fresh { // one more confirmation
			tx.AfterCommit(func() { s.changed(d.AccountID) })
			return nil
		}
		return s.recordTx(ctx, tx, d, from, d.auditAction(turned), before)
	})
}

// auditAction is the audit action of a custodian's answer.
func (d Deposit) auditAction(turned bool) string {
	switch {
	case turned && d.GoneAt != nil:
		return "deposit.gone"
	case turned:
		return "deposit.back"
	case d.State == Credited:
		return "deposit.credit"
	case d.State == Dropped:
		return "deposit.drop"
	case d.UnderReview():
		return "deposit.hold"
	}
	return "deposit.detect"
}

// recordTx writes the audit entry of a custodian's answer, and the message to the trader.
func (s *Service) recordTx(ctx context.Context, tx *db.Tx, d Deposit, from State, action, before string) error {
	tx.AfterCommit(func() { s.changed(d.AccountID) })
	if err := s.messageTx(ctx, tx, d, from); err != nil {
		return err
	}
	entry := audit.By(audit.Actor{Kind: audit.System, Name: d.Provider}, s.clock.Now(), action, "deposit", d.ID)
	entry.Before, entry.After = before, summary(d)
	return audit.RecordTx(ctx, tx, entry)
}

// transferTx locks the deposit of a transfer and creates it for a new transfer. A new transfer that is already dropped gets none.
func (s *Service) transferTx(ctx context.Context, tx *db.Tx, a Address, c Channel, in parsedTransfer) (d Deposit, fresh bool, err error) {
	if in.State != provider.Dropped {
		now := s.clock.Now()
		tag, err := tx.Conn.Exec(ctx, `
			INSERT INTO deposits (trader_id, account_id, channel_id, kind, currency, amount, dust, reference, state, provider, address_id, transfer, tx_hash, coin, chain, required, created_at, moved_at, fee_rate)
			VALUES ($1, $2, $3, 'standard', $4, $5, $6, $7, 'detected', $8, $9, $10, $11, $12, $13, $14, $15, $15, $16)
			ON CONFLICT (provider, transfer) WHERE transfer IS NOT NULL DO NOTHING`,
			a.TraderID, a.AccountID, c.ID, c.Currency, in.amount, in.dust, newReference(), c.Provider, a.ID, in.ID, in.Hash, in.Coin, in.Chain, in.Required, now, s.FeeRate(c))
		if err != nil {
			return d, false, fmt.Errorf("write down transfer %s: %w", in.ID, err)
		}
		if fresh = tag.RowsAffected() == 1; fresh {
			if err := tx.Rows.Model(&Address{}).Where("id = ? AND wanted_at < ?", a.ID, now).Update("wanted_at", now).Error; err != nil {
				return d, false, fmt.Errorf("note the use of %s: %w", a.Reference, err)
			}
		}
	}
	if err := tx.ForUpdate().Where("provider = ? AND transfer = ?", c.Provider, in.ID).Limit(1).Find(&d).Error; err != nil {
		return d, false, fmt.Errorf("read transfer %s: %w", in.ID, err)
	}
	return d, fresh, nil
}
