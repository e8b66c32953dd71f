package trader

import (
	"context"
	"time"

	"candor/app/factor"
	"candor/app/session"
)

// Security is the security state of an account, for its owner.
type Security struct {
	Mail, Phone           string     // with the middle hidden, or empty
	Wallet                string     // the address that logs in, or empty
	PaymentPasswordAt     *time.Time // when the payment password was set or last changed; nil without one
	LockedUntil           *time.Time // the payment password's lock after wrong tries
	WithdrawalLockedUntil *time.Time // the withdrawal lock
	WithdrawalLockReason  string
	LastLogin             session.Seen
	Phrase                bool // every mail starts with it
	Factors               factor.Factors
}

// Security returns the trader's security state. Refusal: ErrGuest.
func (s *Service) Security(ctx context.Context, p session.Principal) (out Security, err error) {
	if p.Guest() {
		return out, ErrGuest
	}
	t, err := s.Trader(ctx, p.TraderID)
	if err != nil {
		return out, err
	}
	out.Mail, out.Phrase = t.MaskedMail(), t.Phrase != ""
	if s.factors != nil {
		if out.Factors, err = s.factors.Read(ctx, factor.Trader(t.ID)); err != nil {
			return out, err
		}
	}
	out.Phone = t.MaskedPhone()
	if t.Wallet != nil {
		out.Wallet = t.walletAddress().String()
	}
	row, err := s.paymentPassword(ctx, t.ID)
	if err != nil {
		return out, err
	}
	if row.Version != 0 {
		out.PaymentPasswordAt = &row.ChangedAt
	}
	if row.LockedUntil != nil && row.LockedUntil.After(s.clock.Now()) {
		out.LockedUntil = row.LockedUntil
	}
	until, reason, err := s.securityLock(s.db.Rows(ctx), t.ID)
	if err != nil {
		return out, err
	}
	if reason != "" {
		out.WithdrawalLockedUntil, out.WithdrawalLockReason = &until, reason
	}
	seen, err := s.sessions.Devices(ctx, t.ID, 1)
	if len(seen) > 0 {
		out.LastLogin = seen[0]
	}
	return out, err
}
