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

// Count counts the registered traders of these countries and languages, none meaning all, and of them only those with a verified identity where asked, at most
// limit: what it reads is bounded where many match.
func (r Readers) Count(ctx context.Context, countries, languages []string, verified bool, limit int) (n int64, err error) {
	err = r.DB.Pool.QueryRow(ctx, `
		SELECT count(*) FROM (
			SELECT 1 FROM traders WHERE NOT guest AND (coalesce(cardinality($1::text[]), 0) = 0 OR country = ANY ($1)) AND (coalesce(cardinality($2::text[]), 0) = 0 OR language = ANY ($2))
			AND (NOT $3 OR auth_status = $4) LIMIT $5
		) found`, countries, languages, verified, AuthPassed, limit).Scan(&n)
	if err != nil {
		return 0, fmt.Errorf("count readers: %w", err)
	}
	return n, nil
}
