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
	ID            int64
	At            time.Time
	Kind          string
	Cause         string
	Bucket        Bucket
	Amount        int64
	TransactionID int64
}

// StatementFilter filters an account's entries; zero values match all.
type StatementFilter struct {
	Kind     string
	From, To time.Time
	Before   int64 // keyset: only entries after this one in the list
	Offset   int
	Limit    int
	Whole    bool // scans everything: for files
}

// Statement lists an account's entries, newest first, and returns the entry after which the next page begins: 0 after the last.
// A page may be shorter than its limit when few entries match.
func Statement(ctx context.Context, q Querier, accountID int64, f StatementFilter) (list []Line, next int64, err error) {
	l := db.List{
		Columns: "postings.id, postings.created_at, t.kind, t.cause, postings.bucket, postings.amount, postings.transaction_id",
		Table:   "postings", Join: "JOIN ledger_transactions t ON t.id = postings.transaction_id",
		Order: "postings.created_at DESC, postings.id DESC", Offset: f.Offset, Limit: f.Limit, Whole: f.Whole,
	}
	l.Rows("account_id = ?", accountID)
	l.RowsIf(f.Before != 0, "(created_at, id) < ((SELECT created_at FROM postings WHERE id = ? AND account_id = ?), ?)", f.Before, accountID, f.Before)
	l.RowsIf(!f.From.IsZero(), "created_at >= ?", f.From)
	l.RowsIf(!f.To.IsZero(), "created_at < ?", f.To)
	l.RowsIf(f.Kind != "" && marked(f.Kind) != nil, "kind = ?", f.Kind)
	l.KeepIf(f.Kind != "" && marked(f.Kind) == nil, "t.kind = ?", f.Kind)
	return db.Read(ctx, q, l, pgx.RowToStructByPos[Line], func(l Line) int64 { return l.ID })
}

// balanceReach is how many of an account's newest entries BalancesAfter reads at most.
const balanceReach = 10_000

// BalancesAfter returns, by entry, what its bucket held after it; owed counts as deficit. They are counted back from the account of now, so
// entries with more than balanceReach newer ones have none. The lines are a page of the account's Statement.
func BalancesAfter(ctx context.Context, q Querier, accountID int64, lines []Line) (map[int64]int64, error) {
	after := make(map[int64]int64, len(lines))
	if len(lines) == 0 {
		return after, nil
	}
	ids := make([]int64, len(lines))
	for i, l := range lines {
		ids[i] = l.ID
	}
	rows, err := q.Query(ctx, `
		WITH newest AS (
			SELECT id, created_at, amount, CASE bucket WHEN 'owed' THEN 'deficit' ELSE bucket END AS bucket FROM postings
			WHERE account_id = $1 AND (created_at, id) >= (SELECT created_at, id FROM postings WHERE id = $2)
			ORDER BY created_at DESC, id DESC LIMIT $3
		), counted AS (
			SELECT n.id, CASE n.bucket WHEN 'cash' THEN a.cash WHEN 'bonus' THEN a.bonus ELSE a.deficit + a.owed END - coalesce(sum(n.amount)
				OVER (PARTITION BY n.bucket ORDER BY n.created_at DESC, n.id DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS held
			FROM newest n, accounts a WHERE a.id = $1
		) SELECT id, held::bigint FROM counted WHERE id = ANY ($4)`, accountID, lines[len(lines)-1].ID, balanceReach, ids)
	if err != nil {
		return nil, fmt.Errorf("count balances of account %d: %w", accountID, err)
	}
	var id, held int64
	_, err = pgx.ForEachRow(rows, []any{&id, &held}, func() error {
		after[id] = held
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("count balances of account %d: %w", accountID, err)
	}
	return after, nil
}

// deals are the transaction kinds of most entries.
var deals = []string{"trade_open", "trade_close"}

// marked is the kind stored with each entry of a transaction, so that an index finds it: nil for a deal.
func marked(kind string) *string {
	if slices.Contains(deals, kind) {
		return nil
	}
	return &kind
}
