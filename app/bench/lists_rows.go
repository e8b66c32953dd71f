package bench

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// Of a million rows nine in ten belong to one account and a thousand, evenly spread, to another; the rest belong to many. Of a thousand rows all belong to
// the first.
const (
	listMost, listFew = 1001, 1002 // accounts; the trader has the same number
	listTraders       = 10_000_000 // added to a row's number, or to that of an account above 1,000
	listAccount       = `CASE WHEN $n > 1000 AND n % 1000 = 0 THEN 1002 WHEN $n > 1000 AND n % 10 = 9 THEN 1100 + n % 97 ELSE 1001 END`
	listProduct       = `CASE WHEN n % 200000 = 7 THEN 3 ELSE 1 + n % 2 END` // one and two often, three rarely, four never
	listSide          = `CASE WHEN n % 2 = 0 THEN 'buy' ELSE 'sell' END`     // product one is always bought
	listOpen          = `(n <= 40 AND n % 2 = 0)`                            // twenty positions of product one
	listTime          = `'2026-01-01T00:00:00Z'::timestamptz + n * interval '1 second'`
)

var listStart = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// listRows fill the tables, with a number of rows each. Ids count from 1, and each row is one second later than the one before.
var listRows = []string{
	`INSERT INTO accounts (id, trader_id, kind, book, type, currency) OVERRIDING SYSTEM VALUE
		SELECT id, 10000000 + id - 1000, 'contract', 'real', 1, 'USDT' FROM generate_series(1001, 1200) id WHERE id - 1000 <= $n`,
	`INSERT INTO orders (id, account_id, product_id, type, intent, side, lots, leverage, price, slippage_bps, source, status, reason, created_at, ended_at) OVERRIDING SYSTEM VALUE
		SELECT n, ` + listAccount + `, ` + listProduct + `, 'limit', 'open', ` + listSide + `, 10000, 20, 110000, 0, 'user',
			CASE WHEN n <= 50 THEN 'untriggered' ELSE 'cancelled' END, CASE WHEN n > 50 THEN 'trader' END, ` + listTime + `, CASE WHEN n > 50 THEN ` + listTime + ` END
		FROM generate_series(1, $n) n`,
	`INSERT INTO positions (id, account_id, product_id, side, lots, lots_opened, open_price, open_value, leverage, margin, state, close_reason, close_price, rolled_day, opened_at, closed_at, opened_by) OVERRIDING SYSTEM VALUE
		SELECT n, ` + listAccount + `, ` + listProduct + `, ` + listSide + `, CASE WHEN ` + listOpen + ` THEN 10000 ELSE 0 END, 10000, 110000, 1100000000, 20, 5500000,
			CASE WHEN ` + listOpen + ` THEN 'open' ELSE 'closed' END, CASE WHEN NOT ` + listOpen + ` THEN 'manual' END, CASE WHEN NOT ` + listOpen + ` THEN 110010 END, '2026-01-01',
			` + listTime + `, CASE WHEN NOT ` + listOpen + ` THEN ` + listTime + ` END, 'market'
		FROM generate_series(1, $n) n`,
	`INSERT INTO tape_quotes (product_id, seq, bid, ask, at_ms, source_ms, source, batch) SELECT n, 1, 110000, 110010, 0, 0, 'simulated', 0 FROM generate_series(1, 4) n`,
	`INSERT INTO fills (id, order_id, position_id, account_id, product_id, terms, side, entry, rule, lots, price, quote_seq, leverage, margin, commission, profit, equity, used_margin, created_at, at_ms) OVERRIDING SYSTEM VALUE
		SELECT n, n, n, ` + listAccount + `, ` + listProduct + `, 1, ` + listSide + `, 'open', 'market', 10000, 110000, 1, 20, 5500000, 700, 0, 1000000, 0, ` + listTime + `, 0
		FROM generate_series(1, $n) n`,
	`INSERT INTO ledger_transactions (id, kind, key, cause, book, created_at) OVERRIDING SYSTEM VALUE
		SELECT n, CASE WHEN n % 200000 = 7 THEN 'deposit' ELSE 'trade_close' END, 'order:' || n, 'order:' || n, 'real', ` + listTime + ` FROM generate_series(1, $n) n`,
	`INSERT INTO postings (id, transaction_id, account_id, bucket, book, currency, amount, kind, created_at) OVERRIDING SYSTEM VALUE
		SELECT n, n, ` + listAccount + `, 'cash', 'real', 'USDT', 1000000, CASE WHEN n % 200000 = 7 THEN 'deposit' END, ` + listTime + ` FROM generate_series(1, $n) n`,
	`INSERT INTO charges (id, kind, position_id, account_id, product_id, terms, day, nights, side, lots, rate, amount, created_at, at_ms) OVERRIDING SYSTEM VALUE
		SELECT n, 'swap', n, ` + listAccount + `, 1, 1, '2026-01-01', 1, 'buy', 10000, 0, 0, ` + listTime + `, 0 FROM generate_series(1, $n) n`,
	`INSERT INTO margin_calls (id, account_id, equity, used_margin, created_at, at_ms, recovered_at) OVERRIDING SYSTEM VALUE
		SELECT n, ` + listAccount + `, 0, 0, ` + listTime + `, 0, ` + listTime + ` FROM generate_series(1, $n) n`,
	`INSERT INTO files (id, name, trader_id, purpose, type, size, width, height, sha256, created_at) OVERRIDING SYSTEM VALUE
		SELECT n, 'file' || n, 10000001, 'proof', 'image/jpeg', 1, 1, 1, sha256((n % 500)::text::bytea), now() FROM generate_series(1, 1000) n`,
	`INSERT INTO deposits (id, trader_id, account_id, channel_id, kind, currency, amount, reference, state, file_id, transaction_id, created_at, proof_at, expires_at) OVERRIDING SYSTEM VALUE
		SELECT n, 10000000 + ` + listAccount + ` - 1000, ` + listAccount + `, 1, 'bank', 'USD', 50000000, 'CD-' || n, CASE n % 4 WHEN 0 THEN 'credited' WHEN 1 THEN 'more_info' ELSE 'proof_submitted' END, n,
			CASE WHEN n % 4 = 0 THEN n END, ` + listTime + `, ` + listTime + `, ` + listTime + ` FROM generate_series(1, $n) n`,
	`INSERT INTO traders (id, email, phone, name, password_hash, country, invite_code, accepted_at) OVERRIDING SYSTEM VALUE
		SELECT 10000000 + n, CASE WHEN n % 200000 = 7 THEN 'rare' ELSE 'user' END || n || '@example.com', '+1' || 2000000000 + n, 'A trader', '', 'CH', n, now() FROM generate_series(1, $n) n`,
	`INSERT INTO audit_entries (id, at, actor_kind, actor_id, actor_name, action, target_kind, target_id, result, ip, trace_id, before, after, actor_roles, agent) OVERRIDING SYSTEM VALUE
		SELECT n, ` + listTime + `, 'trader', 10000000 + n % 1000, 'us***' || n % 1000 || '@example.com', CASE WHEN n % 200000 = 7 THEN 'staff.invite' WHEN n % 2 = 0 THEN 'deposit.claim' ELSE 'trader.login' END,
			CASE WHEN n % 200000 = 7 THEN 'staff' WHEN n % 2 = 0 THEN 'deposit' ELSE 'trader' END, (n % 1000)::text, CASE WHEN n % 200000 = 7 THEN 'denied' ELSE 'done' END, '127.0.0.1', '', '', '', CASE WHEN n % 200000 = 7 THEN 'auditor' WHEN n % 2 = 0 THEN 'finance_maker' ELSE '' END, 'Mozilla/5.0'
		FROM generate_series(1, $n) n`,
	`INSERT INTO outbox (id, kind, channel, recipient, subject, state, created_at, expires_at) OVERRIDING SYSTEM VALUE
		SELECT n, 'login_code', 'mail', CASE WHEN n % 200000 = 7 THEN 'rare' ELSE 'user' || n % 1000 END || '@example.com', 'Your code', 'sent', ` + listTime + `, ` + listTime + ` FROM generate_series(1, $n) n`,
}

// fillLists fills an empty database as its superuser, two tables at a time, with check constraints but without foreign keys and triggers.
func fillLists(ctx context.Context, url string, statements []string, rows int) error {
	tasks := make(chan string, len(statements))
	for _, statement := range statements {
		tasks <- statement
	}
	close(tasks)
	const workers = 2
	ended := make(chan error, workers)
	for range workers {
		go func() { ended <- fillTables(ctx, url, rows, tasks) }()
	}
	return errors.Join(<-ended, <-ended)
}

func fillTables(ctx context.Context, url string, rows int, tasks <-chan string) error {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	if _, err := conn.Exec(ctx, `SET session_replication_role = replica; SET synchronous_commit = off`); err != nil {
		return err
	}
	for statement := range tasks {
		if _, err := conn.Exec(ctx, strings.ReplaceAll(statement, "$n", strconv.Itoa(rows))); err != nil {
			return fmt.Errorf("%s: %w", statement, err)
		}
		table := strings.Fields(statement)[2]
		if _, err := conn.Exec(ctx, "VACUUM (ANALYZE) "+table); err != nil {
			return fmt.Errorf("vacuum %s: %w", table, err)
		}
	}
	return nil
}
