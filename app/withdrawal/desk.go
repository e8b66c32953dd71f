package withdrawal

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"candor/app/approval"
	"candor/app/audit"
	"candor/app/ledger"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/staff"
	"candor/app/staff/member"
	"candor/app/trader"
)

// Claim claims a withdrawal for a member of staff, unless another member's claim is current. Refusals: ErrUnknown, ErrState, ErrClaimed.
func (s *Service) Claim(ctx context.Context, by audit.Actor, id int64) (Withdrawal, error) {
	return s.act(ctx, by, id, 0, "withdrawal.claim", func(_ *db.Tx, w *Withdrawal) (map[string]any, error) {
		now := s.clock.Now()
		switch {
		case !w.mayMove():
			return nil, ErrState
		case w.ClaimActiveByOther(by.ID, now):
			return nil, ErrClaimed
		}
		return staff.Claimed(map[string]any{}, by.ID, now), nil
	})
}

// Release ends a claim. Refusals: ErrUnknown, ErrNotClaimed.
func (s *Service) Release(ctx context.Context, by audit.Actor, id int64) (Withdrawal, error) {
	return s.act(ctx, by, id, 0, "withdrawal.release", func(_ *db.Tx, w *Withdrawal) (map[string]any, error) {
		if !w.ClaimActiveBy(by.ID, s.clock.Now()) {
			return nil, ErrNotClaimed
		}
		return staff.Released(map[string]any{}), nil
	})
}

// decidable requires one of the states and a current claim.
func (w Withdrawal) decidable(by audit.Actor, now time.Time, states ...State) error {
	if !slices.Contains(states, w.State) {
		return ErrState
	}
	if !w.ClaimActiveBy(by.ID, now) {
		return ErrNotClaimed
	}
	return nil
}

// approvable are the states in which the next approval is possible.
var approvable = []State{Review, Approved1, Approved2}

// Approve is the next approval: the maker's, the checker's, or above the limit the lead's; each needs another person. It is bound to the facts that were shown.
// Refusals: those of mayLeaveTx, ErrUnknown, ErrState, ErrNotClaimed, ErrChanged, those of approval.Service.ApproveTx.
func (s *Service) Approve(ctx context.Context, by audit.Actor, id int64, version int, step State, shown []byte) (Withdrawal, error) {
	return s.act(ctx, by, id, version, approval.InEngine, func(tx *db.Tx, w *Withdrawal) (map[string]any, error) {
		if err := w.decidable(by, s.clock.Now(), approvable...); err != nil {
			return nil, err
		}
		if err := s.mayLeaveTx(ctx, tx, w.TraderID); err != nil {
			return nil, err
		}
		if w.State != step {
			return nil, ErrState
		}
		a, err := s.approveTx(ctx, tx, by, w, shown)
		if err != nil {
			return nil, err
		}
		columns := staff.Released(map[string]any{"approval": a.ID})
		switch a.State {
		case approval.Requested:
			columns["state"] = Approved1
		case approval.Confirmed:
			columns["state"] = Approved2
		default:
			return s.queuedTx(ctx, tx, *w, columns)
		}
		return columns, nil
	})
}

// Ask asks the trader a question before any approval. Refusals: ErrReason, ErrUnknown, ErrState, ErrNotClaimed, ErrChanged.
func (s *Service) Ask(ctx context.Context, by audit.Actor, id int64, version int, reason, note string) (Withdrawal, error) {
	return s.decline(ctx, by, id, version, "withdrawal.ask", reason, note, func(*db.Tx, *Withdrawal) (map[string]any, error) {
		return map[string]any{"state": MoreInfo, "answer": ""}, nil
	}, Review)
}

// Reject ends a withdrawal and refunds the account. Refusals: ErrReason, ErrUnknown, ErrState, ErrNotClaimed, ErrChanged.
func (s *Service) Reject(ctx context.Context, by audit.Actor, id int64, version int, reason, note string) (Withdrawal, error) {
	return s.decline(ctx, by, id, version, "withdrawal.reject", reason, note, func(tx *db.Tx, w *Withdrawal) (map[string]any, error) {
		columns, err := s.refundTx(ctx, tx, *w, Rejected)
		if err == nil {
			columns["frozen_from"] = nil
		}
		return columns, err
	}, Review, MoreInfo, Approved1, Approved2, Frozen)
}

// Recall cancels the approvals. Refusals: ErrReason, ErrUnknown, ErrState, ErrNotClaimed, ErrChanged.
func (s *Service) Recall(ctx context.Context, by audit.Actor, id int64, version int, reason, note string) (Withdrawal, error) {
	return s.decline(ctx, by, id, version, "withdrawal.recall", reason, note, func(tx *db.Tx, w *Withdrawal) (map[string]any, error) {
		return map[string]any{"state": Review, "approval": nil}, s.lapseTx(ctx, tx, *w)
	}, Approved1, Approved2)
}

func (s *Service) decline(ctx context.Context, by audit.Actor, id int64, version int, action, reason, note string, decide func(*db.Tx, *Withdrawal) (map[string]any, error), states ...State) (Withdrawal, error) {
	if !slices.Contains(Reasons, reason) {
		return Withdrawal{}, ErrReason
	}
	if !db.IsText(note) {
		return Withdrawal{}, errs.Field("note", "field.length")
	}
	return s.act(ctx, by, id, version, action, func(tx *db.Tx, w *Withdrawal) (map[string]any, error) {
		if err := w.decidable(by, s.clock.Now(), states...); err != nil {
			return nil, err
		}
		columns, err := decide(tx, w)
		if err != nil {
			return nil, err
		}
		columns["reason"], columns["staff_note"] = reason, note
		return staff.Released(columns), nil
	})
}

// Freeze freezes a withdrawal that is not being sent yet. Refusals: ErrReason, ErrUnknown, ErrState.
func (s *Service) Freeze(ctx context.Context, by audit.Actor, id int64, version int, reason, note string) (Withdrawal, error) {
	if !slices.Contains(Reasons, reason) {
		return Withdrawal{}, ErrReason
	}
	return s.act(ctx, by, id, version, "withdrawal.freeze", func(tx *db.Tx, w *Withdrawal) (map[string]any, error) {
		columns := staff.Released(map[string]any{"state": Frozen, "frozen_from": w.State, "reason": reason, "staff_note": note})
		return s.unbatchTx(tx, *w, columns, BatchOpen, BatchRequested)
	})
}

// Unfreeze returns a frozen withdrawal to its earlier state. Refusals: ErrUnknown, ErrState.
func (s *Service) Unfreeze(ctx context.Context, by audit.Actor, id int64, version int) (Withdrawal, error) {
	return s.act(ctx, by, id, version, "withdrawal.thaw", func(_ *db.Tx, w *Withdrawal) (map[string]any, error) {
		if w.State != Frozen || w.FrozenFrom == nil {
			return nil, ErrState
		}
		return staff.Released(map[string]any{"state": *w.FrozenFrom, "frozen_from": nil, "reason": nil}), nil
	})
}

// Begin marks a queued withdrawal as being sent; it can't be cancelled any more. From is the broker's bank account that pays a bank transfer; 0 for crypto.
// Refusals: those of mayLeaveTx, ErrUnknown, ErrState, ErrNotClaimed, ErrChanged, ErrPayer, ErrBatched, those of approval.Service.CheckTx.
func (s *Service) Begin(ctx context.Context, by audit.Actor, id int64, version, from int) (Withdrawal, error) {
	return s.act(ctx, by, id, version, "withdrawal.begin", func(tx *db.Tx, w *Withdrawal) (map[string]any, error) {
		if err := w.decidable(by, s.clock.Now(), Queued); err != nil {
			return nil, err
		}
		if w.BatchID != nil {
			return nil, ErrBatched
		}
		return s.beginTx(ctx, tx, *w, from)
	})
}

// beginTx returns the changes of a transfer that starts.
func (s *Service) beginTx(ctx context.Context, tx *db.Tx, w Withdrawal, from int) (map[string]any, error) {
	if err := s.mayLeaveTx(ctx, tx, w.TraderID); err != nil {
		return nil, err
	}
	if !w.ByHand() {
		return nil, ErrProvider
	}
	columns := map[string]any{"state": Processing}
	if w.Kind != Crypto {
		payer, err := s.payerTx(tx, from)
		if err != nil {
			return nil, err
		}
		columns["bank_account_id"] = payer.ID
	}
	return columns, s.payouts.CheckTx(ctx, tx, *w.Approval)
}

// payerTx reads an account that pays. It returns ErrPayer.
func (s *Service) payerTx(tx *db.Tx, id int) (p Payer, err error) {
	if s.banks == nil {
		return p, ErrPayer
	}
	return s.banks.PayerTx(tx, id)
}

// Payers lists the bank accounts that pay withdrawals.
func (s *Service) Payers(ctx context.Context) ([]Payer, error) {
	if s.banks == nil {
		return nil, nil
	}
	return s.banks.Payers(ctx)
}

// Finish records the result of the transfer: Sent with the bank reference or the transaction hash, or OutcomeUnknown. Only two people can record that it was
// not paid.
// Refusals: fields, ErrUnknown, ErrState, ErrNotClaimed, ErrChanged, ErrPayment, ErrBatched for a transfer that a batch's file pays.
func (s *Service) Finish(ctx context.Context, by audit.Actor, id int64, version int, payment string, known bool) (Withdrawal, error) {
	return s.act(ctx, by, id, version, "withdrawal.finish", func(tx *db.Tx, w *Withdrawal) (map[string]any, error) {
		if err := w.decidable(by, s.clock.Now(), Processing); err != nil {
			return nil, err
		}
		if !w.ByHand() {
			return nil, ErrProvider
		}
		if !known {
			return staff.Released(map[string]any{"state": OutcomeUnknown}), nil
		}
		if w.BatchID != nil {
			return nil, ErrBatched
		}
		payment, err := w.ReadPayment(payment)
		if err != nil {
			return nil, err
		}
		columns, err := s.sendTx(ctx, tx, *w, payment)
		if err == nil {
			columns["sent_by"] = by.ID
		}
		return columns, err
	})
}

// sendTx posts the payment to the payee.
func (s *Service) sendTx(ctx context.Context, tx *db.Tx, w Withdrawal, payment string) (map[string]any, error) {
	id, err := s.postTx(ctx, tx, w, "withdrawal_sent", ledger.Real.Send(w.Net(), w.Fee))
	return staff.Released(map[string]any{"state": Sent, "sent_id": id, "sent_at": s.clock.Now(), "payment": payment}), err
}

// unusedPaymentTx is ReadPayment of a reference that no other withdrawal has. Refusals: fields, ErrPayment.
func (s *Service) unusedPaymentTx(ctx context.Context, tx *db.Tx, w Withdrawal, text string) (payment string, err error) {
	if payment, err = w.ReadPayment(text); err != nil {
		return "", err
	}
	var used bool
	if err := tx.Conn.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM withdrawals WHERE reference_key(payment) = $1)`, ledger.ReferenceKey(payment)).Scan(&used); err != nil {
		return "", fmt.Errorf("look for payment %s: %w", payment, err)
	}
	if used {
		return "", ErrPayment
	}
	return payment, nil
}

// minFinding is the minimum length of a note on an outcome, in bytes.
const minFinding = 10

// CheckFinding refuses a note that is too short to explain the evidence of an outcome.
func CheckFinding(note string) error {
	if len(strings.TrimSpace(note)) < minFinding || !db.IsText(note) {
		return errs.Field("note", "field.length")
	}
	return nil
}

// RecordFinding records a first person's finding about an unknown outcome: paid, with the bank reference, or not paid, with a note on the evidence. No money moves
// yet. An earlier finding that nobody confirmed is void.
// Refusals: fields, ErrUnknown, ErrState, ErrNotClaimed, ErrChanged, ErrPayment.
func (s *Service) RecordFinding(ctx context.Context, by audit.Actor, id int64, version int, paid bool, payment, note string) (Withdrawal, error) {
	if err := CheckFinding(note); err != nil {
		return Withdrawal{}, err
	}
	return s.act(ctx, by, id, version, approval.InEngine, func(tx *db.Tx, w *Withdrawal) (map[string]any, error) {
		if err := w.decidable(by, s.clock.Now(), OutcomeUnknown); err != nil {
			return nil, err
		}
		var finding Finding
		if paid {
			reference, err := s.unusedPaymentTx(ctx, tx, *w, payment)
			if err != nil {
				return nil, err
			}
			finding.Payment = &reference
		}
		if err := s.voidFindingTx(ctx, tx, by, *w); err != nil {
			return nil, err
		}
		a, err := s.outcomes.RequestTx(ctx, tx, by, w.request(finding.fields(), note, 2))
		return staff.Released(map[string]any{"outcome_approval": a.ID, "staff_note": note}), err
	})
}

// ConfirmFinding is a second person's confirmation of the finding: the money is booked as sent, or refunded.
// Refusals: ErrUnknown, ErrState, ErrNotClaimed, ErrChanged, ErrPayment, those of approval.Service.ApproveTx.
func (s *Service) ConfirmFinding(ctx context.Context, by audit.Actor, id int64, version int) (Withdrawal, error) {
	if err := s.checkProviderOutcome(ctx, id); err != nil {
		return Withdrawal{}, err
	}
	return s.act(ctx, by, id, version, approval.InEngine, func(tx *db.Tx, w *Withdrawal) (map[string]any, error) {
		if err := w.decidable(by, s.clock.Now(), OutcomeUnknown); err != nil {
			return nil, err
		}
		if w.OutcomeApproval == nil {
			return nil, ErrState
		}
		a, err := s.outcomes.FindTx(tx, *w.OutcomeApproval)
		if err != nil {
			return nil, err
		}
		if a, err = s.outcomes.ApproveTx(ctx, tx, by, a.ID, a.Version, a.State, a.Facts); err != nil {
			return nil, err
		}
		finding, err := readFinding(a)
		if err != nil {
			return nil, err
		}
		if finding.Payment != nil {
			return s.sendTx(ctx, tx, *w, *finding.Payment)
		}
		columns, err := s.refundTx(ctx, tx, *w, Failed)
		if err != nil {
			return nil, err
		}
		columns["reason"] = "not_paid"
		return staff.Released(columns), nil
	})
}

// checkProviderOutcome queries the provider before a finding is confirmed. It returns an error when the provider knows the outcome or gives no answer.
func (s *Service) checkProviderOutcome(ctx context.Context, id int64) error {
	w, err := s.Read(ctx, id)
	if err != nil || w.Provider == "" || w.State != OutcomeUnknown || w.OutcomeApproval == nil {
		return err
	}
	if err := s.AskProvider(ctx, id); err != nil {
		return err
	}
	if now, err := s.Read(ctx, id); err != nil || now.State != OutcomeUnknown {
		return errors.Join(err, ErrChanged)
	}
	return nil
}

// RecordReturn posts money that the bank returned. Refusals: ErrUnknown, ErrState, ErrNotClaimed, ErrChanged, ErrReturn.
func (s *Service) RecordReturn(ctx context.Context, by audit.Actor, id int64, version int, reason, note string) (Withdrawal, error) {
	return s.decline(ctx, by, id, version, "withdrawal.bounce", reason, note, func(tx *db.Tx, w *Withdrawal) (map[string]any, error) {
		if w.Kind == Crypto {
			return nil, ErrReturn
		}
		return s.recordReturnTx(ctx, tx, *w)
	}, Sent, Completed)
}

// recordReturnTx posts the return of a sent payment.
func (s *Service) recordReturnTx(ctx context.Context, tx *db.Tx, w Withdrawal) (map[string]any, error) {
	account, err := ledger.LockTx(ctx, tx, w.AccountID)
	if err != nil {
		return nil, err
	}
	posted, err := s.postTx(ctx, tx, w, "withdrawal_bounced", account.PayoutReturn(w.Net(), w.Fee))
	return map[string]any{"state": Returned, "back_id": posted, "ended_at": s.clock.Now()}, err
}

// Complete ends the sent withdrawals whose arrival time has passed without news, and that no confirmation contradicts, of their own or of their batch; it
// returns their number.
func (s *Service) Complete(ctx context.Context) (n int, err error) {
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		var ids []int64
		now := s.clock.Now()
		err := tx.Rows.Raw(`SELECT id FROM withdrawals WHERE state = 'sent' AND mismatches = 0 AND sent_at < CASE kind WHEN ? THEN ?::timestamptz ELSE ? END
			AND (provider = '' OR kind <> 'standard')
			AND NOT EXISTS (SELECT 1 FROM payout_batches b WHERE b.id = batch_id AND b.mismatches > 0)
			ORDER BY id LIMIT 500 FOR UPDATE SKIP LOCKED`, ByBank, now.Add(-ByBank.presumedArrival()), now.Add(-Crypto.presumedArrival())).Scan(&ids).Error
		if err != nil {
			return err
		}
		for _, id := range ids {
			_, err := s.moveTx(ctx, tx, id, 0, func(*Withdrawal) (map[string]any, error) {
				return staff.Released(map[string]any{"state": Completed, "ended_at": now}), nil
			})
			if err != nil {
				return err
			}
			entry := audit.By(audit.Actor{Kind: audit.System, Name: "completion"}, now, "withdrawal.complete", "withdrawal", id)
			if err := audit.RecordTx(ctx, tx, entry); err != nil {
				return err
			}
		}
		n = len(ids)
		return nil
	})
	return n, err
}

// conflictTx refuses an act on a conflict of interest with the trader. A freeze, a thaw and a release decide about no money, so the member who verified the
// trader may do them.
func conflictTx(ctx context.Context, tx *db.Tx, by audit.Actor, traderID int64, action string) error {
	switch action {
	case "withdrawal.release", "withdrawal.freeze", "withdrawal.thaw":
		return trader.CheckConflict(ctx, tx.Conn, by.ID, traderID)
	case "withdrawal.claim":
		return trader.CheckDutyConflict(ctx, tx.Conn, by.ID, traderID, member.MoneyDuty)
	default:
		return trader.TakeDutyTx(ctx, tx, by.ID, traderID, member.MoneyDuty)
	}
}

// act changes a withdrawal for a member of staff and writes the audit entry, in one transaction. A conflict of interest is refused.
// Refusals: trader.ErrOwn, trader.ErrVerified.
func (s *Service) act(ctx context.Context, by audit.Actor, id int64, version int, action string, decide func(*db.Tx, *Withdrawal) (map[string]any, error)) (w Withdrawal, err error) {
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		before := ""
		w, err = s.moveTx(ctx, tx, id, version, func(w *Withdrawal) (map[string]any, error) {
			before = summary(*w)
			if err := conflictTx(ctx, tx, by, w.TraderID, action); err != nil {
				return nil, err
			}
			return decide(tx, w)
		})
		if errors.Is(err, gorm.ErrDuplicatedKey) {
			return ErrPayment
		}
		if err != nil || action == approval.InEngine {
			return err
		}
		entry := audit.By(by, s.clock.Now(), action, "withdrawal", w.ID)
		entry.Before, entry.After = before, summary(w)
		return audit.RecordTx(ctx, tx, entry)
	})
	return w, err
}

// summary is the withdrawal in the audit log, before or after an act.
func summary(w Withdrawal) string {
	text, _ := json.Marshal(map[string]any{
		"state": w.State, "amount": w.Amount, "fee": w.Fee, "claimedBy": w.ClaimedBy, "approval": w.Approval,
		"provider": w.Provider, "said": w.ProviderState, "payment": w.Payment, "reason": w.Reason, "outcomeApproval": w.OutcomeApproval,
	})
	return string(text)
}
