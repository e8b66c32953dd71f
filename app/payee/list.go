package payee

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm/clause"

	"candor/app/audit"
	"candor/app/ledger"
	"candor/app/platform/db"
	"candor/app/platform/idempotency"
	"candor/app/switches"
	"candor/app/trader"
)

// Coins lists the coins whose addresses can be saved. It returns ErrOff.
func (s *Service) Coins() ([]Coin, error) {
	if !s.switches.On(switches.AddressKey) {
		return nil, ErrOff
	}
	return payable(), nil
}

// List reads a trader's payees of a kind: the current ones, newest first, then those that can be restored. It has no limit: they are few.
// Refusals: ErrOff, ErrMock.
func (s *Service) List(ctx context.Context, o ledger.Owner, kind Kind) (list []Payee, err error) {
	if err := s.admit(ctx, o); err != nil {
		return nil, err
	}
	return list, s.db.Rows(ctx).Where("trader_id = ? AND kind = ? AND (removed_at IS NULL OR removed_at > ?)", o.TraderID, kind, s.restorable()).
		Order("removed_at IS NOT NULL, removed_at DESC, id DESC").Find(&list).Error
}

// Removal numbers a payee's removals, for a call without an idempotency key. It is the number of the next removal and, once that has happened, stays until the
// payee is restored. It is 0 for another trader's payee.
func (s *Service) Removal(ctx context.Context, traderID, id int64) (number int, err error) {
	err = s.db.Rows(ctx).Raw(`SELECT version - (removed_at IS NOT NULL)::int FROM payees WHERE id = ? AND trader_id = ?`, id, traderID).Scan(&number).Error
	if err != nil {
		return 0, fmt.Errorf("number the removal of payee %d: %w", id, err)
	}
	return number, nil
}

// Named returns the arguments of a message about a trader's payee, removed or not. It returns ErrUnknown for another trader's.
func (s *Service) Named(ctx context.Context, traderID, id int64) (map[string]any, error) {
	p, err := s.own(ctx, traderID, id)
	if err != nil {
		return nil, err
	}
	return p.named(nil), nil
}

// own reads a trader's payee, current or removed. It returns ErrUnknown.
func (s *Service) own(ctx context.Context, traderID, id int64) (p Payee, err error) {
	if err = s.db.Rows(ctx).Where("id = ? AND trader_id = ?", id, traderID).Limit(1).Find(&p).Error; err != nil {
		return p, fmt.Errorf("read payee %d: %w", id, err)
	}
	if p.ID == 0 {
		return p, ErrUnknown
	}
	return p, nil
}

// Living lists a trader's current payees of both kinds for staff, newest first, all of them: they are few.
func (s *Service) Living(ctx context.Context, traderID int64) (list []Payee, err error) {
	if err = s.db.Rows(ctx).Where("trader_id = ? AND removed_at IS NULL", traderID).Order("id DESC").Limit(MaxLiving).Find(&list).Error; err != nil {
		return nil, fmt.Errorf("list the payees of trader %d: %w", traderID, err)
	}
	return list, nil
}

// Owners lists, for staff, the traders who saved an address, given whole in any form that its chain accepts: newest first, below a trader id (0 starts at the
// top), at most limit. Traders who have removed it since are included.
func (s *Service) Owners(ctx context.Context, address string, below int64, limit int) (ids []int64, err error) {
	forms := addressForms(address)
	if len(forms) == 0 {
		return nil, nil
	}
	err = s.db.Rows(ctx).Raw(`
		SELECT DISTINCT trader_id FROM payees WHERE kind = 'address' AND address IN ? AND (?::bigint = 0 OR trader_id < ?) ORDER BY trader_id DESC LIMIT ?`,
		forms, below, below, limit).Scan(&ids).Error
	if err != nil {
		return nil, fmt.Errorf("look for whose address it is: %w", err)
	}
	return ids, nil
}

// Sharing are the other traders who saved a bank account or an address, with the memo, that the trader saved too, by rising id, at most limit. Removed payees
// count on both sides.
func Sharing(ctx context.Context, q db.Querier, traderID int64, limit int) ([]int64, error) {
	rows, err := q.Query(ctx, `
		SELECT same.trader_id FROM payees mine JOIN payees same ON same.iban = mine.iban AND same.trader_id <> mine.trader_id
		WHERE mine.trader_id = $1 AND mine.kind = 'bank' AND same.kind = 'bank'
		UNION SELECT same.trader_id FROM payees mine JOIN payees same ON (same.address, same.memo) = (mine.address, mine.memo) AND same.trader_id <> mine.trader_id
		WHERE mine.trader_id = $1 AND mine.kind = 'address' AND same.kind = 'address' ORDER BY 1 LIMIT $2`, traderID, limit)
	if err != nil {
		return nil, fmt.Errorf("look for who shares a payee with trader %d: %w", traderID, err)
	}
	return pgx.CollectRows(rows, pgx.RowTo[int64])
}

// Link is how another trader is tied to one: by payees that both have saved.
type Link struct {
	TraderID int64
	Kind     Kind
	Count    int       // of the payees
	Crowd    int       // traders who saved the least used of them, both included, at most mostCrowd
	Since    time.Time // when both had saved one
	Last     time.Time // when the other one last saved one
}

// mostCrowd is how far the traders who saved a payee are counted.
const mostCrowd = 50

// Links lists the traders who saved a bank account, or an address with the memo, that the trader saved too, by rising id, at most limit. Removed payees count on
// both sides. No holder's name is read.
func Links(ctx context.Context, q db.Querier, traderID int64, limit int) ([]Link, error) {
	rows, err := q.Query(ctx, `
		SELECT same.trader_id, same.kind, count(DISTINCT mine.iban),
		       min((SELECT count(*) FROM (SELECT DISTINCT p.trader_id FROM payees p WHERE p.kind = 'bank' AND p.iban = mine.iban LIMIT $3) crowd)),
		       min(greatest(mine.created_at, same.created_at)), max(same.created_at)
		FROM payees mine JOIN payees same ON same.iban = mine.iban AND same.trader_id <> mine.trader_id
		WHERE mine.trader_id = $1 AND mine.kind = 'bank' AND same.kind = 'bank' GROUP BY 1, 2
		UNION ALL SELECT same.trader_id, same.kind, count(DISTINCT (mine.address, mine.memo)),
		       min((SELECT count(*) FROM (SELECT DISTINCT p.trader_id FROM payees p WHERE p.kind = 'address' AND (p.address, p.memo) = (mine.address, mine.memo) LIMIT $3) crowd)),
		       min(greatest(mine.created_at, same.created_at)), max(same.created_at)
		FROM payees mine JOIN payees same ON (same.address, same.memo) = (mine.address, mine.memo) AND same.trader_id <> mine.trader_id
		WHERE mine.trader_id = $1 AND mine.kind = 'address' AND same.kind = 'address' GROUP BY 1, 2 ORDER BY 1 LIMIT $2`, traderID, limit, mostCrowd)
	if err != nil {
		return nil, fmt.Errorf("look for who is tied to trader %d by a payee: %w", traderID, err)
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Link])
}

// Find returns a current payee that may be paid now. Refusals: ErrUnknown, also for another trader's, and ErrCooling.
func (s *Service) Find(ctx context.Context, traderID, id int64) (p Payee, err error) {
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		p, err = s.FindTx(tx, traderID, id)
		return err
	})
	return p, err
}

// FindTx is Find for the transaction of a payout: the payee can't be removed until it ends.
func (s *Service) FindTx(tx *db.Tx, traderID, id int64) (p Payee, err error) {
	err = tx.Rows.Clauses(clause.Locking{Strength: clause.LockingStrengthShare}).Where("id = ? AND trader_id = ? AND removed_at IS NULL", id, traderID).
		Limit(1).Find(&p).Error
	if err != nil {
		return p, fmt.Errorf("read a payee: %w", err)
	}
	if p.ID == 0 {
		return p, ErrUnknown
	}
	return p, p.usable(s.clock.Now())
}

// Settings reads a trader's own rules, or the defaults if none are set.
func (s *Service) Settings(ctx context.Context, traderID int64) (settings Settings, err error) {
	if err = s.db.Rows(ctx).Where("trader_id = ?", traderID).Limit(1).Find(&settings).Error; err != nil {
		return settings, fmt.Errorf("read the settings of payees: %w", err)
	}
	settings.TraderID = traderID
	return settings, nil
}

// SetWhitelistOnly sets whether only saved payees are allowed, once per key, and returns the Settings. Turning on takes effect at once. Turning off
// takes effect after Cooldown; turning on cancels it until then. A request for what already holds or is pending changes nothing.
// Refusals: ErrOff, ErrMock, those of the proof.
func (s *Service) SetWhitelistOnly(ctx context.Context, o ledger.Owner, on bool, proof trader.Proof, r idempotency.Request) (idempotency.Result[Settings], error) {
	rule := trader.MoneyOut{Act: trader.NotOnlySaved}
	if on {
		rule.Act = trader.OnlySaved
	}
	return proven(ctx, s, o, proof.Of(rule), r, func(tx *db.Tx) (Settings, error) {
		settings, err := lockSettingsTx(tx, o.TraderID)
		if err != nil {
			return Settings{}, err
		}
		now := s.clock.Now()
		if ending := settings.Ending(now) != nil; settings.OnlySaved(now) == on && !ending || !on && ending {
			return settings, nil
		}
		action, ending := "payee.whitelist_on", (*time.Time)(nil)
		if !on {
			at := now.Add(Cooldown)
			action, ending = "payee.whitelist_off", &at
		}
		result := tx.Rows.Model(&Settings{}).Where("trader_id = ? AND version = ?", o.TraderID, settings.Version).
			Updates(map[string]any{"whitelist_only": true, "pending_off_at": ending, "version": settings.Version + 1})
		if err := db.MustAffect(result); err != nil {
			return Settings{}, fmt.Errorf("move the settings of payees: %w", err)
		}
		settings.WhitelistOnly, settings.PendingOffAt, settings.Version = true, ending, settings.Version+1
		if err := audit.RecordTx(ctx, tx, audit.By(o.Actor(), now, action, "trader", o.TraderID)); err != nil {
			return Settings{}, err
		}
		key := "message.whitelist_on"
		if !on {
			key = "message.whitelist_off"
		}
		return settings, s.messenger.SendTx(ctx, tx, trader.Message{TraderID: o.TraderID, Category: trader.SecurityMessages, Key: key})
	})
}

// lockSettingsTx locks the trader's row, and creates it if there is none.
func lockSettingsTx(tx *db.Tx, traderID int64) (settings Settings, err error) {
	if err = tx.Rows.Clauses(clause.OnConflict{DoNothing: true}).Create(&Settings{TraderID: traderID, Version: 1}).Error; err != nil {
		return settings, fmt.Errorf("make the settings of payees: %w", err)
	}
	return settings, tx.ForUpdate().Where("trader_id = ?", traderID).Limit(1).Find(&settings).Error
}

// SavedAt is when a payee was saved, of any trader and also if it was removed since.
func SavedAt(ctx context.Context, q db.Querier, payeeID int64) (at time.Time, err error) {
	if err = q.QueryRow(ctx, `SELECT created_at FROM payees WHERE id = $1`, payeeID).Scan(&at); err != nil {
		return at, fmt.Errorf("read when payee %d was saved: %w", payeeID, err)
	}
	return at, nil
}
