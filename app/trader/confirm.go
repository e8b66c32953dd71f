package trader

import (
	"context"
	"errors"
	"log/slog"

	"candor/app/audit"
	"candor/app/factor"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/session"
)

// Refusals of second factors.
var (
	ErrFactorRequired  = errs.New(errs.Refused, "login.factor_required")    // with "authenticator" and "passkeys": what the trader has
	ErrConfirm         = errs.New(errs.Refused, "factor.confirm")           // no code is sent or accepted: the second factor must confirm the act
	ErrRecoveryNotHere = errs.New(errs.Refused, "factor.recovery_no_money") // recovery codes replace a lost factor and move no money
)

// Act is what a code, or a confirmation by a second factor, authorises.
type Act struct {
	Purpose session.Purpose
	About   string // identifies the request
}

func (a Act) codeFor(t Trader) session.CodeFor { return a.Purpose.To(t.address().text).With(a.About) }

// text identifies the act in the challenge of a passkey.
func (a Act) text() string { return string(a.Purpose) + " " + a.About }

// confirmable are the purposes that a second factor confirms in place of a code that is sent. Freezing stays possible without the factor.
func confirmable(p session.Purpose) bool {
	return p == session.MoneyOutCode || p == session.PaymentPasswordCode || p == session.SecurityCode
}

// confirms reports whether the trader's second factor must confirm acts of a purpose.
func (s *Service) confirms(ctx context.Context, traderID int64, p session.Purpose) (bool, error) {
	if s.factors == nil || !confirmable(p) {
		return false, nil
	}
	f, err := s.factors.Read(ctx, factor.Trader(traderID))
	return f.Any(), err
}

// NewConfirmation asks for one of the trader's passkeys to confirm an act. Refusals: ErrGuest, factor.ErrNone.
func (s *Service) NewConfirmation(ctx context.Context, p session.Principal, a Act) (*factor.Request, error) {
	if p.Guest() {
		return nil, ErrGuest
	}
	return s.factors.NewConfirmation(ctx, factor.Trader(p.TraderID), a.text())
}

// ConfirmByPasskey turns the answer to NewConfirmation into a confirmation of the act, which is used like a code. Refusals: ErrGuest, factor.ErrPasskey,
// factor.ErrExpired.
func (s *Service) ConfirmByPasskey(ctx context.Context, p session.Principal, a Act, response []byte, from audit.Actor) (confirmation string, err error) {
	if p.Guest() {
		return "", ErrGuest
	}
	t, err := s.Trader(ctx, p.TraderID)
	if err != nil {
		return "", err
	}
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		if err := s.factors.ConfirmTx(ctx, tx, factor.Trader(t.ID), a.text(), response); err != nil {
			return err
		}
		confirmation, err = s.sessions.ConfirmTx(ctx, tx, a.codeFor(t).Confirmed(t.ID))
		return err
	})
	if errors.Is(err, factor.ErrPasskey) {
		err = errors.Join(err, s.recordFactorRefused(ctx, t, "passkey", t.Acting(from), false))
	}
	return confirmation, err
}

// ConfirmByCode turns a code of the authenticator, or a recovery code, into a confirmation of the act. Refusals: ErrGuest, ErrRecoveryNotHere,
// session.ErrThrottle, factor.ErrCode.
func (s *Service) ConfirmByCode(ctx context.Context, p session.Principal, a Act, code string, from audit.Actor) (confirmation string, err error) {
	if p.Guest() {
		return "", ErrGuest
	}
	if factor.IsRecoveryCode(code) && a.Purpose != session.SecurityCode {
		return "", ErrRecoveryNotHere
	}
	t, err := s.Trader(ctx, p.TraderID)
	if err != nil {
		return "", err
	}
	if err := s.checkFactor(ctx, t, factor.InSession, code, t.Acting(from)); err != nil {
		return "", err
	}
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		confirmation, err = s.sessions.ConfirmTx(ctx, tx, a.codeFor(t).Confirmed(t.ID))
		return err
	})
	return confirmation, err
}

// passFactor checks the second factor of a log-in after a right password; passed is false for a trader without one. Refusals: ErrFactorRequired,
// session.ErrThrottle, factor.ErrCode.
func (s *Service) passFactor(ctx context.Context, t Trader, c Credentials) (passed bool, err error) {
	if s.factors == nil {
		return false, nil
	}
	f, err := s.factors.Read(ctx, factor.Trader(t.ID))
	if err != nil || !f.Any() {
		return false, err
	}
	if c.Factor == "" {
		return false, ErrFactorRequired.With("authenticator", f.AuthenticatorAt != nil).With("passkeys", len(f.Passkeys) > 0)
	}
	at := factor.AtLogin
	if known, err := s.sessions.Known(ctx, t.ID, c.Device); err != nil {
		return false, err
	} else if known {
		at = factor.AtKnownDevice
	}
	if err := s.checkFactor(ctx, t, at, c.Factor, audit.Visitor(c.from())); err != nil {
		return false, err
	}
	return true, nil
}

// checkFactor checks a code of the authenticator or a recovery code. The use of a recovery code locks withdrawals and is told to the owner; so is the last wrong
// code in a row.
func (s *Service) checkFactor(ctx context.Context, t Trader, at factor.Place, code string, by audit.Actor) error {
	kind, check := "authenticator", s.factors.CheckCode
	if factor.IsRecoveryCode(code) {
		kind, check = "recovery_code", func(ctx context.Context, o factor.Owner, at factor.Place, code string) (bool, error) {
			return s.factors.UseRecoveryCode(ctx, o, at, code, func(use func(tx *db.Tx) error) error { return s.usingRecoveryCode(ctx, t, by, use) })
		}
	}
	last, err := check(ctx, factor.Trader(t.ID), at, code)
	if errors.Is(err, factor.ErrCode) {
		return errors.Join(err, s.recordFactorRefused(context.WithoutCancel(ctx), t, kind, by, last))
	}
	return err
}

func (s *Service) usingRecoveryCode(ctx context.Context, t Trader, by audit.Actor, use func(tx *db.Tx) error) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		if _, err := s.LockedTx(tx, t.ID); err != nil {
			return err
		}
		if err := use(tx); err != nil {
			return err
		}
		if err := s.LockWithdrawalsTx(ctx, tx, t.ID, LockRecoveryCode, securityLockLife); err != nil {
			return err
		}
		return s.recordTx(ctx, tx, t, by, "trader.use_recovery_code", "message.recovery_code_used")
	})
}

// recordFactorRefused records a wrong second factor, and tells the owner of the last one in a row: somebody may know the password.
func (s *Service) recordFactorRefused(ctx context.Context, t Trader, kind string, by audit.Actor, tell bool) error {
	slog.WarnContext(ctx, "a second factor was refused", "kind", kind, "trader", t.ID, "source", by.IP, "trace", by.TraceID)
	entry := audit.By(by, s.clock.Now(), "trader.refuse_factor", "trader", t.ID)
	about := s.placeFacts(by.IP)
	about["factor"] = kind
	entry.After = about.json()
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		if err := audit.RecordTx(ctx, tx, entry); err != nil || !tell {
			return err
		}
		return s.tellTx(ctx, tx, t, "message.factor_failures", map[string]any{
			"ip": s.from(by.IP, t.Language), "time": s.clock.Now().UTC().Format("2006-01-02 15:04") + " UTC",
		})
	})
}
