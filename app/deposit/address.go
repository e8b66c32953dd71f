package deposit

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"

	"candor/app/audit"
	"candor/app/ledger"
	"candor/app/platform/db"
	"candor/app/provider"
)

// Address is a trader's permanent crypto address for one channel.
type Address struct {
	ID        int64
	TraderID  int64
	AccountID int64
	ChannelID int
	Reference string // our reference at the custodian
	Address   string // empty until the custodian has answered
	Memo      string
	AskedAt   *time.Time // when the custodian was last asked what has arrived
	CreatedAt time.Time
	WantedAt  time.Time // when the trader last asked for it, or something reached it
}

// TableName is GORM's name of the table.
func (Address) TableName() string { return "deposit_addresses" }

// NormalizeAddress returns the canonical form of an address of a coin on a chain. It returns an error for an invalid address.
type NormalizeAddress func(coin, chain, address string) (string, error)

// Address is the trader's crypto address for a channel; the first call requests it from the custodian.
// Refusals: ledger.ErrAccount, ErrMock, ErrChannel, provider.ErrUnavailable.
func (s *Service) Address(ctx context.Context, o ledger.Owner, channelID int) (a Address, c Channel, err error) {
	account, c, err := s.admitCrypto(ctx, o, channelID)
	if err != nil {
		return a, c, err
	}
	if a, err = s.addressRow(ctx, o, account.ID, c); err != nil || a.Address != "" {
		return a, c, err
	}
	address, memo, err := s.askAddress(ctx, a, c)
	if err != nil {
		return a, c, err
	}
	err = s.db.Rows(ctx).Model(&Address{}).Where("id = ? AND address = ''", a.ID).Updates(map[string]any{"address": address, "memo": memo}).Error
	if db.IsUnique(err, "deposit_addresses_address") {
		slog.ErrorContext(ctx, "a custodian gave the address of somebody else", "provider", c.Provider, "reference", a.Reference)
		return a, c, provider.ErrUnavailable
	}
	if err != nil {
		return a, c, fmt.Errorf("write the address %s: %w", a.Reference, err)
	}
	a, err = s.addressBy(ctx, "id = ?", a.ID)
	return a, c, err
}

// admitCrypto admits real accounts to crypto channels whose custodian is configured, and returns the main account, which is credited.
func (s *Service) admitCrypto(ctx context.Context, o ledger.Owner, channelID int) (account ledger.Account, c Channel, err error) {
	if account, err = ledger.Main(ctx, s.db.Pool, o); err != nil {
		return account, c, err
	}
	if account.Mock() {
		return account, c, ErrMock
	}
	if err := s.db.Rows(ctx).Where("id = ? AND enabled AND kind = 'standard'", channelID).Limit(1).Find(&c).Error; err != nil {
		return account, c, fmt.Errorf("read channel %d: %w", channelID, err)
	}
	if c.ID == 0 || s.normalizeAddress == nil || !c.OfferedIn(o.Country) {
		return account, c, ErrChannel
	}
	if _, known := s.providers.Provider(c.Provider); !known {
		return account, c, ErrChannel
	}
	return account, c, nil
}

// addressRow is the trader's address row for a channel; it has its reference before the custodian is asked.
func (s *Service) addressRow(ctx context.Context, o ledger.Owner, accountID int64, c Channel) (a Address, err error) {
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		now := s.clock.Now()
		var id int64
		err := tx.Conn.QueryRow(ctx, `
			WITH numbered AS (SELECT nextval('deposit_addresses_id_seq') AS id)
			INSERT INTO deposit_addresses (id, trader_id, account_id, channel_id, reference, address, created_at, wanted_at) OVERRIDING SYSTEM VALUE
			SELECT id, $1, $2, $3, 'AD-' || id, '', $4, $4 FROM numbered ON CONFLICT (trader_id, channel_id) DO NOTHING RETURNING id`,
			o.TraderID, accountID, c.ID, now).Scan(&id)
		if err == nil {
			return audit.RecordTx(ctx, tx, audit.By(o.Actor(), now, "deposit.address", "deposit_address", id))
		}
		if !errors.Is(err, pgx.ErrNoRows) {
			return fmt.Errorf("number an address: %w", err)
		}
		return tx.Rows.Model(&Address{}).Where("trader_id = ? AND channel_id = ? AND wanted_at < ?", o.TraderID, c.ID, now).Update("wanted_at", now).Error
	})
	if err != nil {
		return a, err
	}
	return s.addressBy(ctx, "trader_id = ? AND channel_id = ?", o.TraderID, c.ID)
}

// askAddress requests an address from the custodian, outside of any transaction. An address that is invalid for the coin and chain is never shown.
func (s *Service) askAddress(ctx context.Context, a Address, c Channel) (address, memo string, err error) {
	gateway, err := s.providers.Gateway(c.Provider)
	if err != nil {
		return "", "", err
	}
	given, err := gateway.Address(ctx, provider.AddressOrder{Reference: a.Reference, Coin: c.Coin, Chain: c.Chain, NotifyURL: s.providers.NotifyURL(c.Provider)})
	if err != nil {
		slog.WarnContext(ctx, "a custodian gave no address", "provider", c.Provider, "reference", a.Reference, "error", err)
		return "", "", provider.ErrUnavailable
	}
	address, err = s.normalizeAddress(c.Coin, c.Chain, given.Address)
	if err != nil || given.Reference != a.Reference || given.Coin != c.Coin || given.Chain != c.Chain || !db.IsText(given.Memo) {
		slog.ErrorContext(ctx, "a custodian gave what is no address of this coin on this chain", "provider", c.Provider, "reference", a.Reference, "error", err)
		return "", "", provider.ErrUnavailable
	}
	return address, given.Memo, nil
}

// addressBy reads one address. It returns ErrUnknown.
func (s *Service) addressBy(ctx context.Context, condition string, values ...any) (a Address, err error) {
	if err = s.db.Rows(ctx).Where(condition, values...).Limit(1).Find(&a).Error; err != nil {
		return a, fmt.Errorf("read an address: %w", err)
	}
	if a.ID == 0 {
		return a, ErrUnknown
	}
	return a, nil
}

// AddressOf is the address that a crypto deposit reached; nil for any other deposit. It is for staff and for the deposit's own trader.
func (s *Service) AddressOf(ctx context.Context, d Deposit) (*Address, error) {
	if d.AddressID == nil {
		return nil, nil
	}
	a, err := s.addressBy(ctx, "id = ?", *d.AddressID)
	return &a, err
}
