package deposit

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"candor/app/platform/db"
)

// Filter says which page of a trader's deposits is meant.
type Filter struct {
	Before int64 // keyset: deposits with a smaller id
	Offset int   // for numbered pages
	Limit  int
}

func (f Filter) list(traderID int64) db.List {
	l := db.List{Columns: "*", Table: "deposits", Order: "id DESC", Offset: f.Offset, Limit: f.Limit}
	l.Rows("trader_id = ?", traderID)
	l.RowsIf(f.Before != 0, "id < ?", f.Before)
	return l
}

// List reads a trader's deposits, newest first, and the deposit behind which the next page begins: 0 after the last.
func (s *Service) List(ctx context.Context, traderID int64, f Filter) (list []Deposit, next int64, err error) {
	return db.Read(ctx, s.db.Pool, f.list(traderID), pgx.RowToStructByName[Deposit], func(d Deposit) int64 { return d.ID })
}

// Count counts a trader's last db.Stretch deposits; more tells that there are older ones.
func (s *Service) Count(ctx context.Context, traderID int64) (total int, more bool, err error) {
	return db.Count(ctx, s.db.Pool, Filter{}.list(traderID))
}

// Queue lists what waits for the desk, the longest waiting first, after a keyset cursor (zero for the start), at most limit.
func (s *Service) Queue(ctx context.Context, afterProof time.Time, afterID int64, limit int) ([]Deposit, error) {
	return s.QueueOf(ctx, "", afterProof, afterID, limit)
}

// QueueOf is Queue for one way that deposits come, or for all.
func (s *Service) QueueOf(ctx context.Context, kind Kind, afterProof time.Time, afterID int64, limit int) (list []Deposit, err error) {
	return list, s.db.Rows(ctx).Where("(? = '' OR kind = ?)", kind, kind).
		Where("(state IN ('proof_submitted', 'in_review', 'approved', 'more_info', 'provider_unknown', 'appeal', 'aml_hold', 'below_min', 'wrong_asset', 'refunding') OR gone_at IS NOT NULL AND reversal_id IS NULL)").
		Where("(proof_at, id) > (?, ?)", afterProof, afterID).
		Order("proof_at, id").Limit(limit).Find(&list).Error
}

// Waiting counts what waits for a decision, to db.Stretch at most, and tells since when the first of it does.
func (s *Service) Waiting(ctx context.Context) (n int64, oldest time.Time, err error) {
	var since *time.Time
	err = s.db.Pool.QueryRow(ctx, `
		SELECT count(*), min(proof_at) FROM (
			SELECT proof_at FROM deposits
			WHERE state IN ('proof_submitted', 'in_review', 'approved', 'provider_unknown', 'appeal', 'aml_hold', 'below_min', 'wrong_asset', 'refunding')
				OR gone_at IS NOT NULL AND reversal_id IS NULL
			ORDER BY proof_at, id LIMIT $1) first`, db.Stretch).Scan(&n, &since)
	if since != nil {
		oldest = *since
	}
	return n, oldest, err
}

// Kinds lists the ways that there are channels for, in the order of the channels.
func (s *Service) Kinds(ctx context.Context) (list []Kind, err error) {
	return list, s.db.Rows(ctx).Raw(`SELECT kind FROM pay_channels GROUP BY kind ORDER BY min(sort), kind LIMIT 10`).Scan(&list).Error
}
