package trading

import (
	"candor/app/market"
	"candor/app/trading/sums"
)

// StopOutSnapshot is the account at a stop-out: every input of the margin level and of the choice. It never changes.
type StopOutSnapshot struct {
	Worth     int64 // cash, bonus and deficit
	Call      Warned
	Positions []SnapshotPosition // all open positions by id
}

// Warned is the open margin call at a stop-out.
type Warned struct {
	ID         int64
	Equity     int64
	UsedMargin int64
	TimeMS     int64
	AtMS       int64 // market time
}

// SnapshotPosition is a position as valued at a stop-out.
type SnapshotPosition struct {
	PositionID        int64
	ProductID         int
	Terms             int
	Side              Side
	Lots              int64
	OpenValue         int64
	Leverage          int
	Margin            int64
	Price             int64 // closing price
	QuoteSeq          int64
	ConversionProduct *int
	ConversionSeq     *int64
	ConversionInverse bool
	Profit            int64
	Skipped           bool // ranked before the closed position, but its market was closed or its price unconfirmed
}

// ClosesBefore reports whether a stop-out closes this position first: larger loss, then larger volume, then lower id.
func (s SnapshotPosition) ClosesBefore(o SnapshotPosition) bool {
	switch {
	case s.Profit != o.Profit:
		return s.Profit < o.Profit
	case s.Lots != o.Lots:
		return s.Lots > o.Lots
	}
	return s.PositionID < o.PositionID
}

// Snapshot records a valued position.
func (v Valued) Snapshot() SnapshotPosition {
	s := SnapshotPosition{
		PositionID: v.ID, ProductID: v.ProductID, Terms: v.Product.Version, Side: v.Side, Lots: v.Lots, OpenValue: v.OpenValue, Leverage: v.Leverage, Margin: v.Margin,
		Price: v.Price, QuoteSeq: v.Quote.Seq, ConversionInverse: v.Rate.Inverse, Profit: v.Profit,
	}
	s.ConversionProduct, s.ConversionSeq = v.Rate.product()
	return s
}

// snapshot records what a stop-out was decided on, and the quotes it names.
func (v Valuation) snapshot(call MarginCall, victim int64) (*StopOutSnapshot, []market.Quote) {
	out := &StopOutSnapshot{
		Worth:     v.Account.Worth(),
		Call:      Warned{ID: call.ID, Equity: call.Equity, UsedMargin: call.UsedMargin, TimeMS: call.CreatedAt.UnixMilli(), AtMS: call.AtMS},
		Positions: make([]SnapshotPosition, len(v.Positions)),
	}
	var quotes []market.Quote
	for i, p := range v.Positions {
		out.Positions[i] = p.Snapshot()
		quotes = append(quotes, namedQuotes(p.Quote, p.Rate)...)
	}
	closed := out.FindPosition(victim)
	for i, s := range out.Positions {
		out.Positions[i].Skipped = s.ClosesBefore(*closed)
	}
	return out, quotes
}

// FindPosition returns a position of the snapshot, or nil.
func (snap *StopOutSnapshot) FindPosition(positionID int64) *SnapshotPosition {
	for i := range snap.Positions {
		if snap.Positions[i].PositionID == positionID {
			return &snap.Positions[i]
		}
	}
	return nil
}

// LevelAtOrBelow reports whether a margin level is at or below a percentage; without used margin, whether equity is gone.
func LevelAtOrBelow(equity, used, percent int64) bool {
	if used == 0 {
		return equity <= 0
	}
	return sums.AtOrBelow(equity, used, percent)
}
