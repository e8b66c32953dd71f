package sandbox

import (
	"errors"
	"fmt"
	"time"

	"candor/app/provider"
)

// Acts of a developer or a test on the sandbox. Each returns an error when the state does not allow it.
var (
	errAbsent = errors.New("there is no such reference")
	errState  = errors.New("it is past that")
)

// Settle ends a payment as Paid (with an amount in the payment's currency), Failed, Expired, Disputed or Cancelled; or turns a paid one into ChargedBack, and
// back.
func (s *Sandbox) Settle(reference, state, paid string) error {
	s.lock.Lock()
	defer s.lock.Unlock()
	p := s.payments[reference]
	if p == nil {
		return errAbsent
	}
	allowed := p.now.State == provider.Pending || p.now.State == provider.Disputed || p.now.State == provider.Expired
	switch {
	case state == provider.ChargedBack:
		allowed = p.now.State == provider.Paid
	case p.now.State == provider.ChargedBack:
		allowed = state == provider.Paid
	}
	if !allowed {
		return errState
	}
	if state == provider.Paid {
		if p.now.Paid = paid; paid == "" {
			p.now.Paid = s.amountToPay(p.now)
		}
	}
	p.now.State = state
	s.sendEvent(p.NotifyURL, provider.AboutPayment, reference, state, p.now.Paid, p.now.PaidIn())
	return nil
}

// amountToPay is the amount that the trader pays in the current mode.
func (s *Sandbox) amountToPay(p provider.Payment) string {
	switch {
	case s.mode == OtherAmounts:
		return "1"
	case p.Offer != nil:
		return p.Offer.Amount
	}
	return p.Amount
}

// Receive simulates a transfer to an address; it returns the transfer's id.
func (s *Sandbox) Receive(reference, coin, chain, amount string) (string, error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	a := s.addresses[reference]
	if a == nil {
		return "", errAbsent
	}
	id := fmt.Sprintf("TR-%d-%d", s.clock.Now().UnixNano(), s.next())
	hash := fakeHash(id, 64)
	if chain == "ethereum" {
		hash = "0x" + hash
	}
	t := &provider.Transfer{ID: id, Reference: reference, State: provider.Detected, Coin: coin, Chain: chain, Amount: amount, Hash: hash, Required: Required}
	a.transfers = append(a.transfers, t)
	s.sendEvent(a.NotifyURL, provider.AboutTransfer, reference, t.State, amount, coin)
	return id, nil
}

// Mine adds a confirmation to a transfer; the required number confirms it.
func (s *Sandbox) Mine(id string) error {
	return s.transfer(id, func(t *provider.Transfer) error {
		if t.State == provider.Dropped {
			return errState
		}
		if t.Confirmations++; t.Confirmations >= t.Required {
			t.State = provider.Confirmed
		}
		return nil
	})
}

// Reorganise removes the block of a transfer from its chain: the transfer is dropped until it is mined again.
func (s *Sandbox) Reorganise(id string) error {
	return s.transfer(id, func(t *provider.Transfer) error {
		t.State, t.Confirmations = provider.Dropped, 0
		return nil
	})
}

// Reappear puts a dropped transfer into another block.
func (s *Sandbox) Reappear(id string) error {
	return s.transfer(id, func(t *provider.Transfer) error {
		if t.State != provider.Dropped {
			return errState
		}
		t.State = provider.Detected
		return nil
	})
}

func (s *Sandbox) transfer(id string, change func(*provider.Transfer) error) error {
	s.lock.Lock()
	defer s.lock.Unlock()
	for reference, a := range s.addresses {
		for _, t := range a.transfers {
			if t.ID != id {
				continue
			}
			if err := change(t); err != nil {
				return err
			}
			s.sendEvent(a.NotifyURL, provider.AboutTransfer, reference, t.State, t.Amount, t.Coin)
			return nil
		}
	}
	return errAbsent
}

// Advance changes the state of a payout: Accepted to Sent, Sent to Confirmed; or to Failed before it is sent, or to Returned after.
func (s *Sandbox) Advance(reference, state string) error {
	s.lock.Lock()
	defer s.lock.Unlock()
	p := s.payouts[reference]
	if p == nil {
		return errAbsent
	}
	from := map[string][]string{
		provider.Sent: {provider.Accepted}, provider.Failed: {provider.Accepted}, provider.Confirmed: {provider.Sent}, provider.Returned: {provider.Sent, provider.Confirmed},
	}
	allowed := false
	for _, before := range from[state] {
		allowed = allowed || p.now.State == before
	}
	if !allowed {
		return errState
	}
	s.advance(p, state)
	return nil
}

// advance changes the state of a payout. The caller holds the lock.
func (s *Sandbox) advance(p *payout, state string) {
	p.now.State = state
	switch state {
	case provider.Sent:
		p.now.Payment = s.proof(p.PayoutOrder)
	case provider.Confirmed:
		p.now.Confirmations = p.now.Required
	case provider.Failed, provider.Returned:
		p.now.Reason = "account_closed"
	}
	s.sendEvent(p.NotifyURL, provider.AboutPayout, p.Reference, state, p.Amount, p.Currency)
}

// proof is the proof of a payout: a hash on a chain, a reference elsewhere.
func (s *Sandbox) proof(o provider.PayoutOrder) string {
	if o.Kind != provider.Standard {
		return "SBX" + fakeHash(o.Reference, 10)
	}
	if hash := fakeHash(o.Reference, 64); o.Chain != "ethereum" {
		return hash
	}
	return "0x" + fakeHash(o.Reference, 64)
}

// scheduleAdvance schedules the next states of a payout.
func (s *Sandbox) scheduleAdvance(reference string) {
	if s.auto == 0 {
		return
	}
	time.AfterFunc(s.auto, func() { _ = s.Advance(reference, provider.Sent) })
	time.AfterFunc(2*s.auto, func() { _ = s.Advance(reference, provider.Confirmed) })
}
