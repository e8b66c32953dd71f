package trader

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"candor/app/notice"
	"candor/app/platform/db"
)

// Readers describes traders as readers of published content. It is a notice.Readers.
type Readers struct{ DB *db.DB }

// Reader describes a trader; an unknown one is the zero value.
func (r Readers) Reader(ctx context.Context, traderID int64) (reader notice.Reader, err error) {
	var accepted *time.Time // nil for a guest
	err = r.DB.Pool.QueryRow(ctx, `SELECT auth_status = $2, created_at, accepted_at FROM traders WHERE id = $1`, traderID, AuthPassed).Scan(&reader.Verified, &reader.Since, &accepted)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return notice.Reader{}, fmt.Errorf("read trader %d as a reader: %w", traderID, err)
	}
	if accepted != nil {
		reader.AcceptedAt = *accepted
	}
	return reader, nil
}
