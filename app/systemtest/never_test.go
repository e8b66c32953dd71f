package systemtest

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"candor/app/ledger"
)

// invariants lists the states that no database may contain, after any concurrency and any crash. Each query counts the offences of one account, or of all where $1
// is 0.
var invariants = []struct{ what, sql string }{
	{"unbalanced currencies", `
		SELECT count(*) FROM (
			SELECT 1 FROM postings WHERE $1 = 0 OR transaction_id IN (SELECT transaction_id FROM postings WHERE account_id = $1)
			GROUP BY transaction_id, currency HAVING sum(amount) <> 0) wrong`},
	{"negative cash or bonus", `
		SELECT count(*) FROM accounts WHERE ($1 = 0 OR id = $1) AND (cash < 0 OR bonus < 0 OR deficit > 0 OR owed > 0)`},
	{"accounts that are not the sum of their postings", `
		SELECT count(*) FROM accounts a LEFT JOIN LATERAL (
			SELECT coalesce(sum(amount) FILTER (WHERE bucket = 'cash'), 0) AS cash, coalesce(sum(amount) FILTER (WHERE bucket = 'bonus'), 0) AS bonus,
			       coalesce(sum(amount) FILTER (WHERE bucket = 'deficit'), 0) AS deficit,
			       coalesce(sum(amount) FILTER (WHERE bucket = 'owed'), 0) AS owed
			FROM postings p WHERE p.account_id = a.id) p ON true
		WHERE ($1 = 0 OR a.id = $1) AND a.kind <> 'house' AND (a.cash <> p.cash OR a.bonus <> p.bonus OR a.deficit <> p.deficit OR a.owed <> p.owed)`},
	{"positions that are not what their fills make of them", `
		SELECT count(*) FROM positions p LEFT JOIN LATERAL (
			SELECT sum(lots) FILTER (WHERE entry = 'open') AS opened, coalesce(sum(lots) FILTER (WHERE entry = 'close'), 0) AS closed,
			       count(*) FILTER (WHERE entry = 'open') AS openings, sum(CASE entry WHEN 'open' THEN margin ELSE -margin END) AS margin
			FROM fills f WHERE f.position_id = p.id) f ON true
		WHERE ($1 = 0 OR p.account_id = $1) AND (f.openings, f.opened, f.opened - f.closed, f.margin) IS DISTINCT FROM (1, p.lots_opened, p.lots, p.margin)`},
	{"orders that were filled without a fill, or filled and ended", `
		SELECT count(*) FROM orders o LEFT JOIN fills f ON f.order_id = o.id
		WHERE ($1 = 0 OR o.account_id = $1) AND (o.status = 'filled') <> (f.id IS NOT NULL)`},
	{"pairs of orders that do not end together", `
		SELECT count(*) FROM (
			SELECT 1 FROM orders WHERE oco IS NOT NULL AND ($1 = 0 OR account_id = $1) GROUP BY oco
			HAVING count(*) <> 2 OR count(*) FILTER (WHERE status = 'filled') > 1 OR count(*) FILTER (WHERE ended_at IS NULL) = 1) wrong`},
	{"deposits that were not credited exactly once", `
		SELECT count(*) FROM deposits d LEFT JOIN (
			SELECT p.account_id, t.cause, sum(p.amount) AS moved FROM postings p JOIN ledger_transactions t ON t.id = p.transaction_id
			WHERE t.cause LIKE 'deposit:%' AND ($1 = 0 OR p.account_id = $1) GROUP BY p.account_id, t.cause
		) m ON m.account_id = d.account_id AND m.cause = 'deposit:' || d.id
		WHERE ($1 = 0 OR d.account_id = $1) AND CASE WHEN d.state = 'credited' THEN d.received ELSE 0 END <> coalesce(m.moved, 0)`},
	{"withdrawals that have not taken, sent or given back what their state says, each once", `
		SELECT count(*) FROM withdrawals w LEFT JOIN (
			SELECT w.id, coalesce(sum(p.amount) FILTER (WHERE p.account_id = w.account_id), 0) AS own, count(DISTINCT t.id) AS moves,
			       coalesce(sum(p.amount) FILTER (WHERE a.name = 'payouts'), 0) AS underway, coalesce(sum(p.amount) FILTER (WHERE a.name = 'bank'), 0) AS bank,
			       coalesce(sum(p.amount) FILTER (WHERE a.name = 'fees'), 0) AS fees
			FROM withdrawals w JOIN postings o ON o.account_id = w.account_id AND o.transaction_id = w.taken_id
			JOIN ledger_transactions t ON t.cause = 'withdrawal:' || w.id AND t.id IN (w.taken_id, w.sent_id, w.back_id)
			JOIN postings p ON p.transaction_id = t.id LEFT JOIN accounts a ON a.id = p.account_id AND a.kind = 'house'
			WHERE $1 = 0 OR w.account_id = $1 GROUP BY w.id
		) m ON m.id = w.id
		WHERE ($1 = 0 OR w.account_id = $1) AND concat_ws(' ', m.own, m.underway, m.bank, m.fees, m.moves) <> CASE
			WHEN w.state IN ('cancelled', 'rejected', 'failed') THEN '0 0 0 0 2'
			WHEN w.state = 'returned' THEN '0 0 0 0 3'
			WHEN w.state IN ('sent', 'completed') THEN concat_ws(' ', -w.amount, 0, w.amount - w.fee, w.fee, 2)
			ELSE concat_ws(' ', -w.amount, w.amount, 0, 0, 1) END`},
	{"transactions of withdrawals that no withdrawal names", `
		SELECT count(*) FROM ledger_transactions t WHERE $1 = 0 AND t.cause LIKE 'withdrawal:%' AND NOT EXISTS (
			SELECT 1 FROM withdrawals w WHERE 'withdrawal:' || w.id = t.cause AND t.id IN (w.taken_id, w.sent_id, w.back_id))`},
	{"money under way that is not what the house holds for payouts", `
		SELECT count(*) FROM (SELECT coalesce(sum(amount), 0) AS asked FROM withdrawals WHERE sent_id IS NULL AND back_id IS NULL) w,
			(SELECT coalesce(sum(p.amount), 0) AS held FROM postings p JOIN accounts a ON a.id = p.account_id WHERE a.kind = 'house' AND a.name = 'payouts') p
		WHERE $1 = 0 AND w.asked <> p.held`},
	{"payments that two withdrawals name", `
		SELECT count(*) FROM (SELECT 1 FROM withdrawals WHERE $1 = 0 AND payment IS NOT NULL GROUP BY kind, payment HAVING count(*) > 1) twice`},
	{"transfers that have not moved their sum", `
		SELECT count(*) FROM transfers t WHERE ($1 = 0 OR $1 IN (t.from_account, t.to_account)) AND (t.amount, t.amount) <> (
			SELECT coalesce(-sum(amount) FILTER (WHERE account_id = t.from_account), 0), coalesce(sum(amount) FILTER (WHERE account_id = t.to_account), 0)
			FROM postings p WHERE p.transaction_id = t.transaction_id)`},
	{"exchanges that have not moved what their quote says", `
		SELECT count(*) FROM exchanges e JOIN exchange_quotes q ON q.id = e.quote_id
		WHERE ($1 = 0 OR q.trader_id = (SELECT trader_id FROM accounts WHERE id = $1)) AND (q.from_amount, q.to_amount) <> (
			SELECT coalesce(-sum(amount) FILTER (WHERE account_id = e.from_account), 0), coalesce(sum(amount) FILTER (WHERE account_id = e.to_account), 0)
			FROM postings p WHERE p.transaction_id = e.transaction_id)`},
	{"transactions of the wallet that no transfer or exchange names", `
		SELECT count(*) FROM ledger_transactions t WHERE $1 = 0 AND t.kind IN ('transfer', 'exchange')
			AND NOT EXISTS (SELECT 1 FROM transfers x WHERE x.transaction_id = t.id) AND NOT EXISTS (SELECT 1 FROM exchanges x WHERE x.transaction_id = t.id)`},
	{"adjustments that have not moved their sum exactly once", `
		SELECT count(*) FROM adjustments a LEFT JOIN (
			SELECT p.account_id, t.cause, sum(p.amount) AS moved FROM postings p JOIN ledger_transactions t ON t.id = p.transaction_id
			WHERE t.cause LIKE 'adjustment:%' AND ($1 = 0 OR p.account_id = $1) GROUP BY p.account_id, t.cause
		) m ON m.account_id = a.account_id AND m.cause = 'adjustment:' || a.id
		WHERE ($1 = 0 OR a.account_id = $1) AND a.amount <> coalesce(m.moved, 0)`},
	{"approvals by one person in two places, or failures that neither two people nor the provider told of", `
		SELECT count(*) FROM withdrawals w LEFT JOIN approvals a ON a.id = w.approval
		WHERE ($1 = 0 OR account_id = $1) AND (a.second_by = a.requested_by OR a.third_by IN (a.requested_by, a.second_by)
			OR w.state IN ('queued', 'processing', 'outcome_unknown', 'sent', 'completed', 'returned', 'failed') AND (a.state IS DISTINCT FROM 'applied' OR a.second_by IS NULL)
			OR outcome_approval IS NULL AND w.state = 'failed' AND (provider = '' OR provider_state <> 'failed'))`},
}

// violations lists the offences of one account, or of all (0); empty when there are none.
func violations(ctx context.Context, q ledger.Querier, accountID int64) (text string, err error) {
	for _, one := range invariants {
		var n int64
		// The query is planned each time with the account known, so that an index by account can be used.
		if err := q.QueryRow(ctx, one.sql, pgx.QueryExecModeExec, accountID).Scan(&n); err != nil {
			return "", fmt.Errorf("count %s: %w", one.what, err)
		}
		if n > 0 {
			text += fmt.Sprintf("%d %s; ", n, one.what)
		}
	}
	return text, nil
}
