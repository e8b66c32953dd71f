package trading

import (
	"fmt"
	"slices"

	"candor/app/ledger"
	"candor/app/market"
	"candor/app/platform/money"
)

// opening is a decision to open a position at a quote, and the rule that made it.
type opening struct {
	product              market.Product
	quote                market.Quote
	side                 Side
	lots                 int64
	leverage             int
	stopLoss, takeProfit *int64
	rule                 Rule
	limit                *int64 // the price of the order that triggered
	slippageBps          int
	order                *Order // the resting order that is filled; nil makes a market order
}

// open decides a market order on a locked account and writes what follows from it.
func (s *Service) open(j journal, f portfolio, cmd Open) (outcome, error) {
	p, q, err := s.admit(f, cmd)
	if err != nil {
		return outcome{}, err
	}
	return s.enter(j, f, opening{
		product: p, quote: q, side: cmd.Side, lots: cmd.Lots, leverage: cmd.Leverage, stopLoss: cmd.StopLoss, takeProfit: cmd.TakeProfit,
		rule: MarketRule, slippageBps: cmd.SlippageBps,
	})
}

// enter writes an opening fill, its money and its position, if the account can carry it; ErrMargin otherwise, with nothing written.
func (s *Service) enter(j journal, f portfolio, o opening) (outcome, error) {
	fill, err := s.priceOpen(f, o)
	if err != nil {
		return outcome{}, err
	}
	position := Position{
		AccountID: f.account.ID, ProductID: o.product.ID, Side: o.side, Lots: o.lots, LotsOpened: o.lots, OpenPrice: fill.Price,
		Leverage: o.leverage, Margin: fill.Margin, StopLoss: o.stopLoss, TakeProfit: o.takeProfit, SinceSeq: o.quote.Seq,
		Commission: fill.Commission, State: stateOpen, Version: 1, OpenedAt: fill.CreatedAt,
	}
	if err := s.affords(f, position, fill); err != nil {
		return outcome{}, err
	}
	return s.writeOpen(j, f, o, position, fill)
}

// admit checks everything about an order that needs no sums.
func (s *Service) admit(f portfolio, cmd Open) (p market.Product, q market.Quote, err error) {
	if !cmd.Side.valid() {
		return p, q, ErrSide
	}
	if p, err = s.market.Product(cmd.ProductID); err != nil {
		return p, q, err
	}
	if err = checkLots(p, cmd.Lots); err != nil {
		return p, q, err
	}
	if !slices.Contains(p.Leverages(), cmd.Leverage) {
		return p, q, ErrLeverage.With("list", p.Multiple)
	}
	if len(f.positions) >= MaxPositions {
		return p, q, ErrTooMany.With("limit", MaxPositions)
	}
	if q, err = s.market.Tradable(p.ID); err != nil {
		return p, q, err
	}
	if err = checkSlippage(p, cmd.Side, openingPrice(cmd.Side, q), cmd.Seen, cmd.SlippageBps); err != nil {
		return p, q, err
	}
	return p, q, checkProtection(p, q, cmd.Side, cmd.StopLoss, cmd.TakeProfit)
}

func checkLots(p market.Product, lots int64) error {
	if lots < p.LotMin || lots > p.LotMax || (lots-p.LotMin)%p.LotStep != 0 {
		return ErrLots.With("min", money.Trim(p.LotMin, money.Scale)).With("max", money.Trim(p.LotMax, money.Scale)).With("step", money.Trim(p.LotStep, money.Scale))
	}
	return nil
}

// checkProtection demands that a stop loss lies on the losing side and a take profit on the winning side of the price at which the
// position would close, at least the product's stop level away.
func checkProtection(p market.Product, q market.Quote, side Side, stopLoss, takeProfit *int64) error {
	price, direction := closingPrice(side, q), int64(1)
	if side == Sell {
		direction = -1
	}
	distance := max(int64(p.StopLevel), 1)
	if stopLoss != nil && (*stopLoss <= 0 || (price-*stopLoss)*direction < distance) {
		return ErrStopLoss.With("limit", p.FormatPrice(price-direction*distance))
	}
	if takeProfit != nil && (*takeProfit <= 0 || (*takeProfit-price)*direction < distance) {
		return ErrTakeProfit.With("limit", p.FormatPrice(price+direction*distance))
	}
	return nil
}

// priceOpen computes the opening fill: price, margin and commission with the quotes that they came from.
func (s *Service) priceOpen(f portfolio, o opening) (draft, error) {
	p, q := o.product, o.quote
	before, err := f.value(s.market, s.convert)
	if err != nil {
		return draft{}, err
	}
	price := openingPrice(o.side, q)
	marginRate, err := s.convert.forMargin(s.market, p, q, price)
	if err != nil {
		return draft{}, err
	}
	feeRate, err := s.convert.into(s.market, p.Quote)
	if err != nil {
		return draft{}, err
	}
	fill := &Fill{
		AccountID: f.account.ID, ProductID: p.ID, Side: o.side, Entry: entryOpen, Rule: o.rule, Lots: o.lots, Price: price,
		QuoteSeq: q.Seq, LimitPrice: o.limit, Leverage: o.leverage, Equity: before.Equity, UsedMargin: before.Used,
		MarginInverse: marginRate.inverse, ConversionInverse: feeRate.inverse,
		CreatedAt: s.clock.Now(), AtMS: s.market.Now().UnixMilli(),
	}
	fill.MarginProduct, fill.MarginSeq = marginRate.product()
	fill.ConversionProduct, fill.ConversionSeq = feeRate.product()
	if fill.Margin, err = margin(p, o.lots, price, o.leverage, marginRate.rate); err != nil {
		return draft{}, err
	}
	fill.Commission, err = commission(p, o.lots, price, feeRate.rate)
	return draft{fill, naming(q, marginRate, feeRate)}, err
}

// affords demands that equity, less the commission, still covers the used margin with the new position in it.
func (s *Service) affords(f portfolio, position Position, fill draft) error {
	used, err := f.with(position).used(s.market)
	if err != nil {
		return err
	}
	free := fill.Equity - fill.Commission - used
	if free < 0 || f.account.Free() < fill.Commission {
		needed := money.Format(used-fill.UsedMargin+fill.Commission, money.Scale)
		return ErrMargin.With("needed", needed).With("free", money.Format(max(0, fill.Equity-fill.UsedMargin), money.Scale))
	}
	return nil
}

func (s *Service) writeOpen(j journal, f portfolio, o opening, position Position, fill draft) (outcome, error) {
	var err error
	if position.ID, err = j.insertPosition(position); err != nil {
		return outcome{}, err
	}
	order := Order{
		AccountID: f.account.ID, ProductID: position.ProductID, Type: MarketOrder, Intent: entryOpen, Side: o.side, Lots: o.lots, Leverage: o.leverage,
		StopLoss: o.stopLoss, TakeProfit: o.takeProfit, SlippageBps: o.slippageBps, TimeInForce: GoodTillCancelled, Source: sourceUser, Revision: 1, CreatedAt: fill.CreatedAt,
	}
	if o.order != nil {
		order = *o.order
	}
	if order, err = s.fulfil(j, order, position.ID, fill); err != nil {
		return outcome{}, err
	}
	account, err := s.record(j, f.account, order.ID, position.ID, fill)
	if err != nil {
		return outcome{}, err
	}
	f.account = account
	out := outcome{portfolio: f.withoutOrder(order.ID).with(position), fill: fill.Fill, position: position}
	if o.order != nil {
		out.order = &order
	}
	return out, nil
}

// fulfil writes that an order is filled: a resting one ends, any other is written at once.
func (s *Service) fulfil(j journal, o Order, positionID int64, fill draft) (Order, error) {
	o.Status, o.PositionID, o.EndedAt = Filled, &positionID, &fill.CreatedAt
	if o.ID != 0 {
		return o, j.updateOrder(o, o.Revision)
	}
	var err error
	o.ID, err = j.insertOrder(o)
	return o, err
}

// record writes what every fill has: its quotes, its money and itself. It returns the account after it.
func (s *Service) record(j journal, account ledger.Account, orderID, positionID int64, fill draft) (ledger.Account, error) {
	var err error
	fill.OrderID, fill.PositionID = orderID, positionID
	if err := j.record(fill.quotes...); err != nil {
		return account, err
	}
	entries := account.Result(fill.Profit, fill.Commission)
	if len(entries) > 0 {
		id, err := j.post(ledger.Transaction{
			Kind: "trade_" + fill.Entry, Key: orderCause(fill.OrderID), Cause: orderCause(fill.OrderID),
			Book: account.Book, At: fill.CreatedAt, Entries: entries,
		})
		if err != nil {
			return account, err
		}
		fill.TransactionID = &id
		account = account.Apply(entries)
	}
	if slices.ContainsFunc(entries, func(e ledger.Entry) bool { return e.AccountID == account.ID }) {
		account.Version++
	} else if account.Version, err = j.touch(account.ID); err != nil { // a profit that its commission takes moves the house only
		return account, err
	}
	if fill.ID, err = j.insertFill(*fill.Fill); err != nil {
		return account, fmt.Errorf("write the fill of order %d: %w", fill.OrderID, err)
	}
	return account, nil
}

// draft is a fill before it is written, with every quote that it names.
type draft struct {
	*Fill
	quotes []market.Quote
}

// naming collects the quotes a fill names, each once.
func naming(q market.Quote, others ...converted) []market.Quote {
	quotes := []market.Quote{q}
	for _, c := range others {
		if c.quote != nil && !slices.ContainsFunc(quotes, c.quote.Is) {
			quotes = append(quotes, *c.quote)
		}
	}
	return quotes
}
