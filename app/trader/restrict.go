package trader

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"gorm.io/gorm"

	"candor/app/audit"
	"candor/app/ledger"
	"candor/app/platform/db"
	"candor/app/platform/errs"
)

// Refusals to restrict or lift, for staff only.
var (
	ErrRestricted       = errs.New(errs.Conflict, "restriction.lives")        // one of the kind is active
	ErrRestrictionEnded = errs.New(errs.Conflict, "restriction.ended")        // already lifted or expired
	ErrOwnRestriction   = errs.New(errs.Forbidden, "restriction.same_person") // another member of staff than the setter must lift it
	ErrRestriction      = errs.New(errs.NotFound, "restriction.unknown")
)

// Restrict restricts a trader from now on. Only staff with that permission may call it. Refusals: the fields, ledger.ErrAccount for an unknown trader,
// ErrGuest, ErrOwn, ErrRestricted.
func (s *Service) Restrict(ctx context.Context, by audit.Actor, wanted RestrictionRequest) (r Restriction, err error) {
	if err := wanted.check(); err != nil {
		return r, err
	}
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		if err := s.lockTx(tx, wanted.TraderID); err != nil {
			return err
		}
		if err := CheckConflict(ctx, tx.Conn, by.ID, wanted.TraderID); err != nil {
			return err
		}
		if r, err = s.restrictTx(tx, by, wanted); err != nil {
			return err
		}
		if r.Kind == RestrictLogin {
			if _, err := s.sessions.EndAllTx(ctx, tx, r.TraderID); err != nil {
				return err
			}
		}
		if err := s.notifyTx(ctx, tx, r); err != nil {
			return err
		}
		return s.recordChangeTx(ctx, tx, by, r, "trader.restrict", r.Note)
	})
	return r, err
}

// lockTx serialises all acts that restrict a trader or open a session. It does not block new rows that reference the trader.
func (s *Service) lockTx(tx *db.Tx, traderID int64) error {
	_, err := LockRegisteredTx(tx, traderID)
	return err
}

// LockedTx reads a registered trader whose acts wait until the transaction ends. Refusals: ledger.ErrAccount, ErrGuest.
func (s *Service) LockedTx(tx *db.Tx, traderID int64) (Trader, error) {
	if err := s.lockTx(tx, traderID); err != nil {
		return Trader{}, err
	}
	return s.traderTx(tx, traderID)
}

// restrictTx inserts a restriction of a locked trader. It first ends an expired one of the kind.
func (s *Service) restrictTx(tx *db.Tx, by audit.Actor, wanted RestrictionRequest) (r Restriction, err error) {
	now := s.clock.Now()
	err = tx.Rows.Model(&Restriction{}).Where("trader_id = ? AND kind = ? AND ended_at IS NULL AND until_at <= ?", wanted.TraderID, wanted.Kind, now).
		Updates(map[string]any{"ended_at": gorm.Expr("until_at"), "version": gorm.Expr("version + 1")}).Error
	if err != nil {
		return r, fmt.Errorf("end what is over: %w", err)
	}
	switch existing, err := s.active(tx.Rows, wanted.TraderID, wanted.Kind); {
	case err != nil:
		return r, err
	case len(existing) > 0:
		return r, ErrRestricted
	}
	r = Restriction{TraderID: wanted.TraderID, Kind: wanted.Kind, Reason: wanted.Reason, Note: wanted.Note, SetBy: by.ID, SetAt: now, Version: 1}
	if wanted.Life != 0 {
		until := now.Add(wanted.Life)
		r.UntilAt = &until
	}
	if err := tx.Rows.Create(&r).Error; err != nil {
		return r, fmt.Errorf("restrict trader %d: %w", r.TraderID, err)
	}
	return r, nil
}

// Lift ends a restriction early. Another person than its setter must do it, with that permission; version is the version they saw. Refusals: the note,
// ErrRestriction, ErrOwn, ErrRestrictionEnded, ErrOwnRestriction, db.ErrChanged.
func (s *Service) Lift(ctx context.Context, by audit.Actor, traderID, id int64, version int, note string) (r Restriction, err error) {
	if err := checkNote("note", note, LongestNote); err != nil {
		return r, err
	}
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		if err := s.lockTx(tx, traderID); err != nil {
			return err
		}
		if err := CheckConflict(ctx, tx.Conn, by.ID, traderID); err != nil {
			return err
		}
		list, err := restrictions(tx.Rows.Where("trader_id = ? AND id = ?", traderID, id))
		if err != nil {
			return err
		}
		now := s.clock.Now()
		switch {
		case len(list) == 0:
			return ErrRestriction
		case !list[0].Active(now):
			return ErrRestrictionEnded
		case list[0].SetBy == by.ID:
			return ErrOwnRestriction
		}
		r = list[0]
		lifted := map[string]any{"ended_at": now, "lifted_by": by.ID, "lift_note": note, "version": version + 1}
		if err := db.MustAffect(tx.Rows.Model(&Restriction{}).Where("id = ? AND version = ? AND ended_at IS NULL", id, version).Updates(lifted)); err != nil {
			return fmt.Errorf("lift restriction %d: %w", id, err)
		}
		r.EndedAt, r.LiftedBy, r.LiftNote, r.Version = &now, &by.ID, note, version+1
		if err := s.notifyTx(ctx, tx, r); err != nil {
			return err
		}
		return s.recordChangeTx(ctx, tx, by, r, "trader.lift", note)
	})
	return r, err
}

// recordChangeTx records a new or lifted restriction in the audit log and makes the engine and the trader's screens reload.
func (s *Service) recordChangeTx(ctx context.Context, tx *db.Tx, by audit.Actor, r Restriction, action, note string) error {
	accounts, err := ledger.TouchTx(ctx, tx, r.TraderID)
	if err != nil {
		return err
	}
	tx.AfterCommit(func() {
		for _, id := range accounts {
			s.changed(id)
		}
	})
	words := map[string]string{"kind": string(r.Kind), "reason": r.Reason, "note": note}
	if r.UntilAt != nil {
		words["until"] = r.UntilAt.UTC().Format(time.RFC3339)
	}
	after, err := json.Marshal(words)
	if err != nil {
		return err
	}
	entry := audit.By(by, s.clock.Now(), action, "trader", r.TraderID)
	entry.After = string(after)
	return audit.RecordTx(ctx, tx, entry)
}
