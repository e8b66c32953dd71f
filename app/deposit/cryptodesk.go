package deposit

import (
	"context"
	"strings"

	"candor/app/platform/db"
	"candor/app/platform/errs"
)

// CreditHeld is the maker's half of crediting coins that wait: above the limit, of an unverified trader, or below the minimum.
// Refusals: ErrState, ErrChanged.
func (s *Service) CreditHeld(ctx context.Context, by Desk, id int64, version int) (Deposit, error) {
	return s.seen(ctx, by, id, version, "deposit.approve", func(_ *db.Tx, d *Deposit) (map[string]any, error) {
		if !d.mayBeCredited() || d.MakerID != nil {
			return nil, ErrState
		}
		return map[string]any{"maker_id": by.ID}, nil
	})
}

// ConfirmHeld is the checker's half: the coins are credited. Refusals: ErrState, ErrSelf, ErrChanged.
func (s *Service) ConfirmHeld(ctx context.Context, by Desk, id int64, version int) (Deposit, error) {
	return s.seen(ctx, by, id, version, "deposit.confirm", func(tx *db.Tx, d *Deposit) (map[string]any, error) {
		if !d.mayBeCredited() || d.MakerID == nil {
			return nil, ErrState
		}
		if *d.MakerID == by.ID {
			return nil, ErrSelf
		}
		return s.creditTx(ctx, tx, d, d.Amount, map[string]any{"checker_id": by.ID, "received": d.Amount, "reason": nil, "moved_at": s.clock.Now()})
	})
}

// mayBeCredited leaves out what is dust alone, and other coins than the channel's: nobody says what those are worth.
func (d Deposit) mayBeCredited() bool {
	return (d.State == AMLHold || d.State == BelowMin) && d.Amount > 0
}

// Refund is the maker's half of sending coins back outside of the platform; reference is what shows that they went. Refusals: fields, ErrState, ErrChanged.
func (s *Service) Refund(ctx context.Context, by Desk, id int64, version int, reference string) (Deposit, error) {
	reference = strings.TrimSpace(reference)
	if len(reference) < 4 || len(reference) > 128 || !db.IsText(reference) {
		return Deposit{}, errs.Field("bankReference", "field.length")
	}
	return s.seen(ctx, by, id, version, "deposit.refund", func(_ *db.Tx, d *Deposit) (map[string]any, error) {
		if !d.Held() || d.State == Refunding || d.MakerID != nil {
			return nil, ErrState
		}
		return map[string]any{"state": Refunding, "maker_id": by.ID, "bank_reference": reference, "moved_at": s.clock.Now()}, nil
	})
}

// ConfirmRefund is the checker's half. Refusals: ErrState, ErrSelf, ErrChanged.
func (s *Service) ConfirmRefund(ctx context.Context, by Desk, id int64, version int) (Deposit, error) {
	return s.seen(ctx, by, id, version, "deposit.confirm_refund", func(_ *db.Tx, d *Deposit) (map[string]any, error) {
		if d.State != Refunding || d.MakerID == nil {
			return nil, ErrState
		}
		if *d.MakerID == by.ID {
			return nil, ErrSelf
		}
		now := s.clock.Now()
		return map[string]any{"state": Refunded, "checker_id": by.ID, "decided_at": now, "moved_at": now}, nil
	})
}

// RefuseHeld takes the maker's half of a credit or a refund back. Refusals: ErrState, ErrChanged.
func (s *Service) RefuseHeld(ctx context.Context, by Desk, id int64, version int) (Deposit, error) {
	return s.seen(ctx, by, id, version, "deposit.recall", func(_ *db.Tx, d *Deposit) (map[string]any, error) {
		if !d.Held() || d.MakerID == nil || d.Reason == nil {
			return nil, ErrState
		}
		changes := map[string]any{"maker_id": nil, "bank_reference": nil}
		if d.State == Refunding {
			changes["state"], changes["moved_at"] = State(*d.Reason), s.clock.Now()
		}
		return changes, nil
	})
}
