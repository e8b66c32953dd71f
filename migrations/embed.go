// Package migrations brings a database to the present shape, in one order, and gives the server's role exactly the rights it needs.
package migrations

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	_ "github.com/jackc/pgx/v5/stdlib" // the database/sql driver that goose uses
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"
)

//go:embed *.sql
var files embed.FS

//go:embed embed.go
var grants []byte // this file gives the rights: a template made by another version of it is not the present shape

// ServerRole is the role of the embedded and the test databases that `candor serve` connects as.
const ServerRole = "candor_server"

// appendOnly lists the tables of which the server's role may read and add rows, and nothing else.
var appendOnly = []string{
	"ledger_transactions", "postings", "tape_quotes", "tape_heads", "history_candles", "fills", "fill_heads", "charges", "charge_heads", "order_revisions", "audit_entries", "audit_heads",
	"reconciliations", "product_terms", "terms_heads", "dividends", "leverage_caps", "feed_terms", "withdrawal_locks", "kyc_views", "kyc_judgements", "trader_notes",
	"transfers", "exchange_quotes", "exchanges", "chat_messages", "chat_pictures",
	"adjustments", "payee_name_words", "task_comments", "complaint_letters", "notice_images", "notice_reads", "notice_acks", "challenge_keys", "staff_duties", "bank_statements", "bank_days",
	"rebate_payments", "rebate_reversals", "void_invitations", "credit_scores",
}

// partly lists tables of which the server's role may read and add rows, and change these columns of rows that are there: what the engine needs.
// A column that a later migration adds is not among them until it is named here.
var partly = map[string][]string{
	"accounts": {"cash", "bonus", "deficit", "owed", "netting", "version", "name", "leverage_ceiling"},
	"conversations": {
		"trader_id", "visitor", "language", "zone", "state", "agent_id", "waiting_since", "answered_at", "answered_in", "answered_late", "snoozed_until", "resolved_at", "resolved_by", "resolved_in", "resolved_late", "reopened_at", "priority", "labels", "last_message_id",
		"customer_got", "customer_read", "agent_got", "agent_read", "rating", "rated_at", "version", "moved_at", "woken_at", "transcript_at",
	},
	"chat_agents":      {"seen_at", "accepting", "languages"},
	"chat_macros":      {"name", "key", "reply", "priority", "labels", "ending", "snooze", "transfer_to", "version", "changed_by", "changed_at", "removed_at"},
	"chat_replies":     {"category", "body", "version", "changed_by", "changed_at", "removed_at"},
	"idempotency_keys": {"result"},
	"factor_owners":    {"handle"}, // locking a row takes the right to change it
	"granted_contacts": {"expires_at", "used_at"},
	"rebate_cursor":    {"xid"},
	"rebates":          {"payment_id", "reversed"},
	"candles":          {"high", "low", "close", "ticks"},
	"orders": {
		"price", "limit_price", "stop_loss", "take_profit", "time_in_force", "expires_at", "since_seq", "armed_seq", "status", "reason", "revision",
		"position_id", "ended_at", "oco",
	},
	"positions": {
		"lots", "margin", "stop_loss", "take_profit", "trail", "since_seq", "trail_since_seq", "commission", "realised", "state", "close_reason", "close_price", "closed_at", "version",
		"lots_opened", "open_price", "open_value", "swap", "dividends", "rolled_day",
	},
	"margin_calls":      {"recovered_at"},
	"payees":            {"label", "preferred", "removed_at", "version", "holder_key", "holder_sealed"},
	"payee_settings":    {"whitelist_only", "pending_off_at", "version"},
	"payment_passwords": {"hash", "failures", "locked_until", "changed_at", "version"},
	"approvals":         {"state", "people", "second_by", "second_at", "third_by", "third_at", "closed_by", "closed_at", "refusal", "applied_at", "version"},
	"tasks":             {"state", "taken_by", "taken_at", "ended_by", "ended_at", "outcome", "version"},
	"mentions":          {"read_at"},
	"complaints":        {"state", "handler_id", "acknowledged_at", "extended_at", "answer_due", "approval", "outcome", "redress", "root_cause", "answer", "answer_way", "answered_at", "answer_sent_on", "closed_at", "version"},
	"payout_routes":     {"provider", "enabled", "approval", "version"},
	"bank_accounts":     {"name", "bank", "holder", "bic", "open", "mapping", "approval", "version"},
	"pay_channels": {
		"name", "currency", "minimum", "maximum", "bank_account_id", "bank", "holder", "iban", "bic", "sort", "enabled", "provider", "coin", "chain", "confirmations", "countries", "fee_rate", "instructions", "approval", "version",
	},
	"bank_lines":     {"detail_key", "state", "suggested_id", "score", "deposit_id", "withdrawal_id", "cause", "approval", "decided_by", "decided_at", "version"},
	"staff_devices":  {"last_seen_at"},
	"staff_networks": {"last_seen_at"},
	"switches":       {"value", "rules", "version", "changed_at"},
	"switch_changes": {
		"base_version", "was", "becomes", "reason", "apply_at", "zone", "author_id", "approval", "applied_at", "to_version", "closed_at", "revert_of",
		"reviewer_id", "reviewed_at", "verdict", "review_note", "version",
	},
	"products": {}, "market_hours": {}, "market_holidays": {},
	"deposits": {
		"state", "file_id", "claimed_by", "claimed_until", "received", "fee", "bank_reference", "maker_id", "checker_id", "shown_hash", "reason", "staff_note", "transaction_id",
		"version", "proof_at", "decided_at", "expires_at", "pay_url", "merchant", "merchant_bank", "merchant_account", "offer_currency", "offer_amount", "offer_rate", "offer_release", "agreed_at", "appeal", "tx_hash", "confirmations", "required",
		"asked_at", "reversal_id", "reversal_approval", "moved_at", "said_state", "said_amount", "said_currency",
		"gone_at", "sender_name_key", "sender_name_sealed", "sender_same", "value_date", "mismatches",
	},
	"deposit_addresses":   {"address", "memo", "asked_at", "wanted_at"},
	"provider_events":     {"state", "outcome", "done_at"},
	"provider_secrets":    {"secret_key", "secret_sealed", "set_at"},
	"withdrawal_halts":    {"asked_at", "asked_by", "ended_at", "ended_by"},
	"tags":                {"name", "colour", "retired_at", "version"},
	"trader_tags":         {"taken_by", "taken_at"},
	"trader_restrictions": {"ended_at", "lifted_by", "lift_note", "version"},
	"withdrawals": {
		"state", "frozen_from", "claimed_by", "claimed_until", "approval", "outcome_approval", "payment",
		"reason", "answer", "staff_note", "sent_id", "back_id", "version", "moved_at", "queued_at", "sent_at", "ended_at",
		"provider", "provider_state", "confirmations", "required", "asked_at", "holder_key", "holder_sealed",
		"bank_account_id", "batch_id", "sent_by", "confirmed_by", "mismatches",
	},
	"payout_batches": {"state", "count", "total", "approval", "payment", "sent_by", "confirmed_by", "mismatches", "version", "released_at", "sent_at", "ended_at"},
	"kyc_applications": {
		"attempt", "state", "country", "document_type", "name_key", "name_sealed", "number_key", "number_sealed", "birth_key", "birth_sealed", "expiry_key", "expiry_sealed",
		"number_hash", "data_attempt", "data_reason", "level", "risks", "claimed_by", "claimed_until", "maker_id", "lead_id", "asked_by", "proposal", "public_reason", "internal_reason",
		"note", "version", "submitted_at", "decided_at", "renew_on", "kept_until", "shredded_at",
		"level_approval", "level_asked_at", "marks",
	},
	"kyc_samples":  {"again", "again_by", "again_at", "note"},
	"notice_items": {"sort", "live_id", "told_from", "version"},
	"notice_revisions": {
		"state", "category", "placement", "severity", "audience", "countries", "languages", "platforms", "starts_at", "ends_at", "zone", "sticky", "link", "source",
		"frequency", "must_ack", "image", "author_id", "authors", "changed_at", "approval", "again", "reason", "live_at", "ended_at",
	},
	"notice_reach":  {"last_at", "session_id", "clicks", "helpful", "revision"},
	"user_messages": {"read_at"}, "notification_settings": {"in_app", "mail"}, "activity_cursor": {"xid"},
	"trader_preferences": {"value", "changed_at"},
	"drawings":           {"anchors", "style", "note", "locked", "hidden", "version", "changed_at", "deleted_at"},
	"bonus_campaigns":    {"stopped_at", "stopped_by"},
	"bonuses": {
		"amount", "state", "terms", "accepted_at", "account_id", "deposit_id", "grant_id", "granted_at", "expires_at", "remaining", "warned_at", "ended_at", "end_id",
	},
	"conduct_flags":        {"appeal", "appealed_at", "outcome", "decided_by", "decided_at"},
	"report_subscriptions": {"next_at", "ended_at"},
	"adjustment_evidence":  {"sealed_key"},
	"kyc_documents":        {"sealed_key", "picture_hash", "decision", "reason", "decided_by", "decided_at", "current", "replaced_by"},
}

// swept lists the tables of which the server's role may delete the rows that a trigger lets go: expired ones, and those of a trader whose account closes.
var swept = []string{"conduct_flags", "credit_scores", "drawings", "exchange_quotes", "granted_contacts", "notification_settings", "payee_name_words", "payee_settings", "payees", "payment_passwords", "trader_preferences", "user_messages"}

// readOnly lists the append-only tables that the server's role may not even add to.
var readOnly = []string{"leverage_caps"}

// Up brings the database at ownerURL to the present shape and grants ServerRole its rights where that role exists.
func Up(ctx context.Context, ownerURL string) error { return UpFor(ctx, ownerURL, ServerRole) }

// UpFor is Up with the server's role named by the caller.
func UpFor(ctx context.Context, ownerURL, role string) error {
	conn, err := sql.Open("pgx", ownerURL)
	if err != nil {
		return fmt.Errorf("open the database as its owner: %w", err)
	}
	defer func() { _ = conn.Close() }()
	if err := refuseReplaced(func(into *bool, statement string, args ...any) error {
		return conn.QueryRowContext(ctx, statement, args...).Scan(into)
	}); err != nil {
		return err
	}
	locker, err := lock.NewPostgresSessionLocker()
	if err != nil {
		return err
	}
	provider, err := goose.NewProvider(goose.DialectPostgres, conn, files, goose.WithSessionLocker(locker))
	if err != nil {
		return fmt.Errorf("read the migrations: %w", err)
	}
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	pool, err := pgxpool.New(ctx, ownerURL)
	if err != nil {
		return err
	}
	defer pool.Close()
	jobs, err := rivermigrate.New(riverpgxv5.New(pool), nil)
	if err != nil {
		return err
	}
	if _, err := jobs.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
		return fmt.Errorf("migrate the job queue: %w", err)
	}
	return grant(ctx, pool, role)
}

func grant(ctx context.Context, pool *pgxpool.Pool, role string) error {
	var exists bool
	if err := pool.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = $1)`, role).Scan(&exists); err != nil || !exists {
		return err
	}
	name := pgx.Identifier{role}.Sanitize()
	statements := []string{
		"REVOKE CREATE ON SCHEMA public FROM PUBLIC",
		"GRANT USAGE ON SCHEMA public TO " + name,
		"GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO " + name,
		"GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO " + name,
		"REVOKE ALL ON goose_db_version FROM " + name,
		"GRANT SELECT ON goose_db_version TO " + name,
		"GRANT EXECUTE ON FUNCTION make_quote_months() TO " + name,
	}
	for _, table := range appendOnly {
		statements = append(statements, "REVOKE UPDATE, DELETE, TRUNCATE ON "+table+" FROM "+name)
	}
	for _, table := range readOnly {
		statements = append(statements, "REVOKE INSERT ON "+table+" FROM "+name)
	}
	for _, table := range slices.Sorted(maps.Keys(partly)) {
		statements = append(statements, "REVOKE UPDATE, DELETE, TRUNCATE ON "+table+" FROM "+name)
		if columns := partly[table]; len(columns) > 0 {
			statements = append(statements, "GRANT UPDATE ("+strings.Join(columns, ", ")+") ON "+table+" TO "+name)
		}
	}
	for _, table := range swept {
		statements = append(statements, "GRANT DELETE ON "+table+" TO "+name)
	}
	for _, more := range []func(context.Context, *pgxpool.Pool, string) ([]string, error){grantStamped, revokeParts} {
		list, err := more(ctx, pool, name)
		if err != nil {
			return err
		}
		statements = append(statements, list...)
	}
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		for _, statement := range statements {
			if _, err := tx.Exec(ctx, statement); err != nil {
				return fmt.Errorf("%s: %w", statement, err)
			}
		}
		return nil
	})
}

// grantStamped lets role add rows to the append-only tables that note the transaction of each row, but not say which transaction that is:
// the database does, or a posting could be slipped into an old transaction.
func grantStamped(ctx context.Context, pool *pgxpool.Pool, role string) ([]string, error) {
	rows, err := pool.Query(ctx, `
		SELECT 'REVOKE INSERT ON ' || table_name || ' FROM ' || $2 || '; GRANT INSERT (' ||
		       string_agg(quote_ident(column_name), ', ') FILTER (WHERE column_name <> 'xid') || ') ON ' || table_name || ' TO ' || $2
		FROM information_schema.columns WHERE table_schema = 'public' AND table_name = ANY($1)
		GROUP BY table_name HAVING bool_or(column_name = 'xid') ORDER BY table_name`, appendOnly, role)
	if err != nil {
		return nil, fmt.Errorf("list the columns of the append-only tables: %w", err)
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

// revokeParts leaves role no right to the partitions of a table: it has those to the whole, whose rules are for each statement.
func revokeParts(ctx context.Context, pool *pgxpool.Pool, role string) ([]string, error) {
	rows, err := pool.Query(ctx, `SELECT 'REVOKE ALL ON ' || oid::regclass || ' FROM ' || $1 FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relispartition AND relkind = 'r' ORDER BY 1`, role)
	if err != nil {
		return nil, fmt.Errorf("list the partitions: %w", err)
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

// Querier reads rows from the database.
type Querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// Violations names each right that role should not have; production refuses to start with any.
func Violations(ctx context.Context, pool Querier) ([]string, error) {
	var out, changing []string
	for table, columns := range partly {
		for _, column := range columns {
			changing = append(changing, table+"."+column)
		}
	}
	rows, err := pool.Query(ctx, `
		SELECT table_name || ': ' || privilege FROM unnest($1::text[]) table_name, unnest(ARRAY['UPDATE', 'DELETE', 'TRUNCATE']) privilege
		WHERE has_table_privilege(current_user, table_name, privilege) AND NOT (privilege = 'DELETE' AND table_name = ANY($4))
		UNION ALL SELECT relname || ': INSERT of xid' FROM pg_attribute JOIN pg_class c ON c.oid = attrelid
		WHERE relnamespace = 'public'::regnamespace AND relname = ANY($1) AND attname = 'xid' AND has_column_privilege(current_user, attrelid, attnum, 'INSERT')
		UNION ALL SELECT table_name || ': ' || privilege FROM unnest($2::text[]) table_name, unnest(ARRAY['DELETE', 'TRUNCATE']) privilege
		WHERE has_table_privilege(current_user, table_name, privilege) AND NOT (privilege = 'DELETE' AND table_name = ANY($4))
		UNION ALL SELECT relname || ': UPDATE of ' || attname FROM pg_attribute JOIN pg_class c ON c.oid = attrelid
		WHERE relnamespace = 'public'::regnamespace AND relname = ANY($2) AND attnum > 0 AND NOT attisdropped AND relname || '.' || attname <> ALL($3)
		AND has_column_privilege(current_user, attrelid, attnum, 'UPDATE')
		UNION ALL SELECT relname || ': a partition' FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relispartition AND relkind = 'r'
		AND has_table_privilege(current_user, oid, 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE')
		UNION ALL SELECT 'superuser' WHERE (SELECT rolsuper FROM pg_roles WHERE rolname = current_user)
		UNION ALL SELECT 'owner of ' || tablename FROM pg_tables WHERE schemaname = 'public' AND pg_has_role(current_user, tableowner, 'USAGE')
		ORDER BY 1`, appendOnly, slices.Sorted(maps.Keys(partly)), changing, swept)
	if err != nil {
		return nil, err
	}
	for rows.Next() {
		var one string
		if err := rows.Scan(&one); err != nil {
			return nil, err
		}
		out = append(out, one)
	}
	return out, rows.Err()
}

// ErrBehind is returned by Check when the database is older than the program.
var ErrBehind = errors.New(`the database is behind this version: run "candor migrate"`)

// ErrReplaced is returned for a database that an earlier set of migrations made: they were replaced before 1.0, and no path leads from the old ones to these.
var ErrReplaced = errors.New("an earlier version, whose migrations have been replaced, made this database: move it away and start with an empty one")

// refuseReplaced returns ErrReplaced when the database has migrations that are not in this program.
func refuseReplaced(ask func(into *bool, statement string, args ...any) error) error {
	names, err := fs.Glob(files, "*.sql")
	if err != nil {
		return err
	}
	var migrated, replaced bool
	if err := ask(&migrated, `SELECT to_regclass('goose_db_version') IS NOT NULL`); err != nil || !migrated {
		return err
	}
	if err := ask(&replaced, `SELECT EXISTS (SELECT 1 FROM goose_db_version WHERE version_id > $1)`, len(names)); err != nil {
		return err
	}
	if replaced {
		return ErrReplaced
	}
	return nil
}

// Check reports whether the database at pool has the present shape; it changes nothing. It returns ErrBehind or ErrReplaced.
func Check(ctx context.Context, pool Querier) error {
	names, err := fs.Glob(files, "*.sql")
	if err != nil {
		return err
	}
	if err := refuseReplaced(func(into *bool, statement string, args ...any) error {
		return pool.QueryRow(ctx, statement, args...).Scan(into)
	}); err != nil {
		return err
	}
	var done int
	err = pool.QueryRow(ctx, `SELECT count(*) FROM goose_db_version WHERE version_id > 0 AND is_applied`).Scan(&done)
	if err != nil || done < len(names) {
		return ErrBehind
	}
	return nil
}

// Hash names the content of all migrations; test templates are made anew when it changes.
func Hash() string {
	sum := sha256.New()
	sum.Write(grants)
	names, _ := fs.Glob(files, "*.sql")
	for _, name := range names {
		text, _ := fs.ReadFile(files, name)
		sum.Write([]byte(name))
		sum.Write(text)
	}
	return hex.EncodeToString(sum.Sum(nil))[:16]
}
