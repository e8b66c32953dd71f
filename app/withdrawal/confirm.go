package withdrawal

import (
	"context"
	"strings"

	"candor/app/audit"
	"candor/app/ledger"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/staff"
)

// Refusals that only staff meet.
var (
	ErrPayer         = errs.Field("from", "field.choice")                  // not an open bank account of clients' money in dollars
	ErrMismatch      = errs.Field("payment", "field.mismatch")             // the confirmation is not what was sent
	ErrMismatchLimit = errs.New(errs.Refused, "withdrawal.mismatch_limit") // after maxMismatches only the bank statement confirms it
	ErrSender        = errs.New(errs.Forbidden, "withdrawal.sender")       // the person who recorded the payment doesn't confirm it
	ErrBatched       = errs.New(errs.Conflict, "withdrawal.batched")       // a batch file pays it
)

// maxMismatches is how many confirmations of a payment may differ from what was sent; after them only the line of the bank statement confirms it.
const maxMismatches = 3

// AtBank is a payment as a person reads it at the bank or on the chain.
type AtBank struct {
	Amount  int64  // debited, in 10^-6
	Ending  string // the last four characters of the payee's account or address
	Payment string // the bank's reference, or at least the last eight characters of the transaction's hash
}

// Confirmable reports whether somebody else than the sender confirms the payment: staff sent it, and it has not ended.
func (w Withdrawal) Confirmable() bool { return w.State == Sent && w.ByHand() && w.SentBy != nil }

// matches reports whether a payment is the one that was sent.
func (w Withdrawal) matches(p AtBank) bool {
	return p.Amount == w.Net() && w.ReadBack(p.Ending) == nil && w.Payment != nil && w.samePayment(p.Payment)
}

// endOfHash is how many characters of a hash are enough to tell it.
const endOfHash = 8

func (w Withdrawal) samePayment(text string) bool {
	read, sent := ledger.ReferenceKey(text), ledger.ReferenceKey(*w.Payment)
	if w.Kind == Crypto {
		return len(read) >= endOfHash && strings.HasSuffix(sent, read)
	}
	return read == sent
}

// Confirm is a second person's confirmation that the bank shows the payment that a first person recorded: it completes the withdrawal. One that differs moves
// no money and is recorded.
// Refusals: ErrUnknown, ErrState, ErrNotClaimed, ErrChanged, ErrSender, ErrMismatch, ErrMismatchLimit.
func (s *Service) Confirm(ctx context.Context, by audit.Actor, id int64, version int, p AtBank) (Withdrawal, error) {
	w, err := s.Read(ctx, id)
	if err != nil {
		return w, err
	}
	same := w.State == Sent && w.matches(p)
	action := "withdrawal.confirm"
	if !same {
		action = "withdrawal.mismatch"
	}
	w, err = s.act(ctx, by, id, version, action, func(_ *db.Tx, w *Withdrawal) (map[string]any, error) {
		if err := w.decidable(by, s.clock.Now(), Sent); err != nil {
			return nil, err
		}
		switch {
		case !w.Confirmable():
			return nil, ErrState
		case *w.SentBy == by.ID:
			return nil, ErrSender
		case w.Mismatches >= maxMismatches:
			return nil, ErrMismatchLimit
		case same != w.matches(p): // read again under the lock
			return nil, ErrChanged
		case !same:
			return map[string]any{"mismatches": w.Mismatches + 1}, nil
		}
		return staff.Released(map[string]any{"state": Completed, "ended_at": s.clock.Now(), "confirmed_by": by.ID}), nil
	})
	if err == nil && !same {
		err = ErrMismatch
	}
	return w, err
}
