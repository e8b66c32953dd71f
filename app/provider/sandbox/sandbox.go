// Package sandbox is a provider that moves nothing: it speaks the protocol of docs/providers.md so that developers and tests can pay in, send money out and see coins
// arrive, and it misbehaves on request. The product does not contain it, and production refuses it.
package sandbox

import (
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"slices"
	"sync"
	"time"

	"candor/app/platform/clock"
	"candor/app/provider"
)

// Mode is how the sandbox behaves.
type Mode string

// The modes. All but the first are faults.
const (
	Well         Mode = "well"
	LostRequest  Mode = "lost_request"  // it does nothing and does not answer
	LateAnswer   Mode = "late_answer"   // it does what was asked and does not answer
	Mute         Mode = "mute"          // the same, and it answers no question either
	ServerError  Mode = "server_error"  // it does what was asked and answers 500
	LostEvents   Mode = "lost_events"   // it tells nothing; only who asks finds out
	ManyEvents   Mode = "many_events"   // it tells everything three times, the newest first
	OtherAmounts Mode = "other_amounts" // what is paid is less than what was asked for
)

// Modes lists them.
var Modes = []Mode{Well, LostRequest, LateAnswer, Mute, ServerError, LostEvents, ManyEvents, OtherAmounts}

// Required is how many confirmations a transfer needs.
const Required = 3

// Sandbox is one pretended provider. It forgets everything when it ends.
type Sandbox struct {
	secret string
	clock  clock.Clock
	auto   time.Duration // after which payouts move on by themselves; 0 for never
	sender *sender

	lock      sync.Mutex
	mode      Mode
	number    int
	payments  map[string]*payment
	addresses map[string]*address
	payouts   map[string]*payout
}

type payment struct {
	provider.PaymentOrder
	now provider.Payment
}

type address struct {
	provider.AddressOrder
	now       provider.Address
	transfers []*provider.Transfer
}

type payout struct {
	provider.PayoutOrder
	now provider.Payout
}

// New makes a sandbox that signs with secret. Payouts move on by themselves after auto; with 0 only when told to.
func New(secret string, c clock.Clock, auto time.Duration) *Sandbox {
	return &Sandbox{
		secret: secret, clock: c, auto: auto, sender: newSender(secret, c), mode: Well,
		payments: map[string]*payment{}, addresses: map[string]*address{}, payouts: map[string]*payout{},
	}
}

// Behave changes the mode.
func (s *Sandbox) Behave(m Mode) error {
	if !slices.Contains(Modes, m) {
		return fmt.Errorf("%q is no mode", m)
	}
	s.lock.Lock()
	defer s.lock.Unlock()
	s.mode = m
	return nil
}

// Wait returns when all that was to be told has been told, or given up.
func (s *Sandbox) Wait() { s.sender.wait() }

// next is a number that was not used before.
func (s *Sandbox) next() int {
	s.number++
	return s.number
}

// tell sends an event. The lock is held.
func (s *Sandbox) tell(url, kind, reference, state, amount, currency string) {
	if s.mode == LostEvents {
		return
	}
	m := provider.Message{Event: fmt.Sprintf("EV-%d-%d", s.clock.Now().UnixNano(), s.next()), Kind: kind, Reference: reference, State: state, Amount: amount, Currency: currency}
	s.sender.send(url, m, s.mode == ManyEvents)
}

// pretended is a text of hexadecimal digits that looks like a hash, the same for the same seed.
func pretended(seed string, digits int) string {
	var raw []byte
	for i := 0; len(raw)*2 < digits; i++ {
		h := fnv.New128a()
		fmt.Fprintf(h, "%s %d", seed, i)
		raw = h.Sum(raw)
	}
	return hex.EncodeToString(raw)[:digits]
}
