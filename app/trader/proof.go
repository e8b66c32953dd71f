package trader

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/session"
)

// Proof is the trader's authorisation to move money out: the payment password, and a code of session.MoneyOutCode for the same act. From is its origin for
// the audit log; For is set by the service that acts, never by the trader.
type Proof struct {
	PaymentPassword, Code string
	From                  audit.Actor
	For                   MoneyOut
}

// Of is the proof for an act.
func (p Proof) Of(m MoneyOut) Proof {
	p.For = m
	return p
}

// Prove checks the proof and uses up the code; every call that moves money out calls it first. It checks the lock, then the payment password, then the code,
// whose tries count only after a correct payment password. Only callers that refuse mock accounts may call it. Refusals: ErrGuest, ErrContactFirst, ErrMoneyRestricted,
// ErrPaymentPasswordUnset, ErrPaymentPasswordLocked, ErrPaymentPasswordMissing, ErrPaymentPassword, session.ErrCode.
func (s *Service) Prove(ctx context.Context, traderID int64, p Proof) error {
	t, err := s.Trader(ctx, traderID)
	if err != nil {
		return err
	}
	switch {
	case t.Guest():
		return ErrGuest
	case t.contactless():
		return ErrContactFirst
	}
	if err := s.mayMoveMoney(s.db.Rows(ctx), t.ID); err != nil {
		return err
	}
	if err := s.tryPaymentPassword(ctx, t.Acting(p.From), t, p.PaymentPassword); err != nil {
		return err
	}
	codeID, err := s.tryOwnCode(ctx, t, session.MoneyOutCode.To(t.address().text).With(p.For.About()), p.Code, p.From)
	if err != nil {
		return err
	}
	return s.db.InTx(ctx, func(tx *db.Tx) error { return s.sessions.UseCodeTx(ctx, tx, codeID) })
}

// tryPaymentPassword compares a payment password with the trader's. A separate transaction counts the try before the comparison, so that parallel guesses
// can't outrun the count: the fifth locks, and only a correct one unlocks at once.
func (s *Service) tryPaymentPassword(ctx context.Context, actor audit.Actor, t Trader, given string) error {
	row, err := s.paymentPassword(ctx, t.ID)
	if err != nil {
		return err
	}
	if row.Version == 0 {
		return ErrPaymentPasswordUnset
	}
	if row.LockedUntil != nil && row.LockedUntil.After(s.clock.Now()) {
		return s.lockedUntil(*row.LockedUntil)
	}
	if given == "" {
		return ErrPaymentPasswordMissing
	}
	if row, err = s.countPaymentPassword(ctx, t.ID); err != nil {
		return err
	}
	match := false
	if len(given) == paymentDigits {
		if match, err = s.hasher.Matches(ctx, Account(t.ID), given, row.Hash); err != nil {
			return errors.Join(err, s.uncountPaymentPassword(context.WithoutCancel(ctx), row))
		}
	}
	switch {
	case match:
		return s.clearPaymentPassword(ctx, row)
	case row.Failures < paymentTries:
		return ErrPaymentPassword.With("left", paymentTries-row.Failures)
	}
	return s.lockPaymentPassword(ctx, actor, t, row)
}

func (s *Service) lockedUntil(until time.Time) error {
	left := until.Sub(s.clock.Now())
	return ErrPaymentPasswordLocked.With("seconds", int((left+time.Second-1)/time.Second)).With("minutes", int((left+time.Minute-1)/time.Minute))
}

// countPaymentPassword counts a try before its comparison. It returns ErrPaymentPasswordLocked when five were counted, and then counts nothing.
func (s *Service) countPaymentPassword(ctx context.Context, traderID int64) (row paymentPassword, err error) {
	now := s.clock.Now()
	err = s.db.Pool.QueryRow(ctx, `
		UPDATE payment_passwords SET
			failures = CASE WHEN failures = $3 THEN 1 ELSE failures + 1 END,
			locked_until = CASE WHEN failures = $3 - 1 THEN $4::timestamptz END
		WHERE trader_id = $1 AND (locked_until IS NULL OR locked_until <= $2)
		RETURNING trader_id, hash, failures, locked_until, version`,
		traderID, now, paymentTries, now.Add(paymentLock)).Scan(&row.TraderID, &row.Hash, &row.Failures, &row.LockedUntil, &row.Version)
	if errors.Is(err, pgx.ErrNoRows) { // a concurrent try has locked it since it was read
		return row, s.lockedUntil(now.Add(paymentLock))
	}
	if err != nil {
		return row, fmt.Errorf("count a try of a payment password: %w", err)
	}
	return row, nil
}

// uncountPaymentPassword takes back a try that could not be compared.
func (s *Service) uncountPaymentPassword(ctx context.Context, row paymentPassword) error {
	return s.db.Rows(ctx).Model(&paymentPassword{}).Where("trader_id = ? AND version = ?", row.TraderID, row.Version).
		Updates(map[string]any{"failures": gorm.Expr("greatest(failures - 1, 0)"), "locked_until": nil}).Error
}

// clearPaymentPassword resets the count of wrong tries. It returns db.ErrChanged when the payment password was replaced during the comparison.
func (s *Service) clearPaymentPassword(ctx context.Context, row paymentPassword) error {
	err := db.MustAffect(s.db.Rows(ctx).Model(&paymentPassword{}).Where("trader_id = ? AND version = ?", row.TraderID, row.Version).
		Updates(map[string]any{"failures": 0, "locked_until": nil}))
	if err != nil {
		return fmt.Errorf("reset the wrong tries of a payment password: %w", err)
	}
	return nil
}

// lockPaymentPassword records that the fifth try was wrong and notifies the trader.
func (s *Service) lockPaymentPassword(ctx context.Context, actor audit.Actor, t Trader, row paymentPassword) error {
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		locked := tx.Rows.Model(&paymentPassword{}).Where("trader_id = ? AND version = ? AND failures = ?", row.TraderID, row.Version, paymentTries).
			Update("locked_until", row.LockedUntil)
		if locked.Error != nil {
			return fmt.Errorf("lock a payment password: %w", locked.Error)
		}
		if locked.RowsAffected != 1 { // a concurrent correct try or a new payment password came first
			return nil
		}
		return s.recordTx(ctx, tx, t, actor, "trader.lock_payment_password", "message.payment_password_locked")
	})
	if err != nil {
		return err
	}
	return s.lockedUntil(*row.LockedUntil)
}
