package trigger

import (
	"slices"

	"candor/app/market"
	"candor/app/platform/money"
	"candor/app/trading"
	"candor/app/trading/sums"
)

// The bands of an account say how far prices may move before its margin level can have crossed the next threshold. Used margin follows from no price, so
// a threshold is an equity. A profit moves one way with its price, and at one price one way with its rate, and rounding keeps that order: its least and
// its most stand at corners, the price at one end and the rate at either. Summed over the positions they bound the equity at every price within the
// bands, by the engine's own sums.

// Widths of bands, in millionths of the price.
const (
	bandBegins = 4_096   // where the search begins
	bandLimit  = 500_000 // the search does not go beyond
	bandSteps  = 6       // how often it halves what is left between a width that holds and one that does not
)

// exposure is a product whose price an account's worth follows from, and the directions in which a threshold may lie.
type exposure struct {
	quote  market.Quote
	toward [clockRuns]bool
}

// distance is how far a price must have moved to be outside its band. It is one at least: less would be left before it is entered.
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

// exposuresOf are the products that the positions stand in, and those that convert their profits: a rate may move either way. The way up matters only
// to a warned account, which may recover.
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

// bandsOf are the levels at which an account must be valued again: the widest that certainly hold, by one measure for all products. Certain is false when
// not even the quotes that it was valued at do, because another one came between them.
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

// widest is the largest width that holds, nearly.
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

// within tells whether no prices within bands of a width can take the account across its next threshold.
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

// extremes are the least and the most that a position brings at prices within bands of a width.
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

// extreme is the lower (sign -1) or the higher (1) of what a position brings at a price with one end of the rate and the other.
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

// holds tells whether an account has a position in one of some products.
func (a *watched) holds(products []int) bool {
	for i := range a.Positions {
		if slices.Contains(products, a.Positions[i].ProductID) {
			return true
		}
	}
	return false
}
