// Package sandbox is a provider that moves no money: it speaks the protocol of docs/providers.md for developers and tests, who can pay in, pay out and receive
// crypto, and it simulates faults on request. The product does not contain it, and production refuses it.
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

// Mode is the behaviour of the sandbox.
type Mode string

// The modes. All but the first are faults.
const (
	Healthy      Mode = "well"
	LostRequest  Mode = "lost_request"  // does nothing and does not answer
	LateAnswer   Mode = "late_answer"   // acts and does not answer
	Mute         Mode = "mute"          // acts, and answers no queries either
	ServerError  Mode = "server_error"  // acts and answers 500
	LostEvents   Mode = "lost_events"   // sends no events; only a query reveals the state
	ManyEvents   Mode = "many_events"   // sends every event three times, the newest first
	OtherAmounts Mode = "other_amounts" // the paid amount is less than the requested one
)

// Modes lists all modes.
var Modes = []Mode{Healthy, LostRequest, LateAnswer, Mute, ServerError, LostEvents, ManyEvents, OtherAmounts}

// Required is the number of confirmations that a transfer needs.
const Required = 3

// Sandbox is one simulated provider. It keeps its state in memory only.
type Sandbox struct {
	secret string
	clock  clock.Clock
	auto   time.Duration // delay after which payouts advance by themselves; 0 for never
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

// New makes a sandbox that signs with secret. Payouts advance by themselves after auto; with 0 only on request.
func New(secret string, c clock.Clock, auto time.Duration) *Sandbox {
	return &Sandbox{
		secret: secret, clock: c, auto: auto, sender: newSender(secret, c), mode: Healthy,
		payments: map[string]*payment{}, addresses: map[string]*address{}, payouts: map[string]*payout{},
	}
}

// SetMode sets the mode.
func (s *Sandbox) SetMode(m Mode) error {
	if !slices.Contains(Modes, m) {
		return fmt.Errorf("%q is no mode", m)
	}
	s.lock.Lock()
	defer s.lock.Unlock()
	s.mode = m
	return nil
}

// Wait returns when every event was delivered or given up.
func (s *Sandbox) Wait() { s.sender.wait() }

// next is an unused number.
func (s *Sandbox) next() int {
	s.number++
	return s.number
}

// sendEvent sends an event. The caller holds the lock.
func (s *Sandbox) sendEvent(url, kind, reference, state, amount, currency string) {
	if s.mode == LostEvents {
		return
	}
	m := provider.Message{Event: fmt.Sprintf("EV-%d-%d", s.clock.Now().UnixNano(), s.next()), Kind: kind, Reference: reference, State: state, Amount: amount, Currency: currency}
	s.sender.send(url, m, s.mode == ManyEvents)
}

// fakeHash is a text of hexadecimal digits like a hash; equal seeds give equal texts.
func fakeHash(seed string, digits int) string {
	var raw []byte
	for i := 0; len(raw)*2 < digits; i++ {
		h := fnv.New128a()
		fmt.Fprintf(h, "%s %d", seed, i)
		raw = h.Sum(raw)
	}
	return hex.EncodeToString(raw)[:digits]
}
