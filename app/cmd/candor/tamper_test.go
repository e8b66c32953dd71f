package main

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"candor/app/audit"
)

// kept are the tables that the tampers change; a copy of each puts them back.
var kept = []string{"postings", "fills", "tape_quotes", "tape_heads", "candles", "audit_entries"}

// TestVerifyCatchesEachTamper changes one thing at a time behind the program's back, as only a superuser can, and asks the program itself.
func TestVerifyCatchesEachTamper(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	k := newKillRig(t)
	k.start(t)
	_, tokens, err := fundedTraders(ctx, k.database.DB, 1)
	require.NoError(t, err)
	require.NoError(t, k.database.Pool.QueryRow(ctx, `SELECT id FROM products WHERE symbol = 'BTCUSD'`).Scan(&k.product))
	k.audits(t)
	acks, done, traded := make(chan acknowledged, 10_000), make(chan struct{}), make(chan error, 1)
	go func() { traded <- k.trade(done, 0, tokens[0], acks) }()
	for range 10 {
		<-acks
	}
	close(done)
	require.NoError(t, <-traded)
	require.Eventually(t, func() bool { // a transaction of a test beside this one can hold the seal of the newest entries back
		var sealed int
		err := k.database.Pool.QueryRow(ctx, `SELECT count(*) FROM audit_entries WHERE xid <= (SELECT max(until_xid) FROM audit_heads)`).Scan(&sealed)
		if err != nil || sealed < 5 {
			return false
		}
		err = k.database.Pool.QueryRow(ctx, `SELECT count(*) FROM fills WHERE xid > coalesce((SELECT max(until_xid) FROM fill_heads), '0')`).Scan(&sealed)
		return err == nil && sealed == 0
	}, 2*time.Minute, 50*time.Millisecond)
	require.NoError(t, k.interrupt(t))

	super, err := pgx.Connect(ctx, k.super)
	require.NoError(t, err)
	t.Cleanup(func() { _ = super.Close(ctx) })
	plant := func(sql string) int64 {
		t.Helper()
		tag, err := super.Exec(ctx, sql)
		require.NoError(t, err, sql)
		return tag.RowsAffected()
	}
	plant(`SET session_replication_role = replica`) // no trigger stands in a superuser's way
	for _, table := range kept {
		plant(`CREATE TABLE kept_` + table + ` AS TABLE ` + table)
	}
	k.proves(t)
	for _, test := range []struct{ name, sql, table string }{
		{"OnePostingByOneUnit", `UPDATE postings SET amount = amount + 1 WHERE id = (SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY id) FROM postings)`, "postings"},
		{"OneQuote", `UPDATE tape_quotes SET bid = bid - 1 WHERE (product_id, seq) = (SELECT product_id, seq FROM tape_quotes ORDER BY random() LIMIT 1)`, "tape_quotes"},
		{"OneFillsPrice", `UPDATE fills SET price = price + 1 WHERE id = (SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY id) FROM fills)`, "fills"},
		{"OneFillsEquity", `UPDATE fills SET equity = equity + 1 WHERE id = (SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY id) FROM fills)`, "fills"},
		{"OneCandle", `UPDATE candles SET high = high + 1 WHERE (product_id, period, start_ms) = (SELECT product_id, period, start_ms FROM candles ORDER BY random() LIMIT 1)`, "candles"},
		{"OneAuditRowFromTheMiddle", `DELETE FROM audit_entries WHERE id = (SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY id) FROM audit_entries)`, "audit_entries"},
		{"TheEndOfTheTape", `WITH heads AS (DELETE FROM tape_heads WHERE sealed_at > (SELECT max(sealed_at) FROM tape_heads) - interval '1 hour' AND batch > 1 RETURNING batch)
			DELETE FROM tape_quotes WHERE batch IN (SELECT batch FROM heads) AND NOT EXISTS (SELECT 1 FROM fills f WHERE f.product_id = tape_quotes.product_id)`, "tape_heads"},
	} {
		t.Run(test.name, func(t *testing.T) {
			require.Positive(t, plant(test.sql))
			code, stdout, stderr := k.run(t, "verify", "--json")
			require.Equal(t, 1, code, stderr)
			var r report
			require.NoError(t, json.Unmarshal([]byte(stdout), &r), stdout)
			require.False(t, r.OK)
			require.Equal(t, test.table, r.Wrong.Table, stdout)
			require.NotEmpty(t, r.Wrong.Row)
			code, stdout, _ = k.run(t, "verify")
			require.Equal(t, 1, code)
			require.Equal(t, "wrong: "+r.Wrong.Table+" "+r.Wrong.Row+" "+r.Wrong.What+"\n", stdout)
			for _, table := range kept {
				plant(`DELETE FROM ` + table)
				plant(`INSERT INTO ` + table + ` OVERRIDING SYSTEM VALUE TABLE kept_` + table)
			}
			k.proves(t)
		})
	}
}

func (k *killRig) proves(t *testing.T) {
	t.Helper()
	code, stdout, stderr := k.run(t, "verify", "--json")
	var r report
	require.NoError(t, json.Unmarshal([]byte(stdout), &r), "%s%s", stdout, stderr)
	require.True(t, r.OK, stdout)
	require.Zero(t, code)
	for name, proved := range r.Proved {
		require.GreaterOrEqual(t, proved, int64(3), name)
	}
}

// audits leaves some entries to seal: trading itself is proved by its fills.
func (k *killRig) audits(t *testing.T) {
	t.Helper()
	log := audit.NewLog(k.database.DB)
	for n := range 5 {
		require.NoError(t, log.Record(t.Context(), audit.By(audit.Actor{Kind: audit.System, Name: "test"}, time.Now(), "test.look", "test", int64(n+1))))
	}
}
