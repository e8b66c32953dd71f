package invitation

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"

	"candor/app/ledger"
	"candor/app/platform/db"
)

// The follower of fills: how many of a batch, and how often it looks.
const (
	batchSize = 200
	pace      = 2 * time.Second
)

// Follow sets the rebates of fills aside as they commit, until ctx ends. Every server runs it: the cursor's lock lets one at a time write.
func (s *Service) Follow(ctx context.Context) error {
	for {
		behind, err := s.Accrue(ctx)
		if err != nil && ctx.Err() == nil {
			slog.ErrorContext(ctx, "rebates wait", "error", err)
		}
		if behind {
			continue
		}
		select {
		case <-time.After(pace):
		case <-ctx.Done():
			return nil
		}
	}
}

// Accrue sets the rebates of the next fills aside and moves the cursor behind them, in one transaction. It reports whether later fills are committed already.
// The first call ever only sets the cursor.
func (s *Service) Accrue(ctx context.Context) (behind bool, err error) {
	ctx = db.WithLane(ctx, db.House)
	behind, err = s.accrueNext(ctx)
	if !errors.Is(err, errTermsUnread) {
		return behind, err
	}
	if err := s.Products.ReloadTerms(ctx); err != nil {
		return false, err
	}
	return s.accrueNext(ctx)
}

func (s *Service) accrueNext(ctx context.Context) (behind bool, err error) {
	err = s.DB.InTx(ctx, func(tx *db.Tx) error {
		behind = false
		cursor, began, err := lockCursorTx(ctx, tx)
		if err != nil || began {
			return err
		}
		until, found, err := nextSpanTx(ctx, tx, cursor)
		if err != nil || !found {
			return err
		}
		fills, err := fillsTx(ctx, tx, cursor, until)
		if err != nil {
			return err
		}
		if err := s.setAsideTx(ctx, tx, fills); err != nil {
			return err
		}
		behind = true
		_, err = tx.Conn.Exec(ctx, `UPDATE rebate_cursor SET xid = $1`, until)
		return err
	})
	return behind && err == nil, err
}

func lockCursorTx(ctx context.Context, tx *db.Tx) (xid uint64, began bool, err error) {
	err = tx.Conn.QueryRow(ctx, `SELECT xid FROM rebate_cursor FOR UPDATE`).Scan(&xid)
	if !errors.Is(err, pgx.ErrNoRows) {
		return xid, false, err
	}
	_, err = tx.Conn.Exec(ctx, `INSERT INTO rebate_cursor (xid) SELECT (pg_snapshot_xmin(pg_current_snapshot())::text::bigint - 1)::text::xid8 ON CONFLICT DO NOTHING`)
	return 0, true, err
}

// nextSpanTx finds the transactions after the cursor that a batch covers, up to the one before the oldest that still runs: later ones may still get fills.
func nextSpanTx(ctx context.Context, tx *db.Tx, cursor uint64) (until uint64, found bool, err error) {
	var horizon, end uint64
	err = tx.Conn.QueryRow(ctx, `
		SELECT horizon, least(horizon, (SELECT xid FROM fills WHERE xid > $1 ORDER BY xid, id OFFSET $2 LIMIT 1)) FROM pg_snapshot_xmin(pg_current_snapshot()) horizon`,
		cursor, batchSize-1).Scan(&horizon, &end)
	if err != nil {
		return 0, false, fmt.Errorf("find the next fills: %w", err)
	}
	until = min(end, horizon-1)
	err = tx.Conn.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM fills WHERE xid > $1 AND xid <= $2)`, cursor, until).Scan(&found)
	return until, found, err
}

// fillsTx reads the fills of invited traders, with real money, whose invitation counts. A fill that took from a bonus is left out: credit becomes nobody's money.
// So is one whose inviter's account is closing or closed: a rebate would be money in an account that must be empty to close.
func fillsTx(ctx context.Context, tx *db.Tx, after, until uint64) ([]filled, error) {
	rows, err := tx.Conn.Query(ctx, `
		SELECT f.id, t.invited_by, t.id, f.product_id, f.terms, f.side, f.rule, f.lots, f.commission, f.conversion_product, q.bid + q.ask, f.conversion_inverse, f.created_at, i.type
		FROM fills f JOIN accounts a ON a.id = f.account_id AND a.book = 'real' JOIN traders t ON t.id = a.trader_id AND t.invited_by IS NOT NULL JOIN traders i ON i.id = t.invited_by AND i.closes_at IS NULL
		LEFT JOIN tape_quotes q ON q.product_id = f.conversion_product AND q.seq = f.conversion_seq
		WHERE f.xid > $1 AND f.xid <= $2 AND NOT EXISTS (SELECT 1 FROM void_invitations v WHERE v.invited_id = t.id)
		AND NOT EXISTS (SELECT 1 FROM postings p WHERE p.transaction_id = f.transaction_id AND p.account_id = f.account_id AND p.bucket = 'bonus') ORDER BY f.xid, f.id`, after, until)
	if err != nil {
		return nil, fmt.Errorf("read the fills of invited traders: %w", err)
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (f filled, err error) {
		return f, row.Scan(&f.ID, &f.InviterID, &f.InvitedID, &f.ProductID, &f.Terms, &f.Side, &f.Rule, &f.Lots, &f.Commission, &f.ConversionID, &f.Double, &f.Inverse, &f.At, &f.InviterType)
	})
}

// earned is a fill's rebate.
type earned struct {
	filled
	Costs
	RatioBps int
	Amount   int64
}

// setAsideTx sets the rebates of fills aside. A fill whose costs are too small for the smallest unit has none.
func (s *Service) setAsideTx(ctx context.Context, tx *db.Tx, fills []filled) error {
	list, err := s.earnedTx(ctx, tx, fills)
	if err != nil || len(list) == 0 {
		return err
	}
	ids, err := ledger.NumbersTx(ctx, tx, len(list))
	if err != nil {
		return err
	}
	posts := make([]ledger.Posted, len(list))
	var batch pgx.Batch
	for i, e := range list {
		posts[i] = ledger.Posted{ID: ids[i], Transaction: ledger.Transaction{
			Kind: "rebate_set_aside", Key: fmt.Sprint("rebate:fill:", e.ID), Cause: fmt.Sprint("fill:", e.ID), Book: ledger.Real, At: e.At, Entries: ledger.SetAsideRebate(e.Amount),
		}}
	}
	if err := ledger.QueuePosts(&batch, posts); err != nil {
		return err
	}
	for i, e := range list {
		batch.Queue(`INSERT INTO rebates (fill_id, inviter_id, invited_id, commission, markup, ratio_bps, amount, transaction_id, filled_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
			e.ID, e.InviterID, e.InvitedID, e.Costs.Commission, e.Markup, e.RatioBps, e.Amount, ids[i], e.At)
	}
	if err := tx.Conn.SendBatch(ctx, &batch).Close(); err != nil {
		return fmt.Errorf("set %d rebates aside: %w", len(list), err)
	}
	return nil
}

// earnedTx computes the rebates of fills that have one.
func (s *Service) earnedTx(ctx context.Context, tx *db.Tx, fills []filled) (list []earned, err error) {
	ratios := map[int64]int{}
	for _, f := range fills {
		ratio, known := ratios[f.InviterID]
		if !known {
			if ratio, err = s.ratioTx(ctx, tx, f.InviterID, f.InviterType); err != nil {
				return nil, err
			}
			ratios[f.InviterID] = ratio
		}
		costs, err := f.costs(s.Products)
		if err != nil {
			return nil, fmt.Errorf("the costs of fill %d: %w", f.ID, err)
		}
		amount, err := costs.Rebate(ratio)
		if err != nil {
			return nil, fmt.Errorf("the rebate of fill %d: %w", f.ID, err)
		}
		if amount > 0 {
			list = append(list, earned{f, costs, ratio, amount})
		}
	}
	return list, nil
}
