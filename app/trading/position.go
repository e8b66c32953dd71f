package trading

import "candor/app/trading/sums"

// Opened is the position after an opening fill: a new one when it has no id, a larger one in a netting account. It returns money.ErrOverflow.
func (p Position) Opened(fill Fill) (Position, error) {
	p.AccountID, p.ProductID, p.Side, p.Leverage, p.State = fill.AccountID, fill.ProductID, fill.Side, fill.Leverage, StateOpen
	p.Lots, p.LotsOpened = p.Lots+fill.Lots, p.LotsOpened+fill.Lots
	p.Margin, p.Commission = p.Margin+fill.Margin, p.Commission+fill.Commission
	value, err := sums.Worth(fill.Lots, fill.Price)
	if err != nil {
		return p, err
	}
	p.OpenValue += value
	if p.OpenPrice, err = sums.Mean(p.OpenValue, p.Lots); err != nil {
		return p, err
	}
	p.Version++
	return p, nil
}

// Reduced is the position after a closing fill.
func (p Position) Reduced(fill Fill) Position {
	p.Lots -= fill.Lots
	p.Margin -= fill.Margin
	p.OpenValue -= *fill.OpenValue
	p.Commission += fill.Commission
	p.Realised += fill.Profit
	p.Version++
	if p.Lots == 0 {
		reason, price, at := fill.Rule.closeReason(), fill.Price, fill.CreatedAt
		p.State, p.CloseReason, p.ClosePrice, p.ClosedAt = StateClosed, &reason, &price, &at
	}
	return p
}

// Equal reports whether two optional values are equal or both absent.
func Equal[T comparable](a, b *T) bool { return a == b || (a != nil && b != nil && *a == *b) }
