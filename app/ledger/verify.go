package ledger

import (
	"context"

	"candor/app/audit"
)

// checks are the queries for audit.FindProblem: each finds the rows that break one rule of the ledger.
var checks = []struct{ table, sql string }{
	{"postings", `
		SELECT t.id, 'transaction ' || t.id || ', postings ' || string_agg(p.id::text, ', ' ORDER BY p.id),
		       'sums to ' || trim_scale(sum(p.amount) / 1000000) || ' ' || p.currency || ' instead of 0'
		FROM ledger_transactions t JOIN postings p ON p.transaction_id = t.id
		GROUP BY t.id, p.currency HAVING sum(p.amount) <> 0`},
	{"ledger_transactions", `
		SELECT t.id, 'id ' || t.id, 'has no postings' FROM ledger_transactions t
		WHERE NOT EXISTS (SELECT 1 FROM postings p WHERE p.transaction_id = t.id)`},
	{"postings", `
		SELECT p.id, 'id ' || p.id, 'crosses books or currencies, or is of another transaction' FROM postings p
		JOIN accounts a ON a.id = p.account_id LEFT JOIN ledger_transactions t ON t.id = p.transaction_id
		WHERE t.id IS NULL OR t.book <> p.book OR a.book <> p.book OR a.currency <> p.currency OR (a.kind = 'house') <> (p.bucket = 'house')`},
	{"accounts", `
		SELECT a.id, 'id ' || a.id, 'holds ' || trim_scale((a.cash + a.bonus + a.deficit + a.owed) / 1000000::numeric) || ' but its postings sum to ' || trim_scale(coalesce(p.cash + p.bonus + p.deficit + p.owed, 0) / 1000000::numeric) || ' ' || a.currency
		FROM accounts a LEFT JOIN (
			SELECT account_id,
			       coalesce(sum(amount) FILTER (WHERE bucket = 'cash'), 0) AS cash,
			       coalesce(sum(amount) FILTER (WHERE bucket = 'bonus'), 0) AS bonus,
			       coalesce(sum(amount) FILTER (WHERE bucket = 'deficit'), 0) AS deficit,
			       coalesce(sum(amount) FILTER (WHERE bucket = 'owed'), 0) AS owed
			FROM postings WHERE bucket <> 'house' GROUP BY account_id) p ON p.account_id = a.id
		WHERE a.kind <> 'house' AND (a.cash <> coalesce(p.cash, 0) OR a.bonus <> coalesce(p.bonus, 0) OR a.deficit <> coalesce(p.deficit, 0) OR a.owed <> coalesce(p.owed, 0))`},
	{"postings", `
		SELECT p.id, 'id ' || p.id, 'is not marked with the kind and the moment of its transaction' FROM postings p JOIN ledger_transactions t ON t.id = p.transaction_id
		WHERE p.kind IS DISTINCT FROM CASE WHEN t.kind NOT IN ('trade_open', 'trade_close') THEN t.kind END OR p.created_at <> t.created_at`},
	{"postings", `
		SELECT p.id, 'id ' || p.id, 'is owed without a reversed deposit as its cause' FROM postings p JOIN ledger_transactions t ON t.id = p.transaction_id
		WHERE p.bucket = 'owed' AND CASE WHEN p.amount < 0 THEN t.kind NOT IN ('deposit_reversed', 'rebate_reversed') ELSE t.kind = 'negative_balance_protection' END`},
}

// Verify recomputes every transaction and balance and names the first row that does not fit; nil when all do. It counts the proved postings.
func Verify(ctx context.Context, q Querier) (*audit.Problem, int64, error) {
	for _, check := range checks {
		if problem, err := audit.FindProblem(ctx, q, check.table, check.sql); err != nil || problem != nil {
			return problem, 0, err
		}
	}
	var proved int64
	err := q.QueryRow(ctx, `SELECT count(*) FROM postings`).Scan(&proved)
	return nil, proved, err
}
