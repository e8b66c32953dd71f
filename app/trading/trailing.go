package trading

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"candor/app/ledger"
	"candor/app/market"
	"candor/app/platform/errs"
)

// ErrTrail refuses a trailing stop that is nearer than the product's stop level, or further than the price itself.
var ErrTrail = errs.New(errs.Refused, "order.trail")

// A trailing stop stays a distance behind the best price that its position has seen since that distance was set: the highest bid of a long, the
// lowest ask of a short. Nothing is written while it moves: the best price is found on the tape again whenever it is needed, and the fill names its
// quote. What else is saved of the position's protection leaves it where it stands.

// trailingExtreme is the best quote for a position since its trailing stop was set, and the last quote that was considered.
type trailingExtreme struct {
	side  Side
	since int64 // the position's TrailSince
	quote market.Quote
	last  int64
}

// trailLevel is where a position's trailing stop stands behind its best quote.
func trailLevel(p Position, q market.Quote) int64 {
	if p.Side == Buy {
		return q.Bid - *p.Trail
	}
	return q.Ask + *p.Trail
}

// better tells whether a quote is better for a position than another.
func better(side Side, q, than market.Quote) bool {
	if side == Buy {
		return q.Bid > than.Bid
	}
	return q.Ask < than.Ask
}

// reached tells whether a position that would close at price has been taken to its stop.
func reached(side Side, price, stop int64) bool {
	if side == Buy {
		return price <= stop
	}
	return price >= stop
}

// trailFired tells whether a quote has fallen back to a position's trailing stop, and where that stood.
func trailFired(p Position, q, best market.Quote) (level int64, fired bool) {
	if p.Trail == nil || best.Seq == 0 || best.Seq < p.TrailSince || q.Seq <= best.Seq {
		return 0, false
	}
	level = trailLevel(p, best)
	return level, reached(p.Side, closingPrice(p.Side, q), level)
}

// followBest moves the best quotes of the positions in a product; the caller holds the lock.
func (tm *triggerMonitor) followBest(f portfolio, q market.Quote) {
	for _, p := range f.positions {
		b, known := tm.best[p.ID]
		if p.Trail == nil || p.ProductID != q.ProductID || !known || q.Seq <= b.last {
			continue
		}
		if b.last = q.Seq; better(p.Side, q, b.quote) {
			b.quote = q
		}
		tm.best[p.ID] = b
	}
}

// stand tells where trailing stops stand: behind the best quotes that are known, or behind those at which they have just begun.
func (tm *triggerMonitor) stand(positions []Valued, begun map[int64]trailingExtreme) {
	if !slices.ContainsFunc(positions, func(p Valued) bool { return p.Trail != nil }) {
		return // most accounts: no need to wait for the monitor
	}
	tm.mu.Lock()
	defer tm.mu.Unlock()
	for i, p := range positions {
		b, ok := begun[p.ID]
		if !ok {
			b = tm.best[p.ID]
		}
		if p.Trail != nil && b.quote.Seq != 0 && b.since == p.TrailSince {
			level := trailLevel(p.Position, b.quote)
			positions[i].TrailLevel = &level
		}
	}
}

// learn takes the best quotes that were found for an account's trailing positions, unless better ones are known already, or a stop has begun since.
func (tm *triggerMonitor) learn(found map[int64]trailingExtreme) {
	tm.mu.Lock()
	defer tm.mu.Unlock()
	for id, b := range found {
		known, ok := tm.best[id]
		if ok && known.since > b.since {
			continue
		}
		if ok && known.since == b.since {
			if !better(b.side, b.quote, known.quote) {
				b.quote = known.quote
			}
			b.last = max(b.last, known.last)
		}
		tm.best[id] = b
	}
}

// trailingExtremes finds the best quote since each trailing stop was set: on the tape, and among the last ones, which may not be there yet.
func (s *Service) trailingExtremes(ctx context.Context, q ledger.Querier, f portfolio) (map[int64]trailingExtreme, error) {
	found := map[int64]trailingExtreme{}
	for _, p := range f.positions {
		if p.Trail == nil {
			continue
		}
		b := trailingExtreme{side: p.Side, since: p.TrailSince}
		err := q.QueryRow(ctx, `
			SELECT product_id, seq, bid, ask, at_ms, source_ms, source, batch FROM tape_quotes WHERE product_id = $1 AND seq >= $2
			ORDER BY CASE WHEN $3 THEN -bid ELSE ask END, seq LIMIT 1`, p.ProductID, p.TrailSince, p.Side == Buy).
			Scan(&b.quote.ProductID, &b.quote.Seq, &b.quote.Bid, &b.quote.Ask, &b.quote.AtMS, &b.quote.SourceMS, &b.quote.Source, &b.quote.Batch)
		if err != nil && !errors.Is(err, pgx.ErrNoRows) {
			return nil, fmt.Errorf("find the best quote of position %d: %w", p.ID, err)
		}
		fresh := s.watch.recent(p.ProductID) // which may not be on the tape yet
		if newest, ok := s.market.Newest(p.ProductID); ok {
			fresh = append(fresh, newest)
		}
		for _, one := range fresh {
			if one.Seq >= p.TrailSince && (b.quote.Seq == 0 || better(p.Side, one, b.quote)) {
				b.quote = one
			}
		}
		if b.quote.Seq != 0 {
			b.last = b.quote.Seq
			found[p.ID] = b
		}
	}
	return found, nil
}

func checkTrail(p market.Product, q market.Quote, side Side, trail *int64) error {
	if trail == nil {
		return nil
	}
	least, most := max(int64(p.StopLevel), 1), closingPrice(side, q)-1
	if *trail < least || *trail > most {
		return ErrTrail.With("min", p.FormatPrice(least)).With("max", p.FormatPrice(most))
	}
	return nil
}
