package market

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"candor/app/audit"
	"candor/app/platform/db"
)

// VerifyCandles redraws every candle from the tape's sealed quotes, compares it with the stored one, and names the first that does not fit;
// nil when all do. It counts the proved candles. The tape may continue meanwhile.
func VerifyCandles(ctx context.Context, d *db.DB) (problem *audit.Problem, proved int64, err error) {
	snapshot := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
	err = pgx.BeginTxFunc(ctx, d.Pool, snapshot, func(tx pgx.Tx) error {
		for _, period := range Periods {
			if problem, err = wrongCandle(ctx, tx, period); err != nil || problem != nil {
				return err
			}
			n := int64(0)
			if err = tx.QueryRow(ctx, `SELECT count(*) FROM candles WHERE period = $1`, period).Scan(&n); err != nil {
				return fmt.Errorf("count candles: %w", err)
			}
			proved += n
		}
		problem, err = candleOfNoPeriod(ctx, tx)
		return err
	})
	return problem, proved, err
}

// wrongCandle is the first candle of a period that differs from the sealed quotes, has no quotes, or is missing.
func wrongCandle(ctx context.Context, tx pgx.Tx, period int) (*audit.Problem, error) {
	var c Candle
	var stored, drawn *string
	err := tx.QueryRow(ctx, `
		WITH drawn AS (
			SELECT product_id, start_ms, (array_agg(bid ORDER BY seq))[1] AS open, max(bid) AS high, min(bid) AS low,
			       (array_agg(bid ORDER BY seq DESC))[1] AS close, count(*) AS ticks
			FROM (SELECT product_id, seq, bid, at_ms - (at_ms - $2) % ($1 * 1000) AS start_ms
			      FROM tape_quotes WHERE batch <= (SELECT max(batch) FROM tape_heads)) quotes
			GROUP BY product_id, start_ms)
		SELECT product_id, start_ms, concat_ws(' ', c.open, c.high, c.low, c.close, c.ticks), concat_ws(' ', d.open, d.high, d.low, d.close, d.ticks)
		FROM drawn d FULL JOIN (SELECT * FROM candles WHERE period = $1) c USING (product_id, start_ms)
		WHERE (c.open, c.high, c.low, c.close, c.ticks) IS DISTINCT FROM (d.open, d.high, d.low, d.close, d.ticks)
		ORDER BY product_id, start_ms LIMIT 1`, int64(period), candleOffset(period)).Scan(&c.ProductID, &c.StartMS, &stored, &drawn)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("draw candles of %d seconds: %w", period, err)
	}
	c.Period = period
	switch {
	case *stored == "":
		return c.wrong("is missing: the tape draws " + *drawn), nil
	case *drawn == "":
		return c.wrong("is drawn from no quote of the tape"), nil
	}
	return c.wrong("is " + *stored + ", the tape draws " + *drawn + " (open, high, low, close, ticks)"), nil
}

// candleOfNoPeriod finds a candle of a period that does not exist, so it is never shown.
func candleOfNoPeriod(ctx context.Context, tx pgx.Tx) (*audit.Problem, error) {
	var c Candle
	err := tx.QueryRow(ctx, `SELECT product_id, period, start_ms FROM candles WHERE period <> ALL($1) ORDER BY 1, 2, 3 LIMIT 1`, Periods).
		Scan(&c.ProductID, &c.Period, &c.StartMS)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	return c.wrong("is of a period that is not drawn"), err
}

func (c Candle) wrong(what string) *audit.Problem {
	start := time.UnixMilli(c.StartMS).UTC().Format(time.RFC3339)
	return &audit.Problem{Table: "candles", Row: fmt.Sprintf("product %d, period %d, %s", c.ProductID, c.Period, start), What: what}
}
