package trader

import (
	"context"
	"fmt"

	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/session"
)

// PasswordChange is a trader's request to replace the log-in password that they know.
type PasswordChange struct {
	New           string
	KeepOthers    bool // the other sessions stay
	SecurityProof      // its password is the current one
}

// ChangePassword replaces the log-in password, ends the other sessions unless told otherwise, and locks withdrawals for a day. Refusals: the field, those of a
// proof.
func (s *Service) ChangePassword(ctx context.Context, p session.Principal, c PasswordChange) error {
	if err := CheckPassword(c.New); err != nil {
		return asField(err, "newPassword")
	}
	if c.New == c.Password {
		return errs.Field("newPassword", "field.password_same")
	}
	var hash string
	return s.secured(ctx, p, ChangePassword, c.SecurityProof, func(t Trader) (id int64, err error) {
		hash, err = s.hasher.Hash(ctx, Account(t.ID), c.New)
		return 0, err
	}, func(tx *db.Tx, t Trader) error {
		change := tx.Rows.Model(&Trader{}).Where("id = ? AND password_hash = ?", t.ID, t.PasswordHash).Update("password_hash", hash)
		if err := db.MustAffect(change); err != nil {
			return fmt.Errorf("replace the password of trader %d: %w", t.ID, err)
		}
		if !c.KeepOthers {
			if _, err := s.sessions.EndOthersTx(ctx, tx, t.ID, p.SessionID); err != nil {
				return err
			}
		}
		if err := s.LockWithdrawalsTx(ctx, tx, t.ID, LockPasswordChange, securityLockLife); err != nil {
			return err
		}
		return s.recordTx(ctx, tx, t, t.Acting(c.From), "trader.change_password", "message.password_changed")
	})
}

// asField is a field's refusal under the name that a request gives the field.
func asField(err error, field string) error {
	refusal := errs.As(err)
	if refusal == nil {
		return err
	}
	for _, reason := range refusal.Fields {
		return errs.Field(field, reason)
	}
	return err
}
