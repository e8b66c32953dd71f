// Package reconciliation proves every minute that the ledger, the balances and the open requests agree, and stops withdrawals while they don't.
package reconciliation

import (
	"time"

	"candor/app/audit"
	"candor/app/platform/errs"
)

// Every is the interval between reconciliations.
const Every = time.Minute

// ErrStopped is returned while withdrawals are stopped.
var ErrStopped = errs.New(errs.Refused, "money_out.stopped")

// Result is the outcome of one reconciliation.
type Result struct {
	ID     int64
	At     time.Time
	Took   time.Duration
	Proved int64          // postings
	Wrong  *audit.Problem // the first wrong row; nil if all agree
}

// Stop is a period without withdrawals, started by a failed reconciliation or by a person. Two people can end it; a person's stop also expires.
type Stop struct {
	ID        int64
	FoundID   *int64 `gorm:"column:reconciliation_id"` // the failed reconciliation; nil if a person stopped
	At        time.Time
	Wrong     audit.Problem `gorm:"embedded;embeddedPrefix:wrong_"` // of the failed reconciliation, filled by stops alone; no columns of the table: name those when creating
	StoppedBy *int64
	Reason    string     // of that person, for staff
	UntilAt   *time.Time // when a person's stop expires
	AskedBy   *int64     // who requested its end
	AskedAt   *time.Time
	EndedBy   *int64
	EndedAt   *time.Time
}

// TableName is GORM's name of the table.
func (Stop) TableName() string { return "withdrawal_halts" }

// Lives reports whether the stop is in force at a moment.
func (s Stop) Lives(now time.Time) bool {
	return s.EndedAt == nil && (s.UntilAt == nil || s.UntilAt.After(now))
}

// checks each find the rows that break one rule between the ledger and the requests for money, for audit.FindProblem. They may skip rows older than $1.
var checks = []struct{ table, sql string }{
	{"withdrawals", `
		SELECT 0, 'in all', 'are ' || w.amount || ' under way but the ledger has ' || p.amount
		FROM (SELECT coalesce(sum(amount), 0) AS amount FROM withdrawals WHERE sent_id IS NULL AND back_id IS NULL) w,
		     (SELECT coalesce(sum(p.amount), 0) AS amount FROM postings p JOIN accounts a ON a.id = p.account_id WHERE a.kind = 'house' AND a.name = 'payouts' AND a.currency = 'USDT') p
		WHERE w.amount <> p.amount AND $1::timestamptz IS NOT NULL`},
	{"withdrawals", `
		SELECT w.id, 'id ' || w.id, 'is ' || w.state || ' but the ledger has moved ' || coalesce(p.amount, 0) || ' of its ' || w.amount
		FROM withdrawals w LEFT JOIN LATERAL (
			SELECT -sum(p.amount) AS amount FROM postings p
			WHERE p.account_id = w.account_id AND p.transaction_id IN (w.taken_id, w.back_id)) p ON true
		WHERE w.created_at > $1 AND coalesce(p.amount, 0) <> CASE WHEN w.back_id IS NULL THEN w.amount ELSE 0 END`},
	{"deposits", `
		SELECT d.id, 'id ' || d.id, 'is credited with ' || d.received - d.fee || ' but the ledger has ' || coalesce(p.amount, 0)
		FROM deposits d LEFT JOIN LATERAL (
			SELECT sum(p.amount) AS amount FROM postings p WHERE p.transaction_id = d.transaction_id AND p.account_id = d.account_id) p ON true
		WHERE d.transaction_id IS NOT NULL AND d.decided_at > $1 AND coalesce(p.amount, 0) <> d.received - d.fee`},
	{"deposits", `
		SELECT d.id, 'id ' || d.id, 'is ' || d.state || ' with ' || d.received - d.fee || ' but the ledger has taken ' || coalesce(p.amount, 0)
		FROM deposits d LEFT JOIN LATERAL (
			SELECT -sum(p.amount) AS amount FROM postings p WHERE p.transaction_id = d.reversal_id AND p.account_id = d.account_id) p ON true
		WHERE d.reversal_id IS NOT NULL AND d.moved_at > $1 AND coalesce(p.amount, 0) <> d.received - d.fee`},
	{"deposits", `
		SELECT 0, 'in all', 'have brought ' || d.amount || ' but the ledger has ' || p.amount
		FROM (SELECT coalesce(sum(received - fee), 0) AS amount FROM deposits WHERE transaction_id IS NOT NULL AND reversal_id IS NULL) d,
		     (SELECT coalesce(sum(p.amount), 0) AS amount FROM postings p JOIN accounts a ON a.id = p.account_id
		      WHERE a.kind <> 'house' AND a.book = 'real' AND p.kind IN ('deposit', 'deposit_reversed')) p
		WHERE d.amount <> p.amount AND $1::timestamptz IS NOT NULL`},
	{"adjustments", `
		SELECT 0, 'in all', 'are ' || a.amount || ' but the ledger has ' || p.amount
		FROM (SELECT coalesce(sum(amount), 0) AS amount FROM adjustments) a,
		     (SELECT -coalesce(sum(p.amount), 0) AS amount FROM postings p JOIN accounts a ON a.id = p.account_id WHERE a.kind = 'house' AND a.name = 'adjustments') p
		WHERE a.amount <> p.amount AND $1::timestamptz IS NOT NULL`},
	{"adjustments", `
		SELECT a.id, 'id ' || a.id, 'is posted with ' || a.amount || ' but the ledger has ' || coalesce(p.amount, 0)
		FROM adjustments a LEFT JOIN LATERAL (
			SELECT sum(p.amount) AS amount FROM postings p JOIN ledger_transactions t ON t.id = p.transaction_id
			WHERE p.transaction_id = a.transaction_id AND p.account_id = a.account_id AND t.cause = 'adjustment:' || a.id) p ON true
		WHERE a.created_at > $1 AND coalesce(p.amount, 0) <> a.amount`},
	{"bonuses", `
		SELECT b.id, 'id ' || b.id, 'is granted with ' || b.amount || ' but the ledger has ' || coalesce(p.amount, 0)
		FROM bonuses b LEFT JOIN LATERAL (
			SELECT sum(p.amount) AS amount FROM postings p WHERE p.transaction_id = b.grant_id AND p.account_id = b.account_id AND p.bucket = 'bonus') p ON true
		WHERE b.granted_at > $1 AND coalesce(p.amount, 0) <> b.amount`},
	{"bonuses", `
		SELECT a.id, 'of account ' || a.id, 'have ' || coalesce(b.remaining, 0) || ' left but the account holds ' || a.bonus
		FROM accounts a LEFT JOIN LATERAL (SELECT sum(remaining) AS remaining FROM bonuses WHERE account_id = a.id AND state = 'active') b ON true
		WHERE a.bonus > 0 AND a.bonus > coalesce(b.remaining, 0) AND $1::timestamptz IS NOT NULL`},
	{"transfers", `
		SELECT t.id, 'id ' || t.id, 'moves ' || t.amount || ' but the ledger took ' || coalesce(p.taken, 0) || ' and brought ' || coalesce(p.brought, 0)
		FROM transfers t LEFT JOIN LATERAL (
			SELECT -sum(p.amount) FILTER (WHERE p.account_id = t.from_account) AS taken, sum(p.amount) FILTER (WHERE p.account_id = t.to_account) AS brought
			FROM postings p WHERE p.transaction_id = t.transaction_id) p ON true
		WHERE t.created_at > $1 AND (coalesce(p.taken, 0), coalesce(p.brought, 0)) <> (t.amount, t.amount)`},
	{"exchanges", `
		SELECT e.id, 'id ' || e.id, 'gives ' || q.from_amount || ' for ' || q.to_amount || ' but the ledger took ' || coalesce(p.taken, 0) || ' and brought ' || coalesce(p.brought, 0)
		FROM exchanges e JOIN exchange_quotes q ON q.id = e.quote_id LEFT JOIN LATERAL (
			SELECT -sum(p.amount) FILTER (WHERE p.account_id = e.from_account) AS taken, sum(p.amount) FILTER (WHERE p.account_id = e.to_account) AS brought
			FROM postings p WHERE p.transaction_id = e.transaction_id) p ON true
		WHERE e.created_at > $1 AND (coalesce(p.taken, 0), coalesce(p.brought, 0)) <> (q.from_amount, q.to_amount)`},
	{"transfers", `
		SELECT 0, 'in all', 'bring ' || t.amount || ' to funding accounts but the ledger has ' || p.amount
		FROM (SELECT coalesce(sum(t.amount * ((b.kind = 'funding')::int - (a.kind = 'funding')::int)), 0) AS amount
		      FROM transfers t JOIN accounts a ON a.id = t.from_account JOIN accounts b ON b.id = t.to_account) t,
		     (SELECT coalesce(sum(p.amount), 0) AS amount FROM postings p JOIN accounts a ON a.id = p.account_id WHERE a.kind = 'funding' AND p.kind = 'transfer') p
		WHERE t.amount <> p.amount AND $1::timestamptz IS NOT NULL`},
	{"transfers", `
		SELECT a.id, 'account ' || a.id, 'bring it ' || t.amount || ' but the ledger has ' || p.amount
		FROM accounts a,
		     LATERAL (SELECT coalesce(sum(CASE a.id WHEN to_account THEN amount ELSE -amount END), 0) AS amount
		              FROM transfers WHERE trader_id = a.trader_id AND a.id IN (from_account, to_account)) t,
		     LATERAL (SELECT coalesce(sum(amount), 0) AS amount FROM postings WHERE account_id = a.id AND kind = 'transfer') p
		WHERE a.kind = 'contract' AND a.number > 1 AND t.amount <> p.amount AND $1::timestamptz IS NOT NULL`},
	{"exchanges", `
		SELECT a.id, 'in all', 'bring the house ' || e.amount || ' ' || a.currency || ' but the ledger has ' || p.amount
		FROM accounts a,
		     LATERAL (SELECT coalesce(sum(amount), 0) AS amount FROM postings WHERE account_id = a.id) p,
		     LATERAL (SELECT coalesce(sum(CASE a.currency WHEN q.from_currency THEN q.from_amount ELSE -q.to_amount END), 0) AS amount
		              FROM exchanges e JOIN exchange_quotes q ON q.id = e.quote_id WHERE a.currency IN (q.from_currency, q.to_currency)) e
		WHERE a.kind = 'house' AND a.name = 'exchange' AND e.amount <> p.amount AND $1::timestamptz IS NOT NULL`},
}
