package ledger

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"candor/app/platform/db"
)

// Line is one entry of an account's statement.
type Line struct {
	ID     int64
	At     time.Time
	Kind   string
	Cause  string
	Bucket Bucket
	Amount int64
}

// StatementFilter narrows an account's entries; zero values do not.
type StatementFilter struct {
	Kind     string
	From, To time.Time
	Before   int64 // keyset: entries with a smaller id
	Offset   int
	Limit    int
	Whole    bool // looks through everything: for files
}

// Statement lists an account's entries, newest first, and the entry behind which the next page begins: 0 after the last.
// A page may hold fewer than its limit where a filter matches little.
func Statement(ctx context.Context, q Querier, accountID int64, f StatementFilter) (list []Line, next int64, err error) {
	l := db.List{
		Columns: "postings.id, t.created_at, t.kind, t.cause, postings.bucket, postings.amount",
		Table:   "postings", Join: "JOIN ledger_transactions t ON t.id = postings.transaction_id",
		Order: "postings.id DESC", Offset: f.Offset, Limit: f.Limit, Whole: f.Whole,
	}
	l.Rows("account_id = ?", accountID)
	l.RowsIf(f.Before != 0, "id < ?", f.Before)
	l.RowsIf(marked(f.Kind) != nil && f.Kind != "", "kind = ?", f.Kind)
	l.KeepIf(f.Kind != "" && marked(f.Kind) == nil, "t.kind = ?", f.Kind)
	if !f.From.IsZero() {
		first, err := firstSince(ctx, q, accountID, f.From.Add(-apart))
		if err != nil {
			return nil, 0, err
		}
		l.Rows("id >= ?", first)
		l.KeepIf(true, "t.created_at >= ?", f.From)
	}
	if !f.To.IsZero() {
		end, err := firstSince(ctx, q, accountID, f.To.Add(apart))
		if err != nil {
			return nil, 0, err
		}
		l.Rows("id < ?", end)
		l.KeepIf(true, "t.created_at < ?", f.To)
	}
	return db.Read(ctx, q, l, pgx.RowToStructByPos[Line], func(l Line) int64 { return l.ID })
}

// deals are the kinds of transactions that most entries are of.
var deals = []string{"trade_open", "trade_close"}

// marked is the kind as it stands beside each entry of a transaction, so that an index finds it: nil for a deal.
func marked(kind string) *string {
	if slices.Contains(deals, kind) {
		return nil
	}
	return &kind
}

// apart is more than the clocks of two servers differ by. An account's entries are written one transaction after the other, so that their ids and
// moments run together but for that.
const apart = time.Minute

// firstSince finds the first entry of an account from a moment on by halving its ids, for a posting does not carry its time; one behind the last
// entry when all are earlier.
func firstSince(ctx context.Context, q Querier, accountID int64, moment time.Time) (id int64, err error) {
	err = q.QueryRow(ctx, `
		WITH RECURSIVE halves (low, high) AS (
			SELECT 0::bigint, 1 + coalesce((SELECT id FROM postings WHERE account_id = $1 ORDER BY id DESC LIMIT 1), 0)
			UNION ALL
			SELECT CASE WHEN early THEN mid ELSE low END, CASE WHEN early THEN high ELSE found END
			FROM (SELECT low, high, (low + high) / 2 AS mid FROM halves WHERE high - low > 1) half
			LEFT JOIN LATERAL (
				SELECT p.id AS found, t.created_at FROM postings p JOIN ledger_transactions t ON t.id = p.transaction_id
				WHERE p.account_id = $1 AND p.id > low AND p.id <= mid ORDER BY p.id DESC LIMIT 1) newest ON true
			CROSS JOIN LATERAL (SELECT coalesce(created_at < $2, true) AS early) judged
		)
		SELECT high FROM halves ORDER BY high - low LIMIT 1`, accountID, moment).Scan(&id)
	if err != nil {
		return 0, fmt.Errorf("find the entries since %s: %w", moment, err)
	}
	return id, nil
}
