package deposit

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"candor/app/approval"
	"candor/app/audit"
	"candor/app/ledger"
	"candor/app/platform/db"
	"candor/app/provider"
	"candor/app/staff"
	"candor/app/staff/member"
	"candor/app/trader"
)

// Case is the desk's view of a deposit.
type Case struct {
	Deposit
	Channel    Channel
	File       *File
	SeenBefore []int64 // other deposits with the same picture
	Earlier    []Deposit
	Events     []provider.StoredEvent // events from its provider
	Verified   string                 // the trader's verified name, for a bank deposit; empty without a verification
	SenderName string                 // the sender's name on the bank statement; empty until a name is entered
}

// Case reads one deposit for the desk.
func (s *Service) Case(ctx context.Context, id int64) (c Case, err error) {
	rows := s.db.Rows(ctx)
	if err = rows.Where("id = ?", id).Limit(1).Find(&c.Deposit).Error; err != nil {
		return c, err
	}
	if c.ID == 0 {
		return c, ErrUnknown
	}
	err = errors.Join(
		rows.Where("id = ?", c.ChannelID).Limit(1).Find(&c.Channel).Error,
		rows.Where("trader_id = ? AND id <> ? AND state = 'credited'", c.TraderID, c.ID).Order("id DESC").Limit(5).Find(&c.Earlier).Error,
	)
	if err == nil && c.ByProvider() && s.providers != nil {
		c.Events, err = s.providers.Events(ctx, c.Provider, c.Reference)
	}
	if err == nil && c.Kind == ByBank {
		c.Verified, err = s.persons.VerifiedName(ctx, c.TraderID)
	}
	if err == nil {
		c.SenderName, err = s.SenderName(ctx, c.Deposit)
	}
	if err != nil || c.FileID == nil {
		return c, err
	}
	var file File
	err = errors.Join(
		rows.Where("id = ?", *c.FileID).Limit(1).Find(&file).Error,
		rows.Raw(`SELECT DISTINCT d.id FROM deposits d JOIN files f ON f.id = d.file_id WHERE f.sha256 = ? AND d.id <> ? ORDER BY d.id LIMIT 5`, file.SHA256, c.ID).Scan(&c.SeenBefore).Error,
	)
	c.File = &file
	return c, err
}

// Picture reads the proof of a deposit for staff; each view is an entry of the audit log.
func (s *Service) Picture(ctx context.Context, by audit.Actor, id int64) ([]byte, error) {
	c, err := s.Case(ctx, id)
	if err != nil {
		return nil, err
	}
	if c.File == nil {
		return nil, ErrFile
	}
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		return audit.RecordTx(ctx, tx, audit.By(by, s.clock.Now(), "deposit.view_proof", "deposit", id))
	})
	if err != nil {
		return nil, err
	}
	return s.pictures.Get(c.File.Name)
}

// Claim claims a deposit for a member of staff, unless another member's claim is current. Refusals: ErrState, ErrClaimed, ErrChanged.
func (s *Service) Claim(ctx context.Context, by audit.Actor, id int64) (Deposit, error) {
	return s.act(ctx, by, id, 0, "deposit.claim", func(_ *db.Tx, d *Deposit) (map[string]any, error) {
		if !d.Undecided() {
			return nil, ErrState
		}
		now := s.clock.Now()
		if d.ClaimActiveByOther(by.ID, now) {
			return nil, ErrClaimed
		}
		changes := staff.Claimed(map[string]any{}, by.ID, now)
		if d.State == ProofSubmitted {
			changes["state"] = InReview
		}
		return changes, nil
	})
}

// Release ends a claim. Refusals: ErrNotClaimed, ErrChanged.
func (s *Service) Release(ctx context.Context, by audit.Actor, id int64) (Deposit, error) {
	return s.act(ctx, by, id, 0, "deposit.release", func(_ *db.Tx, d *Deposit) (map[string]any, error) {
		if !d.ClaimActiveBy(by.ID, s.clock.Now()) {
			return nil, ErrNotClaimed
		}
		changes := staff.Released(map[string]any{})
		if d.State == InReview && !d.ByProvider() && !d.MatchedFromStatement() {
			changes["state"] = ProofSubmitted
		}
		return changes, nil
	})
}

// Decline rejects a deposit, or asks the trader for another proof. Reason is one of Reasons; the note is for staff only.
// Refusals: ErrReason, ErrState, ErrNotClaimed, ErrChanged.
func (s *Service) Decline(ctx context.Context, by audit.Actor, id int64, version int, ask bool, reason, note string) (Deposit, error) {
	if !slices.Contains(Reasons, reason) {
		return Deposit{}, ErrReason
	}
	action, state := "deposit.reject", Rejected
	if ask {
		action, state = "deposit.ask", MoreInfo
	}
	return s.act(ctx, by, id, version, action, func(tx *db.Tx, d *Deposit) (map[string]any, error) {
		now := s.clock.Now()
		if d.ByProvider() {
			return d.refuse(by, now, ask, reason, note)
		}
		if err := d.decidable(by, now, InReview, Approved); err != nil {
			return nil, err
		}
		if s.declined != nil {
			if err := s.declined(ctx, tx, by, id); err != nil {
				return nil, err
			}
		}
		changes := staff.Released(map[string]any{
			"state": state, "reason": reason, "staff_note": note, "maker_id": nil, "shown_hash": nil, "received": nil, "bank_reference": nil,
			"sender_name_key": nil, "sender_name_sealed": nil, "sender_same": nil, "value_date": nil,
		})
		if ask {
			changes["expires_at"] = now.Add(TransferLife)
		} else {
			changes["decided_at"] = now
		}
		return changes, nil
	})
}

func (d Deposit) decidable(by audit.Actor, now time.Time, states ...State) error {
	if !slices.Contains(states, d.State) {
		return ErrState
	}
	if !d.ClaimActiveBy(by.ID, now) {
		return ErrNotClaimed
	}
	return nil
}

// Confirm is the checker's decision on a deposit that a maker has approved. Refusals: ErrState, ErrNotClaimed, ErrSelf, ErrChanged, ErrProofLimit.
func (s *Service) Confirm(ctx context.Context, by audit.Actor, id int64, version int) (Deposit, error) {
	return s.act(ctx, by, id, version, "deposit.confirm", func(tx *db.Tx, d *Deposit) (map[string]any, error) {
		if err := d.decidable(by, s.clock.Now(), Approved); err != nil {
			return nil, err
		}
		if d.MakerID == nil || *d.MakerID == by.ID {
			return nil, ErrSelf
		}
		if d.Mismatches >= maxMismatches {
			return nil, ErrProofLimit
		}
		if d.Received == nil || d.BankReference == nil || string(d.facts(*d.Received, *d.BankReference)) != string(d.ShownHash) {
			return nil, ErrChanged
		}
		if _, err := s.senderName(ctx, tx.Conn, *d); err != nil { // a name must be readable to be confirmed
			return nil, err
		}
		return s.creditTx(ctx, tx, d, *d.Received, map[string]any{"checker_id": by.ID})
	})
}

// creditTx posts the received amount and its fee, once: the deposit's id is the key.
func (s *Service) creditTx(ctx context.Context, tx *db.Tx, d *Deposit, received int64, changes map[string]any) (map[string]any, error) {
	account, err := ledger.LockTx(ctx, tx, d.AccountID)
	if err != nil {
		return nil, err
	}
	fee, err := d.FeeOf(received)
	if err != nil {
		return nil, err
	}
	now := s.clock.Now()
	cause := fmt.Sprint("deposit:", d.ID)
	id, err := ledger.PostTx(ctx, tx, ledger.Transaction{
		Kind: "deposit", Key: cause, Cause: cause, Book: account.Book, At: now, Entries: account.Deposit(received, fee),
	})
	if err != nil {
		return nil, err
	}
	changes["state"], changes["transaction_id"], changes["decided_at"], changes["fee"] = Credited, id, now, fee
	return staff.Released(changes), nil
}

// act locks a deposit, calls decide for the changes, and writes them with an audit entry in one transaction. Version is the version shown to the member of
// staff; 0 skips the check. A conflict of interest with the trader is refused with trader.ErrOwn or trader.ErrVerified.
func (s *Service) act(ctx context.Context, by audit.Actor, id int64, version int, action string, decide func(*db.Tx, *Deposit) (map[string]any, error)) (Deposit, error) {
	var d Deposit
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		var err error
		if d, err = lockTx(tx, "id = ?", id); err != nil {
			return err
		}
		if err := conflictTx(ctx, tx, by, d.TraderID, action); err != nil {
			return err
		}
		if version != 0 && d.Version != version {
			return ErrChanged
		}
		before, from := summary(d), d.State
		changes, err := decide(tx, &d)
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
		if action == approval.InEngine {
			return nil
		}
		entry := audit.By(by, s.clock.Now(), action, "deposit", d.ID)
		entry.Before, entry.After = before, summary(d)
		return audit.RecordTx(ctx, tx, entry)
	})
	return d, err
}

// conflictTx refuses an act on a conflict of interest with the trader. A release decides nothing, so it takes no duty.
func conflictTx(ctx context.Context, tx *db.Tx, by audit.Actor, traderID int64, action string) error {
	switch action {
	case "deposit.release":
		return trader.CheckConflict(ctx, tx.Conn, by.ID, traderID)
	case "deposit.claim":
		return trader.CheckDutyConflict(ctx, tx.Conn, by.ID, traderID, member.MoneyDuty)
	default:
		return trader.TakeDutyTx(ctx, tx, by.ID, traderID, member.MoneyDuty)
	}
}

// summary is the deposit in the audit log, before or after an act.
func summary(d Deposit) string {
	values := map[string]any{
		"state": d.State, "amount": d.Amount, "received": d.Received, "bankReference": d.BankReference,
		"claimedBy": d.ClaimedBy, "maker": d.MakerID, "checker": d.CheckerID, "reason": d.Reason, "senderSame": d.SenderSame, "valueDate": d.ValueDate,
	}
	if d.Offered() {
		values["offer"] = d.Offer
	}
	text, _ := json.Marshal(values)
	return string(text)
}
