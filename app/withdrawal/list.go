package withdrawal

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"candor/app/platform/db"
)

// Filter selects a page of a trader's withdrawals.
type Filter struct {
	Before int64 // keyset: withdrawals with a smaller id
	Offset int   // for numbered pages
	Limit  int
}

func (f Filter) list(traderID int64) db.List {
	l := db.List{Columns: db.Columns[Withdrawal](), Table: "withdrawals", Order: "id DESC", Offset: f.Offset, Limit: f.Limit}
	l.Rows("trader_id = ?", traderID)
	l.RowsIf(f.Before != 0, "id < ?", f.Before)
	return l
}

// List reads a trader's withdrawals, newest first, and the id after which the next page begins: 0 after the last page.
func (s *Service) List(ctx context.Context, traderID int64, f Filter) (list []Withdrawal, next int64, err error) {
	return db.Read(ctx, s.db.Pool, f.list(traderID), pgx.RowToStructByName[Withdrawal], func(w Withdrawal) int64 { return w.ID })
}

// Count counts a trader's last db.Stretch withdrawals; more reports whether there are older ones.
func (s *Service) Count(ctx context.Context, traderID int64) (total int, more bool, err error) {
	return db.Count(ctx, s.db.Pool, Filter{}.list(traderID))
}

// Read reads one withdrawal, for staff. Refusal: ErrUnknown.
func (s *Service) Read(ctx context.Context, id int64) (w Withdrawal, err error) {
	if err = s.db.Rows(ctx).Where("id = ?", id).Limit(1).Find(&w).Error; err != nil {
		return w, fmt.Errorf("read withdrawal %d: %w", id, err)
	}
	if w.ID == 0 {
		return w, ErrUnknown
	}
	return w, nil
}

// UnderWay is the money that has left accounts and is not paid out yet, according to the withdrawals; the ledger must give the same sum. It sums the db.Stretch
// longest waiting withdrawals; more reports whether there are others.
func (s *Service) UnderWay(ctx context.Context) (amount int64, more bool, err error) {
	err = s.db.Pool.QueryRow(ctx, `
		SELECT coalesce(sum(amount) FILTER (WHERE row_number <= $1), 0), count(*) > $1 FROM (
			SELECT amount, row_number() OVER (ORDER BY created_at, id) FROM withdrawals WHERE sent_id IS NULL AND back_id IS NULL ORDER BY created_at, id LIMIT $1 + 1) first`,
		db.Stretch).Scan(&amount, &more)
	return amount, more, err
}

// UnderWayFrom is the money that has left a trader's account by withdrawals that are neither sent nor refunded.
func (s *Service) UnderWayFrom(ctx context.Context, traderID, accountID int64) (amount int64, err error) {
	err = s.db.Pool.QueryRow(ctx, `
		SELECT coalesce(sum(amount), 0) FROM withdrawals WHERE trader_id = $1 AND account_id = $2 AND ended_at IS NULL AND sent_id IS NULL AND back_id IS NULL`,
		traderID, accountID).Scan(&amount)
	if err != nil {
		return 0, fmt.Errorf("sum up what is under way from account %d: %w", accountID, err)
	}
	return amount, nil
}

// HasOpen reports whether a withdrawal of the trader has not ended.
func HasOpen(ctx context.Context, q db.Querier, traderID int64) (has bool, err error) {
	if err = q.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM withdrawals WHERE trader_id = $1 AND ended_at IS NULL)`, traderID).Scan(&has); err != nil {
		return false, fmt.Errorf("look for open withdrawals of trader %d: %w", traderID, err)
	}
	return has, nil
}
