package deposit

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"candor/app/audit"
	"candor/app/ledger"
	"candor/app/platform/db"
	"candor/app/staff/member"
	"candor/app/trader"
)

// SenderIs reports whether a sender's name on a bank statement is the trader's verified name.
func (s *Service) SenderIs(ctx context.Context, traderID int64, sender string) (bool, error) {
	return s.persons.HolderIs(ctx, traderID, sender)
}

// BankCredit is what a credit of a bank statement says that finds its deposit.
type BankCredit struct {
	AccountID     int // the bank account that it reached
	Currency      string
	Amount        int64
	Reference     string // of a deposit; empty if none was found
	BankReference string
}

// creditSQL finds the deposits of a credit, each way by its own index.
const creditSQL = `
	SELECT d.* FROM deposits d JOIN pay_channels c ON c.id = d.channel_id
	WHERE d.id IN (
			SELECT id FROM deposits WHERE reference = @reference AND state IN ('awaiting_transfer', 'proof_submitted', 'in_review', 'more_info', 'expired')
			UNION ALL (SELECT o.id FROM pay_channels p JOIN deposits o ON o.channel_id = p.id
				WHERE p.bank_account_id = @account AND o.amount = @amount AND o.currency = @currency AND o.kind = 'bank'
				  AND o.state IN ('awaiting_transfer', 'proof_submitted', 'in_review', 'more_info', 'expired') ORDER BY o.created_at DESC LIMIT @limit)
			UNION ALL SELECT id FROM deposits
				WHERE @bank <> '' AND reference_key(bank_reference) = @bank AND bank_reference IS NOT NULL AND state IN ('approved', 'credited'))
		AND c.bank_account_id = @account AND d.currency = @currency AND d.kind = 'bank'
	ORDER BY d.reference = @reference DESC, d.created_at DESC LIMIT @limit`

// ForCredit lists the bank deposits that a credit may belong to: those of its bank account that await money and have its reference or its amount, and those
// that staff have approved by its bank reference.
func (s *Service) ForCredit(ctx context.Context, c BankCredit, limit int) (list []Deposit, err error) {
	err = s.db.Rows(ctx).Raw(creditSQL, map[string]any{
		"account": c.AccountID, "currency": c.Currency, "reference": c.Reference, "amount": c.Amount, "bank": ledger.ReferenceKey(c.BankReference), "limit": limit,
	}).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("look for the deposit of a credit: %w", err)
	}
	return list, nil
}

// PaysIntoTx reports whether a deposit is a bank transfer to a bank account of the house, in its currency.
func PaysIntoTx(tx *db.Tx, id int64, accountID int, currency string) (is bool, err error) {
	return is, tx.Rows.Raw(`SELECT EXISTS (SELECT 1 FROM deposits d JOIN pay_channels c ON c.id = d.channel_id
		WHERE d.id = ? AND d.kind = 'bank' AND c.bank_account_id = ? AND d.currency = ?)`, id, accountID, currency).Scan(&is).Error
}

// ApproveFromLineTx is the maker's decision on the evidence of an imported statement line, in the caller's transaction. Nobody needs the claim; another
// member's stays respected. A deposit without a proof takes two people, whatever its amount. One that was approved or credited by hand is only checked: it
// must carry the line's reference.
// Refusals: fields, ErrState, ErrClaimed, ErrReference, those of the conflict of interest.
func (s *Service) ApproveFromLineTx(ctx context.Context, tx *db.Tx, by audit.Actor, id int64, st Statement, valueDate time.Time) error {
	d, err := lockTx(tx, "id = ?", id)
	if err != nil {
		return err
	}
	if d.Kind != ByBank {
		return ErrState
	}
	if d.State == Credited || d.State == Approved {
		return d.carries(st.Reference)
	}
	if err := trader.TakeDutyTx(ctx, tx, by.ID, d.TraderID, member.MoneyDuty); err != nil {
		return err
	}
	if d.ClaimActiveByOther(by.ID, s.clock.Now()) {
		return ErrClaimed
	}
	before, from := summary(d), d.State
	if err := s.takeUpTx(tx, &d, valueDate); err != nil {
		return err
	}
	changes, err := s.approvedFromLineTx(ctx, tx, by, &d, st)
	if err != nil {
		return err
	}
	if err := moveTx(tx, &d, changes); err != nil {
		if errors.Is(err, gorm.ErrDuplicatedKey) {
			return ErrReference
		}
		return err
	}
	tx.AfterCommit(func() { s.changed(d.AccountID) })
	if err := s.messageTx(ctx, tx, d, from); err != nil {
		return err
	}
	entry := audit.By(by, s.clock.Now(), "deposit.approve", "deposit", d.ID)
	entry.Before, entry.After = before, summary(d)
	return audit.RecordTx(ctx, tx, entry)
}

// carries refuses a line with another reference than the one that staff entered. It returns ErrReference.
func (d Deposit) carries(reference string) error {
	if d.BankReference == nil || ledger.ReferenceKey(*d.BankReference) != ledger.ReferenceKey(reference) {
		return ErrReference
	}
	return nil
}

// takeUpTx brings a deposit into review. One without a proof gets the line's value date: it takes two people.
func (s *Service) takeUpTx(tx *db.Tx, d *Deposit, valueDate time.Time) error {
	switch {
	case d.State == InReview:
		return nil
	case d.State == ProofSubmitted:
		return moveTx(tx, d, map[string]any{"state": InReview})
	case d.Unclaimed() || d.State == MoreInfo:
		return moveTx(tx, d, map[string]any{"state": InReview, "value_date": valueDate, "proof_at": s.clock.Now(), "decided_at": nil, "reason": nil})
	}
	return ErrState
}

// approvedFromLineTx returns the columns of the maker's approval; it posts a credit that takes one person.
func (s *Service) approvedFromLineTx(ctx context.Context, tx *db.Tx, by audit.Actor, d *Deposit, st Statement) (map[string]any, error) {
	st, err := st.Read()
	if err != nil {
		return nil, err
	}
	same, err := s.persons.HolderIsTx(ctx, tx, d.TraderID, st.Sender)
	if err != nil {
		return nil, err
	}
	return s.approvedTx(ctx, tx, by, d, st, same)
}
