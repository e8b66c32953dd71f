package engine

import (
	"math/rand/v2"

	"candor/app/market"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/events"
	"candor/app/trading"
	"candor/app/trading/trigger"
)

// Service is the engine: it fills, keeps margin and watches for what a price triggers.
type Service struct {
	db        *db.DB
	market    trading.Market
	clock     clock.Clock // real time
	bus       *events.Bus
	rules     *trading.Rules
	watch     *trigger.Monitor
	id        int64 // tells the engines of one bus apart
	sequencer *sequencer
}

// New makes the engine. Run must be running for stops and stop-outs to happen.
func New(d *db.DB, m trading.Market, real clock.Clock, bus *events.Bus) *Service {
	s := &Service{db: d, market: m, clock: real, bus: bus, rules: trading.NewRules(m, real), id: rand.Int64()}
	s.watch, s.sequencer = trigger.New(m, s.rules), newSequencer(s)
	return s
}

// begun is the trailing stop that an outcome set, at the quote that it begins at.
func begun(out trading.Outcome) map[int64]trigger.Extreme {
	if out.Trail == nil {
		return nil
	}
	return map[int64]trigger.Extreme{out.Position.ID: {Side: out.Position.Side, Since: out.Trail.Seq, Quote: *out.Trail, Last: out.Trail.Seq}}
}

// remember updates the trigger monitor with what an outcome left.
func (s *Service) remember(out trading.Outcome) {
	s.watch.Learn(begun(out))
	s.watch.Remember(out.Portfolio)
}

// announce tells the trigger monitor and every server, after the commit, that an account changed.
func (s *Service) announce(out trading.Outcome) {
	s.remember(out)
	for _, c := range out.Changes() {
		c.From = s.id
		_ = s.bus.Publish(c.Message())
	}
}

// OnQuote hands a quote to the engine; the market calls it in order. Outside a session a price is seen, but triggers nothing.
func (s *Service) OnQuote(q market.Quote) { s.watch.OnQuote(q) }
