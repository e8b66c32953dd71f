package invitation

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"candor/app/ledger"
	"candor/app/platform/db"
	"candor/app/platform/money"
	"candor/app/trader"
)

// Pay pays what the days before today (UTC) have set aside, once for each inviter and day, and returns the number of payments. First it takes back what refunds
// have reversed, and voids invitations by which a trader earns on themselves. A closed account is paid nothing.
func (s *Service) Pay(ctx context.Context) (paid int, err error) {
	if _, err := s.Reverse(ctx); err != nil {
		return 0, err
	}
	today := s.Clock.Now().UTC().Truncate(24 * time.Hour)
	rows, err := s.DB.Pool.Query(ctx, `
		SELECT DISTINCT r.inviter_id FROM rebates r JOIN traders t ON t.id = r.inviter_id
		WHERE r.payment_id IS NULL AND r.reversed < r.amount AND r.filled_at < $1 AND t.closed_at IS NULL ORDER BY 1`, today)
	if err != nil {
		return 0, fmt.Errorf("look for rebates to pay: %w", err)
	}
	inviters, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	if err != nil {
		return 0, fmt.Errorf("look for rebates to pay: %w", err)
	}
	for _, id := range inviters {
		if err := s.voidRelated(ctx, id); err != nil {
			return paid, err
		}
		done, err := s.payOne(ctx, id, today)
		if err != nil {
			return paid, fmt.Errorf("pay the rebates of trader %d: %w", id, err)
		}
		if done {
			paid++
		}
	}
	return paid, nil
}

// payOne pays one inviter; false when there is nothing left to pay, or another server has paid.
func (s *Service) payOne(ctx context.Context, inviterID int64, today time.Time) (done bool, err error) {
	err = s.DB.InTx(ctx, func(tx *db.Tx) error {
		done = false
		now := s.Clock.Now()
		account, err := s.lockAccountTx(ctx, tx, inviterID, now)
		if err != nil {
			return err
		}
		var amount, fills int64
		err = tx.Conn.QueryRow(ctx, `SELECT coalesce(sum(amount - reversed), 0), count(*) FROM rebates WHERE inviter_id = $1 AND payment_id IS NULL AND reversed < amount AND filled_at < $2`,
			inviterID, today).Scan(&amount, &fills)
		if err != nil || amount == 0 {
			return err
		}
		day := today.AddDate(0, 0, -1)
		entries := account.Rebate(amount)
		id, err := ledger.PostTx(ctx, tx, ledger.Transaction{
			Kind: "rebate", Key: fmt.Sprintf("rebate:%d:%s", inviterID, day.Format(time.DateOnly)), Cause: fmt.Sprint("rebates:", day.Format(time.DateOnly)), Book: ledger.Real, At: now, Entries: entries,
		})
		if errors.Is(err, ledger.ErrPosted) {
			return nil
		}
		if err != nil {
			return err
		}
		var paymentID int64
		err = tx.Conn.QueryRow(ctx, `INSERT INTO rebate_payments (inviter_id, day, amount, fills, transaction_id, paid_at) VALUES ($1, $2, $3, $4, $5, $6) RETURNING id`,
			inviterID, day, amount, fills, id, now).Scan(&paymentID)
		if err != nil {
			return err
		}
		_, err = tx.Conn.Exec(ctx, `UPDATE rebates SET payment_id = $3 WHERE inviter_id = $1 AND payment_id IS NULL AND reversed < amount AND filled_at < $2`, inviterID, today, paymentID)
		if err != nil {
			return err
		}
		done = true
		tx.AfterCommit(func() { s.Changed(account.ID) })
		return s.Messenger.SendTx(ctx, tx, trader.Message{
			TraderID: inviterID, Category: trader.ChargeMessages, Key: "message.rebate_paid", Cause: fmt.Sprint("rebate_payment:", paymentID),
			Words: func(func(string) string) map[string]any {
				return map[string]any{"amount": money.Trim(amount, money.Scale) + " " + ledger.Currency, "day": day.Format(time.DateOnly)}
			},
		})
	})
	return done, err
}
