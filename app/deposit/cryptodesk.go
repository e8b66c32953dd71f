package deposit

import (
	"context"
	"strings"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/platform/errs"
)

// ApproveUnderReview is the maker's approval of a crypto deposit under review: above the limit, of an unverified trader, or below the minimum.
// Refusals: ErrState, ErrChanged.
func (s *Service) ApproveUnderReview(ctx context.Context, by audit.Actor, id int64, version int) (Deposit, error) {
	return s.actOnVersion(ctx, by, id, version, "deposit.approve", func(_ *db.Tx, d *Deposit) (map[string]any, error) {
		if !d.creditableUnderReview() || d.MakerID != nil {
			return nil, ErrState
		}
		return map[string]any{"maker_id": by.ID}, nil
	})
}

// ConfirmUnderReview is the checker's confirmation, which credits the deposit. Refusals: ErrState, ErrSelf, ErrChanged.
func (s *Service) ConfirmUnderReview(ctx context.Context, by audit.Actor, id int64, version int) (Deposit, error) {
	return s.actOnVersion(ctx, by, id, version, "deposit.confirm", func(tx *db.Tx, d *Deposit) (map[string]any, error) {
		if !d.creditableUnderReview() || d.MakerID == nil {
			return nil, ErrState
		}
		if *d.MakerID == by.ID {
			return nil, ErrSelf
		}
		return s.creditTx(ctx, tx, d, d.Amount, map[string]any{"checker_id": by.ID, "received": d.Amount, "reason": nil, "moved_at": s.clock.Now()})
	})
}

// creditableUnderReview excludes deposits of dust only, and of another coin than the channel's: they have no known value.
func (d Deposit) creditableUnderReview() bool {
	return (d.State == AMLReview || d.State == BelowMin) && d.Amount > 0
}

// Refund is the maker's record of a refund that is sent outside of the platform; reference is its proof. Refusals: fields, ErrState, ErrChanged.
func (s *Service) Refund(ctx context.Context, by audit.Actor, id int64, version int, reference string) (Deposit, error) {
	reference = strings.TrimSpace(reference)
	if len(reference) < 4 || len(reference) > 128 || !db.IsText(reference) {
		return Deposit{}, errs.Field("bankReference", "field.length")
	}
	return s.actOnVersion(ctx, by, id, version, "deposit.refund", func(_ *db.Tx, d *Deposit) (map[string]any, error) {
		if !d.UnderReview() || d.State == Refunding || d.MakerID != nil {
			return nil, ErrState
		}
		return map[string]any{"state": Refunding, "maker_id": by.ID, "bank_reference": reference, "moved_at": s.clock.Now()}, nil
	})
}

// ConfirmRefund is the checker's confirmation of a refund. Refusals: ErrState, ErrSelf, ErrChanged.
func (s *Service) ConfirmRefund(ctx context.Context, by audit.Actor, id int64, version int) (Deposit, error) {
	return s.actOnVersion(ctx, by, id, version, "deposit.confirm_refund", func(_ *db.Tx, d *Deposit) (map[string]any, error) {
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

// RecallUnderReview cancels the maker's approval of a credit or a refund. Refusals: ErrState, ErrChanged.
func (s *Service) RecallUnderReview(ctx context.Context, by audit.Actor, id int64, version int) (Deposit, error) {
	return s.actOnVersion(ctx, by, id, version, "deposit.recall", func(_ *db.Tx, d *Deposit) (map[string]any, error) {
		if !d.UnderReview() || d.MakerID == nil || d.Reason == nil {
			return nil, ErrState
		}
		changes := map[string]any{"maker_id": nil, "bank_reference": nil}
		if d.State == Refunding {
			changes["state"], changes["moved_at"] = State(*d.Reason), s.clock.Now()
		}
		return changes, nil
	})
}
