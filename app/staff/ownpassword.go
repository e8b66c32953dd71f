package staff

import (
	"cmp"
	"context"
	"errors"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/session"
	"candor/app/trader"
)

const changePassword = "staff.change_password"

// PasswordChange is a checked new password of a member's own, which ChangePassword stores.
type PasswordChange struct{ was, hash string }

// CheckPasswords checks the current password and the new one; nothing is stored. A wrong current one counts like one at a sign-in in a known browser.
// Refusals: fields, session.ErrThrottle, ErrSignedOut.
func (s *Service) CheckPasswords(ctx context.Context, by audit.Actor, current, next string) (PasswordChange, error) {
	if err := checkNewPassword(current, next); err != nil {
		return PasswordChange{}, err
	}
	p, err := s.Person(ctx, by.ID)
	if err == nil && !p.Ready() {
		err = ErrSignedOut
	}
	if err != nil {
		return PasswordChange{}, err
	}
	err = s.checkPassword(ctx, p, current, session.Attempt{Account: throttleName + p.Email, IP: by.IP, Known: true, Staff: true})
	if errors.Is(err, ErrSignIn) {
		err = cmp.Or(s.recordFailed(ctx, by, changePassword, nil), error(errs.Field("password", "field.password_wrong")))
	}
	if err != nil {
		return PasswordChange{}, err
	}
	hash, err := s.hasher.Hash(ctx, trader.Invited(by.IP), next)
	return PasswordChange{p.PasswordHash, hash}, err
}

func checkNewPassword(current, next string) error {
	if current == "" {
		return errs.Field("password", "field.required")
	}
	if refusal := errs.As(trader.CheckPassword(next)); refusal != nil {
		return errs.Field("new_password", refusal.Fields["password"])
	}
	if next == current {
		return errs.Field("new_password", "field.password_same")
	}
	return nil
}

// ChangePassword stores a new password of the member's own, ends their sessions except the one that asks, and voids their one-time links. The caller has checked
// a step-up. Refusals: ErrSignedOut, db.ErrChanged when the password was changed meanwhile.
func (s *Service) ChangePassword(ctx context.Context, by audit.Actor, sessionID int64, c PasswordChange) error {
	return s.ownSessionTx(ctx, by, sessionID, func(tx *db.Tx, p Person) error {
		change := tx.Rows.Model(&Person{}).Where("id = ? AND password_hash = ?", p.ID, c.was).Updates(map[string]any{"password_hash": c.hash, "version": p.Version + 1})
		if err := db.MustAffect(change); err != nil {
			return err
		}
		ended, err := endOtherSessionsTx(ctx, tx, p.ID, sessionID)
		if err != nil {
			return err
		}
		if err := s.voidLinksTx(tx, p.ID); err != nil {
			return err
		}
		if err := s.tellTx(ctx, tx, p, "staff_password_changed", by, nil); err != nil {
			return err
		}
		return s.recordTx(ctx, tx, by, changePassword, p.ID, nil, facts{"sessions_ended": len(ended)})
	})
}
