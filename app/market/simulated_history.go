package market

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"time"
)

const (
	coarseStepMS = 30 * 60_000 // the oldest history
	middleStepMS = 5 * 60_000
	fineStepMS   = 60_000
	middleAgeMS  = 17 * dayMS     // history younger than this takes middle steps
	fineAgeMS    = 5 * dayMS      // history younger than this takes fine steps
	smallGapMS   = 2 * 60_000     // a tape that lacks less trading than this needs no history
	spreadNoise  = 0.12           // the deviation of the logarithm of a spread
	chartStream  = 0x63616e646c65 // separates the random numbers of candles from those of the walk
)

// historyDays is how many days back the history of each of the Periods reaches. Each period is a multiple of the steps that its history takes.
var historyDays = map[int]int64{60: 4, 300: 8, 900: 16, 1_800: 30, 3_600: 90, 14_400: 360, 86_400: 731, 604_800: 731}

// historyStart is the start of a period's oldest candle.
func historyStart(now int64, period int) int64 {
	return candleStart(now-historyDays[period]*dayMS, period)
}

func historyStep(age int64) int64 {
	switch {
	case age > middleAgeMS:
		return coarseStepMS
	case age > fineAgeMS:
		return middleStepMS
	}
	return fineStepMS
}

// move is what one product's price did in a step of the walk, while its market was open. Levels are logarithms of the mid price.
type move struct {
	at          int64
	open, close float64
	variance    float64 // of the whole step
	quotes      float64 // expected
	spread      float64 // price units
}

// History draws the candles of the time that the tapes lack, all periods from one walk, and emits one quote of each product that got any: the price with
// which its history ends. Without a tape the walk ends at the product's anchor.
func (s *Simulated) History(ctx context.Context, emit func(Raw)) ([]Candle, error) {
	now := s.clock.Now().UnixMilli()
	if err := s.rehearse(ctx, now); err != nil {
		return nil, err
	}
	drawn := newChart(s, now)
	if err := s.walk(ctx, now, drawn.add); err != nil {
		return nil, err
	}
	for i := range s.walkers {
		s.walkers[i].trail = s.log(&s.walkers[i])
	}
	for _, raw := range drawn.ends(now) {
		emit(raw)
	}
	return slices.Concat(drawn.candles...), nil
}

// rehearse walks once to find the end of the walk, and shifts the start of each product without a tape so that it ends at its anchor.
func (s *Simulated) rehearse(ctx context.Context, now int64) error {
	source, world, start := *s.source, s.world, slices.Clone(s.walkers)
	if err := s.walk(ctx, now, nil); err != nil {
		return err
	}
	for i := range start {
		if w := &start[i]; w.at == 0 && w.legs == nil {
			w.level -= s.walkers[i].level - w.level
			w.home = w.level
		}
	}
	*s.source, s.world, s.walkers = source, world, start
	return nil
}

// walk moves all products through the time that their tapes lack, until now. Without draw it takes the same way.
func (s *Simulated) walk(ctx context.Context, now int64, draw func(n int, m move)) error {
	at := now
	for i := range s.walkers {
		at = min(at, s.walkers[i].from)
	}
	s.world.advance(s.random, at)
	s.enter(at)
	for at < now {
		if err := ctx.Err(); err != nil {
			return err
		}
		next := s.nextStep(at, now)
		s.world.advance(s.random, next)
		s.move(at, next, draw)
		at = next
		s.enter(at)
	}
	return nil
}

// nextStep is the end of the step that begins at a moment: on the grid of steps, or earlier where a market opens or closes or a history begins.
func (s *Simulated) nextStep(at, now int64) int64 {
	step := historyStep(now - at)
	next, moment := min(at-at%step+step, now), time.UnixMilli(at).UTC()
	for i := range s.walkers {
		w := &s.walkers[i]
		if w.from > at {
			next = min(next, w.from)
		} else if _, until := s.hours.State(w.product.Calendar, moment); !until.IsZero() {
			next = min(next, until.UnixMilli())
		}
	}
	return next
}

// enter begins the session of each product whose market opens at a moment.
func (s *Simulated) enter(at int64) {
	moment := time.UnixMilli(at).UTC()
	for i := range s.walkers {
		w := &s.walkers[i]
		if w.from > at || w.inSession(at) {
			continue
		}
		if open, until := s.hours.State(w.product.Calendar, moment); open {
			s.advance(w, at, true)
			w.closes = millis(until)
		}
	}
	for i := range s.walkers {
		if w := &s.walkers[i]; w.from <= at {
			w.mark = s.log(w)
		}
	}
}

// inSession reports whether the session of the walker's last price includes a moment.
func (w *walker) inSession(at int64) bool { return w.closes == 0 || at < w.closes }

// move moves each open product from one moment to the next, at which the world already is.
func (s *Simulated) move(at, next int64, draw func(n int, m move)) {
	for i := range s.walkers {
		switch w := &s.walkers[i]; {
		case w.from >= next:
			w.seen = s.world.factor
		case w.inSession(at):
			s.advance(w, next, false)
		}
	}
	if draw == nil {
		return
	}
	seconds := float64(next-at) / 1_000
	for i := range s.walkers {
		w := &s.walkers[i]
		if w.from < next && w.inSession(at) {
			draw(i, move{
				at: at, open: w.mark, close: s.log(w), variance: seconds * s.scatter(w), quotes: seconds * 1_000 / s.meanPause(w), spread: s.spread(w),
			})
		}
	}
}

// scatter is the variance of a price in a second, from all causes.
func (s *Simulated) scatter(w *walker) float64 {
	shares, own := w.shares(), w.shape.own*w.shape.own*s.variance(w, false)
	if w.legs != nil {
		first, second := &s.walkers[w.legs[0]], &s.walkers[w.legs[1]]
		shares = first.shares()
		for i, share := range second.shares() {
			shares[i] += w.sign * share
		}
		own = first.shape.own*first.shape.own*s.variance(first, false) + second.shape.own*second.shape.own*s.variance(second, false)
	}
	for i, share := range shares {
		pace := s.world.pace[i]
		own += share * share * pace * pace * s.world.activity[i] / rhythmOf[i].openSeconds
	}
	return own
}

// chart draws the candles of a walk.
type chart struct {
	walkers []walker
	random  *rand.Rand  // of its own: a rehearsal draws nothing, and walks the same way
	first   []int64     // by period, the start of the oldest candle
	candles [][]Candle  // by product and period
	last    []lastPrice // by product
}

// lastPrice is a product's last bid and its ask.
type lastPrice struct {
	bid, ask int64
	closes   int64 // end of the bid's session; 0 is never
}

func newChart(s *Simulated, now int64) *chart {
	c := &chart{
		walkers: s.walkers, random: rand.New(rand.NewPCG(s.seed^chartStream, uint64(now))),
		candles: make([][]Candle, len(s.walkers)*len(Periods)), last: make([]lastPrice, len(s.walkers)),
	}
	for _, period := range Periods {
		c.first = append(c.first, historyStart(now, period))
	}
	return c
}

// add draws a move of a product into the candles of all periods.
func (c *chart) add(n int, m move) {
	w, before := &c.walkers[n], c.last[n]
	now := lastPrice{closes: w.closes}
	now.bid, now.ask = w.around(m.close, m.spread*math.Exp(spreadNoise*c.random.NormFloat64()))
	open := before.bid
	if open == 0 || before.closes != w.closes {
		open, _ = w.around(m.open, m.spread*math.Exp(spreadNoise*c.random.NormFloat64()))
	}
	high, _ := w.around(c.extreme(m, 1), m.spread*(1-spreadNoise))
	low, _ := w.around(c.extreme(m, -1), m.spread*(1+spreadNoise))
	one := Candle{
		ProductID: w.product.ID, Open: open, High: max(high, open, now.bid), Low: min(low, open, now.bid), Close: now.bid,
		Ticks: max(int(math.Round(m.quotes+math.Sqrt(m.quotes)*c.random.NormFloat64())), 1),
	}
	c.last[n] = now
	for i, period := range Periods {
		if one.Period, one.StartMS = period, candleStart(m.at, period); one.StartMS >= c.first[i] {
			into := &c.candles[n*len(Periods)+i]
			*into = addCandle(*into, one)
		}
	}
}

// extreme is the highest or lowest level of a move: that of a Brownian bridge between its ends.
func (c *chart) extreme(m move, sign float64) float64 {
	d := m.close - m.open
	return (m.open + m.close + sign*math.Sqrt(d*d+2*m.variance*c.random.ExpFloat64())) / 2
}

// addCandle appends a candle that follows the others, or adds it to the last one when both are of the same time.
func addCandle(candles []Candle, next Candle) []Candle {
	if n := len(candles) - 1; n >= 0 && candles[n].StartMS == next.StartMS {
		candles[n].join(next)
		return candles
	}
	return append(candles, next)
}

// ends is the last price of each product that was drawn, oldest first: at now where its market is open, else at the end of its session.
func (c *chart) ends(now int64) (out []Raw) {
	for i, last := range c.last {
		if last.bid == 0 {
			continue
		}
		at := now
		if last.closes != 0 && last.closes <= now {
			at = last.closes - 1
		}
		p, moment := c.walkers[i].product, time.UnixMilli(at).UTC()
		out = append(out, Raw{Symbol: p.Symbol, Bid: p.FormatPrice(last.bid), Ask: p.FormatPrice(last.ask), At: moment, SourceAt: moment})
	}
	slices.SortStableFunc(out, func(a, b Raw) int { return a.At.Compare(b.At) })
	return out
}
