package trading

import "time"

// Restriction keeps a trader from new positions by decision of staff. It is part of the portfolio: setting or ending one raises the account's version.
type Restriction struct {
	AccountID int64
	Reason    string
	UntilAt   *time.Time // real time; nil without an end
}

// checkMayOpen returns ErrRestricted while new positions are restricted. Closing is always allowed.
func (rules *Rules) checkMayOpen(f Portfolio) error {
	r := f.Restriction
	switch {
	case r == nil:
		return nil
	case r.UntilAt == nil:
		return ErrRestricted.With("why", r.Reason)
	case rules.clock.Now().Before(*r.UntilAt):
		return ErrRestricted.With("why", r.Reason).With("until", r.UntilAt.UnixMilli())
	}
	return nil
}
