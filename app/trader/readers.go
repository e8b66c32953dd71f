package trader

import (
	"context"
	"fmt"

	"candor/app/notice"
	"candor/app/platform/db"
)

// Readers describes traders as readers of published content. It is a notice.Readers.
type Readers struct{ DB *db.DB }

// Reader describes a trader; an unknown one is the zero value.
func (r Readers) Reader(ctx context.Context, traderID int64) (notice.Reader, error) {
	var t Trader
	if err := r.DB.Rows(ctx).Select("auth_status", "created_at", "accepted_at").Where("id = ?", traderID).Limit(1).Find(&t).Error; err != nil {
		return notice.Reader{}, fmt.Errorf("read trader %d as a reader: %w", traderID, err)
	}
	return notice.Reader{Verified: t.AuthStatus == AuthPassed, Since: t.CreatedAt, AcceptedAt: t.AcceptedAt}, nil
}
