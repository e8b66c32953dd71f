// Package engine runs the trading rules against the database: it decides the commands of many accounts in one transaction, and those of one account in order. A
// task of the trigger monitor is only a hint: the engine decides it again under the account's lock.
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

// Service is the engine: it decides commands, keeps margin and acts on triggers.
type Service struct {
	db        *db.DB
	market    trading.Market
	clock     clock.Clock // real time
	bus       *events.Bus
	rules     *trading.Rules
	monitor   *trigger.Monitor
	id        int64 // identifies this engine on the bus
	sequencer *sequencer
}

// New makes the engine. Stops and stop-outs happen only while Run is running.
func New(d *db.DB, m trading.Market, real clock.Clock, bus *events.Bus) *Service {
	s := &Service{db: d, market: m, clock: real, bus: bus, rules: trading.NewRules(m, real), id: rand.Int64()}
	s.monitor, s.sequencer = trigger.New(m, s.rules), newSequencer(s)
	return s
}

// begun is the trailing stop that an outcome set, with the quote at which it began; nil without one.
func begun(out trading.Outcome) map[int64]trigger.Extreme {
	if out.Trail == nil {
		return nil
	}
	return map[int64]trigger.Extreme{out.Position.ID: {Side: out.Position.Side, Since: out.Trail.Seq, Quote: *out.Trail, Last: out.Trail.Seq}}
}

// remember updates the trigger monitor after an outcome.
func (s *Service) remember(out trading.Outcome) {
	s.monitor.Learn(begun(out))
	s.monitor.Remember(out.Portfolio)
}

// announce updates the trigger monitor and publishes the account's change events to every server. It must run after the commit.
func (s *Service) announce(out trading.Outcome) {
	s.remember(out)
	for _, c := range out.Changes() {
		c.From = s.id
		_ = s.bus.Publish(c.Message())
	}
}

// OnQuote takes a quote; the market calls it in order. A quote that can't be traded on triggers nothing; trailing stops still follow it.
func (s *Service) OnQuote(q market.Quote) { s.monitor.OnQuote(q) }
