package trader

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/session"
	"candor/app/staff/member"
)

// Staff may send a trader at most resetsPerDay resets within resetWindow.
const (
	resetsPerDay = 3
	resetWindow  = 24 * time.Hour
	resetAction  = "trader.send_password_reset"
)

// Refusals of resets.
var (
	ErrResets       = errs.New(errs.TooMany, "password_reset.too_many")
	ErrNoResetPlace = errs.New(errs.Refused, "password_reset.no_contact") // the only way in is a wallet: there is no password and nowhere to send a code
)

// SendPasswordReset sends a trader the code for a forgotten password, with a written reason. It goes to the contact verified at registration and is not shown
// to staff. Only staff with that permission may call it. Refusals: the field, ledger.ErrAccount for an unknown trader, ErrGuest, ErrOwn, ErrPaid, ErrResets, ErrNoResetPlace,
// session.ErrCodeSoon, session.ErrCodeCap.
func (s *Service) SendPasswordReset(ctx context.Context, by audit.Actor, traderID int64, reason string) error {
	if err := checkNote("reason", reason, LongestNote); err != nil {
		return err
	}
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		if err := s.lockTx(tx, traderID); err != nil {
			return err
		}
		if err := TakeDutyTx(ctx, tx, by.ID, traderID, member.IdentityDuty); err != nil {
			return err
		}
		if err := s.countResetTx(ctx, tx, traderID); err != nil {
			return err
		}
		t, err := s.traderTx(tx, traderID)
		if err != nil {
			return fmt.Errorf("read trader %d: %w", traderID, err)
		}
		if t.contactless() {
			return ErrNoResetPlace
		}
		if err := s.sendForgottenTx(ctx, tx, t, true, t.address(), session.Requester{Own: true, Source: fmt.Sprint("staff:", by.ID)}); err != nil {
			return err
		}
		after, err := json.Marshal(map[string]string{"reason": reason})
		if err != nil {
			return err
		}
		entry := audit.By(by, s.clock.Now(), resetAction, "trader", traderID)
		entry.After = string(after)
		return audit.RecordTx(ctx, tx, entry)
	})
}

// countResetTx refuses a reset when resetsPerDay were sent within the window; the lock on the trader serialises concurrent calls.
func (s *Service) countResetTx(ctx context.Context, tx *db.Tx, traderID int64) error {
	var sent int
	err := tx.Conn.QueryRow(ctx, `SELECT count(*) FROM audit_entries WHERE target_id = $1::bigint::text AND target_kind = 'trader' AND action = $2 AND at > $3`,
		traderID, resetAction, s.clock.Now().Add(-resetWindow)).Scan(&sent)
	if err != nil {
		return fmt.Errorf("count the resets of trader %d: %w", traderID, err)
	}
	if sent >= resetsPerDay {
		return ErrResets
	}
	return nil
}
