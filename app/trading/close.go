package trading

import (
	"candor/app/market"
	"candor/app/platform/money"
	"candor/app/trading/sums"
)

// Close decides a trader's close of an open position, whole or in part. Refusals: ErrPosition, ErrLots, ErrSlippage, and the market's.
func (rules *Rules) Close(j Journal, f Portfolio, cmd Close) (Outcome, error) {
	position, p, err := rules.findOpen(f, cmd.PositionID)
	if err != nil {
		return Outcome{}, err
	}
	lots := cmd.Lots
	if lots == 0 {
		lots = position.Lots
	}
	if err := CheckPart(p, lots, position.Lots); err != nil {
		return Outcome{}, err
	}
	q, err := rules.market.Tradable(p.ID)
	if err != nil {
		return Outcome{}, err
	}
	if err := checkSlippage(p, position.Side.Opposite(), ClosingPrice(position.Side, q), cmd.Seen, cmd.SlippageBps); err != nil {
		return Outcome{}, err
	}
	return rules.closePosition(j, f, closing{position: position, lots: lots, rule: MarketRule, quote: q, source: sourceUser, slippageBps: cmd.SlippageBps})
}

// findOpen finds an open position of the account and its product.
func (rules *Rules) findOpen(f Portfolio, id int64) (Position, market.Product, error) {
	position, ok := f.FindPosition(id)
	if !ok {
		return position, market.Product{}, ErrPosition
	}
	p, err := rules.market.Product(position.ProductID)
	return position, p, err
}

// CheckPart returns ErrLots unless both the closed and the remaining lots keep the product's step and minimum.
func CheckPart(p market.Product, lots, of int64) error {
	if lots == of {
		return nil
	}
	rest := of - lots
	if lots < p.LotMin || rest < p.LotMin || (lots-p.LotMin)%p.LotStep != 0 {
		return ErrLots.With("min", money.Trim(p.LotMin, money.Scale)).With("max", money.Trim(of, money.Scale)).With("step", money.Trim(p.LotStep, money.Scale))
	}
	return nil
}

// closing is a decided close: lots of a position at a quote, and the rule behind it.
type closing struct {
	position    Position
	lots        int64
	rule        Rule
	limit       *int64 // the stop loss, take profit or trailing stop that fired
	quote       market.Quote
	source      string
	slippageBps int
	best        market.Quote // the best quote that a trailing stop followed
	by          *Position    // the opposite position of a close-by
	before      *Valuation   // the valuation behind a stop-out; nil values the account again
}

// valuation is the account before the close: the one a stop-out was decided on, or a new one.
func (c closing) valuation(rules *Rules, f Portfolio) (Valuation, error) {
	if c.before != nil {
		return *c.before, nil
	}
	return rules.Value(f)
}

// closePosition writes a closing fill, its posting and the position after it.
func (rules *Rules) closePosition(j Journal, f Portfolio, c closing) (Outcome, error) {
	l, err := rules.closeLeg(f, c)
	if err != nil {
		return Outcome{}, err
	}
	return rules.write(j, f, Order{
		AccountID: f.Account.ID, ProductID: c.position.ProductID, Type: MarketOrder, Intent: EntryClose, Side: c.position.Side.Opposite(), Lots: c.lots,
		Leverage: c.position.Leverage, SlippageBps: c.slippageBps, TimeInForce: GoodTillCancelled, Source: c.source, Revision: 1, CreatedAt: l.CreatedAt,
	}, l)
}

// closeLeg computes a closing fill and the position after it.
func (rules *Rules) closeLeg(f Portfolio, c closing) (l leg, err error) {
	if l.draft, err = rules.priceClose(f, c); err != nil {
		return l, err
	}
	l.closes(c.position)
	return l, nil
}

// priceClose computes the closing fill: price, profit, commission and released margin.
func (rules *Rules) priceClose(f Portfolio, c closing) (draft, error) {
	before, err := c.valuation(rules, f)
	if err != nil {
		return draft{}, err
	}
	p, err := rules.market.Product(c.position.ProductID)
	if err != nil {
		return draft{}, err
	}
	r, err := rules.convert.rateOf(rules.market, p.Quote)
	if err != nil {
		return draft{}, err
	}
	price := c.price(c.quote)
	fill := &Fill{
		AccountID: f.Account.ID, ProductID: p.ID, Terms: p.Version, Side: c.position.Side.Opposite(), Entry: EntryClose, Rule: c.rule, Lots: c.lots, Price: price,
		QuoteSeq: c.quote.Seq, OpenPrice: &c.position.OpenPrice, LimitPrice: c.limit, Leverage: c.position.Leverage,
		ConversionInverse: r.Inverse, Equity: before.Equity, UsedMargin: before.Used,
		CreatedAt: rules.clock.Now(), AtMS: f.Now.UnixMilli(),
	}
	if c.by != nil {
		fill.ByPosition = &c.by.ID
	}
	quotes := namedQuotes(c.quote, r)
	if c.rule == StopOutRule {
		var named []market.Quote
		fill.Snapshot, named = before.snapshot(*f.Call, c.position.ID)
		quotes = distinct(append(quotes, named...))
	}
	if c.rule == TrailingRule {
		fill.BestSeq, fill.TrailSince = &c.best.Seq, &c.position.TrailSince
		quotes = append(quotes, c.best)
	}
	fill.ConversionProduct, fill.ConversionSeq = r.product()
	opened, err := sums.Part(c.position.OpenValue, c.lots, c.position.Lots)
	if err != nil {
		return draft{}, err
	}
	fill.OpenValue = &opened
	if fill.Profit, err = sums.Profit(p, c.position.Side == Buy, c.lots, opened, price, r.Rate); err != nil {
		return draft{}, err
	}
	if fill.Margin, err = sums.Part(c.position.Margin, c.lots, c.position.Lots); err != nil {
		return draft{}, err
	}
	fill.Commission, err = sums.Commission(p, c.lots, price, r.Rate)
	return draft{fill, quotes}, err
}

// Protect changes a position's stop loss, take profit and trailing stop. Refusals: ErrPosition, ErrStopLoss, ErrTakeProfit, ErrTrail.
func (rules *Rules) Protect(j Journal, f Portfolio, cmd Protect) (Outcome, error) {
	position, p, err := rules.findOpen(f, cmd.PositionID)
	if err != nil {
		return Outcome{}, err
	}
	q, ok := rules.market.Newest(p.ID)
	if !ok {
		return Outcome{}, market.ErrNoPrice
	}
	if err := checkProtection(p, q, position.Side, cmd.StopLoss, cmd.TakeProfit); err != nil {
		return Outcome{}, err
	}
	if err := checkTrail(p, q, position.Side, cmd.Trail); err != nil {
		return Outcome{}, err
	}
	before := position.Version
	out := Outcome{}
	position.StopLoss, position.TakeProfit, position.SinceSeq = cmd.StopLoss, cmd.TakeProfit, q.Seq
	if !Equal(position.Trail, cmd.Trail) {
		position.Trail, position.TrailSince = cmd.Trail, 0
		if cmd.Trail != nil {
			position.TrailSince, out.Trail = q.Seq, &q
		}
	}
	position.Version++
	if err := j.UpdatePosition(position, before); err != nil {
		return Outcome{}, err
	}
	if f.Account.Version, err = j.Touch(f.Account.ID); err != nil {
		return Outcome{}, err
	}
	out.Portfolio, out.Position = f.With(position), position
	return out, nil
}

// FireProtection closes a position whose stop loss, trailing stop or take profit is reached by quote q; best is the quote that a trailing stop followed. It
// returns nil when the position is no longer open or q reaches nothing.
func (rules *Rules) FireProtection(j Journal, f Portfolio, positionID int64, q, best market.Quote) (*Outcome, error) {
	position, open := f.FindPosition(positionID)
	rule, limit := Fires(position, q, best)
	if !open || rule == "" {
		return nil, nil
	}
	out, err := rules.closePosition(j, f, closing{position: position, lots: position.Lots, rule: rule, limit: limit, quote: q, best: best, source: sourceSystem})
	return &out, err
}
