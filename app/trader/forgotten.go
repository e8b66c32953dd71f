package trader

import (
	"context"
	"fmt"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/session"
)

// ForgottenPassword is what a trader sends to replace a forgotten log-in password: a new one, and a code of session.ForgottenPasswordCode.
type ForgottenPassword struct {
	Account, New, Code string
	From               audit.Actor
}

// SendForgottenPasswordCode sends the code that ReplaceForgottenPassword asks for. To an account that does not exist nothing is sent, and the answer is the
// same. Refusals: the field, the throttles of codes.
func (s *Service) SendForgottenPasswordCode(ctx context.Context, account, ip string) error {
	a, err := parseAddress(account)
	if err != nil {
		return err
	}
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		t, known, err := find(tx.Rows, a)
		if err != nil {
			return fmt.Errorf("find a trader: %w", err)
		}
		return s.sendForgottenTx(ctx, tx, t, known, a, ip)
	})
}

// sendForgottenTx makes a code and sends it, to nobody where nobody is known: the throttles count all the same.
func (s *Service) sendForgottenTx(ctx context.Context, tx *db.Tx, t Trader, known bool, a address, source string) error {
	code, err := s.sessions.IssueCodeTx(ctx, tx, session.ForgottenPasswordCode.To(a.text), source)
	if err != nil || !known {
		return err
	}
	return s.sendTx(ctx, tx, a, t.Language, "message.password_code", map[string]any{"code": code})
}

// ReplaceForgottenPassword sets a new log-in password for who has the code, ends every session and holds money out for a day. An account that does not
// exist is a wrong code. Refusals: the fields, session.ErrCode.
func (s *Service) ReplaceForgottenPassword(ctx context.Context, f ForgottenPassword) error {
	a, err := parseAddress(f.Account)
	if err != nil {
		return err
	}
	if err := CheckPassword(f.New); err != nil {
		return err
	}
	codeID, err := s.sessions.TryCode(ctx, session.ForgottenPasswordCode.To(a.text), f.Code)
	if err != nil {
		return err
	}
	hash, err := s.hasher.Hash(ctx, f.New)
	if err != nil {
		return err
	}
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		if err := s.sessions.UseCodeTx(ctx, tx, codeID); err != nil {
			return err
		}
		t, known, err := find(tx.Rows, a)
		if err != nil {
			return fmt.Errorf("find a trader: %w", err)
		}
		if !known {
			return session.ErrCode
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
	if err := s.HoldTx(ctx, tx, t.ID, HoldPasswordChange, securityHold); err != nil {
		return err
	}
	return s.recordTx(ctx, tx, t, t.Acting(from), "trader.reset_password", "message.password_reset")
}
