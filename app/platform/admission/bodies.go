package admission

import (
	"bytes"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

const (
	small = 4 << 10     // bytes of a body that is always received; most bodies are far smaller
	late  = time.Second // a body that takes longer is aborted when another one needs its room
)

// Bodies receives request bodies before the requests count as under way, so that slow senders take no slot and little memory.
type Bodies struct {
	budget *Budget

	mu       sync.Mutex
	arriving []*body // the longest first
}

// body is a large body that is being received.
type body struct {
	caller  string
	since   time.Time
	release func()
	abort   func()
	aborted atomic.Bool
}

// NewBodies limits bodies above 4 kB to a budget.
func NewBodies(budget *Budget) *Bodies { return &Bodies{budget: budget} }

// IsLarge reports whether the body of a request is above 4 kB, or may be.
func IsLarge(r *http.Request) bool { return r.ContentLength > small || r.ContentLength < 0 }

// Receive reads a caller's body into memory and puts it back into the request; release frees it. Of a body above largest it reads largest+1 bytes, and the
// parser reports the excess. It returns ErrBusy, or why the client stopped sending.
func (b *Bodies) Receive(w http.ResponseWriter, r *http.Request, caller string, largest int64) (release func(), err error) {
	if r.Body == nil || r.Body == http.NoBody || r.ContentLength == 0 {
		return func() {}, nil
	}
	size := min(largest+1, r.ContentLength)
	if size < 0 {
		size = largest + 1
	}
	if size <= small {
		return func() {}, read(r, size)
	}
	one := &body{caller: caller, since: time.Now(), abort: func() { _ = http.NewResponseController(w).SetReadDeadline(time.Now()) }}
	if err := b.begin(one, size); err != nil {
		return nil, err
	}
	err = read(r, size)
	b.end(one)
	if one.aborted.Load() {
		err = ErrBusy
	}
	if err != nil {
		one.release()
		return nil, err
	}
	return one.release, nil
}

// read reads at most size bytes and puts them back.
func read(r *http.Request, size int64) error {
	raw := make([]byte, size)
	n, err := io.ReadFull(r.Body, raw)
	if err != nil && err != io.ErrUnexpectedEOF && err != io.EOF { //nolint:errorlint // io returns them unwrapped
		return err
	}
	r.Body = io.NopCloser(bytes.NewReader(raw[:n]))
	return nil
}

// begin reserves the room of a body; while there is none, it aborts late bodies, the longest arriving first.
func (b *Bodies) begin(one *body, size int64) (err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for {
		if one.release, err = b.budget.Take(one.caller, size); err == nil {
			b.arriving = append(b.arriving, one)
			return nil
		}
		if !b.makeRoom(one, size) {
			return err
		}
	}
}

// makeRoom aborts the body that has been arriving longest, of the same caller when their share is used up; false when none is late.
func (b *Bodies) makeRoom(one *body, size int64) bool {
	ownShare := !b.budget.HasShare(one.caller, size)
	for i, other := range b.arriving {
		if one.since.Sub(other.since) < late {
			return false
		}
		if ownShare && other.caller != one.caller {
			continue
		}
		b.arriving = append(b.arriving[:i], b.arriving[i+1:]...)
		other.aborted.Store(true)
		other.abort()
		other.release()
		return true
	}
	return false
}

// end records that a body was received or that its sender stopped.
func (b *Bodies) end(one *body) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for i, other := range b.arriving {
		if other == one {
			b.arriving = append(b.arriving[:i], b.arriving[i+1:]...)
			return
		}
	}
}
