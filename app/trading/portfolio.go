package trading

import (
	"cmp"
	"context"
	"slices"
	"time"

	"candor/app/ledger"
	"candor/app/market"
	"candor/app/platform/clock"
	"candor/app/trading/sums"
)

// Prices is what the engine needs of the market.
type Prices interface {
	Product(id int) (market.Product, error)
	Products() []market.Product
	Newest(productID int) (market.Quote, bool)
	Confirmed(productID int) (market.Quote, bool)
	Tradable(productID int) (market.Quote, error)
	DayEnd(p market.Product) time.Time
	Leverages(p market.Product, country string) []int
	Rollovers(p market.Product, after, until time.Time) []market.Rollover
	Version(productID, version int) (market.Terms, bool)
	Before(productID int, at time.Time) (market.Quote, error)
}

// converted is a rate with the quote it came from, for the receipt; quote is nil when the currencies are one.
type converted struct {
	sums.Rate
	Quote *market.Quote
}

func (c converted) product() (id *int, seq *int64) {
	if c.Quote == nil {
		return nil, nil
	}
	return &c.Quote.ProductID, &c.Quote.Seq
}

// IsDollar tells whether a currency counts as the account's: USD and USDT convert one to one.
func IsDollar(currency string) bool { return currency == "USD" || currency == "USDT" }

// converter finds for each currency the product that converts it into dollars.
type converter map[string]conversionProduct

type conversionProduct struct {
	product market.Product
	inverse bool
}

func newConverter(products []market.Product) converter {
	c := converter{}
	for _, p := range products {
		if IsDollar(p.Quote) && !IsDollar(p.Base) {
			if _, known := c[p.Base]; !known {
				c[p.Base] = conversionProduct{p, false}
			}
		}
		if IsDollar(p.Base) && !IsDollar(p.Quote) {
			c[p.Quote] = conversionProduct{p, true}
		}
	}
	return c
}

// into finds the mid that converts a currency. It returns ErrConversion when there is no product or no price for it.
func (c converter) into(prices Prices, currency string) (converted, error) {
	if IsDollar(currency) {
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
	return converted{sums.Rate{Double: q.Mid2(), Point: way.product.Point, Inverse: way.inverse}, &q}, nil
}

// forMargin is the rate of a product's margin at price: its own price where it converts its own base currency, else a mid.
func (c converter) forMargin(prices Prices, p market.Product, q market.Quote, price int64) (converted, error) {
	if p.MarginModel != market.ForexMargin {
		return c.into(prices, p.Quote)
	}
	if way, ok := c[p.Base]; ok && way.product.ID == p.ID {
		return converted{sums.Rate{Double: 2 * price, Point: p.Point, Inverse: way.inverse}, &q}, nil
	}
	return c.into(prices, p.Base)
}

// MarginRate converts the margin of a position that opens in a product at a price of a quote.
func (rules *Rules) MarginRate(p market.Product, q market.Quote, price int64) (converted, error) {
	return rules.convert.forMargin(rules.market, p, q, price)
}

// OpeningPrice is the side of a quote at which an order fills, closingPrice the one at which a position of that side ends.
func OpeningPrice(side Side, q market.Quote) int64 {
	if side == Buy {
		return q.Ask
	}
	return q.Bid
}

func ClosingPrice(side Side, q market.Quote) int64 { return OpeningPrice(side.Opposite(), q) }

// Valued is a position with what it is worth now.
type Valued struct {
	Position
	Price      int64 // at which it would close now
	Profit     int64
	TrailLevel *int64         // where its trailing stop stands; nil without one, and while its best price is unknown
	Product    market.Product // the fields below are what price and profit follow from
	Quote      market.Quote   // that it would close at
	Rate       converted      // of the profit
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

// Withdrawable is what may leave the account: free cash that its positions can do without. The bonus stays.
func (v Valuation) Withdrawable() int64 { return max(0, min(v.Account.Free(), v.Free-v.Account.Bonus)) }

// AtOrBelow tells whether the margin level has come down to a percentage. Positions that use no margin, as equal legs may, last as long as there is
// equity.
func (v Valuation) AtOrBelow(percent int64) bool {
	return len(v.Positions) > 0 && LevelAtOrBelow(v.Equity, v.Used, percent)
}

// Portfolio is an account with its open positions and resting orders; the sums of the engine are methods of it.
type Portfolio struct {
	Account     ledger.Account
	Positions   []Position
	Orders      []Order
	Call        *MarginCall  // that its trader was warned by, while the level has not recovered
	Restriction *Restriction // that staff keep its trader from new positions; one whose time is over may still be here
	Now         time.Time    // market time of a decision; its rollovers are settled up to here
}

// value recomputes an account from its cash, its positions and the newest confirmed quotes.
func (f Portfolio) value(prices Prices, c converter) (Valuation, error) {
	v := Valuation{Account: f.Account, Positions: make([]Valued, 0, len(f.Positions))}
	products := map[int]market.Product{}
	for _, position := range f.Positions {
		valued, err := valuePosition(prices, c, position)
		if err != nil {
			return v, err
		}
		v.Floating += valued.Profit
		v.Positions = append(v.Positions, valued)
		products[position.ProductID] = valued.Product
	}
	used, err := UsedMargin(f.Positions, func(id int) (market.Product, error) { return products[id], nil })
	if err != nil {
		return v, err
	}
	v.Used, v.Equity = used, f.Account.Worth()+v.Floating
	v.Free, v.Level = v.Equity-used, sums.Level(v.Equity, used)
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
	price := ClosingPrice(position.Side, q)
	sum, err := sums.Profit(p, position.Side == Buy, position.Lots, position.OpenValue, price, r.Rate)
	return Valued{Position: position, Price: price, Profit: sum, Product: p, Quote: q, Rate: r}, err
}

// used is the margin of all positions, those of one product counted together.
func (f Portfolio) used(prices Prices) (int64, error) {
	return UsedMargin(f.Positions, prices.Product)
}

func UsedMargin(positions []Position, product func(id int) (market.Product, error)) (int64, error) {
	legs, products := map[int][]sums.Leg{}, []int{}
	for _, position := range positions {
		if legs[position.ProductID] == nil {
			products = append(products, position.ProductID)
		}
		legs[position.ProductID] = append(legs[position.ProductID], sums.Leg{
			Long: position.Side == Buy, Lots: position.Lots, Leverage: position.Leverage, Margin: position.Margin,
		})
	}
	total := int64(0)
	for _, id := range products {
		p, err := product(id)
		if err != nil {
			return 0, err
		}
		sum, err := sums.UsedMargin(p.Terms, legs[id])
		if err != nil {
			return 0, err
		}
		total += sum
	}
	return total, nil
}

// With is the portfolio with a position as it is now: in its own place, behind the others when it is new, and gone when it is closed.
func (f Portfolio) With(p Position) Portfolio {
	positions := make([]Position, 0, len(f.Positions)+1)
	placed := p.State == StateClosed
	for _, other := range f.Positions {
		if other.ID != p.ID {
			positions = append(positions, other)
			continue
		}
		if !placed {
			positions, placed = append(positions, p), true
		}
	}
	if !placed {
		positions = append(positions, p)
	}
	f.Positions = positions
	return f
}

// WithOrder is the portfolio with an order as it is now: in its own place, or behind the others when it is new.
func (f Portfolio) WithOrder(o Order) Portfolio {
	f.Orders = slices.Clone(f.Orders)
	if i := slices.IndexFunc(f.Orders, func(other Order) bool { return other.ID == o.ID }); i >= 0 {
		f.Orders[i] = o
	} else {
		f.Orders = append(f.Orders, o)
	}
	return f
}

func (f Portfolio) WithoutOrder(id int64) Portfolio {
	rest := make([]Order, 0, len(f.Orders)+1)
	for _, o := range f.Orders {
		if o.ID != id {
			rest = append(rest, o)
		}
	}
	f.Orders = rest
	return f
}

func (f Portfolio) FindOrder(id int64) (Order, bool) {
	for _, o := range f.Orders {
		if o.ID == id {
			return o, true
		}
	}
	return Order{}, false
}

func (f Portfolio) FindPosition(id int64) (Position, bool) {
	for _, p := range f.Positions {
		if p.ID == id {
			return p, true
		}
	}
	return Position{}, false
}

// Conversion tells which product converts a currency into the account's, and whether upside down; false when they are one or there is none.
func (rules *Rules) Conversion(currency string) (p market.Product, inverse, ok bool) {
	way, ok := rules.convert[currency]
	return way.product, way.inverse, ok
}

// Market is what the engine needs of the market: prices, and its time.
type Market interface {
	Prices
	clock.Clock
	// Recall reads the price that a market.ForgottenError is about, so that Before knows it.
	Recall(ctx context.Context, e market.ForgottenError) error
}

// InOrder puts what was read in any order the oldest first.
func (f *Portfolio) InOrder() {
	slices.SortFunc(f.Positions, func(a, b Position) int { return cmp.Compare(a.ID, b.ID) })
	slices.SortFunc(f.Orders, func(a, b Order) int { return cmp.Compare(a.ID, b.ID) })
}
