package proof

import (
	"errors"
	"fmt"
	"slices"

	"candor/app/market"
	"candor/app/trading"
	"candor/app/trading/sums"
)

// HeldProduct is the product of a position in a stop-out snapshot, and the one that converted its profit; Converter is nil without a conversion.
type HeldProduct struct {
	Product   market.Product
	Converter *market.Product
}

// held finds the products of a snapshot's positions.
func (c catalogue) held(snap *trading.StopOutSnapshot) (out []HeldProduct, err error) {
	if snap == nil {
		return nil, nil
	}
	for _, position := range snap.Positions {
		p, unknown := c.product(position.ProductID, position.Terms)
		converter, none := c.converter(position.ConversionProduct)
		if err := errors.Join(unknown, none); err != nil {
			return nil, err
		}
		out = append(out, HeldProduct{p, converter})
	}
	return out, nil
}

// snapshot writes the lines of a stop-out snapshot: the account's money, the margin call, and each position with the parameters of its sums.
func (t *facts) snapshot(snap *trading.StopOutSnapshot, products []HeldProduct) {
	if snap == nil {
		return
	}
	t.number("worth", snap.Worth)
	t.number("call", snap.Call.ID)
	t.number("call-equity", snap.Call.Equity)
	t.number("call-used-margin", snap.Call.UsedMargin)
	t.number("call-time", snap.Call.TimeMS)
	t.number("call-market-time", snap.Call.AtMS)
	for i, h := range snap.Positions {
		p := products[i].Product
		t.number("held", h.PositionID)
		t.product("held-product", p)
		t.number("held-contract", p.ContractSize)
		t.number("held-terms", int64(h.Terms))
		if p.Tiers != "" {
			t.text("held-tiers", p.Tiers)
		}
		t.number("held-hedged-bps", int64(p.HedgedRatioBps))
		t.text("held-side", string(h.Side))
		t.number("held-lots", h.Lots)
		t.number("held-open-value", h.OpenValue)
		t.number("held-leverage", int64(h.Leverage))
		t.number("held-margin", h.Margin)
		t.number("held-price", h.Price)
		t.number("held-quote", h.QuoteSeq)
		t.conversion("held-conversion", products[i].Converter, h.ConversionSeq, h.ConversionInverse)
		t.number("held-profit", h.Profit)
		t.text("held-skipped", fmt.Sprint(h.Skipped))
	}
}

// heldPrice is the prices of a snapshot's position: bid and ask of its product, and twice the mid that converted its profit.
type heldPrice struct{ bid, ask, conversion2 int64 }

// checkSnapshot requires that the account was at the stop-out level, by sums recomputed from its positions and their quotes, and that the closed position had
// the largest loss of those that could be closed. It returns the mismatch, or an empty string.
func checkSnapshot(f SealedFill, prices []heldPrice, position trading.Position) string {
	snap := f.Snapshot
	switch {
	case f.Rule != trading.StopOutRule && snap == nil:
		return ""
	case f.Rule != trading.StopOutRule || f.Entry != trading.EntryClose:
		return "it is no stop-out and says how one stood"
	case snap == nil || len(prices) != len(snap.Positions) || len(f.Held) != len(snap.Positions):
		return "it does not say how the account stood"
	case !trading.LevelAtOrBelow(f.Equity, f.UsedMargin, trading.StopOutPercent):
		return "the margin level had not fallen to the stop-out"
	case !trading.LevelAtOrBelow(snap.Call.Equity, snap.Call.UsedMargin, trading.MarginCallPercent) || snap.Call.AtMS > f.AtMS || snap.Call.TimeMS > f.CreatedAt.UnixMilli():
		return "no margin call came before it"
	}
	equity, held, products := snap.Worth, make([]trading.Position, len(snap.Positions)), map[int]market.Product{}
	for i, h := range snap.Positions {
		if what := checkHeld(h, f.Held[i], prices[i]); what != "" {
			return fmt.Sprintf("position %d: %s", h.PositionID, what)
		}
		if i > 0 && h.PositionID <= snap.Positions[i-1].PositionID {
			return "its positions are not in order"
		}
		if p, known := products[h.ProductID]; known && p != f.Held[i].Product {
			return "its positions were counted by different terms"
		}
		equity += h.Profit
		held[i] = trading.Position{ID: h.PositionID, ProductID: h.ProductID, Side: h.Side, Lots: h.Lots, Leverage: h.Leverage, Margin: h.Margin}
		products[h.ProductID] = f.Held[i].Product
	}
	if equity != f.Equity {
		return "its equity is not what its positions give"
	}
	used, err := trading.UsedMargin(held, func(id int) (market.Product, error) { return products[id], nil })
	if err != nil || used != f.UsedMargin {
		return "its used margin is not what its positions give"
	}
	return checkVictim(f, position)
}

// checkHeld recomputes a position's profit at its quote. It returns the mismatch, or an empty string.
func checkHeld(s trading.SnapshotPosition, of HeldProduct, at heldPrice) string {
	p := of.Product
	if p.ID != s.ProductID || p.Version != s.Terms || trading.ClosingPrice(s.Side, market.Quote{Bid: at.bid, Ask: at.ask}) != s.Price {
		return "its price is not its quote's"
	}
	if !converts(p.Quote, of.Converter, s.ConversionInverse) {
		return "it was not converted as its currency demands"
	}
	r := sums.Rate{}
	if of.Converter != nil {
		if at.conversion2 <= 0 {
			return "the quote that converted it is not on the tape"
		}
		r = sums.Rate{Double: at.conversion2, Point: of.Converter.Point, Inverse: s.ConversionInverse}
	}
	profit, err := sums.Profit(p, s.Side == trading.Buy, s.Lots, s.OpenValue, s.Price, r)
	if err != nil || profit != s.Profit {
		return "its profit is not what its sums give"
	}
	return ""
}

// checkVictim requires that a stop-out closed the whole position as it was in the snapshot, and that it ranked first of those that were not skipped.
func checkVictim(f SealedFill, position trading.Position) string {
	closed := f.Snapshot.FindPosition(f.PositionID)
	if closed == nil || closed.Skipped || closed.ProductID != f.ProductID || closed.Side != position.Side || closed.Lots != position.Lots || closed.Lots != f.Lots ||
		closed.OpenValue != position.OpenValue || closed.Leverage != position.Leverage || closed.Margin != position.Margin || closed.QuoteSeq > f.QuoteSeq {
		return "the position that it closed stood otherwise"
	}
	if slices.ContainsFunc(f.Snapshot.Positions, func(s trading.SnapshotPosition) bool { return s.Skipped != s.ClosesBefore(*closed) }) {
		return "another position had lost more"
	}
	return ""
}
