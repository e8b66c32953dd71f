// Package invitation pays traders for those they invited: each fill of an invited trader sets a rebate aside, and what a day has set aside is paid on the next.
package invitation

import (
	"context"
	"errors"
	"time"

	"candor/app/market"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/money"
	"candor/app/switches"
	"candor/app/trader"
	"candor/app/trading"
	"candor/app/trading/sums"
)

// Reason is why an invitation earns nothing: a fact by which the invited is the inviter.
type Reason string

// The reasons.
const (
	SameDevice   Reason = "device"
	SameDocument Reason = "document"
	SamePayee    Reason = "payee"
)

// Products finds products and their terms.
type Products interface {
	Product(id int) (market.Product, error)
	Terms(productID int) (market.Versions, error)
	ReloadTerms(ctx context.Context) error
}

// errTermsUnread: a fill was made under terms that this process has not read yet. They are read outside of transactions.
var errTermsUnread = errors.New("the terms of a fill are not in memory yet")

// Config configures the service.
type Config struct {
	DB        *db.DB
	Clock     clock.Clock
	Switches  *switches.Service
	Products  Products
	Messenger *trader.Messenger
	// Related tells by which fact two traders are one person; empty by none.
	Related func(ctx context.Context, q db.Querier, inviterID, invitedID int64) (Reason, error)
	Changed func(accountID int64) // called after the commit for every account with changed balances
}

// Service is the package's entry point.
type Service struct{ Config }

// New makes the service.
func New(c Config) *Service { return &Service{c} }

// Costs are what a fill cost the trader: its rebate is a part of them.
type Costs struct {
	Commission int64 // 10^-6 USDT
	Markup     int64 // 10^-6 USDT: what the widened spread brought the house on the fill's side
}

// Rebate is the part of the costs that the inviter gets, in the same unit, rounded down.
func (c Costs) Rebate(ratioBps int) (int64, error) {
	return money.MulDiv(c.Commission+c.Markup, int64(ratioBps), 10_000, money.Down)
}

// Markup is what the spread's mark-up brought the house on one fill: the points by which its side of the quote was moved × contract × lots in the quote currency,
// converted, rounded down. Half of the mark-up lowers the bid; the rest, with the odd point, raises the ask.
func Markup(p market.Product, side trading.Side, lots int64, r sums.Rate) (int64, error) {
	points := int64(p.SpreadMarkup / 2)
	if side == trading.Buy {
		points = int64(p.SpreadMarkup) - points
	}
	return sums.Moved(p, lots, points, r)
}

// filled is a fill of an invited trader with the facts of its rebate.
type filled struct {
	ID, InviterID, InvitedID int64
	ProductID, Terms         int
	Side                     trading.Side
	Rule                     trading.Rule
	Lots, Commission         int64
	ConversionID             *int
	Double                   *int64 // bid and ask of the quote that converted it
	Inverse                  bool
	At                       time.Time
	InviterType              int
}

// costs are the fill's costs by the terms that it was made under. Positions that close each other use no quote, and have no mark-up.
func (f filled) costs(products Products) (c Costs, err error) {
	c.Commission = f.Commission
	if f.Rule == trading.CloseByRule {
		return c, nil
	}
	p, err := products.Product(f.ProductID)
	if err != nil {
		return c, err
	}
	versions, err := products.Terms(f.ProductID)
	if err != nil {
		return c, err
	}
	terms, ok := versions.Number(f.Terms)
	if !ok {
		return c, errTermsUnread
	}
	p.Terms = terms
	r := sums.Rate{}
	if f.ConversionID != nil && f.Double != nil {
		by, err := products.Product(*f.ConversionID)
		if err != nil {
			return c, err
		}
		r = sums.Rate{Double: *f.Double, Point: by.Point, Inverse: f.Inverse}
	}
	c.Markup, err = Markup(p, f.Side, f.Lots, r)
	return c, err
}
