package trading

import "time"

// Restriction is that staff keep an account's trader from new positions. It is read with what the account holds: whoever sets or ends one raises the
// account's version, so that nobody has to ask for it with every order.
type Restriction struct {
	AccountID int64
	Reason    string
	UntilAt   *time.Time // real time; nil until somebody lifts it
}

// mayOpen returns ErrRestricted while an account may not take new positions. Closing and reducing never ask.
func (rules *Rules) mayOpen(f Portfolio) error {
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
