package trader

import (
	"context"
	"fmt"

	"candor/app/platform/db"
	"candor/app/platform/errs"
)

// ErrOwn is returned to staff who would decide about themselves, or about somebody they introduced.
var ErrOwn = errs.New(errs.Forbidden, "trader.own")

// NotOwn refuses a member of staff who is the trader, or who introduced them. The database holds to it too, wherever it is written down who decided.
func NotOwn(ctx context.Context, q db.Querier, staffID, traderID int64) error {
	var own bool
	if err := q.QueryRow(ctx, `SELECT staff_own($1, $2)`, staffID, traderID).Scan(&own); err != nil {
		return fmt.Errorf("ask whether %d decides about their own trader %d: %w", staffID, traderID, err)
	}
	if own {
		return ErrOwn
	}
	return nil
}
