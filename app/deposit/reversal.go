package deposit

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"candor/app/approval"
	"candor/app/audit"
	"candor/app/ledger"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/staff/member"
)

// Bounds of the reason for a reversal, in characters.
const (
	minReason = 4
	maxReason = 500
)

// reversalUse declares the reversal of a credited deposit.
var reversalUse = approval.Use{Name: "deposit_reversal", Area: "deposit", About: "reversal", Target: "deposit", Duty: member.MoneyDuty}

// Missing reports whether a credited deposit must be reversed: its provider reports it as missing or charged back.
func (d Deposit) Missing() bool { return d.State == Credited && d.GoneAt != nil }

// reversed is what a reversal takes back, by the deposit's columns.
func (d *Deposit) reversed() approval.Fields {
	return approval.Fields{"received": d.Received, "fee": &d.Fee}
}

// Reversals reads the reversal approvals of deposits, by deposit. A deposit without one is absent.
func (s *Service) Reversals(ctx context.Context, list ...Deposit) (map[int64]approval.Approval, error) {
	return approval.ByCase(ctx, s.reversals, list, func(d Deposit) *int64 { return d.ReversalApproval })
}

// RequestReversal is the maker's request to reverse a credited deposit that its provider reports as gone. Refusals: fields, ErrState, ErrChanged.
func (s *Service) RequestReversal(ctx context.Context, by audit.Actor, id int64, version int, reason string) (Deposit, error) {
	reason = strings.TrimSpace(reason)
	if n := utf8.RuneCountInString(reason); n < minReason || n > maxReason || !db.IsText(reason) {
		return Deposit{}, errs.Field("reason", "field.length")
	}
	return s.actOnVersion(ctx, by, id, version, approval.InEngine, func(tx *db.Tx, d *Deposit) (map[string]any, error) {
		if !d.Missing() || d.ReversalApproval != nil {
			return nil, ErrState
		}
		a, err := s.reversals.RequestTx(ctx, tx, by, approval.Request{Subject: strconv.FormatInt(d.ID, 10), TraderID: &d.TraderID, Proposal: d.reversed(), Note: reason, People: 2})
		return map[string]any{"reversal_approval": a.ID}, err
	})
}

// RefuseReversal withdraws the maker's own request, or refuses another person's. Refusals: ErrState, ErrChanged.
func (s *Service) RefuseReversal(ctx context.Context, by audit.Actor, id int64, version int) (Deposit, error) {
	return s.actOnVersion(ctx, by, id, version, approval.InEngine, func(tx *db.Tx, d *Deposit) (map[string]any, error) {
		a, err := s.openReversalTx(tx, *d)
		if err != nil {
			return nil, err
		}
		_, err = s.reversals.DeclineTx(ctx, tx, by, a, "")
		return map[string]any{"reversal_approval": nil}, err
	})
}

// ApproveReversal is the checker's approval: the credited amount is taken from the account, once. Free cash goes first, the rest is owed.
// Refusals: ErrState, ErrChanged, those of approval.Service.ApproveTx.
func (s *Service) ApproveReversal(ctx context.Context, by audit.Actor, id int64, version int) (Deposit, error) {
	return s.actOnVersion(ctx, by, id, version, approval.InEngine, func(tx *db.Tx, d *Deposit) (map[string]any, error) {
		a, err := s.openReversalTx(tx, *d)
		if err != nil {
			return nil, err
		}
		if _, err := s.reversals.ApproveTx(ctx, tx, by, a.ID, a.Version, a.State, a.Facts); err != nil {
			return nil, err
		}
		return s.reverseTx(ctx, tx, d)
	})
}

// openReversalTx reads the open approval of a reversal. It returns ErrState without one.
func (s *Service) openReversalTx(tx *db.Tx, d Deposit) (approval.Approval, error) {
	open, err := s.reversals.OpenTx(tx, strconv.FormatInt(d.ID, 10))
	if err == nil && (!d.Missing() || len(open) == 0) {
		err = ErrState
	}
	if err != nil {
		return approval.Approval{}, err
	}
	return open[0], nil
}

// lapseReversalTx ends the open request of a reversal that has no cause any more.
func (s *Service) lapseReversalTx(ctx context.Context, tx *db.Tx, d Deposit) error {
	if d.ReversalApproval == nil {
		return nil
	}
	return s.reversals.LapseTx(ctx, tx, *d.ReversalApproval)
}

func (s *Service) reverseTx(ctx context.Context, tx *db.Tx, d *Deposit) (map[string]any, error) {
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
	return map[string]any{"state": state, "reversal_id": id, "moved_at": now}, nil
}

// actOnVersion is act with a required version.
func (s *Service) actOnVersion(ctx context.Context, by audit.Actor, id int64, version int, action string, decide func(*db.Tx, *Deposit) (map[string]any, error)) (Deposit, error) {
	if version == 0 {
		return Deposit{}, ErrChanged
	}
	return s.act(ctx, by, id, version, action, decide)
}
