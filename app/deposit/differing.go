package deposit

import (
	"context"
	"time"

	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/provider"
	"candor/app/staff"
)

// Refusals of the desk, about what a provider says.
var (
	ErrStillOpen = errs.New(errs.Conflict, "deposit.provider_open") // the provider has not said that nothing was paid
	ErrPaidOther = errs.Field("received", "field.provider_amount")  // the amount that is typed is not the one that came
)

// Accept is the maker's decision on what came through a provider in another way than asked for: it types the amount that the provider's answer names, and only
// that can be credited. A second person always confirms. Refusals: fields, ErrPaidOther, ErrState, ErrNotClaimed, ErrChanged.
func (s *Service) Accept(ctx context.Context, by Desk, id int64, version int, received int64) (Deposit, error) {
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

// refuse is the rejection of a deposit through a provider. What came stays to be seen; a payment that may still come is not rejected.
func (d Deposit) refuse(by Desk, now time.Time, ask bool, reason, note string) (map[string]any, error) {
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

// Refusable tells whether what the provider said last lets people reject the deposit: it came in another way than asked for, or it came to nothing.
func (d Deposit) Refusable() bool {
	if d.held() {
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
