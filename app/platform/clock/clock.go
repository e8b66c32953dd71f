// Package clock provides real time for sessions, codes and schedules, and market time for prices, trading sessions and candles.
package clock

import (
	"sync/atomic"
	"time"
)

// Clock is a source of the current time.
type Clock interface{ Now() time.Time }

// Real is the machine's time in UTC.
type Real struct{}

// Now is the current time in UTC.
func (Real) Now() time.Time { return time.Now().UTC() }

// Fixed stands still until it is set; tests and replays drive it. It is safe for many goroutines.
type Fixed struct{ ns atomic.Int64 }

// NewFixed makes a clock that shows at.
func NewFixed(at time.Time) *Fixed {
	f := &Fixed{}
	f.Set(at)
	return f
}

// Now is the time that was last set, in UTC.
func (f *Fixed) Now() time.Time { return time.Unix(0, f.ns.Load()).UTC() }

// Set moves the clock to at.
func (f *Fixed) Set(at time.Time) { f.ns.Store(at.UnixNano()) }

// Advance moves the clock on by d.
func (f *Fixed) Advance(d time.Duration) { f.ns.Add(int64(d)) }

// Scaled runs from a start moment at a multiple of real time; a replay's market clock is one.
type Scaled struct {
	start time.Time
	since time.Time
	speed float64
}

// NewScaled makes a clock that shows start now and then runs at speed.
func NewScaled(start time.Time, speed float64) *Scaled {
	return &Scaled{start: start.UTC(), since: time.Now(), speed: speed}
}

// Now is the scaled moment in UTC.
func (s *Scaled) Now() time.Time {
	return s.start.Add(time.Duration(float64(time.Since(s.since)) * s.speed))
}

// Until is the real time left until the clock shows at; zero or less when it already does.
func (s *Scaled) Until(at time.Time) time.Duration {
	return time.Duration(float64(at.Sub(s.Now())) / s.speed)
}
