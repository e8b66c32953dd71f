// Package proof proves fills and charges: it defines their sealed text, reads their receipts, and recomputes them from the tape and the ledger. It only reads,
// and imports neither engine nor trigger.
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
	"candor/app/platform/db"
	"candor/app/trading"
	"candor/app/trading/sums"
)

// Verify recomputes every fill from the tape's quotes and the products, replays each position from its fills, and compares both with the ledger. problem names
// the first row that doesn't match, nil when all do; proved counts the matching fills. Trading may continue meanwhile.
func Verify(ctx context.Context, pool *db.Pool, products []market.Product) (problem *audit.Problem, proved int64, err error) {
	snapshot := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
	err = pgx.BeginTxFunc(ctx, pool, snapshot, func(tx pgx.Tx) error {
		problem, proved, err = VerifySnapshot(ctx, tx, products)
		return err
	})
	return problem, proved, err
}

// VerifySnapshot is Verify in a transaction of the caller, which must see fills, charges, positions and postings in one snapshot.
func VerifySnapshot(ctx context.Context, q ledger.Querier, products []market.Product) (*audit.Problem, int64, error) {
	schedule, err := market.ReadSchedule(ctx, q)
	if err != nil {
		return nil, 0, err
	}
	v := newVerifier(ProductsByID(products), schedule)
	problem, proved, err := v.checkFills(ctx, q)
	if err == nil && problem == nil {
		problem, err = v.checkCharges(ctx, q)
	}
	if err == nil && problem == nil {
		problem, err = v.checkPositions(ctx, q)
	}
	if err == nil && problem == nil {
		problem, err = checkUnfilled(ctx, q)
	}
	return problem, proved, err
}

func (v *verifier) checkFills(ctx context.Context, q ledger.Querier) (*audit.Problem, int64, error) {
	rows, err := q.Query(ctx, verifySQL)
	if err != nil {
		return nil, 0, fmt.Errorf("read the fills: %w", err)
	}
	defer rows.Close()
	proved := int64(0)
	for rows.Next() {
		var e evidence
		if err := e.scan(rows); err != nil {
			return nil, proved, fmt.Errorf("read a fill: %w", err)
		}
		if what := v.check(e); what != "" {
			return &audit.Problem{Table: "fills", Row: fmt.Sprint("id ", e.ID), What: what}, proved, nil
		}
		proved++
	}
	return nil, proved, rows.Err()
}

// verifySQL reads each fill with the quotes it names and its postings, oldest first.
const verifySQL = `
	SELECT f.id, f.position_id, f.account_id, f.product_id, f.terms, f.at_ms, f.side, f.entry, f.rule, f.lots, f.price, f.open_price, f.open_value, f.limit_price, f.by_position, f.leverage,
	       f.margin, f.commission, f.profit, f.conversion_product, f.conversion_inverse, f.margin_product, f.margin_inverse,
	       coalesce(q.bid, 0), coalesce(q.ask, 0), coalesce(c.bid + c.ask, 0), coalesce(m.bid + m.ask, 0),
	       coalesce(l.profit, 0), coalesce(l.fee, 0), f.transaction_id IS NULL OR coalesce(t.id IS NOT NULL AND l.own, false),
	       coalesce(o.side::text, ''), coalesce(o.intent::text, ''), coalesce(o.lots, 0) = (SELECT sum(x.lots) FROM fills x WHERE x.order_id = f.order_id), coalesce(o.type::text, ''), o.price, o.limit_price, coalesce(o.since_seq, 0), o.armed_seq,
	       f.quote_seq, coalesce(g.bid, 0), coalesce(g.ask, 0), f.best_seq, coalesce(b.bid, 0), coalesce(b.ask, 0), p.trail, coalesce(p.since_seq, 0), f.trail_since_seq, coalesce(p.trail_since_seq, 0),
	       f.rule = 'trailing' AND EXISTS (
		SELECT 1 FROM tape_quotes x WHERE x.product_id = f.product_id AND x.seq >= p.trail_since_seq AND x.seq < f.quote_seq
		AND CASE f.side WHEN 'sell' THEN x.bid > b.bid ELSE x.ask < b.ask END),
	       f.equity, f.used_margin, f.created_at, f.snapshot, s.bids, s.asks, s.conversions, f.snapshot IS NULL OR EXISTS (
		SELECT 1 FROM margin_calls x WHERE x.id = (f.snapshot #>> '{Call,ID}')::bigint AND x.account_id = f.account_id AND x.at_ms = (f.snapshot #>> '{Call,AtMS}')::bigint
		AND x.equity = (f.snapshot #>> '{Call,Equity}')::bigint AND x.used_margin = (f.snapshot #>> '{Call,UsedMargin}')::bigint
		AND floor(1000 * extract(epoch FROM x.created_at)) = (f.snapshot #>> '{Call,TimeMS}')::bigint),
	       f.snapshot IS NULL OR f.transaction_id IS NULL OR (SELECT sum(x.amount) FROM postings x WHERE x.account_id = f.account_id AND x.transaction_id < f.transaction_id)
		= (f.snapshot ->> 'Worth')::bigint
	FROM fills f
	LEFT JOIN orders o ON o.id = f.order_id
	LEFT JOIN positions p ON p.id = f.position_id
	LEFT JOIN tape_quotes b ON b.product_id = f.product_id AND b.seq = f.best_seq
	LEFT JOIN tape_quotes g ON g.product_id = f.product_id AND g.seq = o.armed_seq
	LEFT JOIN ledger_transactions t ON t.id = f.transaction_id AND t.key IN ('order:' || f.order_id, 'order:' || f.order_id || ':2')
	LEFT JOIN tape_quotes q ON q.product_id = f.product_id AND q.seq = f.quote_seq
	LEFT JOIN tape_quotes c ON c.product_id = f.conversion_product AND c.seq = f.conversion_seq
	LEFT JOIN tape_quotes m ON m.product_id = f.margin_product AND m.seq = f.margin_seq
	LEFT JOIN LATERAL (
		SELECT -sum(p.amount) FILTER (WHERE a.name = 'trading') AS profit, sum(p.amount) FILTER (WHERE a.name = 'fees') AS fee,
		       bool_and(a.kind = 'house' OR a.id = f.account_id) AS own
		FROM postings p JOIN accounts a ON a.id = p.account_id WHERE p.transaction_id = f.transaction_id) l ON true
	LEFT JOIN LATERAL (
		SELECT array_agg(coalesce(y.bid, 0) ORDER BY n) AS bids, array_agg(coalesce(y.ask, 0) ORDER BY n) AS asks, array_agg(coalesce(z.bid + z.ask, 0) ORDER BY n) AS conversions
		FROM jsonb_array_elements(f.snapshot -> 'Positions') WITH ORDINALITY h(p, n)
		LEFT JOIN tape_quotes y ON y.product_id = (h.p ->> 'ProductID')::int AND y.seq = (h.p ->> 'QuoteSeq')::bigint
		LEFT JOIN tape_quotes z ON z.product_id = (h.p ->> 'ConversionProduct')::int AND z.seq = (h.p ->> 'ConversionSeq')::bigint) s ON true
	ORDER BY f.id`

// evidence is a fill as it was stored, with the quotes and postings that must explain it.
type evidence struct {
	trading.Fill
	bid, ask                int64
	conversion2, margin2    int64 // twice the mids
	postedProfit, postedFee int64
	postedOwn               bool          // under its order's key, to its account and the house only
	order                   trading.Order // the order that it filled
	whole                   bool          // the order's fills add up to its lots
	armed                   market.Quote  // the quote that triggered the stop of a stop-limit order
	best                    market.Quote  // the best quote that a trailing stop followed
	beaten                  bool          // the tape has a better quote than best
	trail                   *int64
	since                   int64       // the quote at which the protection was last set
	trailSince              int64       // the quote at which the trailing stop began
	prices                  []heldPrice // of the positions of the stop-out snapshot
	called                  bool        // the margin call of the stop-out snapshot exists
	owned                   bool        // the account had the money of the stop-out snapshot
}

func (e *evidence) scan(rows pgx.Rows) error {
	var bids, asks, conversions []int64
	err := rows.Scan(&e.ID, &e.PositionID, &e.AccountID, &e.ProductID, &e.Terms, &e.AtMS, &e.Side, &e.Entry, &e.Rule, &e.Lots, &e.Price, &e.OpenPrice, &e.OpenValue, &e.LimitPrice, &e.ByPosition, &e.Leverage,
		&e.Margin, &e.Commission, &e.Profit, &e.ConversionProduct, &e.ConversionInverse, &e.MarginProduct, &e.MarginInverse,
		&e.bid, &e.ask, &e.conversion2, &e.margin2, &e.postedProfit, &e.postedFee, &e.postedOwn, &e.order.Side, &e.order.Intent, &e.whole, &e.order.Type, &e.order.Price, &e.order.LimitPrice, &e.order.SinceSeq, &e.order.ArmedSeq,
		&e.QuoteSeq, &e.armed.Bid, &e.armed.Ask, &e.BestSeq, &e.best.Bid, &e.best.Ask, &e.trail, &e.since, &e.TrailSince, &e.trailSince, &e.beaten,
		&e.Equity, &e.UsedMargin, &e.CreatedAt, &e.Snapshot, &bids, &asks, &conversions, &e.called, &e.owned)
	for i := range bids {
		e.prices = append(e.prices, heldPrice{bids[i], asks[i], conversions[i]})
	}
	return err
}

type verifier struct {
	byID      map[int]market.Product
	schedule  *market.Schedule
	positions map[int64]trading.Position // rebuilt from the fills
	held      map[int64][]holding        // by position, oldest first
	open      map[int64][]int64          // open positions by account, oldest first
}

func newVerifier(byID map[int]market.Product, schedule *market.Schedule) verifier {
	return verifier{byID: byID, schedule: schedule, positions: map[int64]trading.Position{}, held: map[int64][]holding{}, open: map[int64][]int64{}}
}

// holding is the open lots of a position from a moment of market time on.
type holding struct{ fromMS, lots int64 }

// check recomputes one fill. It returns the first mismatch, or an empty string.
func (v *verifier) check(e evidence) string {
	p, ok := v.byID[e.ProductID]
	if !ok {
		return "its product is unknown"
	}
	if e.bid == 0 {
		return "its quote is not on the tape"
	}
	if p.Terms, ok = v.schedule.Terms(p.ID, e.Terms); !ok || !v.inForce(p, e.AtMS) {
		return "its terms were not in force"
	}
	if e.order.Side != e.Side || !e.whole || (e.order.Intent != e.Entry && e.order.Intent != trading.EntryOpen) {
		return "it is not what its order asked for"
	}
	if what := v.checkPrice(e, p); what != "" {
		return what
	}
	if what := v.checkStood(e, p); what != "" {
		return what
	}
	if what := v.checkSums(e, p); what != "" {
		return what
	}
	if what := checkOrder(e); what != "" {
		return what
	}
	if e.postedProfit != e.Profit || e.postedFee != e.Commission || !e.postedOwn {
		return "the ledger posted something else"
	}
	return ""
}

// settling is the longest duration of a decision: one that used the former terms may be recorded just after the new ones took effect.
const settling = time.Minute

// inForce reports whether terms were in force at a moment of market time.
func (v *verifier) inForce(p market.Product, atMS int64) bool {
	at := time.UnixMilli(atMS)
	return v.schedule.TermsAt(p.ID, at).Version == p.Version || v.schedule.TermsAt(p.ID, at.Add(-settling)).Version == p.Version
}

// checkPrice requires the price of the fill's quote; for a close-by, the open price of the second position.
func (v *verifier) checkPrice(e evidence, p market.Product) string {
	if e.Rule != trading.CloseByRule {
		if price := trading.OpeningPrice(e.Side, market.Quote{Bid: e.bid, Ask: e.ask}); price != e.Price {
			return fmt.Sprintf("its price is %s but its quote says %s", p.FormatPrice(e.Price), p.FormatPrice(price))
		}
		return ""
	}
	by, ok := v.positions[*e.ByPosition]
	own := e.PositionID == by.ID && e.Side == by.Side.Opposite()
	other := e.PositionID != by.ID && e.Side == by.Side
	if !ok || by.AccountID != e.AccountID || by.ProductID != e.ProductID || (!own && !other) {
		return "it was settled against a position that does not face it"
	}
	if e.Price != by.OpenPrice {
		return fmt.Sprintf("its price is %s but it was settled at %s", p.FormatPrice(e.Price), p.FormatPrice(by.OpenPrice))
	}
	return ""
}

func (v *verifier) checkSums(e evidence, p market.Product) string {
	if !v.converts(p.Quote, e.ConversionProduct, e.ConversionInverse) {
		return "it was not converted as its currency demands"
	}
	conversion, ok := v.rate(e.ConversionProduct, e.ConversionInverse, e.conversion2)
	if !ok {
		return "the quote that converted it is not on the tape"
	}
	fee, err := sums.Commission(p, e.Lots, e.Price, conversion)
	if err != nil || fee != e.Commission {
		return "its commission is not what its sums give"
	}
	if e.Entry == trading.EntryOpen {
		return v.checkOpen(e, p)
	}
	return v.checkClose(e, p, conversion)
}

// converts reports whether a product, inverted or not, converts a currency into the account's. Dollars need no product, and only they.
func (v *verifier) converts(currency string, productID *int, inverse bool) bool {
	if productID == nil {
		return converts(currency, nil, inverse)
	}
	p := v.byID[*productID]
	return converts(currency, &p, inverse)
}

func converts(currency string, by *market.Product, inverse bool) bool {
	switch {
	case by == nil || trading.IsDollar(currency):
		return by == nil && trading.IsDollar(currency)
	case inverse:
		return trading.IsDollar(by.Base) && by.Quote == currency
	}
	return by.Base == currency && trading.IsDollar(by.Quote)
}

func (v *verifier) rate(productID *int, inverse bool, double int64) (sums.Rate, bool) {
	if productID == nil {
		return sums.Rate{}, true
	}
	p, ok := v.byID[*productID]
	return sums.Rate{Double: double, Point: p.Point, Inverse: inverse}, ok && double > 0
}

func (v *verifier) checkOpen(e evidence, p market.Product) string {
	currency, double := p.Base, e.margin2
	if p.MarginModel != market.ForexMargin {
		currency = p.Quote
	}
	if !v.converts(currency, e.MarginProduct, e.MarginInverse) {
		return "its margin was not converted as its currency demands"
	}
	if e.MarginProduct != nil && *e.MarginProduct == p.ID {
		double = 2 * e.Price // its own side's price, see forMargin
	}
	r, ok := v.rate(e.MarginProduct, e.MarginInverse, double)
	if !ok {
		return "the quote that converted its margin is not on the tape"
	}
	sum, err := sums.Margin(p, e.Lots, e.Price, e.Leverage, r)
	if err != nil || sum != e.Margin || e.Profit != 0 {
		return "its margin is not what its sums give"
	}
	return v.join(e.Fill)
}

// join adds an opening fill to its position, or begins the position. It returns the mismatch, or an empty string.
func (v *verifier) join(f trading.Fill) string {
	held, ok := v.positions[f.PositionID]
	if ok && (held.State != trading.StateOpen || held.AccountID != f.AccountID || held.ProductID != f.ProductID || held.Side != f.Side || held.Leverage != f.Leverage) {
		return "it joins a position that is another one"
	}
	if !ok {
		held.ID, held.OpenedBy = f.PositionID, f.Rule
	}
	opened, err := held.Opened(f)
	if err != nil {
		return "its position is too large"
	}
	v.keep(f, opened)
	return ""
}

// keep stores a position after a fill.
func (v *verifier) keep(f trading.Fill, p trading.Position) {
	if _, known := v.positions[p.ID]; !known {
		v.open[p.AccountID] = append(v.open[p.AccountID], p.ID)
	}
	if p.State == trading.StateClosed {
		v.open[p.AccountID] = slices.DeleteFunc(v.open[p.AccountID], func(id int64) bool { return id == p.ID })
	}
	v.positions[p.ID] = p
	v.held[p.ID] = append(v.held[p.ID], holding{f.AtMS, p.Lots})
}

// checkStood requires that a stop-out snapshot matches its account: all open positions, its money, and the margin call before it.
func (v *verifier) checkStood(e evidence, p market.Product) string {
	if e.Rule != trading.StopOutRule && e.Snapshot == nil {
		return ""
	}
	products, err := newCatalogue(slices.Collect(maps.Values(v.byID)), v.schedule.Terms).held(e.Snapshot)
	if err != nil {
		return "it names terms that are unknown"
	}
	if what := checkSnapshot(SealedFill{Fill: e.Fill, Product: p, Held: products}, e.prices, v.positions[e.PositionID]); what != "" {
		return what
	}
	if !e.called {
		return "no margin call came before it"
	}
	if !e.owned {
		return "its account had other money"
	}
	open := v.open[e.AccountID]
	if len(open) != len(e.Snapshot.Positions) {
		return "its account held other positions"
	}
	for i, s := range e.Snapshot.Positions {
		q := v.positions[open[i]]
		if s.PositionID != q.ID || s.ProductID != q.ProductID || s.Side != q.Side || s.Lots != q.Lots || s.OpenValue != q.OpenValue || s.Leverage != q.Leverage || s.Margin != q.Margin ||
			!v.inForce(products[i].Product, e.AtMS) {
			return "its account held other positions"
		}
	}
	return ""
}

func (v *verifier) checkClose(e evidence, p market.Product, r sums.Rate) string {
	position, ok := v.positions[e.PositionID]
	if !ok || position.AccountID != e.AccountID || position.ProductID != e.ProductID || position.Side != e.Side.Opposite() || position.Lots < e.Lots {
		return "it closes what no earlier fill opened"
	}
	if e.OpenPrice == nil || *e.OpenPrice != position.OpenPrice {
		return "its open price is not the position's"
	}
	opened, err := sums.Part(position.OpenValue, e.Lots, position.Lots)
	if err != nil || e.OpenValue == nil || *e.OpenValue != opened {
		return "what it released of the opening is not what its sums give"
	}
	sum, err := sums.Profit(p, position.Side == trading.Buy, e.Lots, opened, e.Price, r)
	if err != nil || sum != e.Profit {
		return "its profit is not what its sums give"
	}
	released, err := sums.Part(position.Margin, e.Lots, position.Lots)
	if err != nil || released != e.Margin {
		return "the margin it released is not what its sums give"
	}
	if what := checkRule(e, position); what != "" {
		return what
	}
	v.keep(e.Fill, position.Reduced(e.Fill))
	return ""
}

// checkOrder requires that the fill of an opening order followed the order. A market order is filled at any quote. A pending order is filled at a quote that
// reached its price and is later than the one at which it was placed or revised; for a stop-limit order, the quote must also reach its limit.
func checkOrder(e evidence) string {
	o := e.order
	if o.Intent != trading.EntryOpen {
		return ""
	}
	if (e.Rule == trading.MarketRule) != (o.Type == trading.MarketOrder) || (e.Rule != trading.MarketRule && e.Rule != o.FillRule()) {
		return "its rule is not its order's"
	}
	if o.Type == trading.MarketOrder {
		return ""
	}
	q := market.Quote{ProductID: e.ProductID, Seq: e.QuoteSeq, Bid: e.bid, Ask: e.ask}
	switch {
	case e.LimitPrice == nil || *e.LimitPrice != o.EntryPrice():
		return "the price that should have triggered is not its order's"
	case o.Type == trading.LimitOrder && (!o.LimitReached(q) || q.Seq <= o.SinceSeq):
		return "its quote had not reached the limit"
	case o.Type == trading.StopOrder && (!o.StopReached(q) || q.Seq <= o.SinceSeq):
		return "its quote had not reached the stop"
	case o.Type == trading.StopLimitOrder && (o.ArmedSeq == nil || !o.StopReached(e.armed) || !o.LimitReached(q) || q.Seq < *o.ArmedSeq):
		return "its quotes had not reached the stop and then the limit"
	}
	return ""
}

// checkRule requires that the price had reached the stop loss, take profit or trailing stop that fired.
func checkRule(e evidence, position trading.Position) string {
	if e.Rule != trading.StopLossRule && e.Rule != trading.TakeProfitRule && e.Rule != trading.TrailingRule {
		return ""
	}
	if e.Rule != trading.TrailingRule && e.QuoteSeq <= e.since {
		return "its quote is older than what it should have fired"
	}
	if e.Rule == trading.TrailingRule && !e.trailed(position.Side) {
		return "its trailing stop did not stand there"
	}
	if e.LimitPrice == nil {
		return "the price that should have fired is missing"
	}
	beyond := e.Price - *e.LimitPrice
	if (position.Side == trading.Buy) == (e.Rule != trading.TakeProfitRule) {
		beyond = -beyond
	}
	if beyond < 0 {
		return "the price had not reached what should have fired"
	}
	return ""
}

// trailed reports whether a trailing stop was at the level of the fill: behind an earlier quote, no earlier than the stop began, and with no better one in
// between.
func (e evidence) trailed(side trading.Side) bool {
	if e.trail == nil || e.BestSeq == nil || e.LimitPrice == nil || (e.TrailSince != nil && *e.TrailSince != e.trailSince) {
		return false
	}
	return e.trailSince <= *e.BestSeq && *e.BestSeq < e.QuoteSeq && !e.beaten && *e.LimitPrice == trading.TrailLevel(trading.Position{Side: side, Trail: e.trail}, e.best)
}

// checkPositions compares every stored position with the one rebuilt from its fills and charges.
func (v *verifier) checkPositions(ctx context.Context, q ledger.Querier) (*audit.Problem, error) {
	rows, err := q.Query(ctx, `SELECT `+trading.PositionColumns+` FROM positions ORDER BY id`)
	if err != nil {
		return nil, fmt.Errorf("read the positions: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		stored, err := pgx.RowToStructByPos[trading.Position](rows)
		if err != nil {
			return nil, fmt.Errorf("read a position: %w", err)
		}
		if made, ok := v.positions[stored.ID]; !ok || !madeOf(stored, made) {
			return &audit.Problem{Table: "positions", Row: fmt.Sprint("id ", stored.ID), What: "is not what its fills and charges make of it"}, nil
		}
		delete(v.positions, stored.ID)
	}
	if missing := slices.Sorted(maps.Keys(v.positions)); len(missing) > 0 {
		return &audit.Problem{Table: "positions", Row: fmt.Sprint("id ", missing[0]), What: "is missing, but fills name it"}, rows.Err()
	}
	return nil, rows.Err()
}

// madeOf reports whether a stored position matches the one rebuilt from its fills and charges. Protection and times are not compared.
func madeOf(stored, made trading.Position) bool {
	return made.AccountID == stored.AccountID && made.ProductID == stored.ProductID && made.Side == stored.Side && made.OpenedBy == stored.OpenedBy &&
		made.Lots == stored.Lots && made.LotsOpened == stored.LotsOpened && made.OpenPrice == stored.OpenPrice && made.OpenValue == stored.OpenValue &&
		made.Swap == stored.Swap && made.Dividends == stored.Dividends &&
		made.Leverage == stored.Leverage && made.Margin == stored.Margin && made.Commission == stored.Commission &&
		made.Realised == stored.Realised && made.State == stored.State &&
		trading.Equal(made.CloseReason, stored.CloseReason) && trading.Equal(made.ClosePrice, stored.ClosePrice)
}

// checkUnfilled finds a transaction of a fill or charge that does not exist.
func checkUnfilled(ctx context.Context, q ledger.Querier) (*audit.Problem, error) {
	return audit.FindProblem(ctx, q, "ledger_transactions", `
		SELECT t.id, 'id ' || t.id, 'is said to be of a fill or charge, and there is none' FROM ledger_transactions t
		LEFT JOIN fills f ON f.transaction_id = t.id LEFT JOIN charges c ON c.transaction_id = t.id
		WHERE t.kind IN ('trade_open', 'trade_close') AND f.id IS NULL OR t.kind IN ('swap', 'dividend') AND c.id IS NULL`)
}
