package invitation

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"candor/app/ledger"
	"candor/app/platform/db"
	"candor/app/platform/money"
	"candor/app/trader"
)

// refund is a refund of a fill's costs, whose part of the rebate is not taken back yet.
type refund struct {
	AdjustmentID, FillID, InviterID int64
	Refunded                        int64 // 10^-6 USDT
	Left                            int64 // of the rebate
	RatioBps                        int
	Paid                            bool
}

// Reverse takes back the rebates of refunded fills: the same part of the refund as of the costs, at most what is left. It returns how many refunds it handled.
func (s *Service) Reverse(ctx context.Context) (int, error) {
	rows, err := s.DB.Pool.Query(ctx, `
		SELECT a.id, r.fill_id, r.inviter_id, a.amount, r.amount - r.reversed, r.ratio_bps, r.payment_id IS NOT NULL
		FROM adjustments a JOIN rebates r ON r.fill_id = a.case_id
		WHERE a.case_kind = 'fill' AND a.reason = 'fee_refund' AND a.amount > 0 AND NOT EXISTS (SELECT 1 FROM rebate_reversals v WHERE v.adjustment_id = a.id) ORDER BY a.id LIMIT 1000`)
	if err != nil {
		return 0, fmt.Errorf("look for refunds of fills: %w", err)
	}
	refunds, err := pgx.CollectRows(rows, pgx.RowToStructByPos[refund])
	if err != nil {
		return 0, fmt.Errorf("look for refunds of fills: %w", err)
	}
	for i, r := range refunds {
		if err := s.reverse(ctx, r); err != nil {
			return i, fmt.Errorf("take back the rebate of fill %d: %w", r.FillID, err)
		}
	}
	return len(refunds), nil
}

func (s *Service) reverse(ctx context.Context, r refund) error {
	part, err := money.MulDiv(r.Refunded, int64(r.RatioBps), 10_000, money.Up)
	if err != nil {
		return err
	}
	amount := min(part, r.Left)
	if amount == 0 {
		return nil
	}
	return s.DB.InTx(ctx, func(tx *db.Tx) error {
		entries := ledger.SetAsideRebate(-amount)
		now := s.Clock.Now()
		if r.Paid {
			account, err := s.lockAccountTx(ctx, tx, r.InviterID, now)
			if err != nil {
				return err
			}
			entries = account.TakeBackRebate(amount)
			tx.AfterCommit(func() { s.Changed(account.ID) })
		}
		id, err := ledger.PostTx(ctx, tx, ledger.Transaction{
			Kind: "rebate_reversed", Key: fmt.Sprint("rebate_reversed:", r.AdjustmentID), Cause: fmt.Sprint("adjustment:", r.AdjustmentID), Book: ledger.Real, At: now, Entries: entries,
		})
		if err != nil {
			return err
		}
		_, err = tx.Conn.Exec(ctx, `INSERT INTO rebate_reversals (adjustment_id, fill_id, amount, transaction_id, reversed_at) VALUES ($1, $2, $3, $4, $5)`, r.AdjustmentID, r.FillID, amount, id, now)
		if err != nil {
			return err
		}
		// The payment and the part that is left are as they were read, or the whole is tried again.
		tag, err := tx.Conn.Exec(ctx, `UPDATE rebates SET reversed = reversed + $2 WHERE fill_id = $1 AND amount - reversed = $3 AND (payment_id IS NOT NULL) = $4`, r.FillID, amount, r.Left, r.Paid)
		if err == nil && tag.RowsAffected() != 1 {
			err = db.ErrChanged
		}
		return err
	})
}

func (s *Service) lockAccountTx(ctx context.Context, tx *db.Tx, traderID int64, now time.Time) (ledger.Account, error) {
	account, err := ledger.OpenTx(ctx, tx, traderID, ledger.Real, trader.Ordinary, now)
	if err != nil {
		return account, err
	}
	return ledger.LockTx(ctx, tx, account.ID)
}

// voidRelated voids the invitations of an inviter by which a trader earns on themselves: what is set aside and not paid goes back to the fees.
func (s *Service) voidRelated(ctx context.Context, inviterID int64) error {
	rows, err := s.DB.Pool.Query(ctx, `SELECT DISTINCT invited_id FROM rebates WHERE inviter_id = $1 AND payment_id IS NULL AND reversed < amount ORDER BY 1`, inviterID)
	if err != nil {
		return fmt.Errorf("list whom %d invited: %w", inviterID, err)
	}
	invited, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	if err != nil {
		return fmt.Errorf("list whom %d invited: %w", inviterID, err)
	}
	for _, id := range invited {
		reason, err := s.Related(ctx, s.DB.Pool, inviterID, id)
		if err != nil {
			return err
		}
		if reason == "" {
			continue
		}
		if err := s.DB.InTx(ctx, func(tx *db.Tx) error { return s.voidTx(ctx, tx, inviterID, id, reason) }); err != nil {
			return fmt.Errorf("void the invitation of %d: %w", id, err)
		}
	}
	return nil
}

func (s *Service) voidTx(ctx context.Context, tx *db.Tx, inviterID, invitedID int64, reason Reason) error {
	now := s.Clock.Now()
	if _, err := s.lockAccountTx(ctx, tx, inviterID, now); err != nil { // no payment runs meanwhile
		return err
	}
	tag, err := tx.Conn.Exec(ctx, `INSERT INTO void_invitations (invited_id, inviter_id, reason, voided_at) VALUES ($1, $2, $3::text, $4) ON CONFLICT DO NOTHING`, invitedID, inviterID, reason, now)
	if err != nil || tag.RowsAffected() == 0 {
		return err
	}
	var amount int64
	err = tx.Conn.QueryRow(ctx, `
		WITH back AS (SELECT fill_id, amount - reversed AS left_over FROM rebates WHERE inviter_id = $1 AND invited_id = $2 AND payment_id IS NULL AND reversed < amount FOR UPDATE),
		     moved AS (UPDATE rebates r SET reversed = r.amount FROM back WHERE back.fill_id = r.fill_id)
		SELECT coalesce(sum(left_over), 0)::bigint FROM back`, inviterID, invitedID).Scan(&amount)
	if err != nil || amount == 0 {
		return err
	}
	_, err = ledger.PostTx(ctx, tx, ledger.Transaction{
		Kind: "rebate_reversed", Key: fmt.Sprint("rebate_void:", invitedID), Cause: fmt.Sprint("trader:", invitedID), Book: ledger.Real, At: now, Entries: ledger.SetAsideRebate(-amount),
	})
	return err
}
