package systemtest

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"candor/app/audit"
	"candor/app/bench"
	"candor/app/ledger"
	"candor/app/platform/db"
	"candor/app/platform/money"
	"candor/app/server"
)

// restoredTables are the tables that the test changes; a copy of each restores them.
var restoredTables = []string{"postings", "fills", "charges", "charge_heads", "tape_quotes", "tape_heads", "candles", "audit_entries", "product_terms", "exchange_quotes", "exchanges"}

// TestVerifyCatchesEachTamper changes one thing at a time as a superuser, behind the program's back, and runs its verify command.
func TestVerifyCatchesEachTamper(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	k := newKillFixture(t, "CANDOR_FEED=replay:"+recordQuotes(t), "CANDOR_FEED_SPEED=10", "CANDOR_FEED_START=21h57m")
	k.start(t)
	_, tokens, err := bench.FundedTraders(ctx, k.database.DB, 1)
	require.NoError(t, err)
	require.NoError(t, k.database.Pool.QueryRow(ctx, `SELECT id FROM products WHERE symbol = 'BTCUSD'`).Scan(&k.product))
	k.recordAudits(t)
	acks, done, traded := make(chan acknowledged, 10_000), make(chan struct{}), make(chan error, 1)
	go func() { traded <- k.trade(done, 0, tokens[0], acks) }()
	for range 10 {
		<-acks
	}
	close(done)
	require.NoError(t, <-traded)
	for n := range 3 {
		_, _, err := k.until(http.DefaultClient, "insertOrder", fmt.Sprintf(`{"productId":%d,"side":"buy","lots":"0.01","leverage":20}`, k.product), fmt.Sprint("held", n), tokens[0])
		require.NoError(t, err)
	}
	k.makeExchanges(t, 3)
	require.Eventually(t, func() bool { // a transaction of a parallel test can delay the seal of the newest entries
		var sealed int
		err := k.database.Pool.QueryRow(ctx, `SELECT count(*) FROM audit_entries WHERE xid <= (SELECT max(until_xid) FROM audit_heads)`).Scan(&sealed)
		if err != nil || sealed < 5 {
			return false
		}
		err = k.database.Pool.QueryRow(ctx, `SELECT count(*) FROM fills WHERE xid > coalesce((SELECT max(until_xid) FROM fill_heads), '0')`).Scan(&sealed)
		if err != nil || sealed > 0 {
			return false
		}
		err = k.database.Pool.QueryRow(ctx, `SELECT coalesce(sum(count), 0) FROM charge_heads`).Scan(&sealed)
		return err == nil && sealed >= 3
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
	plant(`SET session_replication_role = replica`) // switches the triggers off
	for _, table := range restoredTables {
		plant(`CREATE TABLE kept_` + table + ` AS TABLE ` + table)
	}
	k.requireProved(t)
	for _, test := range []struct{ name, sql, table string }{
		{"OnePostingByOneUnit", `UPDATE postings SET amount = amount + 1 WHERE id = (SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY id) FROM postings)`, "postings"},
		{"OneQuote", `UPDATE tape_quotes SET bid = bid - 1 WHERE (product_id, seq) = (SELECT product_id, seq FROM tape_quotes WHERE product_id = 202 ORDER BY random() LIMIT 1)`, "tape_quotes"},
		{"OneFillsPrice", `UPDATE fills SET price = price + 1 WHERE id = (SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY id) FROM fills)`, "fills"},
		{"OneFillsEquity", `UPDATE fills SET equity = equity + 1 WHERE id = (SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY id) FROM fills)`, "fills"},
		{"OneChargesAmount", `UPDATE charges SET amount = amount + 1 WHERE id = (SELECT min(id) FROM charges)`, "charges"},
		{"OneChargesMoment", `UPDATE charges SET created_at = created_at + interval '1 second' WHERE id = (SELECT max(id) FROM charges)`, "charges"},
		{"OneChargeRemoved", `DELETE FROM charges WHERE id = (SELECT min(id) FROM charges)`, "positions"},
		{"TheEndOfTheCharges", `DELETE FROM charge_heads WHERE batch = (SELECT max(batch) FROM charge_heads)`, "charge_heads"},
		{"OneExchangesQuote", `UPDATE exchange_quotes SET to_amount = to_amount + 1 WHERE id = (SELECT max(quote_id) FROM exchanges)`, "exchanges"},
		{"OneExchangeAfterItsQuote", `UPDATE exchanges SET created_at = created_at + interval '15 seconds' WHERE id = (SELECT min(id) FROM exchanges)`, "exchanges"},
		{"OneExchangeRemoved", `DELETE FROM exchanges WHERE id = (SELECT min(id) FROM exchanges)`, "exchanges"},
		{"OneTerm", `UPDATE product_terms SET stop_level = stop_level + 1 WHERE product_id = 205`, "product_terms"},
		{"OneCandle", `UPDATE candles SET high = high + 1 WHERE (product_id, period, start_ms) = (SELECT product_id, period, start_ms FROM candles ORDER BY random() LIMIT 1)`, "candles"},
		{"OneAuditRowFromTheMiddle", `DELETE FROM audit_entries WHERE id = (SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY id) FROM audit_entries)`, "audit_entries"},
		{"TheEndOfTheTape", `WITH heads AS (DELETE FROM tape_heads WHERE sealed_at > (SELECT max(sealed_at) FROM tape_heads) - interval '1 hour' AND batch > 1 RETURNING batch)
			DELETE FROM tape_quotes WHERE batch IN (SELECT batch FROM heads) AND NOT EXISTS (SELECT 1 FROM fills f WHERE f.product_id = tape_quotes.product_id)`, "tape_heads"},
	} {
		t.Run(test.name, func(t *testing.T) {
			require.Positive(t, plant(test.sql))
			code, stdout, stderr := k.run(t, "verify", "--json")
			require.Equal(t, 1, code, stderr)
			var r server.Report
			require.NoError(t, json.Unmarshal([]byte(stdout), &r), stdout)
			require.False(t, r.OK)
			require.Equal(t, test.table, r.Wrong.Table, stdout)
			require.NotEmpty(t, r.Wrong.Row)
			code, stdout, _ = k.run(t, "verify")
			require.Equal(t, 1, code)
			require.Equal(t, "wrong: "+r.Wrong.Table+" "+r.Wrong.Row+" "+r.Wrong.What+"\n", stdout)
			for _, table := range restoredTables {
				plant(`DELETE FROM ` + table)
				plant(`INSERT INTO ` + table + ` OVERRIDING SYSTEM VALUE TABLE kept_` + table)
			}
			k.requireProved(t)
		})
	}
}

// recordQuotes writes quotes of the two hours around a rollover; a replay at ten times the pace reaches it within seconds.
func recordQuotes(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	start := time.Date(2026, 11, 24, 21, 30, 0, 0, time.UTC)
	quiet := start.Add(30 * time.Minute) // no quote is in transit when the trading day ends
	for symbol, cents := range map[string]int{"BTCUSD": 50_000_00, "ETHUSD": 2_500_00} {
		folder := filepath.Join(dir, "crypto", symbol)
		require.NoError(t, os.MkdirAll(folder, 0o755)) //nolint:gosec // test data
		file, err := os.Create(filepath.Join(folder, start.Format(time.DateOnly)+".csv.gz"))
		require.NoError(t, err)
		rows := gzip.NewWriter(file)
		fmt.Fprintln(rows, "ts_ms,bid,ask")
		for second := range 7_200 {
			bid, at := cents+second%7, start.Add(time.Duration(second)*time.Second)
			if !at.After(quiet) && at.After(quiet.Add(-time.Minute/2)) {
				continue
			}
			fmt.Fprintf(rows, "%d,%d.%02d,%d.%02d\n", at.UnixMilli(), bid/100, bid%100, bid/100+1, bid%100)
		}
		require.NoError(t, rows.Close())
		require.NoError(t, file.Close())
	}
	return dir
}

func (k *killFixture) requireProved(t *testing.T) {
	t.Helper()
	code, stdout, stderr := k.run(t, "verify", "--json")
	var r server.Report
	require.NoError(t, json.Unmarshal([]byte(stdout), &r), "%s%s", stdout, stderr)
	require.True(t, r.OK, stdout)
	require.Zero(t, code)
	for name, proved := range r.Proved {
		require.GreaterOrEqual(t, proved, int64(3), name)
	}
}

// makeExchanges has a trader with real money buy bitcoin for dollars several times.
func (k *killFixture) makeExchanges(t *testing.T, times int) {
	t.Helper()
	owner, token, err := bench.FundTrader(t.Context(), k.database.DB, "exchanger", ledger.Real, 0)
	require.NoError(t, err)
	require.NoError(t, k.database.InTx(t.Context(), func(tx *db.Tx) error { return fundRealTx(t.Context(), tx, owner.AccountID, 1_000*money.Unit) }))
	call := func(method, path, body, key string) (answer struct {
		Code string
		Data struct{ QuoteID int64 }
	}) {
		request, err := http.NewRequest(method, k.url+"/client/wallet/"+path, strings.NewReader(body))
		require.NoError(t, err)
		sign(request)
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("apptoken", token)
		request.Header.Set("Idempotency-Key", key)
		response, err := http.DefaultClient.Do(request)
		require.NoError(t, err)
		defer func() { _ = response.Body.Close() }()
		require.NoError(t, json.NewDecoder(response.Body).Decode(&answer))
		return answer
	}
	require.Equal(t, "ok", call(http.MethodPost, "insertTransfer", `{"from":"contract","to":"funding","amount":"1000"}`, "moved").Code)
	for n := range times {
		var quoteID int64
		require.Eventually(t, func() bool { // the market may have no fresh price for a moment
			quote := call(http.MethodGet, "findNewWalletExchange?from=USDT&to=BTC&amount=100", "", "")
			quoteID = quote.Data.QuoteID
			return quote.Code == "ok"
		}, time.Minute, 50*time.Millisecond)
		require.Equal(t, "ok", call(http.MethodPost, "insertExchange", fmt.Sprintf(`{"quoteId":%d}`, quoteID), fmt.Sprint("exchanged", n)).Code)
	}
}

// recordAudits records some audit entries to seal: trading leaves none, its fills are its proof.
func (k *killFixture) recordAudits(t *testing.T) {
	t.Helper()
	log := audit.NewLog(k.database.DB)
	for n := range 5 {
		require.NoError(t, log.Record(t.Context(), audit.By(audit.Actor{Kind: audit.System, Name: "test"}, time.Now(), "test.look", "test", int64(n+1))))
	}
}
