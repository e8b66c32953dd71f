package market

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// Row is one line of a recording.
type Row struct {
	At       time.Time
	Bid, Ask string
}

// WriteRecording writes rows as a recorded day in the format of NewReplay; class is the folder's name.
func WriteRecording(dir, class, symbol string, day time.Time, rows []Row) error {
	var text bytes.Buffer
	fmt.Fprintln(&text, recordingHeader)
	for _, row := range rows {
		fmt.Fprintf(&text, "%d,%s,%s\n", row.At.UnixMilli(), row.Bid, row.Ask)
	}
	return writeDay(dir, class, symbol, day, text.Bytes())
}

func writeDay(dir, class, symbol string, day time.Time, text []byte) error {
	var packed bytes.Buffer
	zip := gzip.NewWriter(&packed)
	if _, err := zip.Write(text); err != nil {
		return err
	}
	if err := zip.Close(); err != nil {
		return err
	}
	folder := filepath.Join(dir, class, symbol)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, day.Format(time.DateOnly)+recordingSuffix), packed.Bytes(), 0o644)
}

// record writes a row at at and after each gap.
func record(t *testing.T, dir, class, symbol string, at time.Time, gap time.Duration, count int) {
	t.Helper()
	var rows []Row
	for i := range count {
		rows = append(rows, Row{at.Add(time.Duration(i) * gap), fmt.Sprintf("1.%05d", i), fmt.Sprintf("1.%05d", i+2)})
	}
	require.NoError(t, WriteRecording(dir, class, symbol, at.Truncate(24*time.Hour), rows))
}

func startReplay(t *testing.T, dir string, speed float64, last map[string]Last) *Replay {
	t.Helper()
	r, err := NewReplay(dir, speed, 0)
	require.NoError(t, err)
	require.NoError(t, r.Start(Catalogue(), nil, last))
	return r
}

// replayAll runs a replay in a bubble, where waiting takes no time.
func replayAll(t *testing.T, dir string, last map[string]Last) (out []Raw) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		r := startReplay(t, dir, 60, last)
		require.NoError(t, r.Run(t.Context(), func(raw Raw) {
			require.WithinDuration(t, r.Clock().Now(), raw.At, time.Second)
			out = append(out, raw)
		}))
	})
	return out
}

func TestReplayAlignment(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	record(t, dir, "forex", "EURUSD", utc(t, "2014-05-06 05:00"), time.Second, 3)
	record(t, dir, "forex", "EURUSD", utc(t, "2014-05-07 05:00"), time.Second, 3)
	record(t, dir, "crypto", "BTCUSD", utc(t, "2018-04-04 05:00"), time.Second, 2)
	record(t, dir, "us-stocks", "IBM", utc(t, "2013-10-08 04:59"), time.Second, 1)
	record(t, dir, "us-stocks", "SPY", utc(t, "2013-10-09 14:00"), time.Second, 1)
	record(t, dir, "us-stocks", "AAPL", utc(t, "2014-06-06 14:30"), time.Second, 1)
	quotes := replayAll(t, dir, nil)
	t.Run("PutsTheFirstDayOfEachClassOnTheFirstDayOfForex", func(t *testing.T) {
		require.Equal(t, utc(t, "2014-05-06 05:00"), only(quotes, "EURUSD")[0].At)
		require.Equal(t, utc(t, "2014-05-06 05:00"), only(quotes, "BTCUSD")[0].At)
		require.Equal(t, utc(t, "2014-05-06 04:59"), only(quotes, "IBM")[0].At)
	})
	t.Run("KeepsTheDayNumberWithinAClass", func(t *testing.T) {
		require.Equal(t, utc(t, "2014-05-07 05:00"), only(quotes, "EURUSD")[3].At)
		require.Equal(t, utc(t, "2014-05-07 14:00"), only(quotes, "SPY")[0].At)
	})
	t.Run("PutsASymbolOfAnotherTimeOnDayZero", func(t *testing.T) {
		require.Equal(t, utc(t, "2014-05-06 14:30"), only(quotes, "AAPL")[0].At)
	})
	t.Run("KeepsTheRecordedTimeAndPrices", func(t *testing.T) {
		require.Equal(t, Raw{"BTCUSD", "1.00001", "1.00003", utc(t, "2014-05-06 05:00").Add(time.Second), utc(t, "2018-04-04 05:00").Add(time.Second)}, only(quotes, "BTCUSD")[1])
	})
	t.Run("MergesAllProductsByMarketTime", func(t *testing.T) {
		require.Len(t, quotes, 11)
		for i := 1; i < len(quotes); i++ {
			require.False(t, quotes[i].At.Before(quotes[i-1].At))
		}
	})
}

func TestReplayWithoutForexBeginsAtTheEarliestClass(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	record(t, dir, "crypto", "BTCUSD", utc(t, "2018-04-04 01:00"), time.Second, 1)
	record(t, dir, "us-stocks", "IBM", utc(t, "2013-10-08 02:00"), time.Second, 1)
	quotes := replayAll(t, dir, nil)
	require.Equal(t, utc(t, "2013-10-08 01:00"), quotes[0].At)
	require.Equal(t, utc(t, "2013-10-08 02:00"), quotes[1].At)
}

func TestReplayOfALocalDayGoesOnOverMidnight(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, WriteRecording(dir, "forex", "EURUSD", utc(t, "2014-05-06 00:00"), []Row{
		{utc(t, "2014-05-06 23:59"), "1.3", "1.4"}, {utc(t, "2014-05-07 03:00"), "1.3", "1.4"},
	}))
	quotes := replayAll(t, dir, nil)
	require.Equal(t, utc(t, "2014-05-07 03:00"), quotes[1].At)
}

func TestReplayLeavesJudgementToTheGuards(t *testing.T) {
	t.Parallel()
	dir, at := t.TempDir(), utc(t, "2014-05-06 05:00")
	require.NoError(t, WriteRecording(dir, "forex", "EURUSD", at.Truncate(24*time.Hour), []Row{
		{at.Add(time.Second), "1.3", "1.4"}, {at.Add(time.Second), "1.3", "1.4"}, {at, "1.5", "1.4"}, {at, "-1", "0"},
	}))
	require.Len(t, replayAll(t, dir, nil), 4)
}

func TestReplayClock(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	record(t, dir, "forex", "EURUSD", utc(t, "2014-05-06 05:00"), time.Second, 10)
	record(t, dir, "crypto", "BTCUSD", utc(t, "2018-04-04 04:00"), time.Hour, 3)
	t.Run("StartsAtTheFirstQuote", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			r := startReplay(t, dir, 10, nil)
			defer r.close()
			require.Equal(t, utc(t, "2014-05-06 04:00"), r.Clock().Now())
			time.Sleep(time.Second) // bubble time
			require.Equal(t, utc(t, "2014-05-06 04:00").Add(10*time.Second), r.Clock().Now())
		})
	})
	t.Run("GoesOnWhereTheTapeEndsAndSkipsWhatWasReplayed", func(t *testing.T) {
		end := utc(t, "2014-05-06 05:00").Add(4 * time.Second)
		quotes := replayAll(t, dir, map[string]Last{"EURUSD": {"1", "1", end}, "BTCUSD": {"1", "1", end.Add(-time.Hour)}})
		require.Len(t, only(quotes, "EURUSD"), 5)
		require.Len(t, only(quotes, "BTCUSD"), 1)
		require.Equal(t, end.Add(time.Second), quotes[0].At)
	})
	t.Run("HasNothingLeftAfterTheEnd", func(t *testing.T) {
		require.Empty(t, replayAll(t, dir, map[string]Last{"EURUSD": {"1", "1", utc(t, "2026-11-20 00:00")}}))
	})
	t.Run("WaitsForEachQuote", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			r := startReplay(t, dir, 1, nil)
			began := time.Now()
			require.NoError(t, r.Run(t.Context(), func(Raw) {}))
			require.Equal(t, 2*time.Hour, time.Since(began))
		})
	})
}

func TestReplayStopsWhenItIsTold(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	record(t, dir, "forex", "EURUSD", utc(t, "2014-05-06 05:00"), time.Hour, 10)
	synctest.Test(t, func(t *testing.T) {
		r := startReplay(t, dir, 1, nil)
		ctx, cancel := context.WithTimeout(t.Context(), 90*time.Minute)
		defer cancel()
		count := 0
		require.NoError(t, r.Run(ctx, func(Raw) { count++ }))
		require.Equal(t, 2, count)
	})
}

func TestReplayStaleLimit(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	record(t, dir, "forex", "EURUSD", utc(t, "2014-05-06 05:00"), 300*time.Millisecond, 10)
	record(t, dir, "crypto", "BTCUSD", utc(t, "2018-04-04 04:00"), time.Minute, 10)
	record(t, dir, "crypto", "ETHUSD", utc(t, "2018-04-04 04:00"), time.Minute, 1)
	r := startReplay(t, dir, 1e6, nil)
	defer r.close()
	for symbol, want := range map[string]time.Duration{"EURUSD": 10 * time.Second, "BTCUSD": 3 * time.Minute, "ETHUSD": 5 * time.Second, "GBPUSD": 10 * time.Second} {
		require.Equal(t, want, r.StaleLimit(newWitness(t).products[symbol]), symbol)
	}
	require.Equal(t, "replay", r.Name())
	candles, err := r.History(t.Context(), func(Raw) { t.Fatal("a recording has no history") })
	require.NoError(t, err)
	require.Empty(t, candles)
}

func TestReplayNamesUnknownProductsOnce(t *testing.T) { // not parallel: it captures the log
	dir := t.TempDir()
	record(t, dir, "forex", "EURUSD", utc(t, "2014-05-06 05:00"), time.Second, 1)
	record(t, dir, "forex", "XXXYYY", utc(t, "2014-05-06 05:00"), time.Second, 5)
	record(t, dir, "metals", "EURUSD", utc(t, "2014-05-06 05:00"), time.Second, 5) // not a metal
	var log bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	defer slog.SetDefault(before)
	require.Len(t, replayAll(t, dir, nil), 1)
	require.Equal(t, 1, bytes.Count(log.Bytes(), []byte("XXXYYY")))
}

func TestReplayRefuses(t *testing.T) {
	t.Parallel()
	day := utc(t, "2014-05-06 00:00")
	good := fmt.Sprintf("%s\n%d,1.38833,1.38835\n", recordingHeader, day.UnixMilli())
	bad := map[string]struct{ text, message string }{
		"AnotherHeader":       {"time,bid,ask\n", "line 1"},
		"AnEmptyFile":         {"", "line 1"},
		"AMissingAsk":         {good + "1399334400000,1.3\n", "line 3"},
		"AFourthField":        {good + "1399334400000,1.3,1.4,1\n", "line 3"},
		"ATimeThatIsNoNumber": {good + "yesterday,1.3,1.4\n", "line 3"},
		"ATimeInSeconds":      {good + "1399334400,1.3,1.4\n", "line 3"},
		"APriceThatIsNone":    {good + "1399334400000,1.3,NaN\n", "line 3"},
		"ABlankLine":          {good + "\n", "line 3"},
	}
	for name, test := range bad {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			require.NoError(t, writeDay(dir, "forex", "EURUSD", day, []byte(test.text)))
			refused(t, dir, test.message)
		})
	}
	t.Run("AFileThatIsNoGzip", func(t *testing.T) {
		dir := t.TempDir()
		record(t, dir, "forex", "EURUSD", day, time.Second, 5)
		require.NoError(t, os.WriteFile(filepath.Join(dir, "forex/EURUSD/2014-05-06.csv.gz"), []byte(good), 0o644))
		refused(t, dir, "line 1")
	})
	t.Run("ACutGzip", func(t *testing.T) {
		dir := t.TempDir()
		record(t, dir, "forex", "EURUSD", day, 17*time.Millisecond, 5_000)
		path := filepath.Join(dir, "forex/EURUSD/2014-05-06.csv.gz")
		whole, err := os.ReadFile(path)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(path, whole[:len(whole)-100], 0o644))
		refused(t, dir, "unexpected EOF")
	})
	t.Run("AFileNotNamedByADate", func(t *testing.T) {
		dir := t.TempDir()
		record(t, dir, "forex", "EURUSD", day, time.Second, 1)
		require.NoError(t, os.WriteFile(filepath.Join(dir, "forex/EURUSD/today.csv.gz"), nil, 0o644))
		_, err := NewReplay(dir, 1, 0)
		require.ErrorContains(t, err, "today.csv.gz")
	})
	t.Run("AMissingOrEmptyFolder", func(t *testing.T) {
		_, err := NewReplay(filepath.Join(t.TempDir(), "none"), 1, 0)
		require.Error(t, err)
		_, err = NewReplay(t.TempDir(), 1, 0)
		require.Error(t, err)
	})
	t.Run("ASpeedThatIsNotPositive", func(t *testing.T) {
		dir := t.TempDir()
		record(t, dir, "forex", "EURUSD", day, time.Second, 1)
		for _, speed := range []float64{0, -1} {
			_, err := NewReplay(dir, speed, 0)
			require.Error(t, err)
		}
	})
	t.Run("RecordingsOfUnknownProductsOnly", func(t *testing.T) {
		dir := t.TempDir()
		record(t, dir, "forex", "XXXYYY", day, time.Second, 1)
		r, err := NewReplay(dir, 1, 0)
		require.NoError(t, err)
		require.Error(t, r.Start(Catalogue(), nil, nil))
	})
}

// refused replays a damaged recording and requires an error that names the file and the fault.
func refused(t *testing.T, dir, message string) {
	t.Helper()
	r, err := NewReplay(dir, 1e6, 0)
	require.NoError(t, err)
	if err = r.Start(Catalogue(), nil, nil); err == nil {
		err = r.Run(t.Context(), func(Raw) {})
	}
	require.ErrorContains(t, err, filepath.Join("EURUSD", "2014-05-06.csv.gz"))
	require.ErrorContains(t, err, message)
}

func TestReplayOfRealQuotes(t *testing.T) {
	t.Parallel()
	dir := filepath.Join("..", "..", "..", "shared", "market-data")
	if _, err := os.Stat(dir); err != nil {
		t.Skip("the recorded quotes are not beside the repository")
	}
	r := startReplay(t, dir, 1e6, nil)
	counts, guards := map[string]int{}, newWitness(t).guards
	believed := 0
	var newest time.Time
	require.NoError(t, r.Run(t.Context(), func(raw Raw) {
		counts[raw.Symbol]++
		if raw.At.Before(newest) {
			t.Fatalf("%s at %s after %s", raw.Symbol, raw.At, newest)
		}
		newest = raw.At
		if q, rejected := guards[raw.Symbol].check(raw); rejected == "" {
			guards[raw.Symbol].accept(q)
			believed++
		}
	}))
	total := 0
	for _, n := range counts {
		total += n
	}
	require.Len(t, counts, 11)
	require.Equal(t, 91_458+78_685, counts["EURUSD"])
	require.Equal(t, 747, counts["AAPL"])
	require.Greater(t, believed, total*95/100)
	require.Equal(t, 3*time.Minute, r.StaleLimit(guards["BTCUSD"].product))
	require.Equal(t, 10*time.Second, r.StaleLimit(guards["EURUSD"].product))
	require.Equal(t, 3*time.Minute, r.StaleLimit(guards["AAPL"].product))
	t.Logf("%d of %d quotes believed, resolution %v", believed, total, r.resolution)
}
