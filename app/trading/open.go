package trading

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"candor/app/ledger"
	"candor/app/market"
	"candor/app/platform/errs"
	"candor/app/platform/money"
	"candor/app/trading/sums"
)

// opening is a decided opening: product, quote, lots, and the rule behind it.
type opening struct {
	product              market.Product
	quote                market.Quote
	side                 Side
	lots                 int64
	leverage             int
	stopLoss, takeProfit *int64
	rule                 Rule
	limit                *int64 // the price of the pending order
	slippageBps          int
	order                *Order // the pending order that is filled; nil for a market order
}

// Open decides a market order. Refusals: ErrSide, ErrLots, ErrLeverage, ErrMargin, ErrCash, ErrSlippage, ErrStopLoss, ErrTakeProfit, ErrTooMany, ErrRestricted, and
// the market's.
func (rules *Rules) Open(j Journal, f Portfolio, cmd Open) (Outcome, error) {
	p, q, err := rules.checkOpen(f, cmd)
	if err != nil {
		return Outcome{}, err
	}
	return rules.enter(j, f, opening{
		product: p, quote: q, side: cmd.Side, lots: cmd.Lots, leverage: cmd.Leverage, stopLoss: cmd.StopLoss, takeProfit: cmd.TakeProfit,
		rule: MarketRule, slippageBps: cmd.SlippageBps,
	})
}

// marketOrder is the order row of a market order.
func (o opening) marketOrder(accountID int64, at time.Time) Order {
	return Order{
		AccountID: accountID, ProductID: o.product.ID, Type: MarketOrder, Intent: EntryOpen, Side: o.side, Lots: o.lots, Leverage: o.leverage,
		StopLoss: o.stopLoss, TakeProfit: o.takeProfit, SlippageBps: o.slippageBps, TimeInForce: GoodTillCancelled, Source: sourceUser, Revision: 1, CreatedAt: at,
	}
}

// checkOpen checks a market order before margin is computed.
func (rules *Rules) checkOpen(f Portfolio, cmd Open) (p market.Product, q market.Quote, err error) {
	if !cmd.Side.valid() {
		return p, q, ErrSide
	}
	if p, err = rules.market.Product(cmd.ProductID); err != nil {
		return p, q, err
	}
	if err = checkLots(p, cmd.Lots); err != nil {
		return p, q, err
	}
	if err = rules.checkLeverage(f.Account, p, cmd.Country, cmd.Leverage); err != nil {
		return p, q, err
	}
	if len(f.Positions) >= MaxPositions {
		return p, q, ErrTooMany.With("limit", MaxPositions)
	}
	if q, err = rules.market.Tradable(p.ID); err != nil {
		return p, q, err
	}
	if err = checkSlippage(p, cmd.Side, OpeningPrice(cmd.Side, q), cmd.Seen, cmd.SlippageBps); err != nil {
		return p, q, err
	}
	return p, q, checkProtection(p, q, cmd.Side, cmd.StopLoss, cmd.TakeProfit)
}

// checkLeverage returns ErrLeverage unless the product offers the leverage in the trader's country, and the account's ceiling allows it.
func (rules *Rules) checkLeverage(a ledger.Account, p market.Product, country string, leverage int) error {
	list := below(a.LeverageCeiling, rules.market.Leverages(p, country))
	if slices.Contains(list, leverage) {
		return nil
	}
	return leverageRefused(list)
}

// checkCeiling returns ErrLeverage when the leverage of a position is above what the account's ceiling leaves of the product's: its opposite would be a new one.
func (rules *Rules) checkCeiling(a ledger.Account, p market.Product, country string, leverage int) error {
	list := below(a.LeverageCeiling, rules.market.Leverages(p, country))
	if a.LeverageCeiling == 0 || len(list) == 0 || leverage <= slices.Max(list) {
		return nil
	}
	return leverageRefused(list)
}

func leverageRefused(list []int) error {
	return ErrLeverage.With("list", strings.ReplaceAll(strings.Trim(fmt.Sprint(list), "[]"), " ", ","))
}

// below is the part of a list of leverages that is not above a ceiling, 0 for none; the lowest always stays.
func below(ceiling int, list []int) []int {
	if ceiling == 0 || len(list) == 0 {
		return list
	}
	most := max(ceiling, slices.Min(list))
	return slices.DeleteFunc(slices.Clone(list), func(leverage int) bool { return leverage > most })
}

func checkLots(p market.Product, lots int64) error {
	if lots < p.LotMin || lots > p.LotMax || (lots-p.LotMin)%p.LotStep != 0 {
		return ErrLots.With("min", money.Trim(p.LotMin, money.Scale)).With("max", money.Trim(p.LotMax, money.Scale)).With("step", money.Trim(p.LotStep, money.Scale))
	}
	return nil
}

// checkProtection requires the stop loss on the losing side and the take profit on the winning side of the closing price, at least the product's stop level
// away.
func checkProtection(p market.Product, q market.Quote, side Side, stopLoss, takeProfit *int64) error {
	price, direction := ClosingPrice(side, q), int64(1)
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

// priceOpen computes the opening fill: price, margin and commission, and the quotes behind them.
func (rules *Rules) priceOpen(f Portfolio, o opening) (draft, error) {
	p, q := o.product, o.quote
	before, err := rules.Value(f)
	if err != nil {
		return draft{}, err
	}
	price := OpeningPrice(o.side, q)
	marginRate, err := rules.MarginRate(p, q, price)
	if err != nil {
		return draft{}, err
	}
	feeRate, err := rules.convert.rateOf(rules.market, p.Quote)
	if err != nil {
		return draft{}, err
	}
	fill := &Fill{
		AccountID: f.Account.ID, ProductID: p.ID, Terms: p.Version, Side: o.side, Entry: EntryOpen, Rule: o.rule, Lots: o.lots, Price: price,
		QuoteSeq: q.Seq, LimitPrice: o.limit, Leverage: o.leverage, Equity: before.Equity, UsedMargin: before.Used,
		MarginInverse: marginRate.Inverse, ConversionInverse: feeRate.Inverse,
		CreatedAt: rules.clock.Now(), AtMS: f.Now.UnixMilli(),
	}
	fill.MarginProduct, fill.MarginSeq = marginRate.product()
	fill.ConversionProduct, fill.ConversionSeq = feeRate.product()
	if fill.Margin, err = sums.Margin(p, o.lots, price, o.leverage, marginRate.Rate); err != nil {
		return draft{}, err
	}
	fill.Commission, err = sums.Commission(p, o.lots, price, feeRate.Rate)
	return draft{fill, namedQuotes(q, marginRate, feeRate)}, err
}

// checkMargin returns ErrMargin unless equity less the commission covers the used margin including the new position, and ErrCash unless the balance pays the
// commission.
func (rules *Rules) checkMargin(f Portfolio, position Position, fill draft) error {
	used, err := f.With(position).used(rules.market)
	if err != nil {
		return err
	}
	free := fill.Equity - fill.Commission - used
	if free < 0 {
		needed := money.Trim(used-fill.UsedMargin+fill.Commission, money.Scale)
		return ErrMargin.With("needed", needed).With("free", money.Trim(max(0, fill.Equity-fill.UsedMargin), money.Scale))
	}
	if f.Account.Cash < fill.Commission {
		return ErrCash.With("commission", money.Trim(fill.Commission, money.Scale)).With("balance", money.Trim(f.Account.Cash, money.Scale))
	}
	return nil
}

// TooLarge maps an arithmetic overflow to ErrTooLarge.
func TooLarge(err error) error {
	if errors.Is(err, money.ErrOverflow) {
		return ErrTooLarge
	}
	return err
}

// slipped reports whether price is worse for the side than the seen price by more than bps. A seen price of 0 accepts any.
func slipped(side Side, price, seen int64, bps int) bool {
	if seen == 0 {
		return false
	}
	worse := price - seen
	if side == Sell {
		worse = -worse
	}
	limit, err := money.MulDiv(seen, int64(bps), 10_000, money.Down)
	return err != nil || worse > limit
}

func checkSlippage(p market.Product, side Side, price, seen int64, bps int) error {
	if bps < 0 || bps > MaxSlippageBps {
		return errs.Field("slippageBps", "field.range")
	}
	if slipped(side, price, seen, bps) {
		return ErrSlippage.With("price", p.FormatPrice(price))
	}
	return nil
}
