package deposit

import (
	"context"
	"fmt"
	"time"

	"candor/app/audit"
	"candor/app/ledger"
	"candor/app/platform/db"
	"candor/app/platform/idempotency"
)

// RequestProviderDeposit requests a payment through a provider, once per key, and returns the Deposit as it was written. The provider is asked after
// the commit, and the call waits some seconds for it, so that the next read usually has the payment details. Kind is ThirdParty or OTC.
// Refusals: ErrMock, ErrChannel, ErrAmount, ErrUnverified, ErrTooMany.
func (s *Service) RequestProviderDeposit(ctx context.Context, o ledger.Owner, kind Kind, channelID int, amount int64, r idempotency.Request) (Result, error) {
	var written int64
	result, err := idempotency.Do(ctx, s.db, r, func(tx *db.Tx) (Deposit, error) {
		account, err := ledger.LockMainTx(ctx, tx, o)
		if err != nil {
			return Deposit{}, err
		}
		channel, err := s.admit(ctx, tx, o, account, kind, channelID, amount)
		if err != nil {
			return Deposit{}, err
		}
		d, err := s.beginTx(ctx, tx, o, account.ID, channel, amount)
		written = d.ID
		return d, err
	})
	if err == nil {
		s.askSoon(ctx, written)
	}
	return result, err
}

func (s *Service) beginTx(ctx context.Context, tx *db.Tx, o ledger.Owner, accountID int64, channel Channel, amount int64) (d Deposit, err error) {
	now := s.clock.Now()
	until := now.Add(ThirdPartyLife)
	if channel.Kind == OTC {
		until = now.Add(OTCLife)
	}
	d = Deposit{
		TraderID: o.TraderID, AccountID: accountID, ChannelID: channel.ID, Kind: channel.Kind, Currency: channel.Currency, Amount: amount, Provider: channel.Provider,
		FeeRate: s.FeeRate(channel), Reference: newReference(), State: Created, Version: 1, CreatedAt: now, ExpiresAt: &until, MovedAt: &now,
	}
	if err := tx.Rows.Create(&d).Error; err != nil {
		return d, fmt.Errorf("write a deposit: %w", err)
	}
	if err := s.queue.AddTx(ctx, tx, askProvider{d.ID}); err != nil {
		return d, err
	}
	return d, audit.RecordTx(ctx, tx, audit.By(o.Actor(), now, "deposit.request", "deposit", d.ID))
}

// askSoon queries the provider while the trader waits. It ignores the result: the job and the next round query again.
func (s *Service) askSoon(ctx context.Context, id int64) {
	if id == 0 { // the answer of an earlier call was replayed
		return
	}
	short, cancel := context.WithTimeout(ctx, maxProviderWait)
	defer cancel()
	_ = s.Ask(short, id)
}

// Own reads one deposit of a trader. Refusal: ErrUnknown.
func (s *Service) Own(ctx context.Context, traderID, id int64) (d Deposit, err error) {
	if err = s.db.Rows(ctx).Where("id = ? AND trader_id = ?", id, traderID).Limit(1).Find(&d).Error; err != nil {
		return d, fmt.Errorf("read deposit %d: %w", id, err)
	}
	if d.ID == 0 {
		return d, ErrUnknown
	}
	return d, nil
}

// Life is the time to pay through a channel.
func (c Channel) Life() time.Duration {
	switch c.Kind {
	case ThirdParty:
		return ThirdPartyLife
	case OTC:
		return OTCLife
	}
	return TransferLife
}
