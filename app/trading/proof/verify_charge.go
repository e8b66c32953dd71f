package proof

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"candor/app/audit"
	"candor/app/ledger"
	"candor/app/market"
	"candor/app/trading"
	"candor/app/trading/sums"
)

// chargesSQL reads each charge with the quotes it names, its postings, and whether a later quote came before its rollover.
const chargesSQL = `
	SELECT c.id, c.kind, c.position_id, c.account_id, c.product_id, c.terms, c.day, c.nights, c.side, c.lots, c.rate, c.price, c.amount, c.at_ms,
	       c.conversion_product, c.conversion_inverse, coalesce(q.bid, 0), coalesce(q.ask, 0), coalesce(r.bid + r.ask, 0),
	       EXISTS (SELECT 1 FROM tape_quotes x WHERE x.product_id = c.product_id AND x.seq > c.quote_seq AND x.at_ms <= c.at_ms - $1)
	       OR EXISTS (SELECT 1 FROM tape_quotes x WHERE x.product_id = c.conversion_product AND x.seq > c.conversion_seq AND x.at_ms <= c.at_ms)
	       OR coalesce(q.at_ms > c.at_ms - $1, false) OR coalesce(r.at_ms > c.at_ms - $1, false),
	       coalesce(l.amount, 0), c.transaction_id IS NULL OR coalesce(t.id IS NOT NULL AND l.own, false)
	FROM charges c
	LEFT JOIN tape_quotes q ON q.product_id = c.product_id AND q.seq = c.quote_seq
	LEFT JOIN tape_quotes r ON r.product_id = c.conversion_product AND r.seq = c.conversion_seq
	LEFT JOIN ledger_transactions t ON t.id = c.transaction_id AND t.key = c.kind || ':' || c.position_id || ':' || c.day AND t.kind = c.kind::text
	LEFT JOIN LATERAL (
		SELECT -sum(p.amount) FILTER (WHERE a.name = c.kind || 's') AS amount, bool_and(a.kind = 'house' OR a.id = c.account_id) AS own
		FROM postings p JOIN accounts a ON a.id = p.account_id WHERE p.transaction_id = c.transaction_id) l ON true
	ORDER BY c.id`

// chargeEvidence is a charge as it was stored, with the quotes and postings that must explain it.
type chargeEvidence struct {
	trading.Charge
	bid, ask, conversion2 int64
	late                  bool // the tape has a quote nearer to the rollover's pricing, or the named one came after it
	posted                int64
	postedOwn             bool
}

type chargeKey struct {
	position int64
	kind     trading.ChargeKind
	day      string
}

// checkCharges recomputes every swap and dividend, and requires one for each rollover that has one.
func (v *verifier) checkCharges(ctx context.Context, q ledger.Querier) (*audit.Problem, error) {
	rows, err := q.Query(ctx, chargesSQL, market.Settling.Milliseconds())
	if err != nil {
		return nil, fmt.Errorf("read the charges: %w", err)
	}
	defer rows.Close()
	charged := map[chargeKey]bool{}
	for rows.Next() {
		var e chargeEvidence
		err := rows.Scan(&e.ID, &e.Kind, &e.PositionID, &e.AccountID, &e.ProductID, &e.Terms, &e.Day, &e.Nights, &e.Side, &e.Lots, &e.Rate, &e.Price, &e.Amount, &e.AtMS,
			&e.ConversionProduct, &e.ConversionInverse, &e.bid, &e.ask, &e.conversion2, &e.late, &e.posted, &e.postedOwn)
		if err != nil {
			return nil, fmt.Errorf("read a charge: %w", err)
		}
		if what := v.checkCharge(e); what != "" {
			return &audit.Problem{Table: "charges", Row: fmt.Sprint("id ", e.ID), What: what}, nil
		}
		charged[chargeKey{e.PositionID, e.Kind, e.Day.Format(time.DateOnly)}] = true
	}
	if rows.Err() != nil {
		return nil, rows.Err()
	}
	return v.checkUncharged(ctx, q, charged)
}

// checkCharge recomputes one charge. It returns the first mismatch, or an empty string.
func (v *verifier) checkCharge(e chargeEvidence) string {
	p, known := v.byID[e.ProductID]
	position, ok := v.positions[e.PositionID]
	if !known || !ok || position.AccountID != e.AccountID || position.ProductID != e.ProductID || position.Side != e.Side {
		return "it is of a position that no fill opened"
	}
	rollovers := v.schedule.Rollovers(p, e.Day.AddDate(0, 0, -1), time.UnixMilli(e.AtMS))
	if len(rollovers) != 1 || rollovers[0].At.UnixMilli() != e.AtMS || rollovers[0].Nights != e.Nights || rollovers[0].Terms.Version != e.Terms {
		return "its rollover is not one of its product's"
	}
	if p.Terms = rollovers[0].Terms; e.RateOn(rollovers[0]) != e.Rate {
		return "its rate is not that of its terms"
	}
	if e.Lots != v.heldAt(e.PositionID, e.AtMS) {
		return "it counts other lots than were open"
	}
	if what := v.checkAmount(e, p); what != "" {
		return what
	}
	if e.posted != e.Amount || !e.postedOwn {
		return "the ledger posted something else"
	}
	v.positions[e.PositionID] = position.Charged(e.Charge)
	return ""
}

// checkAmount recomputes a charge from its quotes.
func (v *verifier) checkAmount(e chargeEvidence, p market.Product) string {
	r, what := v.chargeRate(e, p)
	if what != "" {
		return what
	}
	sum, err := e.Recompute(p, r)
	if err != nil || sum != e.Amount {
		return "its amount is not what its sums give"
	}
	return ""
}

// chargeRate is the rate that converts a charge. It returns a mismatch unless the rate and the charge's price are the last ones before the rollover.
func (v *verifier) chargeRate(e chargeEvidence, p market.Product) (sums.Rate, string) {
	if e.late {
		return sums.Rate{}, "its quotes are not the last before the rollover"
	}
	percent := e.Kind == trading.SwapCharge && p.SwapModel == market.PercentSwap
	if percent != (e.Price != nil) || percent && trading.ClosingPrice(e.Side, market.Quote{Bid: e.bid, Ask: e.ask}) != *e.Price {
		return sums.Rate{}, "the price that it is taken of is not its quote's"
	}
	if e.Kind == trading.SwapCharge && p.SwapModel == market.MoneySwap {
		return sums.Rate{}, ""
	}
	if !v.converts(p.Quote, e.ConversionProduct, e.ConversionInverse) {
		return sums.Rate{}, "it was not converted as its currency demands"
	}
	r, ok := v.rate(e.ConversionProduct, e.ConversionInverse, e.conversion2)
	if !ok {
		return r, "the quote that converted it is not on the tape"
	}
	return r, ""
}

// heldAt is the number of open lots of a position just before a moment of market time.
func (v *verifier) heldAt(positionID, atMS int64) (lots int64) {
	for _, h := range v.held[positionID] {
		if h.fromMS < atMS {
			lots = h.lots
		}
	}
	return lots
}

// checkUncharged finds a rollover that an open position was not charged for.
func (v *verifier) checkUncharged(ctx context.Context, q ledger.Querier, charged map[chargeKey]bool) (*audit.Problem, error) {
	settled, err := settledDays(ctx, q)
	if err != nil {
		return nil, err
	}
	for _, id := range slices.Sorted(maps.Keys(v.held)) {
		position := v.positions[id]
		p := v.byID[position.ProductID]
		opened := market.LastRollover(time.UnixMilli(v.held[id][0].fromMS))
		for _, r := range v.schedule.Rollovers(p, opened.Day, market.RolloverOn(settled[id])) {
			for _, kind := range []trading.ChargeKind{trading.SwapCharge, trading.DividendCharge} {
				due := trading.Charge{Kind: kind, Side: position.Side}
				if due.RateOn(r) != 0 && v.heldAt(id, r.At.UnixMilli()) > 0 && !charged[chargeKey{id, kind, r.Day.Format(time.DateOnly)}] {
					return &audit.Problem{Table: "positions", Row: fmt.Sprint("id ", id), What: fmt.Sprintf("was not charged its %s of %s", kind, r.Day.Format(time.DateOnly))}, nil
				}
			}
		}
	}
	return nil, nil
}

// settledDays reads the last settled rollover of each position.
func settledDays(ctx context.Context, q ledger.Querier) (map[int64]time.Time, error) {
	rows, err := q.Query(ctx, `SELECT id, rolled_day FROM positions`)
	if err != nil {
		return nil, fmt.Errorf("read the settled days: %w", err)
	}
	out := map[int64]time.Time{}
	var id int64
	var day time.Time
	_, err = pgx.ForEachRow(rows, []any{&id, &day}, func() error { out[id] = day; return nil })
	return out, err
}
