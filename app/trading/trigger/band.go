package trigger

import (
	"slices"

	"candor/app/market"
	"candor/app/platform/money"
	"candor/app/trading"
	"candor/app/trading/sums"
)

// The bands of an account are the ranges in which prices can move before its margin level can cross the next threshold. Used margin depends on no price, so a
// threshold is an equity. A profit moves one way with its price, and at one price one way with its rate, and rounding keeps that order: its lowest and highest
// values are at corners, with the price at one end and the rate at either. Their sums over the positions bound the equity at every price within the bands, by
// the engine's own sums.

// Widths of bands, in millionths of the price.
const (
	bandBegins = 4_096   // the width at which the search begins
	bandLimit  = 500_000 // the largest width of the search
	bandSteps  = 6       // halvings between a width that is safe and one that isn't
)

// exposure is a product on whose price an account's equity depends, and the directions in which a threshold may lie.
type exposure struct {
	quote  market.Quote
	toward [clockRuns]bool
}

// distance is the price move that leaves the band. It is at least 1: a price would leave a narrower band before it entered it.
func (x *exposure) distance(width int64) int64 {
	d, err := money.MulDiv(x.quote.Bid, width, 1_000_000, money.Down)
	if err != nil {
		return 1
	}
	return max(d, 1)
}

type exposures []exposure

func (x *exposures) of(q market.Quote) *exposure {
	for i := range *x {
		if (*x)[i].quote.ProductID == q.ProductID {
			return &(*x)[i]
		}
	}
	*x = append(*x, exposure{quote: q})
	return &(*x)[len(*x)-1]
}

// exposuresOf are the products of the positions, and those that convert their profits, whose rate may move either way. A favourable move matters only to an
// account with a margin call, which may recover.
func exposuresOf(v trading.Valuation, warned bool) (list exposures) {
	for i := range v.Positions {
		p := &v.Positions[i]
		own := list.of(p.Quote)
		own.toward[leaving(p.Side, p.Side == trading.Sell)] = true
		if warned {
			own.toward[leaving(p.Side, p.Side == trading.Buy)] = true
		}
		if p.Rate.Quote != nil {
			list.of(*p.Rate.Quote).toward = [clockRuns]bool{true, true, true, true}
		}
	}
	return list
}

// bandsOf are the levels at which an account must be valued again: the widest safe bands, with one relative width for all products. certain is false when even
// the quotes of the valuation are not safe, because another quote arrived between them.
func bandsOf(v trading.Valuation, call *trading.MarginCall) (edges []entry, certain bool) {
	list := exposuresOf(v, call != nil)
	holds := func(width int64) bool { return within(v, list, call, width) }
	if len(list) == 0 {
		return nil, true
	}
	if !holds(0) {
		return nil, false
	}
	width := widest(holds)
	for i := range list {
		x := &list[i]
		for d := range clockRuns {
			if x.toward[d] {
				edges = append(edges, entry{
					level: d.of(x.quote.Bid, x.quote.Ask) + x.distance(width), account: v.Account.ID, product: int32(x.quote.ProductID), direction: d, purpose: bands, //nolint:gosec // a product's id
				})
			}
		}
	}
	return edges, true
}

// widest is approximately the largest width for which holds is true.
func widest(holds func(width int64) bool) int64 {
	narrow, wide := int64(0), int64(bandBegins)
	for wide <= bandLimit && holds(wide) {
		narrow, wide = wide, 2*wide
	}
	for ; narrow == 0 && wide > 1; wide /= 2 {
		if holds(wide / 2) {
			narrow = wide / 2
			break
		}
	}
	for range bandSteps {
		if middle := (narrow + wide) / 2; middle != narrow && holds(middle) {
			narrow = middle
		} else {
			wide = middle
		}
	}
	return narrow
}

// within reports whether no prices within bands of a width can take the account across its next threshold.
func within(v trading.Valuation, list exposures, call *trading.MarginCall, width int64) bool {
	least, most := v.Account.Worth(), v.Account.Worth()
	for i := range v.Positions {
		low, high, err := extremes(&v.Positions[i], list, width)
		if err != nil {
			return false
		}
		least, most = least+low, most+high
	}
	if call == nil {
		return !trading.LevelAtOrBelow(least, v.Used, trading.MarginCallPercent)
	}
	return !trading.LevelAtOrBelow(least, v.Used, trading.StopOutPercent) && trading.LevelAtOrBelow(most, v.Used, trading.MarginCallPercent+trading.MarginCallRecovery)
}

// extremes are the lowest and highest profit of a position at prices within bands of a width.
func extremes(p *trading.Valued, list exposures, width int64) (least, most int64, err error) {
	own := list.of(p.Quote)
	reach := own.distance(width) - 1
	price, rates := trading.ClosingPrice(p.Side, own.quote), [2]sums.Rate{}
	if p.Rate.Quote != nil {
		x := list.of(*p.Rate.Quote)
		for i, end := range [2]int64{-1, 1} {
			rates[i] = p.Rate.Rate
			if rates[i].Double = x.quote.Mid2() + end*2*(x.distance(width)-1); rates[i].Double <= 0 {
				return 0, 0, money.ErrOverflow
			}
		}
	}
	adverse, favourable := price-reach, price+reach
	if p.Side == trading.Sell {
		adverse, favourable = favourable, adverse
	}
	if least, err = extreme(p, adverse, rates, -1); err != nil {
		return 0, 0, err
	}
	most, err = extreme(p, favourable, rates, 1)
	return least, most, err
}

// extreme is the lower (sign -1) or higher (sign 1) profit of a position at a price, of those at the two ends of the rate.
func extreme(p *trading.Valued, price int64, rates [2]sums.Rate, sign int64) (int64, error) {
	one, err := sums.Profit(p.Product, p.Side == trading.Buy, p.Lots, p.OpenValue, price, rates[0])
	if err != nil || rates[0] == rates[1] {
		return one, err
	}
	other, err := sums.Profit(p.Product, p.Side == trading.Buy, p.Lots, p.OpenValue, price, rates[1])
	if sign*other > sign*one {
		one = other
	}
	return one, err
}

// holdsProduct reports whether an account has a position in one of some products.
func (a *watched) holdsProduct(products []int) bool {
	for i := range a.Positions {
		if slices.Contains(products, a.Positions[i].ProductID) {
			return true
		}
	}
	return false
}
