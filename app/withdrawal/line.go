package withdrawal

import (
	"context"
	"fmt"
	"time"

	"candor/app/audit"
	"candor/app/ledger"
	"candor/app/platform/db"
	"candor/app/staff"
)

// ForDebit lists the bank withdrawals that a debit of an amount from a bank account may belong to: those that staff have sent from it since a moment; one with
// the debit's bank reference comes first.
func (s *Service) ForDebit(ctx context.Context, from int, amount int64, bankReference string, since time.Time, limit int) (list []Withdrawal, err error) {
	err = s.db.Rows(ctx).Raw(`
		SELECT * FROM withdrawals WHERE bank_account_id = ? AND kind = 'bank' AND provider = '' AND state IN ('sent', 'completed') AND amount - fee = ? AND sent_at > ?
		ORDER BY reference_key(payment) = ? DESC, sent_at DESC LIMIT ?`, from, amount, since, ledger.ReferenceKey(bankReference), limit).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("look for the withdrawal of a debit: %w", err)
	}
	return list, nil
}

// CompleteFromLineTx completes a sent withdrawal whose debit is on an imported bank statement, in the caller's transaction; a completed one stays as it is.
// Refusals: ErrUnknown, ErrState, those of the conflict of interest.
func (s *Service) CompleteFromLineTx(ctx context.Context, tx *db.Tx, by audit.Actor, id int64) (w Withdrawal, err error) {
	if err = tx.Rows.Where("id = ?", id).Limit(1).Find(&w).Error; err != nil {
		return w, err
	}
	if w.ID == 0 {
		return w, ErrUnknown
	}
	if err := conflictTx(ctx, tx, by, w.TraderID, "withdrawal.complete"); err != nil {
		return w, err
	}
	ended := false
	w, err = s.moveTx(ctx, tx, id, 0, func(w *Withdrawal) (map[string]any, error) {
		switch w.State {
		case Completed:
			ended = true
			return map[string]any{}, nil
		case Sent:
			return staff.Released(map[string]any{"state": Completed, "ended_at": s.clock.Now()}), nil
		}
		return nil, ErrState
	})
	if err != nil || ended {
		return w, err
	}
	return w, audit.RecordTx(ctx, tx, audit.By(by, s.clock.Now(), "withdrawal.complete", "withdrawal", id))
}
