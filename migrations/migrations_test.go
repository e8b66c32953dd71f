package migrations_test

import (
	"database/sql"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/pressly/goose/v3"
	"github.com/stretchr/testify/require"

	"candor/app/platform/dbtest"
	"candor/migrations"
)

func TestMain(m *testing.M) { dbtest.Run(m) }

const denied = "42501"

func open(t *testing.T, url string) *pgxpool.Pool {
	t.Helper()
	pool, err := pgxpool.New(t.Context(), url)
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	return pool
}

// code is the SQLSTATE that a statement ends with, empty when it is obeyed; its effect is undone.
func code(t *testing.T, pool *pgxpool.Pool, statement string) string {
	t.Helper()
	tx, err := pool.Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = tx.Rollback(t.Context()) }()
	_, err = tx.Exec(t.Context(), statement)
	if err == nil {
		return ""
	}
	var pg *pgconn.PgError
	require.ErrorAs(t, err, &pg, statement)
	return pg.Code
}

// firstColumn is any column of each table that is only added to.
var firstColumn = map[string]string{
	"ledger_transactions": "kind", "postings": "amount", "tape_quotes": "bid", "tape_heads": "root", "fills": "price", "fill_heads": "root",
	"audit_entries": "action", "audit_heads": "root", "withdrawal_locks": "reason", "kyc_views": "staff_id",
	"transfers": "amount", "exchange_quotes": "rate", "exchanges": "quote_id",
	"notice_images": "shape", "notice_reads": "read_at",
}

func TestServerRole(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	server, owner := open(t, d.URL), open(t, d.OwnerURL)

	for table, column := range firstColumn {
		for verb, statement := range map[string]string{
			"Update":         "UPDATE " + table + " SET " + column + " = " + column,
			"Delete":         "DELETE FROM " + table,
			"Truncate":       "TRUNCATE " + table + " CASCADE",
			"LockOutReaders": "LOCK TABLE " + table + " IN ACCESS EXCLUSIVE MODE",
		} {
			if table == "exchange_quotes" && (verb == "Delete" || verb == "LockOutReaders") {
				continue // who may delete rows may lock them; which rows, TestOnlyUnusedQuotesGo says
			}
			t.Run("MayNotChangeWhatIsAppended/"+table+"/"+verb, func(t *testing.T) {
				t.Parallel()
				require.Equal(t, denied, code(t, server, statement))
				require.Empty(t, code(t, owner, statement))
			})
		}
		t.Run("MayReadWhatIsAppended/"+table, func(t *testing.T) {
			t.Parallel()
			require.Empty(t, code(t, server, "SELECT * FROM "+table+" LIMIT 1"))
		})
	}
	for name, statement := range map[string]string{
		"CreateTable":     `CREATE TABLE mine (id bigint)`,
		"CreateSchema":    `CREATE SCHEMA mine`,
		"CreateFunction":  `CREATE FUNCTION mine() RETURNS int LANGUAGE sql AS 'SELECT 1'`,
		"AlterTable":      `ALTER TABLE accounts DROP CONSTRAINT accounts_cash_check`,
		"DropTable":       `DROP TABLE postings`,
		"DropTrigger":     `DROP TRIGGER postings_fit ON postings`,
		"DisableTriggers": `ALTER TABLE ledger_transactions DISABLE TRIGGER ALL`,
		"ReplaceTrigger":  `CREATE OR REPLACE FUNCTION postings_fit() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'`,
		"SkipTriggers":    `SET session_replication_role = replica`,
		"BecomeTheOwner":  `SET ROLE candor_owner`,
		"RaiseItself":     `ALTER ROLE candor_server CREATEDB`,
		"RewindSequences": `SELECT setval(pg_get_serial_sequence('postings', 'id'), 1)`,
		"RunPrograms":     `COPY accounts TO PROGRAM 'true'`,
		"ClaimAVersion":   `INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, true)`,
	} {
		t.Run("MayNot/"+name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, denied, code(t, server, statement))
		})
	}
	for table, columns := range map[string]string{
		"ledger_transactions": `(xid, kind, key, cause, book, created_at) VALUES ('1', 'k', 'k', 'c', 'real', now())`,
		"postings":            `(xid, transaction_id, account_id, bucket, book, currency, amount) VALUES ('1', 1, 1, 'house', 'real', 'USDT', 1)`,
		"audit_entries":       `(xid, at, actor_kind, actor_id, actor_name, action, target_kind, target_id, result, ip, trace_id, before, after) VALUES ('1', now(), 'system', 0, '', '', '', '', 'done', '', '', '', '')`,
	} {
		t.Run("MayAddButNotSayInWhichTransaction/"+table, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, denied, code(t, server, "INSERT INTO "+table+" "+columns))
			allowed := strings.Replace(strings.Replace(columns, "(xid, ", "(", 1), "('1', ", "(", 1)
			require.NotEqual(t, denied, code(t, server, "INSERT INTO "+table+" "+allowed))
		})
	}
	for name, statement := range map[string]string{
		"ADealsAccount":         `UPDATE positions SET account_id = account_id`,
		"ADealsLeverage":        `UPDATE positions SET leverage = leverage`,
		"WhatOpenedAPosition":   `UPDATE positions SET opened_by = opened_by`,
		"AnEntrysMoment":        `UPDATE postings SET created_at = created_at`,
		"APosition":             `DELETE FROM positions`,
		"AnOrdersLots":          `UPDATE orders SET lots = lots`,
		"AnOrder":               `DELETE FROM orders`,
		"AnAccountsOwner":       `UPDATE accounts SET trader_id = trader_id`,
		"ACandlesOpen":          `UPDATE candles SET open = open`,
		"AProductsContractSize": `UPDATE products SET contract_size = contract_size`,
		"AProduct":              `DELETE FROM products`,
		"TradingHours":          `UPDATE market_hours SET zone = zone`,
		"AHoldsAmount":          `UPDATE holds SET amount = amount`,
		"WhoseIdentityItIs":     `UPDATE kyc_applications SET trader_id = trader_id`,
		"AnIdentity":            `DELETE FROM kyc_applications`,
		"APictureOfPapers":      `DELETE FROM kyc_documents`,
	} {
		t.Run("MayNotChange/"+name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, denied, code(t, server, statement))
			require.Empty(t, code(t, owner, statement))
		})
	}
	t.Run("MayDoItsWork", func(t *testing.T) {
		t.Parallel()
		require.Empty(t, code(t, server, `UPDATE accounts SET version = version + 1`))
		require.Empty(t, code(t, server, `DELETE FROM throttles`))
		require.Empty(t, code(t, server, `INSERT INTO switches (key, value) VALUES ('demo.enabled', 'false')`))
		require.Empty(t, code(t, server, `SELECT count(*) FROM goose_db_version`))
	})
}

// TestOnlyUnusedQuotesGo deletes quotes of exchanges: those that nobody took go a day after their end, by the database's time; all others stay, whoever deletes.
func TestOnlyUnusedQuotesGo(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	server, owner := open(t, d.URL), open(t, d.OwnerURL)
	d.Tamper(t, `
		INSERT INTO exchange_quotes (id, trader_id, from_currency, to_currency, given, from_amount, to_amount, fee, spread, rate, created_at, expires_at)
		SELECT n, 1, 'USDT', 'USD', 'from', 1, 1, 0, 0, 1, now() - life - interval '15 seconds', now() - life
		FROM (VALUES (1, interval '1 day 1 second'), (2, interval '23 hours'), (3, interval '-15 seconds'), (4, interval '1 year')) q (n, life);
		INSERT INTO exchanges (quote_id, trader_id, from_account, to_account, transaction_id, created_at) VALUES (4, 1, 1, 2, 1, now())`)
	remove := func(pool *pgxpool.Pool, id string) string {
		return code(t, pool, `DELETE FROM exchange_quotes WHERE id = `+id)
	}
	const violated = "23514"
	for _, pool := range []*pgxpool.Pool{server, owner} {
		require.Empty(t, remove(pool, "1"), "unused, and over for a day")
		require.Equal(t, violated, remove(pool, "2"), "not over for a day")
		require.Equal(t, violated, remove(pool, "3"), "it still holds")
		require.Equal(t, violated, remove(pool, "4"), "taken")
		require.Equal(t, violated, remove(pool, "ANY(ARRAY[1, 4])"), "one that must stay among others")
	}
	require.Equal(t, denied, code(t, server, `UPDATE exchange_quotes SET expires_at = now() - interval '2 days' WHERE id = 2`))
	require.Equal(t, denied, code(t, server, `TRUNCATE exchange_quotes CASCADE`))
	require.Equal(t, denied, code(t, server, `DELETE FROM exchanges`), "a taken one can't be made unused")
}

func TestViolations(t *testing.T) {
	t.Parallel()
	violations := func(t *testing.T, url string) []string {
		t.Helper()
		out, err := migrations.Violations(t.Context(), open(t, url))
		require.NoError(t, err)
		return out
	}

	t.Run("TheServersRoleHasNone", func(t *testing.T) {
		t.Parallel()
		require.Empty(t, violations(t, dbtest.New(t).URL))
	})
	t.Run("TheOwnerHasMany", func(t *testing.T) {
		t.Parallel()
		found := violations(t, dbtest.New(t).OwnerURL)
		for table := range firstColumn {
			require.Subset(t, found, []string{table + ": UPDATE", table + ": TRUNCATE", "owner of " + table})
			require.Equal(t, table != "exchange_quotes", slices.Contains(found, table+": DELETE"), table)
		}
		require.NotContains(t, found, "superuser")
	})
	t.Run("TheSuperuserIsNamed", func(t *testing.T) {
		t.Parallel()
		require.Contains(t, violations(t, dbtest.New(t).SuperURL), "superuser")
	})
	t.Run("OneRightTooManyIsNamed", func(t *testing.T) {
		t.Parallel()
		d := dbtest.New(t)
		_, err := open(t, d.OwnerURL).Exec(t.Context(), `GRANT DELETE ON audit_entries, orders, devices TO candor_server; GRANT INSERT ON postings TO candor_server;
			GRANT UPDATE (leverage, lots) ON positions TO candor_server; GRANT UPDATE ON exchange_quotes TO candor_server`)
		require.NoError(t, err)
		require.Equal(t, []string{"audit_entries: DELETE", "exchange_quotes: UPDATE", "orders: DELETE", "positions: UPDATE of leverage", "postings: INSERT of xid"}, violations(t, d.URL))
	})
	t.Run("MigratingAgainTakesItBack", func(t *testing.T) {
		t.Parallel()
		d := dbtest.New(t)
		_, err := open(t, d.OwnerURL).Exec(t.Context(), `GRANT ALL ON audit_entries, postings, positions, products TO candor_server`)
		require.NoError(t, err)
		require.NotEmpty(t, violations(t, d.URL))
		require.NoError(t, migrations.Up(t.Context(), d.OwnerURL))
		require.Empty(t, violations(t, d.URL))
	})
}

// TestTraders wants of a registered trader what registering asks for, and none of it of a guest.
func TestTraders(t *testing.T) {
	t.Parallel()
	const violated = "23514"
	pool := open(t, dbtest.New(t).URL)
	registered := map[string]string{
		"type": "1", "name": "'T'", "email": "'t@example.com'", "password_hash": "'hash'", "country": "'DE'", "invite_code": "'I'", "accepted_at": "now()",
	}
	guest := map[string]string{"type": "8", "name": "'Guest'"}
	insert := func(row map[string]string, column, value string) string {
		row = maps.Clone(row)
		row[column] = value
		columns := slices.Sorted(maps.Keys(row))
		values := make([]string, len(columns))
		for i, name := range columns {
			values[i] = row[name]
		}
		return code(t, pool, "INSERT INTO traders ("+strings.Join(columns, ", ")+") VALUES ("+strings.Join(values, ", ")+")")
	}
	require.Empty(t, insert(registered, "phone", "NULL"))
	require.Empty(t, insert(guest, "phone", "NULL"))
	for _, column := range []string{"email", "password_hash", "country", "invite_code", "accepted_at"} {
		for _, number := range []string{"1", "2", "4"} {
			row := maps.Clone(registered)
			row["type"] = number
			require.Equal(t, violated, insert(row, column, "NULL"), "type %s without %s", number, column)
		}
		require.Equal(t, violated, insert(guest, column, registered[column]), "a guest with %s", column)
	}
	for column, value := range map[string]string{"phone": "'+4915123456789'", "auth_status": "3", "level": "1"} {
		require.Equal(t, violated, insert(guest, column, value), "a guest with %s", column)
		require.Empty(t, insert(registered, column, value))
	}
}

// shape is every column, constraint, index, trigger and right of the schema, as text.
func shape(t *testing.T, pool *pgxpool.Pool) []string {
	t.Helper()
	rows, err := pool.Query(t.Context(), `
		SELECT 'column ' || table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable || ' ' || coalesce(column_default, '')
		FROM information_schema.columns WHERE table_schema = 'public'
		UNION ALL SELECT 'constraint ' || conrelid::regclass || ' ' || pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace = 'public'::regnamespace
		UNION ALL SELECT 'index ' || indexdef FROM pg_indexes WHERE schemaname = 'public'
		UNION ALL SELECT 'trigger ' || pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
		UNION ALL SELECT 'right ' || relname || ' ' || coalesce(relacl::text, '') FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
		ORDER BY 1`)
	require.NoError(t, err)
	out, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	return out
}

func TestDown(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	pool := open(t, d.OwnerURL)
	before := shape(t, pool)
	require.NotEmpty(t, before)
	require.NoError(t, migrations.Check(t.Context(), pool))

	conn, err := sql.Open("pgx", d.OwnerURL)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	provider, err := goose.NewProvider(goose.DialectPostgres, conn, migrations.Files)
	require.NoError(t, err)
	done, err := provider.DownTo(t.Context(), 0)
	require.NoError(t, err)
	require.Len(t, done, len(provider.ListSources()))

	var left []string
	require.NoError(t, pool.QueryRow(t.Context(), `
		SELECT coalesce(array_agg(relname::text), '{}') FROM pg_class
		WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'S', 'v') AND relname NOT LIKE 'river%' AND relname NOT LIKE 'goose%'`).Scan(&left))
	require.Empty(t, left)
	require.NoError(t, pool.QueryRow(t.Context(), `
		SELECT coalesce(array_agg(proname::text), '{}') FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND proname NOT LIKE 'river%'`).Scan(&left))
	require.Empty(t, left)
	require.ErrorIs(t, migrations.Check(t.Context(), pool), migrations.ErrBehind)

	require.NoError(t, migrations.Up(t.Context(), d.OwnerURL))
	require.NoError(t, migrations.Check(t.Context(), pool))
	require.Equal(t, before, shape(t, pool))
}

// backTo takes a database back to a version and adds rows of its time, whose accounts and products are not needed.
func backTo(t *testing.T, d *dbtest.DB, version int64, rows string) {
	t.Helper()
	conn, err := sql.Open("pgx", d.OwnerURL)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	provider, err := goose.NewProvider(goose.DialectPostgres, conn, migrations.Files)
	require.NoError(t, err)
	_, err = provider.DownTo(t.Context(), version)
	require.NoError(t, err)
	d.Tamper(t, rows)
}

// TestTrailingStopsKeepTheirBeginning brings positions of before up to date: those with a trailing stop, closed or not, count from where they counted.
func TestTrailingStopsKeepTheirBeginning(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	super := open(t, d.SuperURL)
	backTo(t, d, 16, `
		INSERT INTO positions (account_id, product_id, side, lots, lots_opened, open_price, open_value, leverage, margin, state, opened_at, closed_at, since_seq, trail, rolled_day)
		VALUES (1, 1, 'buy', 1, 1, 1, 1, 1, 0, 'open', now(), NULL, 7, 50, now()), (1, 1, 'buy', 0, 1, 1, 0, 1, 0, 'closed', now(), now(), 8, 50, now()),
		       (1, 1, 'buy', 1, 1, 1, 1, 1, 0, 'open', now(), NULL, 9, NULL, now());
		INSERT INTO fills (order_id, position_id, account_id, product_id, terms, side, entry, rule, lots, price, quote_seq, leverage, margin, commission, profit, equity, used_margin, created_at, at_ms)
		SELECT id, id, 1, 1, 1, 'buy', 'open', 'market', 1, 1, 1, 1, 0, 0, 0, 0, 0, now(), 0 FROM positions`)

	require.NoError(t, migrations.Up(t.Context(), d.OwnerURL))
	rows, err := super.Query(t.Context(), `SELECT trail_since_seq FROM positions ORDER BY id`)
	require.NoError(t, err)
	since, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	require.NoError(t, err)
	require.Equal(t, []int64{7, 8, 0}, since)
	_, err = super.Exec(t.Context(), `UPDATE positions SET trail_since_seq = 9 WHERE state = 'closed'`)
	require.ErrorContains(t, err, "is closed", "the guard is back")
}

// TestRowsLearnWhatTheirListsAskFor brings positions and entries of before up to date: the rule of the first fill that opened, the moment of the transaction.
func TestRowsLearnWhatTheirListsAskFor(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	super := open(t, d.SuperURL)
	backTo(t, d, 22, `
		INSERT INTO positions (account_id, product_id, side, lots, lots_opened, open_price, open_value, leverage, margin, state, opened_at, closed_at, rolled_day)
		VALUES (1, 1, 'buy', 1, 1, 1, 1, 1, 0, 'open', now(), NULL, now()), (1, 1, 'buy', 0, 1, 1, 0, 1, 0, 'closed', now(), now(), now());
		INSERT INTO fills (order_id, position_id, account_id, product_id, terms, side, entry, rule, lots, price, quote_seq, open_value, leverage, margin, commission, profit, equity, used_margin, created_at, at_ms)
		SELECT n, position, 1, 1, 1, 'buy', entry, rule, 1, 1, 1, CASE entry WHEN 'close' THEN 1 END, 1, 0, 0, 0, 0, 0, now(), 0
		FROM (VALUES (1, 1, 'open', 'limit'), (2, 2, 'open', 'stop'), (3, 1, 'open', 'market'), (4, 1, 'close', 'tp'), (5, 2, 'close', 'market')) f (n, position, entry, rule);
		INSERT INTO ledger_transactions (kind, key, cause, book, created_at)
		SELECT 'trade_open', 'order:' || n, 'order:' || n, 'real', '2026-11-24T15:00:00Z'::timestamptz + n * interval '1 hour' FROM generate_series(1, 2) n;
		INSERT INTO postings (transaction_id, account_id, bucket, book, currency, amount) SELECT id, a, 'house', 'real', 'USDT', 5 - a * 2 FROM ledger_transactions, (VALUES (2), (3)) l (a)`)

	require.NoError(t, migrations.Up(t.Context(), d.OwnerURL))
	rows, err := super.Query(t.Context(), `SELECT opened_by FROM positions ORDER BY id`)
	require.NoError(t, err)
	rules, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	require.Equal(t, []string{"limit", "stop"}, rules)
	_, err = super.Exec(t.Context(), `UPDATE positions SET opened_by = 'market' WHERE state = 'open'`)
	require.ErrorContains(t, err, "is what it was opened as", "the guard is back")
	var entries, apart int
	require.NoError(t, super.QueryRow(t.Context(), `
		SELECT count(*), count(*) FILTER (WHERE p.created_at <> t.created_at) FROM postings p JOIN ledger_transactions t ON t.id = p.transaction_id`).Scan(&entries, &apart))
	require.Equal(t, []int{4, 0}, []int{entries, apart})
}

func TestCheck(t *testing.T) {
	t.Parallel()

	t.Run("TheServersRoleMayAsk", func(t *testing.T) {
		t.Parallel()
		require.NoError(t, migrations.Check(t.Context(), open(t, dbtest.New(t).URL)))
	})
	t.Run("OneMigrationLessIsBehind", func(t *testing.T) {
		t.Parallel()
		d := dbtest.New(t)
		_, err := open(t, d.OwnerURL).Exec(t.Context(), `DELETE FROM goose_db_version WHERE version_id = (SELECT max(version_id) FROM goose_db_version)`)
		require.NoError(t, err)
		require.ErrorIs(t, migrations.Check(t.Context(), open(t, d.URL)), migrations.ErrBehind)
	})
	t.Run("AnEmptyDatabaseIsBehind", func(t *testing.T) {
		t.Parallel()
		d := dbtest.New(t)
		_, err := open(t, d.OwnerURL).Exec(t.Context(), `DROP TABLE goose_db_version`)
		require.NoError(t, err)
		require.ErrorIs(t, migrations.Check(t.Context(), open(t, d.URL)), migrations.ErrBehind)
	})
}

func TestEachFileIsNumberedAndSaysWhyFirst(t *testing.T) {
	t.Parallel()
	names, err := fs.Glob(migrations.Files, "*.sql")
	require.NoError(t, err)
	require.NotEmpty(t, names)
	for i, name := range names {
		require.Regexp(t, `^\d{4}_[a-z_]+\.sql$`, name)
		text, err := fs.ReadFile(migrations.Files, name)
		require.NoError(t, err)
		require.Regexp(t, `^-- \S`, string(text), name)
		require.Contains(t, string(text), "-- +goose Down", name)
		if i > 0 {
			require.NotEqual(t, names[i-1][:4], name[:4])
		}
	}
}

// TestTwinReferencesOfBeforeStay takes over deposits that have one reference in two spellings: both stay as they are, and a third spelling is refused.
func TestTwinReferencesOfBeforeStay(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	super := open(t, d.SuperURL)
	backTo(t, d, 86, `
		INSERT INTO deposits (trader_id, account_id, channel_id, kind, currency, amount, received, reference, state, maker_id, bank_reference, shown_hash, created_at, expires_at)
		VALUES (1, 1, 1, 'bank', 'USD', 5, 5, 'C-1', 'approved', 1, 'AB-12 34', 'x', now(), now()), (1, 1, 1, 'bank', 'USD', 5, 5, 'C-2', 'approved', 1, 'AB1234', 'x', now(), now()),
		       (1, 1, 1, 'bank', 'USD', 5, 5, 'C-3', 'approved', 1, 'AB1235', 'x', now(), now())`)
	require.NoError(t, migrations.Up(t.Context(), d.OwnerURL))
	rows, err := super.Query(t.Context(), `SELECT earlier_twin FROM deposits ORDER BY id`)
	require.NoError(t, err)
	twins, err := pgx.CollectRows(rows, pgx.RowTo[bool])
	require.NoError(t, err)
	require.Equal(t, []bool{false, true, false}, twins)
	require.Equal(t, "23505", code(t, super, `UPDATE deposits SET bank_reference = 'ab 12/34' WHERE reference = 'C-3'`))
	require.Empty(t, code(t, super, `SET LOCAL session_replication_role = replica; UPDATE deposits SET bank_reference = 'ab 12/36' WHERE reference = 'C-3'`))
}

// TestDutiesOfBefore reads who decided before from rows and log: whoever decided about both keeps the person, and a claim is no decision.
func TestDutiesOfBefore(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	super := open(t, d.SuperURL)
	backTo(t, d, 85, `
		INSERT INTO staff (id, email, name, state, created_at) SELECT n, n || '@desk.test', 'S', 'active', now() FROM generate_series(1, 5) n;
		INSERT INTO traders (id, email, name, password_hash, country, invite_code, accepted_at) OVERRIDING SYSTEM VALUE VALUES (7, 't@example.com', 'T', '', 'DE', 'I', now());
		INSERT INTO kyc_applications (id, trader_id, state, maker_id, created_at) OVERRIDING SYSTEM VALUE VALUES (30001, 7, 'draft', 1, now());
		INSERT INTO deposits (id, trader_id, account_id, channel_id, kind, currency, amount, reference, state, maker_id, checker_id, created_at, expires_at) OVERRIDING SYSTEM VALUE
		VALUES (50001, 7, 1, 1, 'bank', 'USD', 5, 'C-1', 'approved', 1, 2, now(), now());
		INSERT INTO audit_entries (at, actor_kind, actor_id, actor_name, action, target_kind, target_id, result, ip, trace_id, before, after)
		VALUES (now(), 'staff', 3, '', 'kyc.revoke', 'kyc', '30001', 'done', '', '', '', ''), (now(), 'staff', 4, '', 'kyc.claim', 'kyc', '30001', 'done', '', '', '', ''),
		       (now(), 'staff', 5, '', 'deposit.reject', 'deposit', '50001', 'done', '', '', '', ''), (now(), 'staff', 4, '', 'kyc.approve', 'kyc', '30001', 'denied', '', '', '', '')`)
	require.NoError(t, migrations.Up(t.Context(), d.OwnerURL))
	rows, err := super.Query(t.Context(), `SELECT staff_id || ' ' || duty FROM staff_duties WHERE trader_id = 7 ORDER BY staff_id`)
	require.NoError(t, err)
	duties, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	require.Equal(t, []string{"1 person", "2 money", "3 person", "5 money"}, duties)
}

// TestStoredAnswersNameNobody takes the names of account holders out of the answers of before, and what their requests are known by with them.
func TestStoredAnswersNameNobody(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	super := open(t, d.SuperURL)
	backTo(t, d, 87, `
		INSERT INTO answers (trader_id, call, key, body_hash, answer) VALUES
			(7, '/client/userWallet/bindUserWallet', 'a', sha256('a'), '{"status":1,"data":{"walletId":9,"holder":"Anna \\"\\\\ \\u003cMüller\\u003e","bank":"B","label":"\\"holder\\":\\"mine\\""}}'::text::bytea),
			(7, '/client/withdraw/cancelWithdraw', 'a', sha256('a'), '{"data":{"holder":"Anna","iban":"DE1"}}'),
			(7, '/client/withdraw/cancelWithdraw', 'b', sha256('a'), NULL),
			(7, '/client/trade/insertOrder', 'a', sha256('a'), '{"data":{"holder":"Anna"}}')`)
	require.NoError(t, migrations.Up(t.Context(), d.OwnerURL))
	rows, err := super.Query(t.Context(), `SELECT convert_from(answer, 'UTF8') FROM answers WHERE answer IS NOT NULL ORDER BY call DESC`)
	require.NoError(t, err)
	answers, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	require.Equal(t, []string{
		`{"data":{"holder":"","iban":"DE1"}}`, `{"status":1,"data":{"walletId":9,"holder":"","bank":"B","label":"\"holder\":\"mine\""}}`, `{"data":{"holder":"Anna"}}`,
	}, answers)
	rows, err = super.Query(t.Context(), `SELECT call FROM answers WHERE body_hash <> sha256('a')`)
	require.NoError(t, err)
	unknown, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	require.Equal(t, []string{"/client/userWallet/bindUserWallet"}, unknown)
}

// TestSealedNamesAreNotGivenUp refuses to go back while a name is sealed, which nothing of before could open.
func TestSealedNamesAreNotGivenUp(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]string{
		"Payee": `INSERT INTO payees (trader_id, kind, label, holder_key, holder_sealed, bank, iban, bic, usable_from, created_at) VALUES (1, 'bank', 'M', 'k', 's', 'B', 'DE1', 'X', now() + interval '1 day', now())`,
		"Deposit": `INSERT INTO deposits (trader_id, account_id, channel_id, kind, currency, amount, reference, state, sender_name_key, sender_name_sealed, created_at, expires_at)
			VALUES (1, 1, 1, 'bank', 'USD', 5, 'C-1', 'in_review', 'k', 's', now(), now())`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := dbtest.New(t)
			d.Tamper(t, row)
			conn, err := sql.Open("pgx", d.OwnerURL)
			require.NoError(t, err)
			t.Cleanup(func() { _ = conn.Close() })
			provider, err := goose.NewProvider(goose.DialectPostgres, conn, migrations.Files)
			require.NoError(t, err)
			_, err = provider.DownTo(t.Context(), 87)
			require.ErrorContains(t, err, "23514")
			version, err := provider.GetDBVersion(t.Context())
			require.NoError(t, err)
			require.EqualValues(t, 88, version)
		})
	}
}
