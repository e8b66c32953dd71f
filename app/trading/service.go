package trading

import (
	"math/rand/v2"

	"candor/app/market"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/events"
)

// Service is the engine: it fills, keeps margin and watches for what a price triggers.
type Service struct {
	db        *db.DB
	market    Market
	clock     clock.Clock // real time
	bus       *events.Bus
	rules     *Rules
	watch     *triggerMonitor
	id        int64 // tells the engines of one bus apart
	sequencer *sequencer
}

// New makes the engine. Run must be running for stops and stop-outs to happen.
func New(d *db.DB, m Market, real clock.Clock, bus *events.Bus) *Service {
	s := &Service{db: d, market: m, clock: real, bus: bus, rules: NewRules(m, real), id: rand.Int64()}
	s.watch, s.sequencer = newTriggerMonitor(m, s.rules), newSequencer(s)
	return s
}

// begun is the trailing stop that an outcome set, at the quote that it begins at.
func begun(out outcome) map[int64]trailingExtreme {
	if out.trail == nil {
		return nil
	}
	return map[int64]trailingExtreme{out.position.ID: {side: out.position.Side, since: out.trail.Seq, quote: *out.trail, last: out.trail.Seq}}
}

// remember updates the trigger monitor with what an outcome left.
func (s *Service) remember(out outcome) {
	s.watch.Learn(begun(out))
	s.watch.Remember(out.portfolio)
}

// announce tells the trigger monitor and every server, after the commit, that an account changed.
func (s *Service) announce(out outcome) {
	s.remember(out)
	for _, c := range out.changes() {
		c.From = s.id
		_ = s.bus.Publish(c.Message())
	}
}

// OnQuote hands a quote to the engine; the market calls it in order. Outside a session a price is seen, but triggers nothing.
func (s *Service) OnQuote(q market.Quote) { s.watch.OnQuote(q) }
