package adjustment

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"gorm.io/gorm"

	"candor/app/audit"
	"candor/app/ledger"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/money"
	"candor/app/switches"
	"candor/app/trader"
)

// Positions computes the part of a locked account that its open positions do not need.
type Positions interface {
	WithdrawableTx(ctx context.Context, tx *db.Tx, account ledger.Account) (int64, error)
}

// Service implements adjustments for the desk.
type Service struct {
	db        *db.DB
	clock     clock.Clock
	switches  *switches.Service
	positions Positions
	changed   func(accountID int64)
}

// New makes the service; changed is called after the commit with a corrected account.
func New(d *db.DB, c clock.Clock, sw *switches.Service, p Positions, changed func(accountID int64)) *Service {
	return &Service{db: d, clock: c, switches: sw, positions: p, changed: changed}
}

// LeadAbove is the size above which the finance lead must confirm too.
func (s *Service) LeadAbove() int64 { return s.switches.Amount(switches.AdjustLeadKey) }

// Maximum is the largest size of an adjustment.
func (s *Service) Maximum() int64 { return s.switches.Amount(switches.AdjustMaxKey) }

// NeedsLead reports whether three people must decide.
func (s *Service) NeedsLead(a Adjustment) bool { return a.Size() > s.LeadAbove() }

// Request requests a correction of a trader's real account, once per key. No money moves yet.
// Refusals: fields, ErrOwn, ErrNoAccount, ErrMaximum, ErrFunds, ErrTooMany.
func (s *Service) Request(ctx context.Context, by audit.Actor, r Request) (a Adjustment, err error) {
	if err := r.check(); err != nil {
		return a, err
	}
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		account, err := s.accountTx(ctx, tx, by, r.TraderID)
		if err != nil {
			return err
		}
		if err := tx.Rows.Where("maker_id = ? AND request_key = ?", by.ID, r.Key).Limit(1).Find(&a).Error; err != nil || a.ID != 0 {
			return err
		}
		a = Adjustment{
			TraderID: r.TraderID, AccountID: account.ID, Currency: account.Currency, Amount: r.Amount, Reason: r.Reason, Reference: r.Reference, StaffNote: r.Note,
			RequestKey: r.Key, State: Requested, MakerID: by.ID, Version: 1, CreatedAt: s.clock.Now(),
		}
		if err := s.admitTx(ctx, tx, a, account); err != nil {
			return err
		}
		var open int64
		if err := tx.Rows.Model(&Adjustment{}).Where("trader_id = ? AND decided_at IS NULL", a.TraderID).Count(&open).Error; err != nil {
			return err
		}
		if open >= maxOpen {
			return ErrTooMany.With("limit", maxOpen)
		}
		if err := tx.Rows.Create(&a).Error; err != nil {
			return fmt.Errorf("write an adjustment: %w", err)
		}
		entry := audit.By(by, a.CreatedAt, "adjustment.ask", "adjustment", a.ID)
		entry.After = summary(a)
		return audit.RecordTx(ctx, tx, entry)
	})
	return a, err
}

// accountTx locks the real account of a trader, if the member of staff may correct it.
func (s *Service) accountTx(ctx context.Context, tx *db.Tx, by audit.Actor, traderID int64) (ledger.Account, error) {
	if err := mayEdit(ctx, tx, by, traderID); err != nil {
		return ledger.Account{}, err
	}
	accounts, err := ledger.List(ctx, tx.Conn, traderID)
	if err != nil {
		return ledger.Account{}, err
	}
	for _, account := range accounts {
		if !account.Mock() && account.Kind == "contract" {
			return ledger.LockTx(ctx, tx, account.ID)
		}
	}
	return ledger.Account{}, ErrNoAccount
}

// mayEdit refuses a member of staff with a conflict of interest; otherwise it records the duty for the trader's money. It returns ErrOwn, ErrNoAccount and the
// refusals of trader.TakeDutyTx.
func mayEdit(ctx context.Context, tx *db.Tx, by audit.Actor, traderID int64) error {
	exists, err := trader.Exists(ctx, tx.Conn, traderID)
	if err != nil {
		return err
	}
	if !exists {
		return ErrNoAccount
	}
	err = trader.TakeDutyTx(ctx, tx, by.ID, traderID, trader.MoneyDuty)
	if errors.Is(err, trader.ErrOwn) {
		return ErrOwn
	}
	return err
}

// admitTx refuses an adjustment above the maximum, or above the withdrawable amount of the locked account.
func (s *Service) admitTx(ctx context.Context, tx *db.Tx, a Adjustment, account ledger.Account) error {
	if a.Size() > s.Maximum() {
		return ErrMaximum.With("limit", money.Trim(s.Maximum(), money.Scale))
	}
	if a.Amount > 0 {
		return nil
	}
	free, err := s.positions.WithdrawableTx(ctx, tx, account)
	if err != nil {
		return err
	}
	if free = min(free, account.Cash); a.Size() > free {
		return ErrFunds.With("free", money.Trim(max(0, free), money.Scale))
	}
	return nil
}

// Confirm is the next confirmation of the facts that were shown: the checker's, or above the limit the lead's; each needs another person. The last one posts.
// Refusals: ErrUnknown, ErrState, ErrSelf, ErrOwn, ErrChanged, ErrMaximum, ErrFunds.
func (s *Service) Confirm(ctx context.Context, by audit.Actor, id int64, version int, step State, shown []byte) (Adjustment, error) {
	return s.act(ctx, by, id, version, "adjustment.confirm", func(tx *db.Tx, a Adjustment) (map[string]any, error) {
		switch facts := a.Facts(); {
		case a.State != step:
			return nil, ErrState
		case a.Decided(by.ID):
			return nil, ErrSelf
		case !bytes.Equal(shown, facts), a.State == Confirmed && !bytes.Equal(a.ShownHash, facts):
			return nil, ErrChanged
		}
		if a.State == Requested && s.NeedsLead(a) {
			return map[string]any{"state": Confirmed, "checker_id": by.ID, "shown_hash": shown}, nil
		}
		columns, err := s.postTx(ctx, tx, by, a)
		if err != nil {
			return nil, err
		}
		columns["shown_hash"] = shown
		if a.State == Requested {
			columns["checker_id"] = by.ID
		} else {
			columns["lead_id"] = by.ID
		}
		return columns, nil
	})
}

// postTx posts the correction, once: the adjustment's id is the key.
func (s *Service) postTx(ctx context.Context, tx *db.Tx, by audit.Actor, a Adjustment) (map[string]any, error) {
	account, err := s.accountTx(ctx, tx, by, a.TraderID)
	if err != nil {
		return nil, err
	}
	if account.ID != a.AccountID {
		return nil, ErrChanged
	}
	if err := s.admitTx(ctx, tx, a, account); err != nil {
		return nil, err
	}
	now, cause := s.clock.Now(), fmt.Sprint("adjustment:", a.ID)
	posted, err := ledger.PostTx(ctx, tx, ledger.Transaction{Kind: "adjustment", Key: cause, Cause: cause, Book: ledger.Real, At: now, Entries: account.Adjust(a.Amount)})
	if err != nil {
		return nil, err
	}
	tx.AfterCommit(func() { s.changed(a.AccountID) })
	return map[string]any{"state": Posted, "transaction_id": posted, "decided_at": now}, nil
}

// Refuse is a second person's refusal, with a note for the maker. Refusals: ErrNote, ErrUnknown, ErrState, ErrSelf, ErrOwn, ErrChanged.
func (s *Service) Refuse(ctx context.Context, by audit.Actor, id int64, version int, note string) (Adjustment, error) {
	if !isNote(note) {
		return Adjustment{}, ErrNote
	}
	return s.act(ctx, by, id, version, "adjustment.refuse", func(tx *db.Tx, a Adjustment) (map[string]any, error) {
		if a.MakerID == by.ID {
			return nil, ErrSelf
		}
		if err := mayEdit(ctx, tx, by, a.TraderID); err != nil {
			return nil, err
		}
		return map[string]any{"state": Refused, "refused_by": by.ID, "refusal": note, "decided_at": s.clock.Now()}, nil
	})
}

// Withdraw cancels a request; only its maker may. Refusals: ErrUnknown, ErrState, ErrNotYours, ErrChanged.
func (s *Service) Withdraw(ctx context.Context, by audit.Actor, id int64, version int) (Adjustment, error) {
	return s.act(ctx, by, id, version, "adjustment.withdraw", func(_ *db.Tx, a Adjustment) (map[string]any, error) {
		if a.MakerID != by.ID {
			return nil, ErrNotYours
		}
		return map[string]any{"state": Withdrawn, "decided_at": s.clock.Now()}, nil
	})
}

// act changes an adjustment and writes its audit entry in one transaction. It refuses state changes outside the lifecycle with ErrState.
func (s *Service) act(ctx context.Context, by audit.Actor, id int64, version int, action string, decide func(*db.Tx, Adjustment) (map[string]any, error)) (a Adjustment, err error) {
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		if a, err = readTx(tx.Rows, id, "FOR UPDATE"); err != nil {
			return err
		}
		switch {
		case len(moves[a.State]) == 0:
			return ErrState
		case a.Version != version:
			return ErrChanged
		}
		before := summary(a)
		columns, err := decide(tx, a)
		if err != nil {
			return err
		}
		if next, ok := columns["state"].(State); !ok || !a.State.May(next) {
			return ErrState
		}
		columns["version"] = a.Version + 1
		if err := db.MustAffect(tx.Rows.Model(&Adjustment{}).Where("id = ? AND version = ?", a.ID, a.Version).Updates(columns)); err != nil {
			return fmt.Errorf("move adjustment %d: %w", id, err)
		}
		if a, err = readTx(tx.Rows, id, ""); err != nil {
			return err
		}
		entry := audit.By(by, s.clock.Now(), action, "adjustment", a.ID)
		entry.Before, entry.After = before, summary(a)
		return audit.RecordTx(ctx, tx, entry)
	})
	return a, err
}

func readTx(rows *gorm.DB, id int64, lock string) (a Adjustment, err error) {
	if err := rows.Raw(`SELECT * FROM adjustments WHERE id = ? `+lock, id).Scan(&a).Error; err != nil {
		return a, fmt.Errorf("read adjustment %d: %w", id, err)
	}
	if a.ID == 0 {
		return a, ErrUnknown
	}
	return a, nil
}

// summary is the adjustment in the audit log, before or after an act.
func summary(a Adjustment) string {
	text, _ := json.Marshal(map[string]any{
		"state": a.State, "trader": a.TraderID, "amount": a.Amount, "reason": a.Reason, "reference": a.Reference, "maker": a.MakerID, "checker": a.CheckerID, "lead": a.LeadID,
		"refusal": a.Refusal,
	})
	return string(text)
}
