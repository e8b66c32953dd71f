package admission

import (
	"sync"
	"time"

	"golang.org/x/time/rate"

	"candor/app/platform/errs"
)

// ErrOften is returned when a caller does something too often. It carries "seconds", the time until one more is possible.
var ErrOften = errs.New(errs.TooMany, "too_often")

// Rate limits how often each caller does something in a minute, evenly or at once. It forgets callers after an idle minute.
type Rate struct {
	perMinute int
	now       func() time.Time

	mu      sync.Mutex
	callers map[string]*spender
	swept   time.Time
}

type spender struct {
	*rate.Limiter
	last time.Time
}

// NewRate makes a rate that uses a clock.
func NewRate(perMinute int, now func() time.Time) *Rate {
	return &Rate{perMinute: perMinute, now: now, callers: map[string]*spender{}, swept: now()}
}

// Take counts one use of a caller. It returns ErrOften.
func (r *Rate) Take(name string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.now()
	r.sweep(now)
	s := r.callers[name]
	if s == nil {
		s = &spender{Limiter: rate.NewLimiter(rate.Limit(float64(r.perMinute)/60), r.perMinute)}
		r.callers[name] = s
	}
	s.last = now
	turn := s.ReserveN(now, 1)
	wait := turn.DelayFrom(now)
	if wait == 0 {
		return nil
	}
	turn.CancelAt(now)
	return ErrOften.With("seconds", int((wait+time.Second-1)/time.Second))
}

// sweep forgets the callers whose full rate is available again.
func (r *Rate) sweep(now time.Time) {
	if now.Sub(r.swept) < time.Minute {
		return
	}
	for name, s := range r.callers {
		if now.Sub(s.last) >= time.Minute {
			delete(r.callers, name)
		}
	}
	r.swept = now
}
