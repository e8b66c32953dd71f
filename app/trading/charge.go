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

// ChargeUnit is the unit of a charge's rate: the swap model of its terms, or a dividend.
type ChargeUnit string

// The units: points of the price, or account money, per lot and night; percent of the position's value per year; quote currency per unit of the product.
const (
	PointRate    = ChargeUnit(market.PointSwap)
	MoneyRate    = ChargeUnit(market.MoneySwap)
	PercentRate  = ChargeUnit(market.PercentSwap)
	DividendRate = ChargeUnit(DividendCharge)
)

// Charge is the swap or dividend of a position at one rollover, negative when the trader pays. It is computed from the last quotes before the rollover and
// never changes.
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
	Rate              int64 // for the position's side in the terms' unit, or the dividend per unit; 10^-6
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

// ListedCharge is a charge with the unit of its rate.
type ListedCharge struct {
	Charge
	Unit ChargeUnit
}

// Key is the idempotency key of the charge's posting.
func (c Charge) Key() string {
	return fmt.Sprint(c.Kind, ":", c.PositionID, ":", c.Day.Format(time.DateOnly))
}

// Due reports whether a position has not been settled up to the last rollover.
func (f Portfolio) Due(last market.Rollover) bool {
	for _, p := range f.Positions {
		if p.RolledDay.Before(last.Day) {
			return true
		}
	}
	return false
}

// SettleRollovers books the swap and dividend of every position for each rollover that has passed. The engine calls it before every other decision about the
// account.
func (rules *Rules) SettleRollovers(j Journal, f Portfolio) (Portfolio, error) {
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
			if f.Account, position, err = rules.settleRollover(j, f.Account, p, position, rollover); err != nil {
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

// settleRollover books one rollover of a position.
func (rules *Rules) settleRollover(j Journal, account ledger.Account, p market.Product, position Position, r market.Rollover) (ledger.Account, Position, error) {
	for _, kind := range []ChargeKind{SwapCharge, DividendCharge} {
		c, quotes, err := rules.computeCharge(kind, p, position, r)
		if err != nil {
			return account, position, err
		}
		if c.Rate == 0 {
			continue
		}
		if account, err = rules.postCharge(j, account, c, quotes); err != nil {
			return account, position, err
		}
		position = position.Charged(c)
	}
	position.RolledDay = r.Day
	position.Version++
	return account, position, nil
}

// Charged adds a charge to the position's totals.
func (p Position) Charged(c Charge) Position {
	if c.Kind == SwapCharge {
		p.Swap += c.Amount
	} else {
		p.Dividends += c.Amount
	}
	return p
}

// postCharge writes a charge with its quotes and its posting.
func (rules *Rules) postCharge(j Journal, account ledger.Account, c Charge, quotes []market.Quote) (ledger.Account, error) {
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

// computeCharge computes the charge of a kind at a rollover; a rate of zero means that there is none. It returns a market.ForgottenError when a price must be
// recalled first.
func (rules *Rules) computeCharge(kind ChargeKind, p market.Product, position Position, r market.Rollover) (c Charge, quotes []market.Quote, err error) {
	c = Charge{
		Kind: kind, PositionID: position.ID, AccountID: position.AccountID, ProductID: p.ID, Day: r.Day, Nights: r.Nights, Side: position.Side, Lots: position.Lots,
		CreatedAt: rules.clock.Now(), AtMS: r.At.UnixMilli(),
	}
	p.Terms = r.Terms
	if c.Terms, c.Rate = p.Version, c.RateOn(r); c.Rate == 0 {
		return c, nil, nil
	}
	rate := Converted{}
	if kind == DividendCharge || p.SwapModel != market.MoneySwap {
		past := pricesBefore{Prices: rules.market, at: r.PricedAt()}
		if rate, err = rules.convert.rateOf(&past, p.Quote); past.forgotten != nil {
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

// RateOn is the rate of the charge's kind and side at a rollover; 0 when none applies.
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

// Recompute is the amount that follows from the charge's lots, nights, rate and price.
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

// pricesBefore shows the prices as of a moment in the past.
type pricesBefore struct {
	Prices
	at        time.Time
	forgotten error // a market.ForgottenError when a price must be recalled first
}

// Confirmed is the last quote before the moment.
func (p *pricesBefore) Confirmed(productID int) (market.Quote, bool) {
	q, err := p.Before(productID, p.at)
	if errors.As(err, new(market.ForgottenError)) {
		p.forgotten = err
	}
	return q, err == nil
}

// ChargeColumns are the columns of charges in the order of Charge.
const ChargeColumns = `id, kind, position_id, account_id, product_id, terms, day, nights, side, lots, rate, price, quote_seq, conversion_product, conversion_seq,
	conversion_inverse, amount, transaction_id, created_at, at_ms`
