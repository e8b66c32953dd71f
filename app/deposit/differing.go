package deposit

import (
	"context"
	"time"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/provider"
	"candor/app/staff"
)

// Refusals of the desk about a provider's answer.
var (
	ErrStillOpen = errs.New(errs.Conflict, "deposit.provider_open") // the provider has not reported the payment as unpaid
	ErrPaidOther = errs.Field("received", "field.provider_amount")  // the entered amount differs from the paid amount
)

// Accept is the maker's approval of a provider deposit that differs from the request: the maker enters the amount of the provider's answer, and only that
// amount can be credited. A second person always confirms.
// Refusals: fields, ErrPaidOther, ErrState, ErrNotClaimed, ErrChanged.
func (s *Service) Accept(ctx context.Context, by audit.Actor, id int64, version int, received int64) (Deposit, error) {
	if received <= 0 {
		return Deposit{}, errs.Field("received", "field.positive")
	}
	return s.act(ctx, by, id, version, "deposit.approve", func(_ *db.Tx, d *Deposit) (map[string]any, error) {
		if err := d.decidable(by, s.clock.Now(), InReview); err != nil {
			return nil, err
		}
		switch {
		case !d.ByProvider():
			return nil, ErrState
		case received != deref(d.Received):
			return nil, ErrPaidOther
		}
		return staff.Released(map[string]any{
			"state": Approved, "bank_reference": d.Reference, "maker_id": by.ID, "shown_hash": d.facts(received, d.Reference),
		}), nil
	})
}

// refuse rejects a provider deposit. The received amount stays visible; a payment that may still arrive is not rejected.
func (d Deposit) refuse(by audit.Actor, now time.Time, ask bool, reason, note string) (map[string]any, error) {
	if ask {
		return nil, ErrState
	}
	if err := d.decidable(by, now, InReview, Approved, ProviderUnknown, Appealed); err != nil {
		return nil, err
	}
	if !d.Refusable() {
		return nil, ErrStillOpen
	}
	return staff.Released(map[string]any{
		"state": Rejected, "reason": reason, "staff_note": note, "decided_at": now, "moved_at": now, "maker_id": nil, "shown_hash": nil, "bank_reference": nil,
	}), nil
}

// Refusable reports whether the provider's last answer allows a rejection: the payment differs from the request, or ended unpaid.
func (d Deposit) Refusable() bool {
	if d.staffDecide() {
		return true
	}
	switch d.SaidState {
	case provider.Failed, provider.Expired, provider.Cancelled, provider.ChargedBack, "absent", "refused":
		return true
	case provider.Paid:
		return d.State == ProviderUnknown
	}
	return false
}
