package migrations_test

import (
	"database/sql"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/pressly/goose/v3"
	"github.com/stretchr/testify/require"

	"candor/app/platform/dbtest"
	"candor/migrations"
)

func TestMain(m *testing.M) { dbtest.Run(m) }

const (
	denied = "42501"
	unique = "23505"
)

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
	"audit_entries": "action", "audit_heads": "root", "withdrawal_locks": "reason", "kyc_views": "staff_id", "kyc_judgements": "verdict",
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
		"AHistoryCandle":        `UPDATE history_candles SET close = close`,
		"AProductsContractSize": `UPDATE products SET contract_size = contract_size`,
		"AProduct":              `DELETE FROM products`,
		"TradingHours":          `UPDATE market_hours SET zone = zone`,
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

// TestQuoteMonths makes the tables of the tape's months, as the server's role may, and finds each number of a product in one of them.
func TestQuoteMonths(t *testing.T) {
	t.Parallel()
	months := func(t *testing.T, pool *pgxpool.Pool) (list []string) {
		t.Helper()
		require.NoError(t, pool.QueryRow(t.Context(), `
			SELECT array_agg(relname::text || ' ' || pg_get_expr(relpartbound, oid) ORDER BY relname) FROM pg_class WHERE relispartition AND relkind = 'r'`).Scan(&list))
		return list
	}
	open3 := func(t *testing.T) (d *dbtest.DB, server, owner *pgxpool.Pool, first time.Time) {
		t.Helper()
		d = dbtest.New(t)
		server, owner = open(t, d.URL), open(t, d.OwnerURL)
		require.NoError(t, owner.QueryRow(t.Context(), `SELECT date_trunc('month', now() AT TIME ZONE 'UTC')::date`).Scan(&first))
		return d, server, owner, first
	}
	quote := func(seq int, day time.Time) string {
		return fmt.Sprintf(`INSERT INTO tape_quotes (product_id, seq, bid, ask, at_ms, source_ms, source, batch, stored_on) VALUES (1, %d, 1, 1, 0, 0, '', 1, '%s')`, seq, day.Format(time.DateOnly))
	}
	product := `INSERT INTO products (id, symbol, name, class, base, quote, point, contract_size, margin_model, calendar, sort) VALUES (1, 'S', '', 'forex', '', '', 0, 1, 'cfd', '', 0)`
	call := func(t *testing.T, pool *pgxpool.Pool) (made int) {
		t.Helper()
		require.NoError(t, pool.QueryRow(t.Context(), `SELECT make_quote_months()`).Scan(&made))
		return made
	}
	part := func(first time.Time, months int) string {
		return "tape_quotes_" + first.AddDate(0, months, 0).Format("2006_01")
	}

	t.Run("TheMissingOnesAreMade", func(t *testing.T) {
		t.Parallel()
		_, server, owner, first := open3(t)
		before := months(t, owner)
		require.GreaterOrEqual(t, len(before), 4)
		for n := range 3 {
			require.Contains(t, before, fmt.Sprintf("%s FOR VALUES FROM ('%s') TO ('%s')", part(first, n), first.AddDate(0, n, 0).Format(time.DateOnly), first.AddDate(0, n+1, 0).Format(time.DateOnly)))
		}
		require.Zero(t, call(t, server))
		shapeBefore := shape(t, owner)
		_, err := owner.Exec(t.Context(), `DROP TABLE `+part(first, 1)+`, `+part(first, 2))
		require.NoError(t, err)
		require.Equal(t, 2, call(t, server))
		require.Equal(t, before, months(t, owner))
		require.Equal(t, withoutRights(shapeBefore), withoutRights(shape(t, owner)), "the same indexes, keys and checks")
		found, err := migrations.Violations(t.Context(), server)
		require.NoError(t, err)
		require.Empty(t, found, "no right to what it had made")
	})
	t.Run("AMonthThatBeganElsewhereStaysThere", func(t *testing.T) {
		t.Parallel()
		d, server, owner, first := open3(t)
		_, err := owner.Exec(t.Context(), `DROP TABLE `+part(first, 0)+`, `+part(first, 1)+`; `+product)
		require.NoError(t, err)
		d.Tamper(t, quote(1, first))
		require.Equal(t, 1, call(t, server), "the next month is made")
		require.Zero(t, call(t, server))
		var in string
		require.NoError(t, owner.QueryRow(t.Context(), `SELECT tableoid::regclass::text FROM tape_quotes`).Scan(&in))
		require.Equal(t, "tape_quotes_rest", in)
		require.Empty(t, code(t, server, quote(2, first)))
		require.Equal(t, unique, code(t, server, quote(1, first)))
	})
	t.Run("ALockedTapeIsLeftAloneAfterASecond", func(t *testing.T) {
		t.Parallel()
		_, server, owner, first := open3(t)
		_, err := owner.Exec(t.Context(), `DROP TABLE `+part(first, 2))
		require.NoError(t, err)
		reader, err := owner.Begin(t.Context())
		require.NoError(t, err)
		defer func() { _ = reader.Rollback(t.Context()) }()
		_, err = reader.Exec(t.Context(), `SELECT FROM tape_quotes`)
		require.NoError(t, err)
		require.Equal(t, "55P03", code(t, server, `SELECT make_quote_months()`))
		require.NoError(t, reader.Rollback(t.Context()))
		require.Equal(t, 1, call(t, server))
	})
	t.Run("ANumberIsInOneMonth", func(t *testing.T) {
		t.Parallel()
		_, server, owner, first := open3(t)
		now, next, past := first, first.AddDate(0, 1, 0), first.AddDate(0, -5, 0) // no table has the last one
		_, err := owner.Exec(t.Context(), product+"; "+quote(10, past)+"; "+quote(20, now)+"; "+quote(30, next))
		require.NoError(t, err)
		for seq, days := range map[int]map[time.Time]string{
			9:  {past: "", now: unique, next: unique},
			10: {past: unique, now: unique, next: unique},
			11: {past: "", now: "", next: unique},
			20: {past: unique, now: unique, next: unique},
			21: {now: "", next: ""},
			30: {past: unique, now: unique, next: unique},
			31: {next: ""},
		} {
			for day, want := range days {
				require.Equal(t, want, code(t, server, quote(seq, day)), "%d on %s", seq, day)
			}
		}
		both := `INSERT INTO tape_quotes (product_id, seq, bid, ask, at_ms, source_ms, source, batch, stored_on) SELECT 1, seq, 1, 1, 0, 0, '', 1, day::date FROM (VALUES (%d, '%s'), (%d, '%s')) q (seq, day)`
		require.Empty(t, code(t, server, fmt.Sprintf(both, 25, now.Format(time.DateOnly), 26, next.Format(time.DateOnly))), "a statement over the end of a month")
		require.Equal(t, unique, code(t, server, fmt.Sprintf(both, 26, now.Format(time.DateOnly), 25, next.Format(time.DateOnly))))
		require.Equal(t, unique, code(t, server, fmt.Sprintf(both, 25, now.Format(time.DateOnly), 25, next.Format(time.DateOnly))))
	})
	t.Run("TheServerHasNoRightToAMonth", func(t *testing.T) {
		t.Parallel()
		_, server, owner, first := open3(t)
		for _, table := range []string{part(first, 0), "tape_quotes_rest"} {
			for _, statement := range []string{
				"SELECT FROM " + table, "UPDATE " + table + " SET bid = 1", "DELETE FROM " + table, "TRUNCATE " + table, "DROP TABLE " + table, "ALTER TABLE tape_quotes DETACH PARTITION " + table,
				"INSERT INTO " + table + " (product_id) VALUES (1)", "CREATE TABLE mine PARTITION OF tape_quotes FOR VALUES FROM ('2000-01-01') TO ('2000-02-01')",
			} {
				require.Equal(t, denied, code(t, server, statement), statement)
			}
		}
		require.Equal(t, denied, code(t, server, `CREATE OR REPLACE FUNCTION make_quote_months() RETURNS int LANGUAGE sql AS 'SELECT 1'`))
		_, err := owner.Exec(t.Context(), `GRANT DELETE ON tape_quotes_rest TO candor_server`)
		require.NoError(t, err)
		found, err := migrations.Violations(t.Context(), server)
		require.NoError(t, err)
		require.Equal(t, []string{"tape_quotes_rest: a partition"}, found)
	})
}

// withoutRights is a shape but for its rights: those of the server are taken from partitions when it is migrated, and never given to later ones.
func withoutRights(lines []string) []string {
	return slices.DeleteFunc(slices.Clone(lines), func(line string) bool { return strings.HasPrefix(line, "right ") })
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

// shape is every column, type, constraint, index, trigger and right of the schema, as text.
func shape(t *testing.T, pool *pgxpool.Pool) []string {
	t.Helper()
	rows, err := pool.Query(t.Context(), `
		SELECT 'column ' || table_name || '.' || column_name || ' ' || coalesce(domain_name, udt_name) || ' ' || is_nullable || ' ' || coalesce(column_default, '')
		FROM information_schema.columns WHERE table_schema = 'public'
		UNION ALL SELECT 'label ' || enumtypid::regtype || ' ' || enumsortorder || ' ' || enumlabel FROM pg_enum
		UNION ALL SELECT 'cast ' || castsource::regtype || ' ' || casttarget::regtype || ' ' || castcontext::text FROM pg_cast WHERE oid >= 16384
		UNION ALL SELECT 'domain ' || contypid::regtype || ' ' || pg_get_constraintdef(oid) FROM pg_constraint WHERE contypid <> 0 AND connamespace = 'public'::regnamespace
		UNION ALL SELECT 'constraint ' || conrelid::regclass || ' ' || pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace = 'public'::regnamespace
		UNION ALL SELECT 'index ' || indexdef FROM pg_indexes WHERE schemaname = 'public'
		UNION ALL SELECT 'trigger ' || pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
		UNION ALL SELECT 'right ' || relname || ' ' || coalesce(relacl::text, '') FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
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
		WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'S', 'v') AND relname NOT LIKE 'river%' AND relname NOT LIKE 'goose%'`).Scan(&left))
	require.Empty(t, left)
	require.NoError(t, pool.QueryRow(t.Context(), `
		SELECT coalesce(array_agg(proname::text), '{}') FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND proname NOT LIKE 'river%'`).Scan(&left))
	require.Empty(t, left)
	require.NoError(t, pool.QueryRow(t.Context(), `
		SELECT coalesce(array_agg(typname::text), '{}') FROM pg_type
		WHERE typnamespace = 'public'::regnamespace AND typcategory <> 'A' AND typname NOT LIKE 'river%' AND typname NOT LIKE 'goose%'`).Scan(&left))
	require.Empty(t, left)
	require.ErrorIs(t, migrations.Check(t.Context(), pool), migrations.ErrBehind)

	require.NoError(t, migrations.Up(t.Context(), d.OwnerURL))
	require.NoError(t, migrations.Check(t.Context(), pool))
	require.Equal(t, before, shape(t, pool))
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
	t.Run("ADatabaseOfReplacedMigrationsIsRefusedAndLeftAlone", func(t *testing.T) {
		t.Parallel()
		d := dbtest.New(t)
		owner := open(t, d.OwnerURL)
		_, err := owner.Exec(t.Context(), `INSERT INTO goose_db_version (version_id, is_applied) VALUES (93, true); REVOKE SELECT ON orders FROM candor_server`)
		require.NoError(t, err)
		before := shape(t, owner)
		require.ErrorIs(t, migrations.Check(t.Context(), open(t, d.URL)), migrations.ErrReplaced)
		require.ErrorIs(t, migrations.Up(t.Context(), d.OwnerURL), migrations.ErrReplaced)
		require.Equal(t, before, shape(t, owner))
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
		require.Equal(t, fmt.Sprintf("%04d", i+1), name[:4], "numbered without gaps: a higher number is of another version")
	}
}
