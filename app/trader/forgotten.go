package trader

import (
	"context"
	"errors"
	"fmt"

	"gorm.io/gorm"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/session"
)

// ForgottenPassword is a trader's request to replace a forgotten log-in password: a new one, and a code of session.ForgottenPasswordCode.
type ForgottenPassword struct {
	Account, New, Code string
	From               audit.Actor
}

// SendForgottenPasswordCode sends the code for ReplaceForgottenPassword after a solved challenge. For an unknown account nothing is sent, and the response is
// the same. Refusals: the field, ErrPhone, session.ErrVerify, session.ErrVerifyWrong, the throttles of codes.
func (s *Service) SendForgottenPasswordCode(ctx context.Context, account, solution, ip string) error {
	a, err := s.reachable(account)
	if err != nil {
		return err
	}
	if err := s.sessions.UseSolution(ctx, solution, ip); err != nil {
		return err
	}
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		t, known, _, err := s.findForgotten(tx.Rows, a)
		if err != nil {
			return fmt.Errorf("find a trader: %w", err)
		}
		by, err := s.sessions.RequesterTx(ctx, tx, t.ID, ip)
		if err != nil {
			return err
		}
		if err := s.sessions.AskTx(ctx, tx, session.ForgottenPasswordCode.To(a.text), ip); err != nil {
			return err
		}
		err = s.sendForgottenTx(ctx, tx, t, known, a, by)
		if errors.Is(err, session.ErrCodeSoon) || errors.Is(err, session.ErrCodeCap) {
			return nil // other callers' requests caused it; the refusal would reveal whether the address has an account
		}
		return err
	})
}

// findForgotten finds whose contact an address is, or who was granted it in place of a lost one and takes it into use with the new password.
func (s *Service) findForgotten(rows *gorm.DB, a address) (t Trader, known, granted bool, err error) {
	if t, known, err = find(rows, a); err != nil || known {
		return t, known, false, err
	}
	t, granted, err = s.granted(rows, a)
	return t, granted, granted, err
}

// sendForgottenTx issues a code and sends it, if the address is known: the throttles count in either case.
func (s *Service) sendForgottenTx(ctx context.Context, tx *db.Tx, t Trader, known bool, a address, by session.Requester) error {
	code, err := s.sessions.IssueCodeTx(ctx, tx, session.ForgottenPasswordCode.To(a.text), by)
	if errors.Is(err, session.ErrCodeSent) {
		return nil
	}
	if err != nil || !known {
		return err
	}
	return s.sendCodeTx(ctx, tx, by, t.recipientAt(a), "message.password_code", code, nil)
}

// ReplaceForgottenPassword sets a new log-in password with a code, ends every session and locks withdrawals for a day. An unknown account is refused like a
// wrong code. Refusals: the fields, session.ErrCode.
func (s *Service) ReplaceForgottenPassword(ctx context.Context, f ForgottenPassword) error {
	a, err := parseAddress(f.Account)
	if err != nil {
		return err
	}
	if err := CheckPassword(f.New); err != nil {
		return err
	}
	known, _, _, err := s.findForgotten(s.db.Rows(ctx), a)
	if err != nil {
		return fmt.Errorf("find a trader: %w", err)
	}
	by, err := s.sessions.Requester(ctx, known.ID, f.From.IP)
	if err != nil {
		return err
	}
	codeID, err := s.sessions.TryCodeElsewhere(ctx, session.ForgottenPasswordCode.To(a.text), by, f.Code)
	if err = s.noteRefusedCode(ctx, known, session.ForgottenPasswordCode, by, err, f.From); err != nil {
		return err
	}
	hash, err := s.hasher.Hash(ctx, Invited(f.From.IP), f.New)
	if err != nil {
		return err
	}
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		if err := s.sessions.UseCodeTx(ctx, tx, codeID); err != nil {
			return err
		}
		t, known, granted, err := s.findForgotten(tx.Rows, a)
		if err != nil {
			return fmt.Errorf("find a trader: %w", err)
		}
		if !known {
			return session.ErrCode
		}
		if granted {
			if err := s.takeGrantTx(ctx, tx, t, a, f.From); err != nil {
				return err
			}
		}
		return s.replacePasswordTx(ctx, tx, t, hash, f.From)
	})
}

func (s *Service) replacePasswordTx(ctx context.Context, tx *db.Tx, t Trader, hash string, from audit.Actor) error {
	change := tx.Rows.Model(&Trader{}).Where("id = ? AND password_hash = ?", t.ID, t.PasswordHash).Update("password_hash", hash)
	if err := db.MustAffect(change); err != nil {
		return fmt.Errorf("replace the password of trader %d: %w", t.ID, err)
	}
	if _, err := s.sessions.EndAllTx(ctx, tx, t.ID); err != nil {
		return err
	}
	if err := s.LockWithdrawalsTx(ctx, tx, t.ID, LockPasswordChange, securityLockLife); err != nil {
		return err
	}
	return s.recordTx(ctx, tx, t, t.Acting(from), "trader.reset_password", "message.password_reset")
}
