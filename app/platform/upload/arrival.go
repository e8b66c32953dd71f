package upload

import (
	"net/http"
	"sync/atomic"
	"time"
)

// An upload is slow when it averaged less than slowRate for at least slowAfter, or less than it needs to finish within the time that a request may take. It
// is aborted when another one waits for its room.
const (
	slowAfter = 5 * time.Second
	slowRate  = 32 << 10 // bytes a second
	within    = time.Minute
)

// arrival tracks how fast an admitted upload is received.
type arrival struct {
	abort func() // ends the reading

	since   atomic.Int64 // in nanoseconds since 1970
	bytes   atomic.Int64
	paused  atomic.Bool // nothing is read: the file is scanned or decoded
	aborted atomic.Bool
}

// arriving tracks the body of a request.
func arriving(w http.ResponseWriter) *arrival {
	return &arrival{abort: func() { _ = http.NewResponseController(w).SetReadDeadline(time.Now()) }}
}

// begin measures from now on.
func (a *arrival) begin() {
	if a == nil {
		return
	}
	a.since.Store(time.Now().UnixNano())
	a.bytes.Store(0)
	a.paused.Store(false)
}

// pause stops measuring until begin.
func (a *arrival) pause() {
	if a != nil {
		a.paused.Store(true)
	}
}

func (a *arrival) age() time.Duration { return time.Duration(time.Now().UnixNano() - a.since.Load()) }

// rate is the average in bytes a second.
func (a *arrival) rate() float64 { return float64(a.bytes.Load()) / a.age().Seconds() }

// isSlow reports whether an upload of so many bytes may be aborted.
func (a *arrival) isSlow(size int64) bool {
	if a == nil || a.paused.Load() || a.aborted.Load() || a.age() < slowAfter {
		return false
	}
	return a.rate() < max(slowRate, float64(size)/within.Seconds())
}

func (a *arrival) end() {
	a.aborted.Store(true)
	a.abort()
}
