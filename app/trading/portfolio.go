package trading

import (
	"slices"
	"time"

	"candor/app/ledger"
	"candor/app/market"
)

// Prices is what the engine needs of the market.
type Prices interface {
	Product(id int) (market.Product, error)
	Products() []market.Product
	Newest(productID int) (market.Quote, bool)
	Confirmed(productID int) (market.Quote, bool)
	Tradable(productID int) (market.Quote, error)
	DayEnd(p market.Product) time.Time
}

// converted is a rate with the quote it came from, for the receipt; quote is nil when the currencies are one.
type converted struct {
	rate
	quote *market.Quote
}

func (c converted) product() (id *int, seq *int64) {
	if c.quote == nil {
		return nil, nil
	}
	return &c.quote.ProductID, &c.quote.Seq
}

// dollar tells whether a currency counts as the account's: USD and USDT convert one to one.
func dollar(currency string) bool { return currency == "USD" || currency == "USDT" }

// converter finds for each currency the product that converts it into dollars.
type converter map[string]conversionProduct

type conversionProduct struct {
	product market.Product
	inverse bool
}

func newConverter(products []market.Product) converter {
	c := converter{}
	for _, p := range products {
		if dollar(p.Quote) && !dollar(p.Base) {
			if _, known := c[p.Base]; !known {
				c[p.Base] = conversionProduct{p, false}
			}
		}
		if dollar(p.Base) && !dollar(p.Quote) {
			c[p.Quote] = conversionProduct{p, true}
		}
	}
	return c
}

// into finds the mid that converts a currency. It returns ErrConversion when there is no product or no price for it.
func (c converter) into(prices Prices, currency string) (converted, error) {
	if dollar(currency) {
		return converted{}, nil
	}
	way, ok := c[currency]
	if !ok {
		return converted{}, ErrConversion
	}
	q, ok := prices.Confirmed(way.product.ID)
	if !ok {
		return converted{}, ErrConversion
	}
	return converted{rate{q.Mid2(), way.product.Point, way.inverse}, &q}, nil
}

// forMargin is the rate of a product's margin at price: its own price where it converts its own base currency, else a mid.
func (c converter) forMargin(prices Prices, p market.Product, q market.Quote, price int64) (converted, error) {
	if p.MarginModel != market.ForexMargin {
		return c.into(prices, p.Quote)
	}
	if way, ok := c[p.Base]; ok && way.product.ID == p.ID {
		return converted{rate{2 * price, p.Point, way.inverse}, &q}, nil
	}
	return c.into(prices, p.Base)
}

// openingPrice is the side of a quote at which an order fills, closingPrice the one at which a position of that side ends.
func openingPrice(side Side, q market.Quote) int64 {
	if side == Buy {
		return q.Ask
	}
	return q.Bid
}

func closingPrice(side Side, q market.Quote) int64 { return openingPrice(side.Opposite(), q) }

// Valued is a position with what it is worth now.
type Valued struct {
	Position
	Price  int64 // at which it would close now
	Profit int64
}

// Valuation is an account with everything that follows from it at the newest quotes.
type Valuation struct {
	Account   ledger.Account
	Positions []Valued
	Floating  int64
	Equity    int64
	Used      int64
	Free      int64
	Level     int64 // hundredths of a percent; zero when no margin is used
}

// portfolio is an account with its open positions and resting orders; the sums of the engine are methods of it.
type portfolio struct {
	account   ledger.Account
	positions []Position
	orders    []Order
}

// value recomputes an account from its cash, its positions and the newest confirmed quotes.
func (f portfolio) value(prices Prices, c converter) (Valuation, error) {
	v := Valuation{Account: f.account, Positions: make([]Valued, 0, len(f.positions))}
	for _, position := range f.positions {
		valued, err := valuePosition(prices, c, position)
		if err != nil {
			return v, err
		}
		v.Floating += valued.Profit
		v.Positions = append(v.Positions, valued)
	}
	used, err := f.used(prices)
	if err != nil {
		return v, err
	}
	v.Used, v.Equity = used, f.account.Worth()+v.Floating
	v.Free, v.Level = v.Equity-used, Level(v.Equity, used)
	return v, nil
}

func valuePosition(prices Prices, c converter, position Position) (Valued, error) {
	p, err := prices.Product(position.ProductID)
	if err != nil {
		return Valued{}, err
	}
	q, ok := prices.Confirmed(p.ID)
	if !ok {
		return Valued{}, market.ErrNoPrice
	}
	r, err := c.into(prices, p.Quote)
	if err != nil {
		return Valued{}, err
	}
	price := closingPrice(position.Side, q)
	sum, err := profit(p, position.Side, position.Lots, position.OpenPrice, price, r.rate)
	return Valued{position, price, sum}, err
}

// used is the margin of all positions, hedged ones inside a product counted together.
func (f portfolio) used(prices Prices) (int64, error) {
	type legs struct{ long, short, full int64 }
	byProduct := map[int]legs{}
	for _, position := range f.positions {
		l := byProduct[position.ProductID]
		if position.Side == Buy {
			l.long += position.Lots
		} else {
			l.short += position.Lots
		}
		l.full += position.Margin
		byProduct[position.ProductID] = l
	}
	total := int64(0)
	for id, l := range byProduct {
		p, err := prices.Product(id)
		if err != nil {
			return 0, err
		}
		sum, err := hedgedMargin(p, l.long, l.short, l.full)
		if err != nil {
			return 0, err
		}
		total += sum
	}
	return total, nil
}

func (f portfolio) with(p Position) portfolio {
	return portfolio{f.account, append(slices.Clone(f.positions), p), f.orders}
}

// withOrder puts an order in, in the place of itself if it was there.
func (f portfolio) withOrder(o Order) portfolio {
	return portfolio{f.account, f.positions, append(f.withoutOrder(o.ID).orders, o)}
}

func (f portfolio) withoutOrder(id int64) portfolio {
	rest := make([]Order, 0, len(f.orders)+1)
	for _, o := range f.orders {
		if o.ID != id {
			rest = append(rest, o)
		}
	}
	return portfolio{f.account, f.positions, rest}
}

func (f portfolio) findOrder(id int64) (Order, bool) {
	for _, o := range f.orders {
		if o.ID == id {
			return o, true
		}
	}
	return Order{}, false
}

func (f portfolio) find(id int64) (Position, bool) {
	for _, p := range f.positions {
		if p.ID == id {
			return p, true
		}
	}
	return Position{}, false
}

// Conversion tells which product converts a currency into the account's, and whether upside down; false when they are one or there is none.
func (s *Service) Conversion(currency string) (p market.Product, inverse, ok bool) {
	way, ok := s.convert[currency]
	return way.product, way.inverse, ok
}
