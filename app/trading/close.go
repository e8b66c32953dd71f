package trading

import (
	"candor/app/ledger"
	"candor/app/market"
	"candor/app/platform/money"
)

// closeByTrader decides a trader's close on a locked account and writes what follows from it.
func (s *Service) closeByTrader(j journal, f portfolio, cmd Close) (outcome, error) {
	position, p, err := s.held(f, cmd.PositionID)
	if err != nil {
		return outcome{}, err
	}
	lots := cmd.Lots
	if lots == 0 {
		lots = position.Lots
	}
	if err := checkPart(p, lots, position.Lots); err != nil {
		return outcome{}, err
	}
	q, err := s.market.Tradable(p.ID)
	if err != nil {
		return outcome{}, err
	}
	if err := checkSlippage(p, position.Side.Opposite(), closingPrice(position.Side, q), cmd.Seen, cmd.SlippageBps); err != nil {
		return outcome{}, err
	}
	return s.close(j, f, closing{position: position, lots: lots, rule: MarketRule, quote: q, source: sourceUser, slippageBps: cmd.SlippageBps})
}

// held finds one's open position and its product.
func (s *Service) held(f portfolio, id int64) (Position, market.Product, error) {
	position, ok := f.find(id)
	if !ok {
		return position, market.Product{}, ErrPosition
	}
	p, err := s.market.Product(position.ProductID)
	return position, p, err
}

// checkPart demands that what is closed and what stays both keep the product's step and minimum.
func checkPart(p market.Product, lots, of int64) error {
	if lots == of {
		return nil
	}
	rest := of - lots
	if lots < p.LotMin || rest < p.LotMin || (lots-p.LotMin)%p.LotStep != 0 {
		return ErrLots.With("min", money.Trim(p.LotMin, money.Scale)).With("max", money.Trim(of, money.Scale)).With("step", money.Trim(p.LotStep, money.Scale))
	}
	return nil
}

// closing is a decision to end lots of a position at a quote, and the rule that made it.
type closing struct {
	position    Position
	lots        int64
	rule        Rule
	limit       *int64 // the stop loss or take profit that fired
	quote       market.Quote
	source      string
	slippageBps int
	best        market.Quote // from which a trailing stop was measured
	by          *Position    // the opposite position that it is settled against
	before      *Valuation   // what the decision was made on; nil values the account anew
}

// valuation is what the account was worth before the close: what a stop-out decided on, or a fresh one.
func (c closing) valuation(s *Service, f portfolio) (Valuation, error) {
	if c.before != nil {
		return *c.before, nil
	}
	return f.value(s.market, s.convert)
}

// close writes a closing fill, its money and the position after it. When it leaves the account flat, a deficit is forgiven.
func (s *Service) close(j journal, f portfolio, c closing) (outcome, error) {
	fill, err := s.priceClose(f, c)
	if err != nil {
		return outcome{}, err
	}
	o, err := s.fulfil(j, Order{
		AccountID: f.account.ID, ProductID: c.position.ProductID, Type: MarketOrder, Intent: entryClose, Side: c.position.Side.Opposite(), Lots: c.lots,
		Leverage: c.position.Leverage, SlippageBps: c.slippageBps, TimeInForce: GoodTillCancelled, Source: c.source, Revision: 1, CreatedAt: fill.CreatedAt,
	}, c.position.ID, fill)
	if err != nil {
		return outcome{}, err
	}
	account, err := s.record(j, f.account, o.ID, c.position.ID, fill)
	if err != nil {
		return outcome{}, err
	}
	after := reduced(c.position, c.rule, fill)
	if err := j.updatePosition(after, c.position.Version); err != nil {
		return outcome{}, err
	}
	left := portfolio{account: account, orders: f.orders}
	for _, p := range f.positions {
		switch {
		case p.ID != after.ID:
			left.positions = append(left.positions, p)
		case after.State == stateOpen:
			left.positions = append(left.positions, after)
		}
	}
	if left.account, err = s.forgive(j, left, fill); err != nil {
		return outcome{}, err
	}
	return outcome{portfolio: left, fill: fill.Fill, position: after}, nil
}

// priceClose computes the closing fill: price, profit, commission and the margin it releases.
func (s *Service) priceClose(f portfolio, c closing) (draft, error) {
	before, err := c.valuation(s, f)
	if err != nil {
		return draft{}, err
	}
	p, err := s.market.Product(c.position.ProductID)
	if err != nil {
		return draft{}, err
	}
	r, err := s.convert.into(s.market, p.Quote)
	if err != nil {
		return draft{}, err
	}
	price := c.price(c.quote)
	fill := &Fill{
		AccountID: f.account.ID, ProductID: p.ID, Side: c.position.Side.Opposite(), Entry: entryClose, Rule: c.rule, Lots: c.lots, Price: price,
		QuoteSeq: c.quote.Seq, OpenPrice: &c.position.OpenPrice, LimitPrice: c.limit, Leverage: c.position.Leverage,
		ConversionInverse: r.inverse, Equity: before.Equity, UsedMargin: before.Used,
		CreatedAt: s.clock.Now(), AtMS: s.market.Now().UnixMilli(),
	}
	if c.by != nil {
		fill.ByPosition = &c.by.ID
	}
	quotes := naming(c.quote, r)
	if c.rule == TrailingRule {
		fill.BestSeq = &c.best.Seq
		quotes = append(quotes, c.best)
	}
	fill.ConversionProduct, fill.ConversionSeq = r.product()
	if fill.Profit, err = profit(p, c.position.Side, c.lots, c.position.OpenPrice, price, r.rate); err != nil {
		return draft{}, err
	}
	if fill.Margin, err = part(c.position.Margin, c.lots, c.position.Lots); err != nil {
		return draft{}, err
	}
	fill.Commission, err = commission(p, c.lots, price, r.rate)
	return draft{fill, quotes}, err
}

// reduced is the position after a closing fill.
func reduced(p Position, rule Rule, fill draft) Position {
	p.Lots -= fill.Lots
	p.Margin -= fill.Fill.Margin
	p.Commission += fill.Commission
	p.Realised += fill.Profit
	p.Version++
	if p.Lots == 0 {
		reason, price, at := rule.closeReason(), fill.Price, fill.CreatedAt
		p.State, p.CloseReason, p.ClosePrice, p.ClosedAt = stateClosed, &reason, &price, &at
	}
	return p
}

// forgive ends the deficit of a flat account: nobody owes the house for a gap.
func (s *Service) forgive(j journal, f portfolio, fill draft) (ledger.Account, error) {
	if len(f.positions) > 0 || f.account.Deficit == 0 {
		return f.account, nil
	}
	entries := f.account.Forgive()
	_, err := j.post(ledger.Transaction{
		Kind: "negative_balance_protection", Key: "forgive:" + orderCause(fill.OrderID), Cause: orderCause(fill.OrderID),
		Book: f.account.Book, At: fill.CreatedAt, Entries: entries,
	})
	if err != nil {
		return f.account, err
	}
	account := f.account.Apply(entries)
	account.Version++
	return account, nil
}

// protect changes a position's stop loss and take profit.
func (s *Service) protect(j journal, f portfolio, cmd Protect) (outcome, error) {
	position, p, err := s.held(f, cmd.PositionID)
	if err != nil {
		return outcome{}, err
	}
	q, ok := s.market.Newest(p.ID)
	if !ok {
		return outcome{}, market.ErrNoPrice
	}
	if err := checkProtection(p, q, position.Side, cmd.StopLoss, cmd.TakeProfit); err != nil {
		return outcome{}, err
	}
	if err := checkTrail(p, q, position.Side, cmd.Trail); err != nil {
		return outcome{}, err
	}
	before := position.Version
	position.StopLoss, position.TakeProfit, position.Trail, position.SinceSeq = cmd.StopLoss, cmd.TakeProfit, cmd.Trail, q.Seq
	position.Version++
	if err := j.updatePosition(position, before); err != nil {
		return outcome{}, err
	}
	if f.account.Version, err = j.touch(f.account.ID); err != nil {
		return outcome{}, err
	}
	for i := range f.positions {
		if f.positions[i].ID == position.ID {
			f.positions[i] = position
		}
	}
	out := outcome{portfolio: f, position: position}
	if position.Trail != nil {
		out.trail = &q
	}
	return out, nil
}
