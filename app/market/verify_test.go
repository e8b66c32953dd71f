package market

import (
	"crypto/ed25519"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/audit"
)

// sealed makes a tape of four batches: EURUSD 1 to 12 and BTCUSD 1 to 12, three of each per batch.
func sealed(t *testing.T) *bundle {
	b := setup(t)
	for range 4 {
		for range 3 {
			b.say("EURUSD", "1.10000", "1.10010")
			b.say("BTCUSD", "90000.00", "90001.00")
		}
		b.real.Advance(time.Second)
		b.flush()
	}
	return b
}

func TestVerifyTapeNamesWhatDoesNotFit(t *testing.T) {
	t.Parallel()
	const quoteFive = ` WHERE product_id = 1 AND seq = 5`
	tests := []struct {
		name       string
		sql        []string
		table, row string
		what       string
	}{
		{"ABid", []string{`UPDATE tape_quotes SET bid = bid + 1` + quoteFive}, "tape_quotes", "product 1, seq 5,", "batch 2 sealed (6 quotes sealed, 6 found)"},
		{"AnAsk", []string{`UPDATE tape_quotes SET ask = ask + 1` + quoteFive}, "tape_quotes", "product 1, seq 5,", "batch 2"},
		{"AMarketTime", []string{`UPDATE tape_quotes SET at_ms = at_ms + 1` + quoteFive}, "tape_quotes", "product 1, seq 5,", "batch 2"},
		{"ASourceTime", []string{`UPDATE tape_quotes SET source_ms = source_ms + 1` + quoteFive}, "tape_quotes", "product 1, seq 5,", "batch 2"},
		{"ASource", []string{`UPDATE tape_quotes SET source = 'another'` + quoteFive}, "tape_quotes", "product 1, seq 5,", "batch 2"},
		{"ASequence", []string{`UPDATE tape_quotes SET seq = 99` + quoteFive}, "tape_quotes", "product 1, seq 6,", "batch 2"},
		{"AProduct", []string{`UPDATE tape_quotes SET product_id = 2` + quoteFive}, "tape_quotes", "product 1, seq 6,", "batch 2"},
		{"TwoQuotesSwapped", []string{`UPDATE tape_quotes SET bid = CASE seq WHEN 5 THEN 109999 ELSE 110000 END WHERE product_id = 1 AND seq IN (5, 6)`}, "tape_quotes", "product 1, seq 5,", "batch 2"},
		{"AQuoteMovedToAnotherBatch", []string{`UPDATE tape_quotes SET batch = 3` + quoteFive}, "tape_quotes", "product 1, seq 6,", "batch 2 sealed (6 quotes sealed, 5 found)"},
		{"AQuoteRemoved", []string{`DELETE FROM tape_quotes` + quoteFive}, "tape_quotes", "product 1, seq 6,", "batch 2 sealed (6 quotes sealed, 5 found)"},
		{"TheLastQuoteOfABatchRemoved", []string{`DELETE FROM tape_quotes WHERE product_id = 201 AND seq = 6`}, "tape_quotes", "the end of batch 2", "6 quotes were sealed, 5 are found"},
		{"AllQuotesOfABatchRemoved", []string{`DELETE FROM tape_quotes WHERE batch = 2`}, "tape_quotes", "the end of batch 2", "6 quotes were sealed, 0 are found"},
		{"AQuoteInsertedIntoABatch", []string{`INSERT INTO tape_quotes VALUES (3, 1, 150000, 150010, 0, 0, 'script', 2)`}, "tape_quotes", "product 3, seq 1,", "batch 2 sealed (6 quotes sealed, 7 found)"},
		{"AQuoteInsertedAtTheEndOfABatch", []string{`INSERT INTO tape_quotes VALUES (301, 1, 20000, 20010, 0, 0, 'script', 2)`}, "tape_quotes", "product 301, seq 1,", "batch 2"},
		{"AQuoteOfABatchThatWasNeverSealed", []string{`INSERT INTO tape_quotes VALUES (3, 1, 150000, 150010, 0, 0, 'script', 0)`}, "tape_quotes", "product 3, seq 1", "batch 0, which was never sealed"},
		{"ARoot", []string{`UPDATE tape_heads SET root = sha256(root) WHERE batch = 2`}, "tape_heads", "batch 2", "its hash or signature does not fit"},
		{"ACount", []string{`UPDATE tape_heads SET count = 5 WHERE batch = 2`}, "tape_heads", "batch 2", "its hash or signature does not fit"},
		{"ASealingTime", []string{`UPDATE tape_heads SET sealed_at = sealed_at - interval '1 hour' WHERE batch = 2`}, "tape_heads", "batch 2", "its hash or signature does not fit"},
		{"AHash", []string{`UPDATE tape_heads SET hash = sha256(hash) WHERE batch = 2`}, "tape_heads", "batch 2", "its hash or signature does not fit"},
		{"ASignature", []string{`UPDATE tape_heads SET signature = sha512(signature) WHERE batch = 2`}, "tape_heads", "batch 2", "its hash or signature does not fit"},
		{"ALink", []string{`UPDATE tape_heads SET previous = sha256(previous) WHERE batch = 2`}, "tape_heads", "batch 2", "does not follow the head before it"},
		{"TheLeavesThatNameAWrongRow", []string{`UPDATE tape_heads SET leaves = sha256(leaves) WHERE batch = 2`}, "tape_heads", "batch 2", "its leaves do not fit its root"},
		{"AHeadRenumbered", []string{`UPDATE tape_heads SET batch = 20 WHERE batch = 4`, `UPDATE tape_quotes SET batch = 20 WHERE batch = 4`}, "tape_heads", "batch 20", "its hash or signature does not fit"},
		{"AHeadRemoved", []string{`DELETE FROM tape_heads WHERE batch = 2`}, "tape_heads", "batch 3", "one is missing or altered"},
		{"AHeadRemovedWithItsQuotes", []string{`DELETE FROM tape_heads WHERE batch = 2`, `DELETE FROM tape_quotes WHERE batch = 2`}, "tape_heads", "batch 3", "one is missing or altered"},
		{"TheBeginningCutOff", []string{`DELETE FROM tape_heads WHERE batch <= 2`, `DELETE FROM tape_quotes WHERE batch <= 2`}, "tape_heads", "batch 3", "one is missing or altered"},
		{"TheEndCutOff", []string{`DELETE FROM tape_heads WHERE batch >= 3`, `DELETE FROM tape_quotes WHERE batch >= 3`}, "tape_heads", "batch 3", "is missing: the heads kept outside go on to batch 4"},
		{"EverythingCutOff", []string{`DELETE FROM tape_heads`, `DELETE FROM tape_quotes`}, "tape_heads", "batch 1", "is missing: the heads kept outside go on to batch 4"},
	}
	b := sealed(t)
	b.proves(24)
	for _, table := range []string{"tape_quotes", "tape_heads"} {
		b.tamper(`CREATE TABLE kept_` + table + ` AS TABLE ` + table)
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for _, sql := range test.sql {
				require.Positive(t, b.tamper(sql), sql)
			}
			problem, _ := b.verify()
			require.NotNil(t, problem)
			require.Equal(t, test.table, problem.Table)
			require.Contains(t, problem.Row, test.row)
			require.Contains(t, problem.What, test.what)
			for _, table := range []string{"tape_quotes", "tape_heads"} {
				b.tamper(`DELETE FROM ` + table)
				b.tamper(`INSERT INTO ` + table + ` TABLE kept_` + table)
			}
			b.proves(24)
		})
	}
}

func TestVerifyTapeCountsWhatItProved(t *testing.T) {
	t.Parallel()
	b := sealed(t)
	b.tamper(`UPDATE tape_quotes SET bid = bid + 1 WHERE product_id = 201 AND seq = 12`)
	_, proved := b.verify()
	require.EqualValues(t, 18, proved, "three batches of six")
}

func TestVerifyTapePassesOverWhatTheNextFlushSeals(t *testing.T) {
	t.Parallel()
	b := sealed(t)
	b.say("EURUSD", "1.10000", "1.10010")
	require.NoError(t, b.record(b.newest(eurusd)))
	b.proves(24)
	b.flush()
	b.proves(25)
}

// TestCutTail removes the last hour and lets the server continue as if it had never been.
func TestCutTail(t *testing.T) {
	t.Parallel()
	t.Run("ShowsAfterARestart", func(t *testing.T) {
		t.Parallel()
		b := sealed(t)
		b.tamper(`DELETE FROM tape_heads WHERE batch >= 3`)
		b.tamper(`DELETE FROM tape_quotes WHERE batch >= 3`)
		b.crash()
		b.say("EURUSD", "1.10000", "1.10010")
		b.flush()
		problem, _ := b.verify()
		require.NotNil(t, problem)
		require.Equal(t, "tape_heads", problem.Table)
		require.Equal(t, 5, b.count(`SELECT max(batch) FROM tape_heads`), "no batch number is given twice")
	})
	t.Run("ShowsWhileTheServerRuns", func(t *testing.T) {
		t.Parallel()
		b := sealed(t)
		b.tamper(`DELETE FROM tape_heads WHERE batch >= 3`)
		b.tamper(`DELETE FROM tape_quotes WHERE batch >= 3`)
		b.say("EURUSD", "1.10000", "1.10010")
		b.flush()
		problem, _ := b.verify()
		require.Equal(t, &audit.Problem{Table: "tape_heads", Row: "batch 5", What: "does not follow the head before it: one is missing or altered"}, problem)
	})
	t.Run("ShowsWhenTheFileOutsideIsGoneToo", func(t *testing.T) {
		t.Parallel()
		b := sealed(t)
		require.NoError(t, os.Remove(b.outside.Path()))
		problem, _ := b.verify()
		require.NotNil(t, problem)
		require.Equal(t, b.outside.Path(), problem.Row)
	})
}

func TestVerifyTapeWantsTheServersKey(t *testing.T) {
	t.Parallel()
	b := sealed(t)
	other, _, err := ed25519.GenerateKey(nil)
	require.NoError(t, err)
	problem, _, err := VerifyTape(t.Context(), b.db, other, b.outside)
	require.NoError(t, err)
	require.Equal(t, &audit.Problem{Table: "tape_heads", Row: "batch 1", What: "its hash or signature does not fit"}, problem)
}

func TestVerifyTapeOfAnEmptyTapeProvesNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.proves(0)
}
