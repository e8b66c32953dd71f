package trading

import (
	"context"
	"fmt"
	"slices"

	"candor/app/ledger"
	"candor/app/market"
	"candor/app/platform/db"
	"candor/app/platform/money"
)

// open decides a market order on a locked account and writes what follows from it.
func (s *Service) open(ctx context.Context, tx *db.Tx, f portfolio, cmd Open) (outcome, error) {
	p, q, err := s.admit(f, cmd)
	if err != nil {
		return outcome{}, err
	}
	fill, err := s.priceOpen(f, cmd, p, q)
	if err != nil {
		return outcome{}, err
	}
	position := Position{
		AccountID: f.account.ID, ProductID: p.ID, Side: cmd.Side, Lots: cmd.Lots, LotsOpened: cmd.Lots, OpenPrice: fill.Price,
		Leverage: cmd.Leverage, Margin: fill.Margin, StopLoss: cmd.StopLoss, TakeProfit: cmd.TakeProfit,
		Commission: fill.Commission, State: stateOpen, Version: 1, OpenedAt: fill.CreatedAt,
	}
	if err := s.affords(f, position, fill); err != nil {
		return outcome{}, err
	}
	return s.writeOpen(ctx, tx, f, cmd, position, fill)
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
func (s *Service) priceOpen(f portfolio, cmd Open, p market.Product, q market.Quote) (draft, error) {
	before, err := f.value(s.market, s.convert)
	if err != nil {
		return draft{}, err
	}
	price := openingPrice(cmd.Side, q)
	marginRate, err := s.convert.forMargin(s.market, p, q, price)
	if err != nil {
		return draft{}, err
	}
	feeRate, err := s.convert.into(s.market, p.Quote)
	if err != nil {
		return draft{}, err
	}
	fill := &Fill{
		AccountID: f.account.ID, ProductID: p.ID, Side: cmd.Side, Entry: entryOpen, Rule: MarketRule, Lots: cmd.Lots, Price: price,
		QuoteSeq: q.Seq, Leverage: cmd.Leverage, Equity: before.Equity, UsedMargin: before.Used,
		MarginInverse: marginRate.inverse, ConversionInverse: feeRate.inverse,
		CreatedAt: s.clock.Now(), AtMS: s.market.Now().UnixMilli(),
	}
	fill.MarginProduct, fill.MarginSeq = marginRate.product()
	fill.ConversionProduct, fill.ConversionSeq = feeRate.product()
	if fill.Margin, err = margin(p, cmd.Lots, price, cmd.Leverage, marginRate.rate); err != nil {
		return draft{}, err
	}
	fill.Commission, err = commission(p, cmd.Lots, price, feeRate.rate)
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

func (s *Service) writeOpen(ctx context.Context, tx *db.Tx, f portfolio, cmd Open, position Position, fill draft) (outcome, error) {
	order := order{
		accountID: f.account.ID, productID: position.ProductID, intent: entryOpen, side: cmd.Side, lots: cmd.Lots, leverage: cmd.Leverage,
		stopLoss: cmd.StopLoss, takeProfit: cmd.TakeProfit, slippageBps: cmd.SlippageBps, source: sourceUser, at: fill.CreatedAt,
	}
	id, err := insertPosition(ctx, tx.Conn, position)
	if err != nil {
		return outcome{}, err
	}
	position.ID = id
	account, err := s.record(ctx, tx, f.account, order, position.ID, fill)
	if err != nil {
		return outcome{}, err
	}
	f.account = account
	return outcome{f.with(position), fill.Fill, position}, nil
}

// record writes what every fill has: its order, its quotes, its money and itself. It returns the account after it.
func (s *Service) record(ctx context.Context, tx *db.Tx, account ledger.Account, o order, positionID int64, fill draft) (ledger.Account, error) {
	var err error
	if fill.OrderID, err = insertOrder(ctx, tx.Conn, o, positionID); err != nil {
		return account, err
	}
	fill.PositionID = positionID
	if err := market.RecordTx(ctx, tx, fill.quotes...); err != nil {
		return account, err
	}
	entries := account.Result(fill.Profit, fill.Commission)
	if len(entries) > 0 {
		id, err := ledger.PostTx(ctx, tx, ledger.Transaction{
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
	} else if account.Version, err = touch(ctx, tx.Conn, account.ID); err != nil { // a profit that its commission takes moves the house only
		return account, err
	}
	if fill.ID, err = insertFill(ctx, tx.Conn, *fill.Fill); err != nil {
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
