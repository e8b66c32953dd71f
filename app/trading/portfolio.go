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

// Prices is the part of the market that rules need.
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

// Converted is a conversion rate and the quote behind it; Quote is nil when no conversion is needed.
type Converted struct {
	sums.Rate
	Quote *market.Quote
}

func (c Converted) product() (id *int, seq *int64) {
	if c.Quote == nil {
		return nil, nil
	}
	return &c.Quote.ProductID, &c.Quote.Seq
}

// IsDollar reports whether a currency equals the account currency: USD and USDT convert one to one.
func IsDollar(currency string) bool { return currency == "USD" || currency == "USDT" }

// converter maps a currency to the product that converts it into dollars.
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

// rateOf is the mid rate that converts a currency. It returns ErrConversion when no product or price converts it.
func (c converter) rateOf(prices Prices, currency string) (Converted, error) {
	if IsDollar(currency) {
		return Converted{}, nil
	}
	way, ok := c[currency]
	if !ok {
		return Converted{}, ErrConversion
	}
	q, ok := prices.Confirmed(way.product.ID)
	if !ok {
		return Converted{}, ErrConversion
	}
	return Converted{sums.Rate{Double: q.Mid2(), Point: way.product.Point, Inverse: way.inverse}, &q}, nil
}

// forMargin is the rate for a product's margin at a price: the price itself where the product converts its own base currency, otherwise a mid.
func (c converter) forMargin(prices Prices, p market.Product, q market.Quote, price int64) (Converted, error) {
	if p.MarginModel != market.ForexMargin {
		return c.rateOf(prices, p.Quote)
	}
	if way, ok := c[p.Base]; ok && way.product.ID == p.ID {
		return Converted{sums.Rate{Double: 2 * price, Point: p.Point, Inverse: way.inverse}, &q}, nil
	}
	return c.rateOf(prices, p.Base)
}

// MarginRate is the conversion rate for the margin of a position opened in a product at a price of quote q. It returns ErrConversion.
func (rules *Rules) MarginRate(p market.Product, q market.Quote, price int64) (Converted, error) {
	return rules.convert.forMargin(rules.market, p, q, price)
}

// OpeningPrice is the ask for a buy and the bid for a sell.
func OpeningPrice(side Side, q market.Quote) int64 {
	if side == Buy {
		return q.Ask
	}
	return q.Bid
}

// ClosingPrice is the bid for a buy and the ask for a sell.
func ClosingPrice(side Side, q market.Quote) int64 { return OpeningPrice(side.Opposite(), q) }

// Valued is a position at current prices.
type Valued struct {
	Position
	Value
	Product market.Product // Product, Quote and Rate are the inputs of Price and Profit
	Quote   market.Quote
	Rate    Converted // converts the profit
}

// Value is the value of an open position.
type Value struct {
	Price      int64 // the price at which it would close
	Profit     int64
	TrailLevel *int64 // level of the trailing stop; nil without one, or while its best price is unknown
}

// Valuation is an account at the newest quotes.
type Valuation struct {
	Account   ledger.Account
	Positions []Valued
	Floating  int64
	Equity    int64
	Used      int64
	Free      int64
	Level     int64 // 1/100 percent; 0 when no margin is used
}

// Totals are an account's sums at the newest quotes.
type Totals struct {
	Balance  int64 // cash less debt
	Bonus    int64
	Floating int64
	Equity   int64
	Used     int64
	Free     int64
	Level    int64 // 1/100 percent; 0 when no margin is used
}

// Totals are the account's.
func (v Valuation) Totals() Totals {
	return Totals{
		Balance: v.Account.Cash + v.Account.Debt(), Bonus: v.Account.Bonus, Floating: v.Floating, Equity: v.Equity, Used: v.Used, Free: v.Free, Level: v.Level,
	}
}

// Withdrawable is the amount that may leave the account: cash not needed as margin. The bonus can't be withdrawn.
func (v Valuation) Withdrawable() int64 { return max(0, min(v.Account.Cash, v.Free-v.Account.Bonus)) }

// AtOrBelow reports whether the margin level is at or below a percentage. Without used margin, as with fully hedged positions, it reports whether there is no
// equity left.
func (v Valuation) AtOrBelow(percent int64) bool {
	return len(v.Positions) > 0 && LevelAtOrBelow(v.Equity, v.Used, percent)
}

// Portfolio is an account with its open positions and pending orders.
type Portfolio struct {
	Account     ledger.Account
	Positions   []Position
	Orders      []Order
	Call        *MarginCall  // the open margin call
	Restriction *Restriction // of the trader by staff; it may have expired
	Now         time.Time    // market time of the decision; rollovers are settled up to here
}

// value computes the valuation from cash, positions and the newest confirmed quotes.
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
	r, err := c.rateOf(prices, p.Quote)
	if err != nil {
		return Valued{}, err
	}
	price := ClosingPrice(position.Side, q)
	sum, err := sums.Profit(p, position.Side == Buy, position.Lots, position.OpenValue, price, r.Rate)
	return Valued{Position: position, Value: Value{Price: price, Profit: sum}, Product: p, Quote: q, Rate: r}, err
}

// used is the used margin of all positions; positions of one product count together.
func (f Portfolio) used(prices Prices) (int64, error) {
	return UsedMargin(f.Positions, prices.Product)
}

// UsedMargin is the used margin of positions; those of one product count together.
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

// With replaces, adds or (when closed) removes a position.
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

// WithOrder replaces or adds an order.
func (f Portfolio) WithOrder(o Order) Portfolio {
	f.Orders = slices.Clone(f.Orders)
	if i := slices.IndexFunc(f.Orders, func(other Order) bool { return other.ID == o.ID }); i >= 0 {
		f.Orders[i] = o
	} else {
		f.Orders = append(f.Orders, o)
	}
	return f
}

// WithoutOrder is the portfolio without a pending order.
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

// FindOrder finds a pending order.
func (f Portfolio) FindOrder(id int64) (Order, bool) {
	for _, o := range f.Orders {
		if o.ID == id {
			return o, true
		}
	}
	return Order{}, false
}

// FindPosition finds an open position.
func (f Portfolio) FindPosition(id int64) (Position, bool) {
	for _, p := range f.Positions {
		if p.ID == id {
			return p, true
		}
	}
	return Position{}, false
}

// Conversion is the product that converts a currency into the account's, and whether its price is inverted; ok is false when they are the same or there is
// none.
func (rules *Rules) Conversion(currency string) (p market.Product, inverse, ok bool) {
	way, ok := rules.convert[currency]
	return way.product, way.inverse, ok
}

// Market is the part of the market that the engine needs: prices and market time.
type Market interface {
	Prices
	clock.Clock
	// Recall loads the price that a market.ForgottenError names, so that Before finds it.
	Recall(ctx context.Context, e market.ForgottenError) error
}

// InOrder sorts positions and orders by id.
func (f *Portfolio) InOrder() {
	slices.SortFunc(f.Positions, func(a, b Position) int { return cmp.Compare(a.ID, b.ID) })
	slices.SortFunc(f.Orders, func(a, b Order) int { return cmp.Compare(a.ID, b.ID) })
}
