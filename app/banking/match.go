package banking

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"

	"gorm.io/gorm"

	"candor/app/audit"
	"candor/app/deposit"
	"candor/app/ledger"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/withdrawal"
)

// MatchDeposit matches a credit with a deposit. One that staff have credited by hand is only joined to the line; for any other the line is the maker's
// evidence, and it is credited or awaits a second person by the rules of deposits.
// Refusals: ErrUnknown, ErrState, ErrChanged, ErrUsed, ErrOther, and those of deposit.Service.ApproveFromLineTx.
func (s *Service) MatchDeposit(ctx context.Context, by audit.Actor, id int64, version int, depositID int64) (l Line, err error) {
	return s.act(ctx, by, id, version, "banking.match", func(tx *db.Tx, l *Line) (map[string]any, error) {
		if l.State != Unmatched || l.Approval != nil || !l.Credit() {
			return nil, ErrState
		}
		if err := s.fitsTx(tx, *l, depositID); err != nil {
			return nil, err
		}
		detail, err := s.detail(ctx, tx.Conn, *l)
		if err != nil {
			return nil, err
		}
		st := deposit.Statement{Received: l.Amount, Reference: l.evidence(), Sender: detail.Counterparty}
		if err := s.deposits.ApproveFromLineTx(ctx, tx, by, depositID, st, l.ValueOn); err != nil {
			return nil, err
		}
		return s.matched(by, map[string]any{"deposit_id": depositID}), nil
	})
}

// evidence is the bank's reference of the line; without one its number, which is as unique.
func (l Line) evidence() string {
	if len(l.BankReference) >= 4 {
		return l.BankReference
	}
	return l.Number()
}

// fitsTx refuses a deposit that was not to reach the line's account, or that another line is matched with. Refusals: ErrOther, ErrUsed.
func (s *Service) fitsTx(tx *db.Tx, l Line, depositID int64) error {
	var account Account
	if err := tx.Rows.Where("id = ?", l.AccountID).Take(&account).Error; err != nil {
		return err
	}
	fits, err := deposit.PaysIntoTx(tx, depositID, account.ID, account.Currency)
	switch {
	case err != nil:
		return fmt.Errorf("look at deposit %d: %w", depositID, err)
	case !fits:
		return ErrOther
	}
	return unusedTx(tx, "deposit_id", depositID)
}

// unusedTx refuses a case that another line is matched with. It returns ErrUsed.
func unusedTx(tx *db.Tx, column string, id int64) error {
	var used int64
	if err := tx.Rows.Raw(`SELECT coalesce(max(id), 0) FROM bank_lines WHERE `+column+` = ?`, id).Scan(&used).Error; err != nil {
		return fmt.Errorf("look for the line of case %d: %w", id, err)
	}
	if used != 0 {
		return ErrUsed.With("line", Number(used))
	}
	return nil
}

// MatchWithdrawal matches a debit with a withdrawal that was sent, and completes it: the bank has carried it out. Refusals: ErrUnknown, ErrState, ErrChanged,
// ErrOther, ErrUsed, ErrAmount, and those of withdrawal.Service.CompleteFromLineTx.
func (s *Service) MatchWithdrawal(ctx context.Context, by audit.Actor, id int64, version int, withdrawalID int64) (l Line, err error) {
	return s.act(ctx, by, id, version, "banking.match", func(tx *db.Tx, l *Line) (map[string]any, error) {
		if l.State != Unmatched || l.Approval != nil || l.Credit() {
			return nil, ErrState
		}
		if err := unusedTx(tx, "withdrawal_id", withdrawalID); err != nil {
			return nil, err
		}
		w, err := s.withdrawals.CompleteFromLineTx(ctx, tx, by, withdrawalID)
		switch {
		case err != nil:
			return nil, err
		case w.Kind != withdrawal.ByBank || !w.ByHand() || w.BankAccountID == nil || *w.BankAccountID != l.AccountID:
			return nil, ErrOther
		case w.Net() != -l.Amount:
			return nil, ErrAmount
		}
		return s.matched(by, map[string]any{"withdrawal_id": withdrawalID}), nil
	})
}

// unmatchTx frees the line of a deposit that was declined after they were matched: the money is at the bank, and still needs its case.
func (s *Service) unmatchTx(ctx context.Context, tx *db.Tx, by audit.Actor, depositID int64) error {
	var l Line
	if err := tx.ForUpdate().Where("deposit_id = ?", depositID).Limit(1).Find(&l).Error; err != nil {
		return fmt.Errorf("look for the line of deposit %d: %w", depositID, err)
	}
	if l.ID == 0 {
		return nil
	}
	before := l.summary()
	if err := moveTx(tx, &l, map[string]any{"state": Unmatched, "deposit_id": nil, "decided_by": nil, "decided_at": nil}); err != nil {
		return err
	}
	entry := audit.By(by, s.clock.Now(), "banking.unmatch", "bank_line", l.ID)
	entry.Before, entry.After = before, l.summary()
	return audit.RecordTx(ctx, tx, entry)
}

func (s *Service) matched(by audit.Actor, changes map[string]any) map[string]any {
	changes["state"], changes["decided_by"], changes["decided_at"] = Matched, by.ID, s.clock.Now()
	return changes
}

// Sure is the score from which suggestions can be matched together: at least the reference and one more of amount and sender agree.
const Sure = 75

// maxTogether is how many lines are matched by one act.
const maxTogether = 1000

// Together is the result of matching many lines.
type Together struct {
	Done    int
	Refused map[int64]error // by line: why it was not matched
}

// SureLines lists the credits whose suggestions are sure, without those that share their suggestion with another line; at most maxTogether.
func (s *Service) SureLines(ctx context.Context) (list []Line, err error) {
	err = s.db.Rows(ctx).Raw(`
		SELECT * FROM (SELECT *, count(*) OVER (PARTITION BY suggested_id) AS rivals FROM bank_lines WHERE state = 'unmatched' AND suggested_id IS NOT NULL AND amount > 0) l
		WHERE rivals = 1 AND approval IS NULL AND score >= ? ORDER BY booked_on, id LIMIT ?`, Sure, maxTogether).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("list sure suggestions: %w", err)
	}
	return list, nil
}

// Fingerprint names lines with their versions and suggestions, as a dialog shows them.
func Fingerprint(list []Line) string {
	sum := sha256.New()
	for _, l := range list {
		fmt.Fprintln(sum, l.ID, l.Version, *l.SuggestedID)
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// MatchSure matches the lines with their sure suggestions, each in its own transaction and by the same rules as one alone. Seen is the Fingerprint of those that
// were shown; ErrChanged if they are others by now.
func (s *Service) MatchSure(ctx context.Context, by audit.Actor, seen string) (out Together, err error) {
	list, err := s.SureLines(ctx)
	if err != nil {
		return out, err
	}
	if Fingerprint(list) != seen {
		return out, ErrChanged
	}
	out.Refused = map[int64]error{}
	for _, l := range list {
		_, err := s.MatchDeposit(ctx, by, l.ID, l.Version, *l.SuggestedID)
		switch {
		case err == nil:
			out.Done++
		case errs.As(err) != nil && ctx.Err() == nil:
			out.Refused[l.ID] = err
		default:
			return out, err
		}
	}
	return out, nil
}

// Line reads a line. It returns ErrUnknown.
func (s *Service) Line(ctx context.Context, id int64) (l Line, err error) {
	err = s.db.Rows(ctx).Where("id = ?", id).Take(&l).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return l, ErrUnknown
	}
	return l, err
}

// ByReference lists, for staff, the lines with a bank's reference, in any case, newest first, at most limit.
func (s *Service) ByReference(ctx context.Context, words string, limit int) (list []Line, err error) {
	key := ledger.ReferenceKey(words)
	if key == "" {
		return nil, nil
	}
	err = s.db.Rows(ctx).Where("bank_reference <> '' AND reference_key(bank_reference) = ?", key).Order("id DESC").Limit(limit).Find(&list).Error
	if err != nil {
		return nil, fmt.Errorf("look for lines with a reference: %w", err)
	}
	return list, nil
}
