package market

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"candor/app/platform/db"
	"candor/app/platform/seal"
)

func TestFlush(t *testing.T) {
	t.Parallel()
	t.Run("SealsQuotesInOneChain", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		for range 5 {
			b.say("EURUSD", "1.10000", "1.10010")
			b.say("BTCUSD", "90000.00", "90001.00")
			b.real.Advance(time.Second)
			b.flush()
			b.flush() // without new quotes there is no head
		}
		require.Equal(t, 5, b.count(`SELECT count(*) FROM tape_heads`))
		require.Equal(t, 5, b.count(`SELECT max(batch) FROM tape_heads`))
		b.proves(10)
		last, ok, err := b.outside.Last()
		require.NoError(t, err)
		require.True(t, ok)
		require.EqualValues(t, 5, last.Batch)
		require.EqualValues(t, 2, last.Count)
		batch, at := b.market.TapeEnd()
		require.EqualValues(t, 5, batch)
		require.Equal(t, b.real.Now(), at, "real time seals, not market time")
	})
	t.Run("ClosesABatchEarlyThatGrowsTooLarge", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		for range batchQuotes + 1 {
			b.time.Advance(time.Millisecond)
			b.market.ingest(b.raw("BTCUSD", "90000.00", "90001.00"), false)
		}
		b.flush()
		require.Equal(t, batchQuotes, b.count(`SELECT count FROM tape_heads WHERE batch = 1`))
		require.Equal(t, 1, b.count(`SELECT count FROM tape_heads WHERE batch = 2`))
		b.proves(batchQuotes + 1)
	})
	t.Run("LeavesWhatAFillWroteBefore", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.say("EURUSD", "1.10000", "1.10010")
		b.say("EURUSD", "1.10001", "1.10011")
		require.NoError(t, b.record(b.newest(eurusd)))
		require.NoError(t, b.record(b.newest(eurusd)), "two fills may name one quote")
		b.flush()
		require.Equal(t, []int64{1, 2}, seqs(b.tape(eurusd)))
		b.proves(2)
	})
	t.Run("WritesOfFillsAndTheTapeGoSideBySide", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		quotes, fills := make(chan Quote, 400), sync.WaitGroup{}
		b.market.OnQuote(func(q Quote) { quotes <- q })
		for range 4 {
			fills.Go(func() {
				for q := range quotes {
					if err := b.record(q); err != nil {
						t.Error(err)
					}
				}
			})
		}
		reading, charts := make(chan struct{}), sync.WaitGroup{}
		charts.Go(func() {
			for ticks := 0; ; {
				select {
				case <-reading:
					return
				default:
				}
				day, err := b.market.Klines(t.Context(), btcusd, 86_400, time.Time{}, 1)
				if err != nil || (len(day) == 0 && ticks > 0) || (len(day) == 1 && day[0].Ticks < ticks) {
					t.Errorf("after %d ticks: %v %v", ticks, day, err)
					return
				}
				if len(day) == 1 {
					ticks = day[0].Ticks
				}
			}
		})
		for i := range 100 {
			b.say("EURUSD", "1.10000", fmt.Sprintf("1.10%03d", 10+i))
			b.say("BTCUSD", fmt.Sprintf("900%02d.00", i), "90101.00")
			b.flush()
		}
		close(quotes)
		fills.Wait()
		close(reading)
		charts.Wait()
		b.proves(200)
	})
}

// TestBatchIsOneTransaction breaks each of a batch's three tables in turn: none of the batch is stored then, and all of it later.
func TestBatchIsOneTransaction(t *testing.T) {
	t.Parallel()
	for _, table := range []string{"tape_quotes", "candles", "tape_heads"} {
		t.Run(table, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			b.say("EURUSD", "1.10000", "1.10010")
			b.flush()
			b.tamper(`ALTER TABLE ` + table + ` RENAME TO hidden`)
			b.say("EURUSD", "1.10001", "1.10011")
			require.Error(t, b.market.tape.flush(t.Context()))
			b.say("EURUSD", "1.10002", "1.10012")
			require.Error(t, b.market.tape.flush(t.Context()))
			require.EqualValues(t, 110_002, b.newest(eurusd).Bid, "prices go on meanwhile")
			b.tamper(`ALTER TABLE hidden RENAME TO ` + table)
			require.Equal(t, 1, b.count(`SELECT count(*) FROM tape_quotes`))
			require.Equal(t, 1, b.count(`SELECT max(ticks) FROM candles`))
			require.Equal(t, 1, b.count(`SELECT count(*) FROM tape_heads`))
			b.flush()
			require.Equal(t, []int64{1, 2, 3}, seqs(b.tape(eurusd)))
			require.Equal(t, 3, b.count(`SELECT max(ticks) FROM candles`))
			b.proves(3)
		})
	}
}

func TestTapeWaitsForADatabaseThatIsAway(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.say("EURUSD", "1.10000", "1.10010")
	b.flush()
	back := b.away()
	for i := range 3 {
		b.say("EURUSD", "1.10001", "1.10011")
		require.Error(t, b.market.tape.flush(t.Context()), "flush %d", i)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, b.market.tape.flush(ended), context.Canceled)
	back()
	require.EventuallyWithT(t, func(c *assert.CollectT) { require.NoError(c, b.market.tape.flush(t.Context())) }, time.Minute, 10*time.Millisecond)
	require.Equal(t, []int64{1, 2, 3, 4}, seqs(b.tape(eurusd)))
	require.Equal(t, 4, b.count(`SELECT count(*) FROM tape_heads`), "each flush that failed closed a batch")
	b.proves(4)
}

func TestFeedIsRefusedWhenTooMuchWaits(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.say("EURUSD", "1.10000", "1.10010")
	b.market.tape.pending += pendingLimit - 2
	b.say("EURUSD", "1.10001", "1.10011")
	b.say("EURUSD", "1.10002", "1.10012")
	require.EqualValues(t, 110_001, b.newest(eurusd).Bid, "a quote that can't be kept is not traded on")
	require.Len(t, b.heard, 2)
	require.Equal(t, map[Rejection]int64{"database_away": 1}, b.market.Rejections())
	b.flush()
	b.say("EURUSD", "1.10003", "1.10013")
	b.flush()
	require.Equal(t, []int64{1, 2, 3}, seqs(b.tape(eurusd)), "no number is lost")
	b.proves(3)
}

func TestCrash(t *testing.T) {
	t.Parallel()
	t.Run("QuotesOfFillsAreSealedAndCounted", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.say("EURUSD", "1.10000", "1.10010")
		b.flush()
		var want []Quote
		for _, bid := range []string{"1.10050", "1.10020", "1.09980"} {
			b.say("EURUSD", bid, "1.10100")
			b.say("BTCUSD", "90000.00", "90001.00")
			want = append(want, b.newest(eurusd), b.newest(btcusd))
			require.NoError(t, b.record(want[len(want)-2:]...))
			b.market.tape.mu.Lock()
			b.market.tape.closeOpen() // the crash came after the flush began and before its commit
			b.market.tape.mu.Unlock()
		}
		b.crash()
		require.Equal(t, 4, b.count(`SELECT count(*) FROM tape_heads`))
		b.proves(7)
		for _, id := range []int{eurusd, btcusd} {
			for _, period := range Periods {
				got, err := b.market.Klines(t.Context(), id, period, time.Time{}, 10)
				require.NoError(t, err)
				require.Equal(t, redrawn(b.tape(id), period), got)
			}
		}
		for _, q := range want {
			require.Contains(t, b.tape(q.ProductID), q)
		}
		b.crash()
		b.proves(7)
	})
	t.Run("BetweenTheCommitAndTheFileOutsideIsMadeUpFor", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		for range 2 {
			b.say("EURUSD", "1.10000", "1.10010")
			b.flush()
		}
		text, err := os.ReadFile(b.outside.Path())
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(b.outside.Path(), text[:len(text)*3/4], 0o600))
		b.crash()
		last, _, err := b.outside.Last()
		require.NoError(t, err)
		require.EqualValues(t, 2, last.Batch)
		b.proves(2)
	})
	t.Run("CandlesGoOnWhereTheyWere", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.say("BTCUSD", "90000.00", "90001.00")
		b.say("BTCUSD", "91000.00", "91001.00")
		b.flush()
		b.crash()
		b.say("BTCUSD", "89000.00", "89001.00")
		b.flush()
		got, err := b.market.Klines(t.Context(), btcusd, 604_800, time.Time{}, 10)
		require.NoError(t, err)
		require.Equal(t, redrawn(b.tape(btcusd), 604_800), got)
		require.EqualValues(t, []int64{90_000_00, 91_000_00, 89_000_00}, []int64{got[0].Open, got[0].High, got[0].Low})
	})
}

// TestLostAnswerOfACommit commits a batch without a reply to the tape: the tape continues after it.
func TestLostAnswerOfACommit(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.say("EURUSD", "1.10000", "1.10010")
	b.flush()
	before := b.market.tape.head
	b.say("EURUSD", "1.10001", "1.10011")
	b.market.tape.closeOpen()
	require.NoError(t, b.market.tape.store(t.Context(), b.market.tape.waiting[0]))
	b.market.tape.head = before // the reply was lost, and the batch is still queued
	b.say("EURUSD", "1.10002", "1.10012")
	b.flush()
	require.Empty(t, b.market.tape.waiting)
	require.Equal(t, []int64{1, 2, 3}, seqs(b.tape(eurusd)))
	b.proves(3)
}

// TestSecondTapeIsRefused makes two servers seal one tape: the second one's batch is not mistaken for the first's.
func TestSecondTapeIsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	other := New(Config{DB: b.db, Feed: &script{clock: b.time}, Clock: b.real, Key: b.key, Checkpoints: seal.NewCheckpointStore(t.TempDir(), "tape")})
	require.NoError(t, other.Load(t.Context()))
	b.say("EURUSD", "1.10000", "1.10010")
	b.flush()
	other.ingest(b.raw("BTCUSD", "90000.00", "90001.00"), false)
	require.Error(t, other.tape.flush(t.Context()))
	require.Len(t, other.tape.waiting, 1)
	b.proves(1)
}

func TestTapeGoesOnWhenTheFileOutsideCannotBeWritten(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.say("EURUSD", "1.10000", "1.10010")
	b.flush()
	folder := filepath.Dir(b.outside.Path())
	require.NoError(t, os.Rename(folder, folder+".away"))
	require.NoError(t, os.WriteFile(folder, nil, 0o600)) // a file where the folder should be
	b.say("EURUSD", "1.10001", "1.10011")
	b.flush()
	b.say("EURUSD", "1.10002", "1.10012")
	b.flush()
	require.Equal(t, []int64{1, 2, 3}, seqs(b.tape(eurusd)))
	require.NoError(t, os.Remove(folder))
	require.NoError(t, os.Rename(folder+".away", folder))
	b.say("EURUSD", "1.10003", "1.10013")
	b.flush()
	last, _, err := b.outside.Last()
	require.NoError(t, err)
	require.EqualValues(t, 4, last.Batch)
	b.proves(4)
}

func TestServersRoleCannotChangeTheTape(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.say("EURUSD", "1.10000", "1.10010")
	b.flush()
	for _, sql := range []string{
		`UPDATE tape_quotes SET bid = bid + 1`, `DELETE FROM tape_quotes`, `TRUNCATE tape_quotes CASCADE`,
		`UPDATE tape_heads SET count = 2`, `DELETE FROM tape_heads`, `TRUNCATE tape_heads`,
	} {
		_, err := b.db.Pool.Exec(t.Context(), sql)
		var refused *pgconn.PgError
		require.True(t, errors.As(err, &refused) && refused.Code == "42501", "%s: %v", sql, err)
	}
	require.NoError(t, b.db.InTx(t.Context(), func(tx *db.Tx) error {
		return recordTx(t, tx, Quote{ProductID: eurusd, Seq: 2, Bid: 1, Ask: 2, Batch: 2})
	}), "adding is what it may")
}
