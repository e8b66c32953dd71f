package market

import (
	"cmp"
	"slices"
	"time"
)

// Periods of candles, in seconds: 1m 5m 15m 30m 1h 4h 1d 1w.
var Periods = []int{60, 300, 900, 1_800, 3_600, 14_400, 86_400, 604_800}

// firstMonday is the first Monday after the epoch, so that weekly candles start on Mondays.
const firstMonday = 4 * 86_400

// Candle summarizes the bids of one period.
type Candle struct {
	ProductID int
	Period    int // seconds
	StartMS   int64
	Open      int64
	High      int64
	Low       int64
	Close     int64
	Ticks     int
}

// candleStart is the start of the period that contains at: UTC, weeks from Monday.
func candleStart(atMS int64, period int) int64 {
	width, offset := int64(period)*1_000, candleOffset(period)
	return (atMS-offset)/width*width + offset
}

// candleOffset is the origin of a period's grid, in milliseconds after the epoch.
func candleOffset(period int) int64 {
	if period == 604_800 {
		return firstMonday * 1_000
	}
	return 0
}

// add updates the candle with a bid.
func (c *Candle) add(bid int64) {
	c.High, c.Low = max(c.High, bid), min(c.Low, bid)
	c.Close = bid
	c.Ticks++
}

// join adds a later candle of the same time.
func (c *Candle) join(next Candle) {
	c.High, c.Low = max(c.High, next.High), min(c.Low, next.Low)
	c.Close = next.Close
	c.Ticks += next.Ticks
}

func newCandle(productID, period int, startMS, bid int64) *Candle {
	return &Candle{ProductID: productID, Period: period, StartMS: startMS, Open: bid, High: bid, Low: bid, Close: bid, Ticks: 1}
}

// candleSet holds one product's running candles, one per period, and those changed since the last take.
// The tape writes a quote and its candles in one transaction, so neither is ever ahead of the other.
type candleSet struct {
	current map[int]*Candle
	changed map[candleKey]*Candle
}

type candleKey struct {
	productID, period int
	startMS           int64
}

func newCandleSet() *candleSet {
	return &candleSet{current: map[int]*Candle{}, changed: map[candleKey]*Candle{}}
}

func (s *candleSet) add(q Quote) {
	for _, period := range Periods {
		start := candleStart(q.AtMS, period)
		c := s.current[period]
		switch {
		case c == nil || start > c.StartMS:
			c = newCandle(q.ProductID, period, start, q.Bid)
			s.current[period] = c
		default:
			c.add(q.Bid)
		}
		s.changed[candleKey{q.ProductID, period, c.StartMS}] = c
	}
}

// take copies the changed candles and clears the list of changes.
func (s *candleSet) take(into []Candle) []Candle {
	for key, c := range s.changed {
		into = append(into, *c)
		delete(s.changed, key)
	}
	return into
}

// merge combines stored candles with candles from memory, of the same product and period, both oldest first. Of two with the same start, the one
// with more ticks is newer.
func merge(stored, fresh []Candle) []Candle {
	for _, c := range fresh {
		i, found := slices.BinarySearchFunc(stored, c, byStart)
		switch {
		case !found:
			stored = slices.Insert(stored, i, c)
		case c.Ticks > stored[i].Ticks:
			stored[i] = c
		}
	}
	return stored
}

func byStart(a, b Candle) int { return cmp.Compare(a.StartMS, b.StartMS) }

// Figures are a product's 24-hour figures, in market time, from its bids.
type Figures struct {
	Open, High, Low, Close int64
	Line                   []int64 // half-hour closes, oldest first
}

const dayMS = 24 * 60 * 60 * 1_000

// dayWindow keeps the 5-minute candles of the last 24 hours.
type dayWindow struct{ candles []Candle }

const (
	windowPeriod  = 300
	windowCandles = dayMS/(windowPeriod*1_000) + 1
)

func (w *dayWindow) add(q Quote) {
	start := candleStart(q.AtMS, windowPeriod)
	if n := len(w.candles); n > 0 && w.candles[n-1].StartMS == start {
		w.candles[n-1].add(q.Bid)
	} else {
		w.candles = append(w.candles, *newCandle(q.ProductID, windowPeriod, start, q.Bid))
	}
	w.cut(q.AtMS)
}

func (w *dayWindow) cut(nowMS int64) {
	old := 0
	for old < len(w.candles)-1 && w.candles[old].StartMS <= nowMS-dayMS-windowPeriod*1_000 {
		old++
	}
	w.candles = w.candles[old:]
}

func (w *dayWindow) figures(now time.Time) Figures {
	w.cut(now.UnixMilli())
	var f Figures
	for i, c := range w.candles {
		if i == 0 {
			f = Figures{Open: c.Open, High: c.High, Low: c.Low}
		}
		f.High, f.Low, f.Close = max(f.High, c.High), min(f.Low, c.Low), c.Close
		if i == len(w.candles)-1 || candleStart(w.candles[i+1].StartMS, 1_800) != candleStart(c.StartMS, 1_800) {
			f.Line = append(f.Line, c.Close)
		}
	}
	return f
}
