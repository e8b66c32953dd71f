package withdrawal

import (
	"context"
	"fmt"
	"strconv"

	"gorm.io/gorm"

	"candor/app/approval"
	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/staff"
)

// A batch is released by two people, or ends without its release.

// RequestBatch asks a second person to release a batch. Refusals: ErrBatchUnknown, ErrBatchState, ErrBatchChanged, ErrBatchEmpty.
func (s *Service) RequestBatch(ctx context.Context, by audit.Actor, id int64, version int) error {
	return s.moveBatch(ctx, by, id, version, approval.InEngine, func(tx *db.Tx, b Batch) (map[string]any, error) {
		switch {
		case b.State != BatchOpen:
			return nil, ErrBatchState
		case b.Count == 0:
			return nil, ErrBatchEmpty
		}
		a, err := s.batches.RequestTx(ctx, tx, by, approval.Request{Subject: strconv.FormatInt(id, 10), Proposal: b.fields(), People: 2})
		return map[string]any{"state": BatchRequested, "approval": a.ID}, err
	})
}

// ReleaseBatch is the second person's agreement: every transfer is being sent from then on, or none is. Refusals: ErrBatchUnknown, ErrBatchState, ErrBatchPayout with
// the transfer that may not leave, those of approval.Service.ApproveTx.
func (s *Service) ReleaseBatch(ctx context.Context, by audit.Actor, b Batch) error {
	a, err := s.release(ctx, b)
	if err != nil {
		return err
	}
	_, err = s.batches.Approve(ctx, by, a.ID, a.Version, a.State, a.Facts)
	return err
}

// release reads the open request to release a batch.
func (s *Service) release(ctx context.Context, b Batch) (a approval.Approval, err error) {
	if b.State != BatchRequested || b.Approval == nil {
		return a, ErrBatchState
	}
	return s.batches.Find(ctx, *b.Approval)
}

// BatchApprovals reads the approvals of batches, by batch.
func (s *Service) BatchApprovals(ctx context.Context, list ...Batch) (map[int64]approval.Approval, error) {
	return approval.ByCase(ctx, s.batches, list, func(b Batch) *int64 { return b.Approval })
}

// DeclineBatch withdraws the person's own request, or refuses another person's: the batch is open again. Refusals: those of approval.Service.DeclineTx.
func (s *Service) DeclineBatch(ctx context.Context, by audit.Actor, b Batch, why string) error {
	a, err := s.release(ctx, b)
	if err != nil {
		return err
	}
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		_, err := s.batches.DeclineTx(ctx, tx, by, a, why)
		return err
	})
}

// releaseTx starts every transfer of a released batch.
func (s *Service) releaseTx(ctx context.Context, tx *db.Tx, by audit.Actor, a approval.Approval) error {
	b, err := lockBatchTx(tx, a.Subject)
	if err != nil {
		return err
	}
	list, err := payoutsOfTx(tx, b.ID)
	if err != nil {
		return err
	}
	for _, one := range list {
		if err := s.startTx(ctx, tx, by, one.ID, b.AccountID); err != nil {
			return err
		}
	}
	return saveBatchTx(tx, b, map[string]any{"state": BatchReleased, "released_at": s.clock.Now()})
}

// startTx starts one transfer of a batch. A refusal names it.
func (s *Service) startTx(ctx context.Context, tx *db.Tx, by audit.Actor, id int64, from int) error {
	err := s.moveMemberTx(ctx, tx, by, id, "withdrawal.begin", func(w *Withdrawal) (map[string]any, error) {
		if w.State != Queued {
			return nil, ErrState
		}
		columns, err := s.beginTx(ctx, tx, *w, from)
		if err != nil {
			return nil, err
		}
		return staff.Released(columns), nil
	})
	if refusal := errs.As(err); refusal != nil {
		return ErrBatchPayout.With("number", Withdrawal{ID: id}.Number())
	}
	return err
}

// moveMemberTx changes one transfer of a batch and writes its audit entry.
func (s *Service) moveMemberTx(ctx context.Context, tx *db.Tx, by audit.Actor, id int64, action string, decide func(*Withdrawal) (map[string]any, error)) error {
	before := ""
	w, err := s.moveTx(ctx, tx, id, 0, func(w *Withdrawal) (map[string]any, error) {
		before = summary(*w)
		if err := conflictTx(ctx, tx, by, w.TraderID, action); err != nil {
			return nil, err
		}
		return decide(w)
	})
	if err != nil {
		return err
	}
	entry := audit.By(by, s.clock.Now(), action, "withdrawal", id)
	entry.Before, entry.After = before, summary(w)
	return audit.RecordTx(ctx, tx, entry)
}

// reopenTx opens a batch again whose release was refused, withdrawn or has expired. While another batch of the account is open, it is cancelled instead.
func (s *Service) reopenTx(ctx context.Context, tx *db.Tx, by audit.Actor, a approval.Approval) error {
	b, err := lockBatchTx(tx, a.Subject)
	if err != nil {
		return err
	}
	var other int64
	if err := tx.Rows.Model(&Batch{}).Where("account_id = ? AND state = 'open'", b.AccountID).Count(&other).Error; err != nil {
		return err
	}
	if other > 0 {
		return s.cancelTx(ctx, tx, by, b)
	}
	return saveBatchTx(tx, b, map[string]any{"state": BatchOpen, "approval": nil})
}

// cancelTx ends a batch that was not released; its transfers wait for another way.
func (s *Service) cancelTx(ctx context.Context, tx *db.Tx, by audit.Actor, b Batch) error {
	list, err := payoutsOfTx(tx, b.ID)
	if err != nil {
		return err
	}
	for _, w := range list {
		before := summary(w)
		w, err := s.moveTx(ctx, tx, w.ID, 0, func(*Withdrawal) (map[string]any, error) { return map[string]any{"batch_id": nil}, nil })
		if err != nil {
			return err
		}
		entry := audit.By(by, s.clock.Now(), "withdrawal.take_from_batch", "withdrawal", w.ID)
		entry.Before, entry.After = before, summary(w)
		if err := audit.RecordTx(ctx, tx, entry); err != nil {
			return err
		}
	}
	if err := saveBatchTx(tx, b, map[string]any{"state": BatchCancelled, "ended_at": s.clock.Now(), "count": 0, "total": 0, "approval": nil}); err != nil {
		return err
	}
	return audit.RecordTx(ctx, tx, audit.By(by, s.clock.Now(), "withdrawal.cancel_batch", "payout_batch", b.ID))
}

// endBatchTx completes the batch of a transfer that has ended, if it was the last one: lines of the bank's statement may have proved them one by one.
func (s *Service) endBatchTx(ctx context.Context, tx *db.Tx, w Withdrawal) error {
	if w.BatchID == nil || !w.Ended() {
		return nil
	}
	now := s.clock.Now()
	done := tx.Rows.Model(&Batch{}).Where("id = ? AND state = 'sent' AND NOT EXISTS (SELECT 1 FROM withdrawals w WHERE w.batch_id = payout_batches.id AND w.ended_at IS NULL)", *w.BatchID).
		Updates(map[string]any{"state": BatchCompleted, "ended_at": now, "version": gorm.Expr("version + 1")})
	if done.Error != nil {
		return fmt.Errorf("end batch %d: %w", *w.BatchID, done.Error)
	}
	if done.RowsAffected == 0 {
		return nil
	}
	return audit.RecordTx(ctx, tx, audit.By(audit.Actor{Kind: audit.System, Name: "completion"}, now, "withdrawal.complete_batch", "payout_batch", *w.BatchID))
}

// CancelBatch cancels an open batch. Refusals: ErrBatchUnknown, ErrBatchState, ErrBatchChanged.
func (s *Service) CancelBatch(ctx context.Context, by audit.Actor, id int64, version int) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		b, err := lockBatchTx(tx, id)
		switch {
		case err != nil:
			return err
		case b.Version != version:
			return ErrBatchChanged
		case b.State != BatchOpen:
			return ErrBatchState
		}
		return s.cancelTx(ctx, tx, by, b)
	})
}
