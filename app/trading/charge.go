package trading

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"candor/app/ledger"
	"candor/app/market"
	"candor/app/trading/sums"
)

// ChargeKind says what a charge is for.
type ChargeKind string

// The kinds of charges.
const (
	SwapCharge     ChargeKind = "swap"
	DividendCharge ChargeKind = "dividend"
)

// ChargeUnit says in which unit the rate of a charge stands: the swap model of its terms, or a dividend.
type ChargeUnit string

// The units: points of the price or the account's money, a lot and night; percent of the worth, a year; the quote currency, one unit of the product.
const (
	PointRate    = ChargeUnit(market.PointSwap)
	MoneyRate    = ChargeUnit(market.MoneySwap)
	PercentRate  = ChargeUnit(market.PercentSwap)
	DividendRate = ChargeUnit(DividendCharge)
)

// Charge is what holding a position over a rollover cost (negative) or brought, counted from the last quote a second before it. Nothing in it ever changes.
type Charge struct {
	ID                int64
	Kind              ChargeKind
	PositionID        int64
	AccountID         int64
	ProductID         int
	Terms             int
	Day               time.Time // of the rollover, the New York date
	Nights            int
	Side              Side
	Lots              int64
	Rate              int64 // of the side in the terms' unit, or the dividend of one unit; 10^-6
	Price             *int64
	QuoteSeq          *int64
	ConversionProduct *int
	ConversionSeq     *int64
	ConversionInverse bool
	Amount            int64
	TransactionID     *int64
	CreatedAt         time.Time
	AtMS              int64 // market time of the rollover
}

// ListedCharge is a charge with the unit that its rate stands in.
type ListedCharge struct {
	Charge
	Unit ChargeUnit
}

func (c Charge) Key() string {
	return fmt.Sprint(c.Kind, ":", c.PositionID, ":", c.Day.Format(time.DateOnly))
}

// Due tells whether a rollover has passed that some position is not settled up to.
func (f Portfolio) Due(last market.Rollover) bool {
	for _, p := range f.Positions {
		if p.RolledDay.Before(last.Day) {
			return true
		}
	}
	return false
}

// roll settles every rollover that has passed: each position's swap and dividend, once a day. Whatever happens to an account, this comes first.
func (rules *Rules) Roll(j Journal, f Portfolio) (Portfolio, error) {
	f.Now = rules.market.Now()
	last := market.LastRollover(f.Now)
	if !f.Due(last) {
		return f, nil
	}
	for _, position := range f.Positions {
		p, err := rules.market.Product(position.ProductID)
		if err != nil {
			return f, err
		}
		was := position.Version
		for _, rollover := range rules.market.Rollovers(p, position.RolledDay, last.At) {
			if f.Account, position, err = rules.hold(j, f.Account, p, position, rollover); err != nil {
				return f, err
			}
		}
		if position.Version == was {
			continue
		}
		if err := j.UpdatePosition(position, was); err != nil {
			return f, err
		}
		f = f.With(position)
	}
	var err error
	f.Account.Version, err = j.Touch(f.Account.ID)
	return f, err
}

// hold settles one rollover of a position.
func (rules *Rules) hold(j Journal, account ledger.Account, p market.Product, position Position, r market.Rollover) (ledger.Account, Position, error) {
	for _, kind := range []ChargeKind{SwapCharge, DividendCharge} {
		c, quotes, err := rules.charge(kind, p, position, r)
		if err != nil {
			return account, position, err
		}
		if c.Rate == 0 {
			continue
		}
		if account, err = rules.book(j, account, c, quotes); err != nil {
			return account, position, err
		}
		position = position.Charged(c)
	}
	position.RolledDay = r.Day
	position.Version++
	return account, position, nil
}

// Charged is the position after a charge.
func (p Position) Charged(c Charge) Position {
	if c.Kind == SwapCharge {
		p.Swap += c.Amount
	} else {
		p.Dividends += c.Amount
	}
	return p
}

// book writes a charge, its quotes and its money.
func (rules *Rules) book(j Journal, account ledger.Account, c Charge, quotes []market.Quote) (ledger.Account, error) {
	if err := j.Record(quotes...); err != nil {
		return account, err
	}
	entries := account.Swap(c.Amount)
	if c.Kind == DividendCharge {
		entries = account.Dividend(c.Amount)
	}
	if len(entries) > 0 {
		id, err := j.Post(ledger.Transaction{
			Kind: string(c.Kind), Key: c.Key(), Cause: "position:" + strconv.FormatInt(c.PositionID, 10), Book: account.Book, At: c.CreatedAt, Entries: entries,
		})
		if err != nil {
			return account, err
		}
		c.TransactionID = &id
		account = account.Apply(entries)
		account.Version++
	}
	return account, j.InsertCharge(c)
}

// charge counts what a rollover costs or brings; a rate of zero says that it does neither.
func (rules *Rules) charge(kind ChargeKind, p market.Product, position Position, r market.Rollover) (c Charge, quotes []market.Quote, err error) {
	c = Charge{
		Kind: kind, PositionID: position.ID, AccountID: position.AccountID, ProductID: p.ID, Day: r.Day, Nights: r.Nights, Side: position.Side, Lots: position.Lots,
		CreatedAt: rules.clock.Now(), AtMS: r.At.UnixMilli(),
	}
	p.Terms = r.Terms
	if c.Terms, c.Rate = p.Version, c.RateOn(r); c.Rate == 0 {
		return c, nil, nil
	}
	rate := converted{}
	if kind == DividendCharge || p.SwapModel != market.MoneySwap {
		past := pricesBefore{Prices: rules.market, at: r.PricedAt()}
		if rate, err = rules.convert.into(&past, p.Quote); past.forgotten != nil {
			return c, nil, past.forgotten
		} else if err != nil {
			return c, nil, err
		}
	}
	c.ConversionProduct, c.ConversionSeq = rate.product()
	c.ConversionInverse = rate.Inverse
	if rate.Quote != nil {
		quotes = append(quotes, *rate.Quote)
	}
	if kind == SwapCharge && p.SwapModel == market.PercentSwap {
		q, err := rules.market.Before(p.ID, r.PricedAt())
		if err != nil {
			return c, nil, err
		}
		price := ClosingPrice(c.Side, q)
		c.Price, c.QuoteSeq = &price, &q.Seq
		if rate.Quote == nil || !rate.Quote.Is(q) {
			quotes = append(quotes, q)
		}
	}
	c.Amount, err = c.Recompute(p, rate.Rate)
	return c, quotes, err
}

// RateOn is what a rollover asks of a charge.
func (c Charge) RateOn(r market.Rollover) int64 {
	switch {
	case r.Nights == 0:
		return 0
	case c.Kind == DividendCharge:
		return r.Dividend
	default:
		return r.Terms.Swap(c.Side == Buy)
	}
}

// Recompute is the sum of a charge.
func (c Charge) Recompute(p market.Product, r sums.Rate) (int64, error) {
	if c.Kind == DividendCharge {
		return sums.Dividend(p, c.Side == Buy, c.Lots, c.Rate, r)
	}
	price := int64(0)
	if c.Price != nil {
		price = *c.Price
	}
	return sums.Swap(p, c.Rate, c.Lots, c.Nights, price, r)
}

// pricesBefore are the prices as they stood at a moment.
type pricesBefore struct {
	Prices
	at        time.Time
	forgotten error // a market.ForgottenError, when a price has to be recalled first
}

// Confirmed is the last quote before the moment.
func (p *pricesBefore) Confirmed(productID int) (market.Quote, bool) {
	q, err := p.Before(productID, p.at)
	if errors.As(err, new(market.ForgottenError)) {
		p.forgotten = err
	}
	return q, err == nil
}

const ChargeColumns = `id, kind, position_id, account_id, product_id, terms, day, nights, side, lots, rate, price, quote_seq, conversion_product, conversion_seq,
	conversion_inverse, amount, transaction_id, created_at, at_ms`
