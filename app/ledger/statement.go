package ledger

import (
	"context"
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

// deals are the transaction kinds of most entries.
var deals = []string{"trade_open", "trade_close"}

// marked is the kind stored with each entry of a transaction, so that an index finds it: nil for a deal.
func marked(kind string) *string {
	if slices.Contains(deals, kind) {
		return nil
	}
	return &kind
}
