package trader

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm/clause"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/session"
)

// The payment password is six digits, required to move money out. Its wrong tries are counted separately from log-ins.
const (
	paymentDigits = 6
	paymentTries  = 5 // in a row
	paymentLock   = 30 * time.Minute
)

// Refusals of the payment password.
var (
	ErrPaymentPasswordUnset   = errs.New(errs.Refused, "payment_password.unset")   // not set yet
	ErrPaymentPasswordSet     = errs.New(errs.Refused, "payment_password.set")     // already set: it can be changed or reset
	ErrPaymentPasswordMissing = errs.New(errs.Refused, "payment_password.missing") // none was sent; no try was counted
	ErrPaymentPassword        = errs.New(errs.Refused, "payment_password.wrong")   // with the remaining tries
	ErrPaymentPasswordLocked  = errs.New(errs.TooMany, "payment_password.locked")  // with the seconds to wait
	ErrLoginPassword          = errs.New(errs.Refused, "login.password_wrong")
	ErrMock                   = errs.New(errs.Forbidden, "account.mock")
)

type paymentPassword struct {
	TraderID    int64 `gorm:"primaryKey"`
	Hash        string
	Failures    int
	LockedUntil *time.Time
	ChangedAt   time.Time
	Version     int64
}

// TableName is GORM's name of the table.
func (paymentPassword) TableName() string { return "payment_passwords" }

// CheckPaymentPassword requires six digits that are not all the same and not a run up or down; 9 and 0 are adjacent.
func CheckPaymentPassword(digits string) error {
	if len(digits) != paymentDigits || strings.Trim(digits, "0123456789") != "" {
		return errs.Field("newPassword", "field.payment_digits")
	}
	for _, step := range []byte{0, 1, 9} {
		run := true
		for i := 1; i < paymentDigits; i++ {
			run = run && (digits[i]-digits[i-1]+10)%10 == step
		}
		if run {
			return errs.Field("newPassword", "field.payment_simple")
		}
	}
	return nil
}

// PaymentPasswordChange is a request to set, change or reset the payment password: the log-in password to set the first one or to reset a forgotten one, the
// old one to change it, and always a code of session.PaymentPasswordCode.
type PaymentPasswordChange struct {
	LoginPassword, Old string
	New, Code          string
	IP, Agent, TraceID string
}

// SendPaymentPasswordCode sends the code to set, change or reset the payment password. Refusals: ErrGuest, ErrMock, the throttles of codes.
func (s *Service) SendPaymentPasswordCode(ctx context.Context, p session.Principal, ip string) error {
	return s.sendOwnCode(ctx, p, session.PaymentPasswordCode, "", "message.payment_password_code", nil, ip)
}

// onlyReal refuses sessions on mock accounts.
func onlyReal(p session.Principal) error {
	switch {
	case p.Guest():
		return ErrGuest
	case p.Mock():
		return ErrMock
	}
	return nil
}

// SetPaymentPassword sets the first payment password, without a withdrawal lock. Refusals: ErrGuest, ErrMock, newPassword, ErrPaymentPasswordSet,
// session.ErrThrottle, ErrLoginPassword, session.ErrCode.
func (s *Service) SetPaymentPassword(ctx context.Context, p session.Principal, c PaymentPasswordChange) error {
	t, row, err := s.beginPaymentPassword(ctx, p, c)
	if err != nil {
		return err
	}
	if row.Version != 0 {
		return ErrPaymentPasswordSet
	}
	if err := s.checkLoginPassword(ctx, t, c.LoginPassword, c.IP); err != nil {
		return err
	}
	return s.replacePaymentPassword(ctx, t, c, func(tx *db.Tx, hash string) error {
		row := paymentPassword{TraderID: t.ID, Hash: hash, ChangedAt: s.clock.Now(), Version: 1}
		created := tx.Rows.Clauses(clause.OnConflict{DoNothing: true}).Create(&row)
		if created.Error != nil {
			return fmt.Errorf("set a payment password: %w", created.Error)
		}
		if created.RowsAffected != 1 {
			return ErrPaymentPasswordSet
		}
		return s.recordTx(ctx, tx, t, c.actor(t), "trader.set_payment_password", "message.payment_password_set")
	})
}

// ChangePaymentPassword replaces the old payment password and locks withdrawals for a day. Refusals: ErrGuest, ErrMock, newPassword, ErrPaymentPasswordUnset
// and all others of the old one, session.ErrCode.
func (s *Service) ChangePaymentPassword(ctx context.Context, p session.Principal, c PaymentPasswordChange) error {
	t, row, err := s.beginPaymentPassword(ctx, p, c)
	if err != nil {
		return err
	}
	if err := s.tryPaymentPassword(ctx, c.actor(t), t, c.Old); err != nil {
		return err
	}
	if c.Old == c.New {
		return errs.Field("newPassword", "field.payment_same")
	}
	return s.replacePaymentPassword(ctx, t, c, func(tx *db.Tx, hash string) error {
		if err := s.movePaymentPasswordTx(ctx, tx, row, hash, LockPaymentPasswordChange); err != nil {
			return err
		}
		return s.recordTx(ctx, tx, t, c.actor(t), "trader.change_payment_password", "message.payment_password_changed")
	})
}

// ResetPaymentPassword replaces a forgotten payment password with the log-in password, ends its lock, and locks withdrawals for a day. Refusals: ErrGuest,
// ErrMock, newPassword, ErrPaymentPasswordUnset, session.ErrThrottle, ErrLoginPassword, session.ErrCode.
func (s *Service) ResetPaymentPassword(ctx context.Context, p session.Principal, c PaymentPasswordChange) error {
	t, row, err := s.beginPaymentPassword(ctx, p, c)
	if err != nil {
		return err
	}
	if row.Version == 0 {
		return ErrPaymentPasswordUnset
	}
	if err := s.checkLoginPassword(ctx, t, c.LoginPassword, c.IP); err != nil {
		return err
	}
	return s.replacePaymentPassword(ctx, t, c, func(tx *db.Tx, hash string) error {
		if err := s.movePaymentPasswordTx(ctx, tx, row, hash, LockPaymentPasswordReset); err != nil {
			return err
		}
		return s.recordTx(ctx, tx, t, c.actor(t), "trader.reset_payment_password", "message.payment_password_reset")
	})
}

// recordTx records an act on a trader's security settings and notifies the trader.
func (s *Service) recordTx(ctx context.Context, tx *db.Tx, t Trader, actor audit.Actor, action, message string) error {
	if err := audit.RecordTx(ctx, tx, audit.By(actor, s.clock.Now(), action, "trader", t.ID)); err != nil {
		return err
	}
	return s.tellTx(ctx, tx, t, message, nil)
}

func (c PaymentPasswordChange) actor(t Trader) audit.Actor {
	return t.Acting(audit.Actor{IP: c.IP, Agent: c.Agent, TraceID: c.TraceID})
}

// beginPaymentPassword makes the checks that need no secret. The row has version 0 when there is no payment password.
func (s *Service) beginPaymentPassword(ctx context.Context, p session.Principal, c PaymentPasswordChange) (t Trader, row paymentPassword, err error) {
	if err := onlyReal(p); err != nil {
		return t, row, err
	}
	if err := CheckPaymentPassword(c.New); err != nil {
		return t, row, err
	}
	if t, err = s.Trader(ctx, p.TraderID); err != nil {
		return t, row, err
	}
	row, err = s.paymentPassword(ctx, t.ID)
	return t, row, err
}

// paymentPassword reads the row; its version is 0 when there is none.
func (s *Service) paymentPassword(ctx context.Context, traderID int64) (row paymentPassword, err error) {
	if err = s.db.Rows(ctx).Where("trader_id = ?", traderID).Limit(1).Find(&row).Error; err != nil {
		err = fmt.Errorf("read a payment password: %w", err)
	}
	return row, err
}

// sessionSource is the source for wrong log-in passwords within a session from any address: an attacker with a stolen session gets no more tries by changing
// addresses.
const sessionSource = "session"

// checkLoginPassword checks a logged-in trader's log-in password again; a wrong one counts as a failed log-in of the account. Refusals:
// ErrContactFirst, session.ErrThrottle, ErrLoginPassword.
func (s *Service) checkLoginPassword(ctx context.Context, t Trader, password, ip string) error {
	if t.contactless() { // and has no password
		return ErrContactFirst
	}
	var guesses []session.Attempt
	counting := context.WithoutCancel(ctx)
	notCompared := func(err error) error {
		for _, guess := range guesses {
			err = errors.Join(err, s.sessions.GuessNotCompared(counting, guess))
		}
		return err
	}
	for _, source := range []string{sessionSource, ip} {
		guess := session.Attempt{Account: t.address().text, IP: source, Known: true} // within a session
		if err := s.sessions.Guess(counting, guess); err != nil {
			return notCompared(err)
		}
		guesses = append(guesses, guess)
	}
	if len(password) > 4*maxLength {
		return ErrLoginPassword
	}
	match, err := s.hasher.Matches(ctx, Account(t.ID), password, t.PasswordHash)
	if err != nil {
		return notCompared(err)
	}
	if !match {
		return ErrLoginPassword
	}
	for _, guess := range guesses {
		if err := s.sessions.GuessRight(counting, guess); err != nil {
			return err
		}
	}
	return nil
}

// replacePaymentPassword uses up the code and stores the hash of the new payment password, in one transaction.
func (s *Service) replacePaymentPassword(ctx context.Context, t Trader, c PaymentPasswordChange, store func(tx *db.Tx, hash string) error) error {
	codeID, err := s.tryOwnCode(ctx, t, session.PaymentPasswordCode.To(t.address().text), c.Code, audit.Actor{IP: c.IP, Agent: c.Agent, TraceID: c.TraceID})
	if err != nil {
		return err
	}
	same, err := s.hasher.Matches(ctx, Account(t.ID), c.New, t.PasswordHash)
	if err != nil {
		return err
	}
	if same {
		return errs.Field("newPassword", "field.payment_login")
	}
	if err := s.checkBirth(ctx, t.ID, c.New); err != nil {
		return err
	}
	hash, err := s.hasher.Hash(ctx, Account(t.ID), c.New)
	if err != nil {
		return err
	}
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		if err := s.sessions.UseCodeTx(ctx, tx, codeID); err != nil {
			return err
		}
		return store(tx, hash)
	})
}

// checkBirth refuses the trader's own date of birth in any usual form. It runs after the code, so that an attacker can't find the date by trying.
func (s *Service) checkBirth(ctx context.Context, traderID int64, digits string) error {
	if s.bornOn == nil {
		return nil
	}
	born, err := s.bornOn(ctx, traderID)
	if err != nil || born.IsZero() {
		return err
	}
	for _, written := range []string{"020106", "010206", "060102"} {
		if digits == born.Format(written) {
			return errs.Field("newPassword", "field.payment_birth")
		}
	}
	return nil
}

// movePaymentPasswordTx replaces the payment password that was read, resets its count of wrong tries, and locks withdrawals.
func (s *Service) movePaymentPasswordTx(ctx context.Context, tx *db.Tx, row paymentPassword, hash, reason string) error {
	columns := map[string]any{"hash": hash, "failures": 0, "locked_until": nil, "changed_at": s.clock.Now(), "version": row.Version + 1}
	result := tx.Rows.Model(&paymentPassword{}).Where("trader_id = ? AND version = ?", row.TraderID, row.Version).Updates(columns)
	if err := db.MustAffect(result); err != nil {
		return fmt.Errorf("replace a payment password: %w", err)
	}
	return s.LockWithdrawalsTx(ctx, tx, row.TraderID, reason, securityLockLife)
}
