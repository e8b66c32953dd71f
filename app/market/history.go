package market

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"
)

// historyCandle is a candle of time without quotes, drawn by the feed for charts. No proof judges it, and nothing but charts and 24-hour figures reads it.
type historyCandle struct {
	Candle
	Opens  bool // no quote of the tape is earlier in its period
	Closes bool // no quote of the tape is later in its period
}

// placeHistory places candles between the quotes with which the tapes ended before them and those with which they continue, by product, in milliseconds.
func placeHistory(candles []Candle, ended, continued map[int]int64) []historyCandle {
	out := make([]historyCandle, len(candles))
	for n, c := range candles {
		end := c.StartMS + int64(c.Period)*1_000
		out[n] = historyCandle{c, c.StartMS > ended[c.ProductID], end <= continued[c.ProductID]}
	}
	return out
}

func copyHistory(ctx context.Context, conn pgx.Tx, b batch) error {
	if len(b.history) == 0 {
		return nil
	}
	columns := []string{"product_id", "period", "start_ms", "batch", "open", "high", "low", "close", "ticks", "opens", "closes"}
	_, err := conn.CopyFrom(ctx, pgx.Identifier{"history_candles"}, columns, pgx.CopyFromSlice(len(b.history), func(n int) ([]any, error) {
		c := b.history[n]
		return []any{int32(c.ProductID), int32(c.Period), c.StartMS, b.number, c.Open, c.High, c.Low, c.Close, int32(c.Ticks), c.Opens, c.Closes}, nil
	}))
	if err != nil {
		return fmt.Errorf("store the history: %w", err)
	}
	return nil
}

// readHistory reads the newest history candles that start before a moment, oldest first. Several gaps of the tape in one period make one candle.
func readHistory(ctx context.Context, q querier, productID, period int, beforeMS int64, limit int) ([]historyCandle, error) {
	rows, err := q.Query(ctx, `
		SELECT start_ms, (array_agg(open ORDER BY batch))[1], max(high), min(low), (array_agg(close ORDER BY batch DESC))[1], sum(ticks)::int,
		       (array_agg(opens ORDER BY batch))[1], (array_agg(closes ORDER BY batch DESC))[1]
		FROM history_candles WHERE product_id = $1 AND period = $2 AND start_ms < $3
		GROUP BY start_ms ORDER BY start_ms DESC LIMIT $4`, productID, period, beforeMS, limit)
	if err != nil {
		return nil, fmt.Errorf("read the history: %w", err)
	}
	history, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (c historyCandle, err error) {
		c.ProductID, c.Period = productID, period
		err = row.Scan(&c.StartMS, &c.Open, &c.High, &c.Low, &c.Close, &c.Ticks, &c.Opens, &c.Closes)
		return c, err
	})
	if err != nil {
		return nil, fmt.Errorf("read the history: %w", err)
	}
	slices.Reverse(history)
	return history, nil
}

// withHistory merges the tape's candles with history of the same product and period, both oldest first. Of two with the same start, the earlier part opens the
// candle and the later one closes it.
func withHistory(candles []Candle, history []historyCandle) []Candle {
	if len(history) == 0 {
		return candles
	}
	out := make([]Candle, 0, len(candles)+len(history))
	for len(candles) > 0 && len(history) > 0 {
		tape, past := candles[0], history[0]
		switch {
		case tape.StartMS < past.StartMS:
			out, candles = append(out, tape), candles[1:]
		case tape.StartMS > past.StartMS:
			out, history = append(out, past.Candle), history[1:]
		default:
			out, candles, history = append(out, past.around(tape)), candles[1:], history[1:]
		}
	}
	for _, past := range history {
		out = append(out, past.Candle)
	}
	return append(out, candles...)
}

// around is the history with the tape's candle of the same time.
func (h historyCandle) around(tape Candle) Candle {
	both := h.Candle
	both.join(tape)
	if !h.Opens {
		both.Open = tape.Open
	}
	if h.Closes {
		both.Close = h.Close
	}
	return both
}
