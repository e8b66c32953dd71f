package adjustment

import (
	"context"
	"fmt"
	"time"

	"candor/app/platform/db"
)

// Search is the list filter. Empty fields do not filter.
type Search struct {
	State    State // empty for all undecided ones
	TraderID int64
	Reason   string
}

// List reads adjustments after an id, 0 for the start: the undecided ones, the longest waiting first, or with a state those in it, newest first.
func (s *Service) List(ctx context.Context, q Search, after int64, limit int) (list []Adjustment, err error) {
	rows := s.db.Rows(ctx).Where("decided_at IS NULL AND id > ?", after).Order("id")
	if q.State != "" {
		rows = s.db.Rows(ctx).Where("state = ? AND (?::bigint = 0 OR id < ?)", q.State, after, after).Order("id DESC")
	}
	if q.TraderID != 0 {
		rows = rows.Where("trader_id = ?", q.TraderID)
	}
	if q.Reason != "" {
		rows = rows.Where("reason = ?", q.Reason)
	}
	if err := rows.Limit(limit).Find(&list).Error; err != nil {
		return nil, fmt.Errorf("list adjustments: %w", err)
	}
	return list, nil
}

// Read reads one adjustment. Refusal: ErrUnknown.
func (s *Service) Read(ctx context.Context, id int64) (Adjustment, error) {
	return readTx(s.db.Rows(ctx), id, "")
}

// CountWaiting counts undecided adjustments, at most db.Stretch, and returns when the oldest began to wait.
func (s *Service) CountWaiting(ctx context.Context) (n int64, oldest time.Time, err error) {
	var since *time.Time
	err = s.db.Pool.QueryRow(ctx, `
		SELECT count(*), min(created_at) FROM (SELECT created_at FROM adjustments WHERE decided_at IS NULL ORDER BY id LIMIT $1) first`, db.Stretch).Scan(&n, &since)
	if since != nil {
		oldest = *since
	}
	return n, oldest, err
}

// Reasons reads the reasons of an account's adjustments by their ids; those of other accounts are left out.
func (s *Service) Reasons(ctx context.Context, accountID int64, ids []int64) (map[int64]string, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	var list []Adjustment
	if err := s.db.Rows(ctx).Select("id", "reason").Where("account_id = ? AND id IN ?", accountID, ids).Find(&list).Error; err != nil {
		return nil, fmt.Errorf("read why an account was adjusted: %w", err)
	}
	reasons := make(map[int64]string, len(list))
	for _, a := range list {
		reasons[a.ID] = a.Reason
	}
	return reasons, nil
}
