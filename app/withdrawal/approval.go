package withdrawal

import (
	"bytes"
	"context"
	"fmt"
	"strconv"

	"candor/app/approval"
	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/staff/member"
	"candor/app/switches"
)

// payoutUse declares the approval of a payout: by two people, above a limit by three, of exactly what each was shown.
func (s *Service) payoutUse() approval.Use {
	return approval.Use{
		Name: "withdrawal", About: "payout", Duty: member.MoneyDuty, Facts: s.factsTx,
		People: func(a approval.Approval) int {
			var w Withdrawal
			if err := a.Read(approval.Fields{"amount": &w.Amount}); err != nil {
				return 3
			}
			return s.peopleFor(w.Amount)
		},
	}
}

// outcomeUse declares what two people found out about an unknown outcome.
func (s *Service) outcomeUse() approval.Use {
	return approval.Use{Name: "withdrawal_outcome", Area: "withdrawal", About: "outcome", Target: "withdrawal", Duty: member.MoneyDuty}
}

// payout is what an approval pays out, by the withdrawal's columns.
func (w *Withdrawal) payout() approval.Fields {
	return approval.Fields{
		"kind": &w.Kind, "currency": &w.Currency, "amount": &w.Amount, "fee": &w.Fee, "payee_id": &w.PayeeID, "bank": &w.Bank, "iban": &w.IBAN, "bic": &w.BIC, "chain": &w.Chain,
		"address": &w.Address, "memo": &w.Memo,
	}
}

// LeadAbove is the amount above which the finance lead must approve too.
func (s *Service) LeadAbove() int64 { return s.switches.Amount(switches.LeadAboveKey) }

// peopleFor is the number of people who must approve an amount.
func (s *Service) peopleFor(amount int64) int {
	if amount > s.LeadAbove() {
		return 3
	}
	return 2
}

// factsTx is Facts of a withdrawal whose holder name can be opened. Otherwise it returns vault.ErrUnreadable, and the withdrawal is neither approved nor sent.
func (s *Service) factsTx(ctx context.Context, tx *db.Tx, a approval.Approval) ([]byte, error) {
	var w Withdrawal
	if err := tx.Rows.Where("id = ?", a.Subject).Limit(1).Find(&w).Error; err != nil {
		return nil, fmt.Errorf("read withdrawal %s: %w", a.Subject, err)
	}
	if _, err := s.holder(ctx, tx.Conn, w); err != nil {
		return nil, err
	}
	return w.Facts(), nil
}

// Approvals reads the approvals of withdrawals, by withdrawal. One that nobody has approved is absent.
func (s *Service) Approvals(ctx context.Context, list ...Withdrawal) (map[int64]approval.Approval, error) {
	return approval.ByCase(ctx, s.payouts, list, func(w Withdrawal) *int64 { return w.Approval })
}

// Finding is what a person found out about an unknown outcome, and another one confirms.
type Finding struct {
	approval.Approval
	Payment *string // nil: it was not paid
}

// Findings reads what was found out about the outcomes of withdrawals, by withdrawal. One without a finding is absent.
func (s *Service) Findings(ctx context.Context, list ...Withdrawal) (map[int64]Finding, error) {
	found, err := approval.ByCase(ctx, s.outcomes, list, func(w Withdrawal) *int64 { return w.OutcomeApproval })
	if err != nil {
		return nil, err
	}
	findings := make(map[int64]Finding, len(found))
	for id, a := range found {
		if findings[id], err = readFinding(a); err != nil {
			return nil, err
		}
	}
	return findings, nil
}

func readFinding(a approval.Approval) (Finding, error) {
	f := Finding{Approval: a}
	err := a.Read(f.fields())
	return f, err
}

// fields are the finding's proposal, by the withdrawal's column.
func (f *Finding) fields() approval.Fields { return approval.Fields{"payment": &f.Payment} }

// request is a request for approval of something about a withdrawal.
func (w *Withdrawal) request(proposal approval.Fields, note string, people int) approval.Request {
	return approval.Request{Subject: strconv.FormatInt(w.ID, 10), TraderID: &w.TraderID, Proposal: proposal, Note: note, People: people}
}

// approveTx is the next person's approval of the facts they were shown. It returns the approval.
func (s *Service) approveTx(ctx context.Context, tx *db.Tx, by audit.Actor, w *Withdrawal, shown []byte) (a approval.Approval, err error) {
	if w.State == Review {
		a, err = s.payouts.RequestTx(ctx, tx, by, w.request(w.payout(), "", s.peopleFor(w.Amount)))
		if err == nil && !bytes.Equal(shown, a.Facts) {
			err = approval.ErrChanged
		}
		return a, err
	}
	if a, err = s.payouts.FindTx(tx, *w.Approval); err != nil {
		return a, err
	}
	return s.payouts.ApproveTx(ctx, tx, by, a.ID, a.Version, a.State, shown)
}

// lapseTx ends what is still to be decided about a withdrawal.
func (s *Service) lapseTx(ctx context.Context, tx *db.Tx, w Withdrawal) error {
	if w.Approval != nil {
		if err := s.payouts.LapseTx(ctx, tx, *w.Approval); err != nil {
			return err
		}
	}
	return s.lapseFindingTx(ctx, tx, w)
}

// voidFindingTx withdraws the person's own finding, or refuses another person's, for a new one.
func (s *Service) voidFindingTx(ctx context.Context, tx *db.Tx, by audit.Actor, w Withdrawal) error {
	if w.OutcomeApproval == nil {
		return nil
	}
	a, err := s.outcomes.FindTx(tx, *w.OutcomeApproval)
	if err != nil {
		return err
	}
	_, err = s.outcomes.DeclineTx(ctx, tx, by, a, "")
	return err
}

func (s *Service) lapseFindingTx(ctx context.Context, tx *db.Tx, w Withdrawal) error {
	if w.OutcomeApproval == nil {
		return nil
	}
	return s.outcomes.LapseTx(ctx, tx, *w.OutcomeApproval)
}
