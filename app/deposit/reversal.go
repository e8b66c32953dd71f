package deposit

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"candor/app/audit"
	"candor/app/ledger"
	"candor/app/platform/db"
	"candor/app/platform/errs"
)

// Bounds of the reason for a reversal, in characters.
const (
	minReason = 4
	maxReason = 500
)

// Missing reports whether a credited deposit must be reversed: its provider reports it as missing or charged back.
func (d Deposit) Missing() bool { return d.State == Credited && d.GoneAt != nil }

// AskReversal is the maker's request to reverse a credited deposit that its provider reports as gone. Refusals: fields, ErrState, ErrChanged.
func (s *Service) AskReversal(ctx context.Context, by audit.Actor, id int64, version int, reason string) (Deposit, error) {
	reason = strings.TrimSpace(reason)
	if n := utf8.RuneCountInString(reason); n < minReason || n > maxReason || !db.IsText(reason) {
		return Deposit{}, errs.Field("reason", "field.length")
	}
	return s.actOnVersion(ctx, by, id, version, "deposit.ask_reversal", func(_ *db.Tx, d *Deposit) (map[string]any, error) {
		if !d.Missing() || d.ReversedBy != nil {
			return nil, ErrState
		}
		return map[string]any{"reversed_by": by.ID, "reversal_reason": reason}, nil
	})
}

// RefuseReversal cancels the maker's request. Refusals: ErrState, ErrChanged.
func (s *Service) RefuseReversal(ctx context.Context, by audit.Actor, id int64, version int) (Deposit, error) {
	return s.actOnVersion(ctx, by, id, version, "deposit.refuse_reversal", func(_ *db.Tx, d *Deposit) (map[string]any, error) {
		if !d.Missing() || d.ReversedBy == nil {
			return nil, ErrState
		}
		return map[string]any{"reversed_by": nil, "reversal_reason": ""}, nil
	})
}

// ConfirmReversal is the checker's confirmation: the credited amount is taken from the account, once. Free cash goes first, the rest is owed.
// Refusals: ErrState, ErrSelf, ErrChanged.
func (s *Service) ConfirmReversal(ctx context.Context, by audit.Actor, id int64, version int) (Deposit, error) {
	return s.actOnVersion(ctx, by, id, version, "deposit.reverse", func(tx *db.Tx, d *Deposit) (map[string]any, error) {
		switch {
		case !d.Missing() || d.ReversedBy == nil:
			return nil, ErrState
		case *d.ReversedBy == by.ID:
			return nil, ErrSelf
		}
		return s.reverseTx(ctx, tx, d, by)
	})
}

func (s *Service) reverseTx(ctx context.Context, tx *db.Tx, d *Deposit, by audit.Actor) (map[string]any, error) {
	account, err := ledger.LockTx(ctx, tx, d.AccountID)
	if err != nil {
		return nil, err
	}
	now := s.clock.Now()
	id, err := ledger.PostTx(ctx, tx, ledger.Transaction{
		Kind: "deposit_reversed", Key: fmt.Sprint("deposit_reversed:", d.ID), Cause: fmt.Sprint("deposit:", d.ID), Book: account.Book, At: now,
		Entries: account.Reverse(*d.Received, d.Fee),
	})
	if err != nil {
		return nil, err
	}
	state := ChargedBack
	if d.Kind == Crypto {
		state = Reversed
	}
	return map[string]any{"state": state, "reversal_id": id, "reversal_checker": by.ID, "moved_at": now}, nil
}

// actOnVersion is act with a required version.
func (s *Service) actOnVersion(ctx context.Context, by audit.Actor, id int64, version int, action string, decide func(*db.Tx, *Deposit) (map[string]any, error)) (Deposit, error) {
	if version == 0 {
		return Deposit{}, ErrChanged
	}
	return s.act(ctx, by, id, version, action, decide)
}
