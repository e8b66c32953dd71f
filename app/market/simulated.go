package market

import (
	"context"
	"log/slog"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"

	"candor/app/platform/clock"
)

const (
	lagMS         = 5_000 // a feed further behind skips the quotes it missed
	shortestMS    = 40    // between two quotes of a product
	yearSeconds   = 365.25 * 86_400
	homeSeconds   = 240 * 86_400 // time over which a price returns to its start
	crossSeconds  = 300          // time over which a cross returns to its legs
	moodSeconds   = 45 * 60      // time for which a lively or quiet spell lasts
	moodSpread    = 0.35         // strength of lively and quiet spells: the deviation of the logarithm of volatility
	trailWeight   = 0.08         // weight of the newest price in the trail, which follows like the median of the last 20
	spikeShare    = 0.55         // share of the spike limit that a price may move from the trail
	weekendFactor = 0.05         // activity of currencies and risk left while their markets rest
)

// The factors that move prices: each has a volatility of 1 a year, and products take shares of it.
const (
	dollarFactor = iota
	riskFactor
	cryptoFactor
	factors
)

// The daily rhythms. The first three are the factors' own.
const (
	stockRhythm = iota + factors
	hongKongRhythm
	rhythms
)

// rhythm is the activity of each local hour (1 is the mean), the open seconds a year, and the share of own movement in them.
type rhythm struct {
	openSeconds float64
	openShare   float64
	hours       [24]float64
}

var rhythmOf = [rhythms]rhythm{
	dollarFactor:   {6_240 * 3_600, 0.97, [24]float64{0.6, 0.7, 1.1, 1.6, 1.5, 1.3, 1.2, 1.4, 2, 1.9, 1.9, 1.6, 1.1, 0.9, 0.9, 0.8, 0.5, 0.22, 0.4, 0.7, 0.8, 0.8, 0.7, 0.6}},
	riskFactor:     {5_980 * 3_600, 0.97, [24]float64{0.4, 0.4, 0.6, 0.9, 0.8, 0.7, 0.7, 0.8, 1.2, 2.6, 2.4, 1.7, 1.3, 1.2, 1.5, 2.3, 0.7, 0.2, 0.4, 0.5, 0.5, 0.5, 0.4, 0.4}},
	cryptoFactor:   {yearSeconds, 1, [24]float64{1.1, 1, 0.9, 0.8, 0.7, 0.7, 0.7, 0.8, 0.9, 0.9, 0.9, 0.9, 1, 1.3, 1.5, 1.5, 1.4, 1.2, 1.1, 1.1, 1, 0.9, 0.8, 0.9}},
	stockRhythm:    {1_638 * 3_600, 0.75, [24]float64{9: 2, 10: 1.3, 11: 0.9, 12: 0.75, 13: 0.75, 14: 0.9, 15: 1.3}},
	hongKongRhythm: {1_360 * 3_600, 0.7, [24]float64{9: 1.7, 10: 1.1, 11: 0.8, 13: 0.9, 14: 0.9, 15: 1.2}},
}

// shape is a product's behavior: start price, yearly volatility by cause, spread in points in ordinary hours, and quotes a second.
type shape struct {
	anchor                    float64
	dollar, risk, crypto, own float64
	spread, rate              float64
}

var shapes = map[string]shape{
	"EURUSD":  {1.15824, -0.065, 0.008, 0, 0.03, 12, 3},
	"GBPUSD":  {1.30942, -0.062, 0.02, 0, 0.042, 14, 2.5},
	"USDJPY":  {156.482, 0.062, 0.03, 0, 0.066, 14, 2.5},
	"AUDUSD":  {0.65024, -0.07, 0.05, 0, 0.045, 13, 2},
	"USDCAD":  {1.40518, 0.042, -0.025, 0, 0.035, 16, 2},
	"USDCHF":  {0.80532, 0.06, 0.018, 0, 0.042, 15, 2},
	"NZDUSD":  {0.56184, -0.07, 0.05, 0, 0.05, 17, 1.5},
	"USDHKD":  {7.78420, 0.002, -0.001, 0, 0.003, 30, 1}, // stays within its band of 7.75 to 7.85
	"EURGBP":  {spread: 15, rate: 1.5},
	"EURJPY":  {spread: 19, rate: 2},
	"GBPJPY":  {spread: 27, rate: 2},
	"EURCHF":  {spread: 18, rate: 1.5},
	"AUDJPY":  {spread: 20, rate: 1.5},
	"XAUUSD":  {4_078.42, -0.1, -0.02, 0, 0.13, 35, 3.5},
	"XAGUSD":  {50.214, -0.14, 0.08, 0, 0.23, 22, 2},
	"BTCUSD":  {92_184.5, -0.02, 0.14, 0.38, 0.1, 550, 4},
	"ETHUSD":  {3_021.44, -0.02, 0.19, 0.5, 0.25, 42, 3},
	"LTCUSD":  {92.42, -0.02, 0.18, 0.48, 0.36, 6, 1.5},
	"SOLUSD":  {138.56, -0.02, 0.22, 0.58, 0.36, 5, 2.5},
	"XRPUSD":  {2.1482, -0.02, 0.18, 0.5, 0.42, 9, 2},
	"ADAUSD":  {0.45124, -0.02, 0.2, 0.55, 0.4, 22, 1.5},
	"DOGEUSD": {0.15842, -0.02, 0.22, 0.58, 0.42, 10, 2},
	"BNBUSD":  {892.64, -0.02, 0.14, 0.42, 0.26, 30, 2},
	"AAPL":    {271.36, 0, 0.17, 0, 0.18, 4, 2},
	"MSFT":    {487.12, 0, 0.17, 0, 0.15, 7, 1.5},
	"NVDA":    {186.52, 0, 0.27, 0.03, 0.3, 5, 3},
	"TSLA":    {402.91, 0, 0.3, 0.06, 0.44, 12, 2.5},
	"AMZN":    {222.48, 0, 0.21, 0, 0.21, 4, 2},
	"GOOGL":   {299.66, 0, 0.2, 0, 0.21, 5, 2},
	"META":    {597.42, 0, 0.23, 0, 0.25, 12, 1.5},
	"SPY":     {662.08, -0.008, 0.145, 0, 0.015, 2, 3},
	"IBM":     {303.84, 0, 0.12, 0, 0.2, 9, 1},
	"BAC":     {52.16, 0, 0.16, 0, 0.17, 1, 1.5},
	"AIG":     {77.42, 0, 0.11, 0, 0.18, 3, 0.8},
	"JPM":     {302.66, 0, 0.16, 0, 0.15, 7, 1.2},
	"AMD":     {214.28, 0, 0.3, 0.03, 0.4, 7, 2},
	"US500":   {6_642.3, -0.008, 0.145, 0, 0.02, 5, 3},
	"HK50":    {25_804, -0.03, 0.12, 0, 0.18, 70, 2},
}

// cross is a pair whose price follows from two others: first × second, or first ÷ second when sign is −1.
type cross struct {
	first, second string
	sign          float64
}

var crosses = map[string]cross{
	"EURGBP": {"EURUSD", "GBPUSD", -1},
	"EURJPY": {"EURUSD", "USDJPY", 1},
	"GBPJPY": {"GBPUSD", "USDJPY", 1},
	"EURCHF": {"EURUSD", "USDCHF", 1},
	"AUDJPY": {"AUDUSD", "USDJPY", 1},
}

// Simulated is a feed of invented prices that move like real ones: the same for the same seed and start. Only its own goroutine uses it.
type Simulated struct {
	seed    uint64
	clock   clock.Clock
	hours   *Hours
	source  *rand.PCG
	random  *rand.Rand
	world   world
	walkers []walker
}

// world is the state that all products share at one moment (Unix milliseconds).
type world struct {
	at       int64
	hour     int64 // since 1970; activity belongs to this hour
	activity [rhythms]float64
	factor   [factors]float64
	mood     [factors]float64 // logarithms of activity relative to usual
	pace     [factors]float64 // activity relative to usual at this moment
	quiet    [rhythms]float64 // by how much the hour widens spreads
}

// walker is one product's random walk. Levels are natural logarithms of the mid price; for a cross, of its distance from its legs.
type walker struct {
	product Product
	shape   shape
	scale   float64 // price units in 1
	rhythm  int
	group   int // the factor that sets its mood
	legs    []int
	sign    float64
	level   float64
	home    float64
	trail   float64
	seen    [factors]float64
	at      int64   // time of the level; 0 is not yet
	from    int64   // history begins at this time, never when none is needed
	mark    float64 // the logarithm of the price at the last step of history
	closes  int64   // end of the session of the last quote; 0 is never
	due     int64
}

// NewSimulated makes the feed; it prices nothing before Start.
func NewSimulated(seed uint64, c clock.Clock) *Simulated { return &Simulated{seed: seed, clock: c} }

// Name is "simulated".
func (s *Simulated) Name() string { return "simulated" }

// Clock is the clock the feed was made with.
func (s *Simulated) Clock() clock.Clock { return s.clock }

// StaleLimit is the product's own limit.
func (s *Simulated) StaleLimit(p Product) time.Duration {
	return time.Duration(p.StaleMS) * time.Millisecond
}

// Start places every product at the end of its tape, or at its anchor. A product with neither is logged and gets no prices.
func (s *Simulated) Start(products []Product, hours *Hours, last map[string]Last) error {
	now := s.clock.Now().UnixMilli()
	s.hours = hours
	s.source = rand.NewPCG(s.seed, uint64(now))
	s.random = rand.New(s.source)
	s.world, s.walkers = world{}, make([]walker, 0, len(products))
	var silent []string
	for _, p := range products {
		if w, ok := newWalker(p, last[p.Symbol]); ok {
			s.walkers = append(s.walkers, w)
		} else {
			silent = append(silent, p.Symbol)
		}
	}
	if len(silent) > 0 {
		slog.Warn("products have no simulated price", "symbols", silent)
	}
	for i := range s.walkers {
		s.place(&s.walkers[i], last[s.walkers[i].product.Symbol], now)
	}
	return nil
}

func newWalker(p Product, last Last) (walker, bool) {
	form, known := shapes[p.Symbol]
	price := middle(last)
	if !known && price == 0 {
		return walker{}, false
	}
	w := walker{product: p, shape: form, scale: math.Pow10(p.Point), from: -1, closes: 1}
	w.rhythm, w.group = tempo(p)
	if !known {
		w.shape = shape{own: 0.2, spread: 0.0004 * price * w.scale, rate: 1}
	}
	if price == 0 {
		price = form.anchor
	}
	w.level = math.Log(price)
	w.home = w.level
	return w, true
}

func tempo(p Product) (rhythm, group int) {
	switch {
	case p.Class == Crypto:
		return cryptoFactor, cryptoFactor
	case p.Class == USStock:
		return stockRhythm, riskFactor
	case p.Class == Index && p.Calendar == calendarHKEX:
		return hongKongRhythm, riskFactor
	case p.Class == Index:
		return riskFactor, riskFactor
	default:
		return dollarFactor, dollarFactor
	}
}

// middle is the mid price at the end of a tape, or 0.
func middle(last Last) float64 {
	bid, errBid := strconv.ParseFloat(last.Bid, 64)
	ask, errAsk := strconv.ParseFloat(last.Ask, 64)
	if errBid != nil || errAsk != nil || bid <= 0 || ask < bid || math.IsInf(ask, 0) {
		return 0
	}
	return (bid + ask) / 2
}

// place ties a cross to its legs and sets the start of the walker's history.
func (s *Simulated) place(w *walker, last Last, now int64) {
	if c, ok := crosses[w.product.Symbol]; ok {
		s.tie(w, c, last)
	}
	w.trail = s.log(w)
	w.from = historyStart(now, slices.Max(Periods))
	if middle(last) == 0 {
		return
	}
	w.from = max(last.At.UnixMilli(), w.from)
	w.at = w.from
	if open, until := s.hours.State(w.product.Calendar, last.At); open {
		w.closes = millis(until)
	}
	if !s.lacks(w, now) {
		w.from = math.MaxInt64
	}
}

// lacks reports whether a product could be traded for more than a small gap since its tape ended.
func (s *Simulated) lacks(w *walker, now int64) bool {
	traded := int64(0)
	for at := w.from; at < now && traded <= smallGapMS; {
		open, until := s.hours.State(w.product.Calendar, time.UnixMilli(at).UTC())
		next := now
		if !until.IsZero() {
			next = min(now, until.UnixMilli())
		}
		if open {
			traded += next - at
		}
		at = next
	}
	return traded > smallGapMS
}

// tie makes w a cross when both legs are priced; otherwise it walks on its own.
func (s *Simulated) tie(w *walker, c cross, last Last) {
	first, second := s.find(c.first), s.find(c.second)
	if first < 0 || second < 0 {
		w.shape.own = 0.08
		return
	}
	w.legs, w.sign = []int{first, second}, c.sign
	if price := middle(last); price > 0 {
		w.level = math.Log(price) - s.legs(w)
	} else {
		w.level = 0
	}
	w.home = 0
}

func (s *Simulated) find(symbol string) int {
	return slices.IndexFunc(s.walkers, func(w walker) bool { return w.product.Symbol == symbol })
}

// Run quotes each product when it is due, until ctx ends. After a pause of the machine it continues from now.
func (s *Simulated) Run(ctx context.Context, emit func(Raw)) error {
	s.resume(s.clock.Now().UnixMilli())
	timer := time.NewTimer(0)
	defer timer.Stop()
	for len(s.walkers) > 0 && ctx.Err() == nil {
		now := s.clock.Now().UnixMilli()
		switch wait := s.next().due - now; {
		case wait > 0:
			timer.Reset(time.Duration(min(wait, 1_000)) * time.Millisecond)
			select {
			case <-ctx.Done():
			case <-timer.C:
			}
		case wait < -lagMS:
			s.resume(now)
		default:
			if raw, ok := s.step(); ok {
				emit(raw)
			}
		}
	}
	if ctx.Err() == nil {
		<-ctx.Done()
	}
	return nil
}

// resume spreads the next quotes of all products over the coming moments.
func (s *Simulated) resume(now int64) {
	s.world.advance(s.random, now)
	for i := range s.walkers {
		s.walkers[i].due = now + s.pause(&s.walkers[i])
	}
}

func (s *Simulated) next() *walker {
	first := &s.walkers[0]
	for i := range s.walkers {
		if s.walkers[i].due < first.due {
			first = &s.walkers[i]
		}
	}
	return first
}

// step advances to the next due product, regardless of the clock; false when its market is closed.
func (s *Simulated) step() (Raw, bool) {
	w := s.next()
	at := w.due
	open, until := s.hours.State(w.product.Calendar, time.UnixMilli(at).UTC())
	if !open {
		w.due = at + dayMS
		if !until.IsZero() {
			w.due = until.UnixMilli() + s.random.Int64N(1_000)
		}
		return Raw{}, false
	}
	raw := s.quote(w, at, millis(until))
	w.due = at + s.pause(w)
	return raw, true
}

// pause is the time to the product's next quote in milliseconds: random, but always within its stale limit.
func (s *Simulated) pause(w *walker) int64 {
	wait := int64(s.random.ExpFloat64() * s.wait(w))
	return min(max(wait, shortestMS), int64(w.product.StaleMS)/3)
}

// wait is the mean of a product's pauses before they are limited, in milliseconds.
func (s *Simulated) wait(w *walker) float64 {
	lively := math.Sqrt(s.world.activity[w.rhythm] * s.world.pace[w.group])
	return 1_000 / (w.shape.rate * min(max(lively, 0.35), 1.25))
}

// meanPause is the mean of a product's pauses, in milliseconds.
func (s *Simulated) meanPause(w *walker) float64 {
	wait, longest := s.wait(w), float64(w.product.StaleMS)/3
	return shortestMS + wait*(math.Exp(-shortestMS/wait)-math.Exp(-longest/wait))
}

func (s *Simulated) quote(w *walker, at, closes int64) Raw {
	s.world.advance(s.random, at)
	reopened := w.closes != 0 && at >= w.closes
	s.advance(w, at, reopened)
	w.closes = closes
	bid, ask := s.sides(w, s.settle(w, reopened))
	moment := time.UnixMilli(at).UTC()
	return Raw{Symbol: w.product.Symbol, Bid: w.product.FormatPrice(bid), Ask: w.product.FormatPrice(ask), At: moment, SourceAt: moment}
}

// advance moves a level to a moment: its shares of the factors, its own noise, and a slow pull home. A cross only rejoins its legs.
func (s *Simulated) advance(w *walker, at int64, reopened bool) {
	for _, leg := range w.legs {
		s.advance(&s.walkers[leg], at, reopened)
	}
	if w.at == 0 {
		w.at, w.seen = at, s.world.factor
	}
	seconds := float64(at-w.at) / 1_000
	if seconds <= 0 {
		return
	}
	w.at = at
	if w.legs != nil {
		w.level *= math.Exp(-seconds / crossSeconds)
		return
	}
	for i, share := range w.shares() {
		w.level += share * (s.world.factor[i] - w.seen[i])
	}
	w.seen = s.world.factor
	w.level += w.shape.own * math.Sqrt(seconds*s.variance(w, reopened)) * s.random.NormFloat64()
	w.level += (w.home - w.level) * (1 - math.Exp(-seconds/homeSeconds))
}

// shares is how much of each factor moves the product.
func (w *walker) shares() [factors]float64 {
	return [factors]float64{w.shape.dollar, w.shape.risk, w.shape.crypto}
}

// variance is the own noise a second; over a year it adds up to 1.
func (s *Simulated) variance(w *walker, reopened bool) float64 {
	r := &rhythmOf[w.rhythm]
	if reopened {
		return (1 - r.openShare) / max(yearSeconds-r.openSeconds, 1)
	}
	pace := s.world.pace[w.group]
	return r.openShare / r.openSeconds * s.world.activity[w.rhythm] * pace * pace
}

func (s *Simulated) legs(w *walker) float64 {
	return s.walkers[w.legs[0]].level + w.sign*s.walkers[w.legs[1]].level
}

func (s *Simulated) log(w *walker) float64 {
	if w.legs != nil {
		return s.legs(w) + w.level
	}
	return w.level
}

// settle keeps a price within its spike limit of recent prices, except at a reopening, and returns its logarithm.
func (s *Simulated) settle(w *walker, reopened bool) float64 {
	price := s.log(w)
	if reopened {
		w.trail = price
	}
	limit := spikeShare * float64(w.product.SpikeBps) / 10_000
	held := min(max(price, w.trail-limit), w.trail+limit)
	w.level += held - price
	w.trail += trailWeight * (held - w.trail)
	return held
}

// sides are the prices around a mid.
func (s *Simulated) sides(w *walker, mid float64) (bid, ask int64) {
	return w.around(mid, s.spread(w)*math.Exp(spreadNoise*s.random.NormFloat64()))
}

// spread is the usual spread at this moment, in price units: wide in quiet hours and in fast moves.
func (s *Simulated) spread(w *walker) float64 {
	return w.shape.spread * s.world.quiet[w.rhythm] * min(max(s.world.pace[w.group], 1), 3)
}

// around puts a spread around a mid, in price units: never crossed and never below 1.
func (w *walker) around(mid, spread float64) (bid, ask int64) {
	bid = max(int64(math.Round(math.Exp(mid)*w.scale-spread/2)), 1)
	return bid, bid + max(int64(math.Round(spread)), 1)
}

// advance moves the factors and moods to a moment.
func (w *world) advance(random *rand.Rand, at int64) {
	seconds := float64(at-w.at) / 1_000
	if w.at == 0 {
		seconds = 0
		w.pace = [factors]float64{1, 1, 1}
	}
	if w.at == 0 || seconds > 0 {
		w.at = at
		w.tell(at - 1) // the hour that a step belongs to, not the one that begins at its end
	}
	if seconds <= 0 {
		return
	}
	kept := math.Exp(-seconds / moodSeconds)
	for i := range w.factor {
		w.mood[i] = w.mood[i]*kept + moodSpread*math.Sqrt(1-kept*kept)*random.NormFloat64()
		w.pace[i] = math.Exp(w.mood[i] - moodSpread*moodSpread)
		w.factor[i] += w.pace[i] * math.Sqrt(seconds*w.activity[i]/rhythmOf[i].openSeconds) * random.NormFloat64()
	}
}

var newYorkTime, hongKongTime = zone("America/New_York"), zone("Asia/Hong_Kong")

func zone(name string) *time.Location {
	location, err := time.LoadLocation(name)
	if err != nil {
		panic(err) // the zones are compiled in
	}
	return location
}

// tell looks up the activity of the hour, once an hour.
func (w *world) tell(at int64) {
	hour := at / 3_600_000
	if hour == w.hour {
		return
	}
	w.hour = hour
	utc := time.UnixMilli(at).UTC()
	newYork, hongKong := utc.In(newYorkTime), utc.In(hongKongTime)
	local := [rhythms]int{newYork.Hour(), newYork.Hour(), utc.Hour(), newYork.Hour(), hongKong.Hour()}
	for i := range w.activity {
		w.activity[i] = rhythmOf[i].hours[local[i]]
		if w.activity[i] == 0 || i < cryptoFactor && weekend(newYork) {
			w.activity[i] = weekendFactor
		}
		w.quiet[i] = min(max(math.Pow(w.activity[i], -0.8), 0.9), 4)
	}
}

// weekend is from Friday to Sunday 17:00 in New York.
func weekend(newYork time.Time) bool {
	switch newYork.Weekday() {
	case time.Friday:
		return newYork.Hour() >= 17
	case time.Saturday:
		return true
	case time.Sunday:
		return newYork.Hour() < 17
	default:
		return false
	}
}

func millis(at time.Time) int64 {
	if at.IsZero() {
		return 0
	}
	return at.UnixMilli()
}
