package session

import (
	"context"
	"fmt"

	"candor/app/platform/db"
)

// ShareDevice reports whether two traders have ever logged in from one device.
func ShareDevice(ctx context.Context, q db.Querier, one, other int64) (shared bool, err error) {
	err = q.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM devices a JOIN devices b ON b.fingerprint = a.fingerprint WHERE a.trader_id = $1 AND b.trader_id = $2)`, one, other).Scan(&shared)
	if err != nil {
		return false, fmt.Errorf("compare the devices of %d and %d: %w", one, other, err)
	}
	return shared, nil
}
