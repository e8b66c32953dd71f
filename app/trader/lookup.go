package trader

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm/clause"

	"candor/app/ledger"
	"candor/app/platform/db"
)

// Exists reports whether there is such a trader.
func Exists(ctx context.Context, q db.Querier, traderID int64) (found bool, err error) {
	if err = q.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM traders WHERE id = $1)`, traderID).Scan(&found); err != nil {
		return false, fmt.Errorf("look for trader %d: %w", traderID, err)
	}
	return found, nil
}

// LockRowTx locks a trader's row until the transaction ends: work that counts what a trader has is done by one caller at a time.
func LockRowTx(tx *db.Tx, traderID int64) error {
	_, err := lockRowTx(tx, noKeyUpdate, traderID)
	return err
}

// noKeyUpdate is a lock that lets new rows refer to the trader.
const noKeyUpdate = "NO KEY UPDATE"

// lockRowTx locks a trader and reads the id, 0 when there is none, and further columns.
func lockRowTx(tx *db.Tx, strength string, traderID int64, columns ...string) (t Trader, err error) {
	if err = tx.Rows.Clauses(clause.Locking{Strength: strength}).Select(append(columns, "id")).Where("id = ?", traderID).Limit(1).Find(&t).Error; err != nil {
		return t, fmt.Errorf("lock trader %d: %w", traderID, err)
	}
	return t, nil
}

// Language is a trader's language; empty when there is no such trader.
func Language(ctx context.Context, q db.Querier, traderID int64) (language string, err error) {
	err = q.QueryRow(ctx, `SELECT coalesce((SELECT language FROM traders WHERE id = $1), '')`, traderID).Scan(&language)
	if err != nil {
		return "", fmt.Errorf("read the language of trader %d: %w", traderID, err)
	}
	return language, nil
}

// LevelOf is a trader's identity level; limits follow it.
func LevelOf(ctx context.Context, q db.Querier, traderID int64) (level int, err error) {
	if err = q.QueryRow(ctx, `SELECT level FROM traders WHERE id = $1`, traderID).Scan(&level); err != nil {
		return 0, fmt.Errorf("read the level of trader %d: %w", traderID, err)
	}
	return level, nil
}

// WasLocked reports whether a withdrawal lock of a trader ended, or will end, after a moment.
func WasLocked(ctx context.Context, q db.Querier, traderID int64, since time.Time) (locked bool, err error) {
	if err = q.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM withdrawal_locks WHERE trader_id = $1 AND until_at > $2)`, traderID, since).Scan(&locked); err != nil {
		return false, fmt.Errorf("look for withdrawal locks of trader %d: %w", traderID, err)
	}
	return locked, nil
}

// LockRegisteredTx serialises the caller with every other act that locks the trader, and returns the country of registration. It does not block new rows that reference
// the trader. Refusals: ledger.ErrAccount for an unknown trader, ErrGuest.
func LockRegisteredTx(tx *db.Tx, traderID int64) (country string, err error) {
	t, err := lockRowTx(tx, noKeyUpdate, traderID, "country", "type")
	switch {
	case err != nil:
		return "", err
	case t.ID == 0:
		return "", ledger.ErrAccount
	case t.Guest():
		return "", ErrGuest
	}
	return t.Country, nil
}

// Phone is a trader's telephone number; empty without one.
func Phone(ctx context.Context, q db.Querier, traderID int64) (phone string, err error) {
	if err = q.QueryRow(ctx, `SELECT coalesce(phone, '') FROM traders WHERE id = $1`, traderID).Scan(&phone); err != nil {
		return "", fmt.Errorf("read the telephone number of trader %d: %w", traderID, err)
	}
	return phone, nil
}

// Registered are those of some traders who are not guests, by rising id, at most limit.
func Registered(ctx context.Context, q db.Querier, traderIDs []int64, limit int) ([]int64, error) {
	rows, err := q.Query(ctx, `SELECT id FROM traders WHERE id = ANY($1) AND NOT guest ORDER BY id LIMIT $2`, traderIDs, limit)
	if err != nil {
		return nil, fmt.Errorf("look for who has registered: %w", err)
	}
	return pgx.CollectRows(rows, pgx.RowTo[int64])
}

// Holder is a registered trader, who has a real account.
type Holder struct {
	ID        int64
	Level     int
	CreatedAt time.Time
}

// holders selects registered traders, without those who were told for the last time and those whose account is closed.
const holders = `SELECT id, level, created_at FROM traders WHERE type <> 8 AND told_at IS NULL`

// ListHolders lists registered traders whose accounts stay open, by id, after one (0 begins at the first), at most limit.
func ListHolders(ctx context.Context, q db.Querier, after int64, limit int) ([]Holder, error) {
	return collectHolders(ctx, q, holders+` AND id > $1 ORDER BY id LIMIT $2`, after, limit)
}

// FindHolder is the one trader of ListHolders with an id; none for a guest and for an account that closes for good.
func FindHolder(ctx context.Context, q db.Querier, traderID int64) ([]Holder, error) {
	return collectHolders(ctx, q, holders+` AND id = $1`, traderID)
}

func collectHolders(ctx context.Context, q db.Querier, query string, args ...any) ([]Holder, error) {
	rows, err := q.Query(ctx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("list registered traders: %w", err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Holder])
	if err != nil {
		return nil, fmt.Errorf("list registered traders: %w", err)
	}
	return list, nil
}
