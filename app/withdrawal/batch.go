package withdrawal

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"gorm.io/gorm"

	"candor/app/approval"
	"candor/app/audit"
	"candor/app/ledger"
	"candor/app/platform/bankfile"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/staff"
	"candor/app/staff/member"
)

// BatchState is the state of a batch.
type BatchState string

// The states of a batch.
const (
	BatchOpen      BatchState = "open"      // transfers are added and taken out
	BatchRequested BatchState = "requested" // awaits the second person
	BatchReleased  BatchState = "released"  // its file may go to the bank
	BatchSent      BatchState = "sent"      // the bank has it
	BatchCompleted BatchState = "completed" // another person read it at the bank
	BatchCancelled BatchState = "cancelled" // before its release
)

// maxBatch is the most transfers of a batch: its release is one transaction.
const maxBatch = 200

// Batch is a set of transfers from one bank account that the bank makes by one file.
type Batch struct {
	ID          int64
	AccountID   int
	State       BatchState
	Count       int
	Total       int64  // 10^-6 of the account's currency
	Approval    *int64 // of its release
	Payment     *string
	CreatedBy   int64
	SentBy      *int64
	ConfirmedBy *int64
	Mismatches  int
	Version     int
	CreatedAt   time.Time
	ReleasedAt  *time.Time
	SentAt      *time.Time
	EndedAt     *time.Time
}

// TableName is GORM's name of the table.
func (Batch) TableName() string { return "payout_batches" }

// BatchNumber is the display number of a batch.
func BatchNumber(id int64) string { return fmt.Sprintf("PB-%d", id) }

// Number is the display number of the batch.
func (b Batch) Number() string { return BatchNumber(b.ID) }

// Refusals of batches.
var (
	ErrBatchUnknown = errs.New(errs.NotFound, "batch.unknown")
	ErrBatchState   = errs.New(errs.Conflict, "batch.state")   // no longer in a state that allows the act
	ErrBatchChanged = errs.New(errs.Conflict, "batch.changed") // another version than the one shown
	ErrBatchFull    = errs.New(errs.Refused, "batch.full")     // maxBatch transfers
	ErrBatchEmpty   = errs.New(errs.Refused, "batch.empty")
	ErrBatchPayee   = errs.New(errs.Refused, "batch.payee")    // no file can name the payee's account
	ErrBatchPayout  = errs.New(errs.Refused, "batch.payout")   // one transfer may not leave now
	ErrBatchBank    = errs.New(errs.Refused, "batch.mismatch") // the confirmation is not what was sent
)

// batchUse declares the approval of a release: by two people, of exactly these transfers.
func (s *Service) batchUse() approval.Use {
	return approval.Use{
		Name: "payout_batch", Area: "withdrawal", About: "batch", Duty: member.MoneyDuty, Lasts: 7 * 24 * time.Hour,
		Facts: s.batchFactsTx, Apply: s.releaseTx, Closed: s.reopenTx,
	}
}

// fields are what a release is requested for.
func (b *Batch) fields() approval.Fields {
	return approval.Fields{"account_id": &b.AccountID, "count": &b.Count, "total": &b.Total}
}

// batchFactsTx hashes the facts of every transfer of a batch.
func (s *Service) batchFactsTx(_ context.Context, tx *db.Tx, a approval.Approval) ([]byte, error) {
	list, err := payoutsOfTx(tx, a.Subject)
	if err != nil {
		return nil, err
	}
	all := sha256.New()
	for _, w := range list {
		all.Write(w.Facts())
		all.Write([]byte(w.State))
	}
	return all.Sum(nil), nil
}

func payoutsOfTx(tx *db.Tx, batchID any) (list []Withdrawal, err error) {
	if err = tx.Rows.Where("batch_id = ?", batchID).Order("id").Find(&list).Error; err != nil {
		return nil, fmt.Errorf("list the transfers of batch %v: %w", batchID, err)
	}
	return list, nil
}

// AddToBatch puts a queued transfer into the open batch of a bank account, or into a new one.
// Refusals: ErrUnknown, ErrState, ErrNotClaimed, ErrChanged, ErrProvider, ErrBatched, ErrPayer, ErrBatchFull, ErrBatchPayee.
func (s *Service) AddToBatch(ctx context.Context, by audit.Actor, id int64, version, from int) (w Withdrawal, err error) {
	return s.act(ctx, by, id, version, "withdrawal.add_to_batch", func(tx *db.Tx, w *Withdrawal) (map[string]any, error) {
		if err := w.decidable(by, s.clock.Now(), Queued); err != nil {
			return nil, err
		}
		payer, err := s.payerTx(tx, from)
		switch {
		case w.Kind == Crypto:
			return nil, ErrState
		case !w.ByHand():
			return nil, ErrProvider
		case w.BatchID != nil:
			return nil, ErrBatched
		case err != nil:
			return nil, err
		case !bankfile.ValidIBAN(w.IBAN) || !bankfile.ValidIBAN(payer.IBAN):
			return nil, ErrBatchPayee
		}
		b, err := s.openBatchTx(ctx, tx, by, payer)
		if err != nil {
			return nil, err
		}
		if b.Count >= maxBatch {
			return nil, ErrBatchFull.With("limit", maxBatch)
		}
		return staff.Released(map[string]any{"batch_id": b.ID}), saveBatchTx(tx, b, map[string]any{"count": b.Count + 1, "total": b.Total + w.Net()})
	})
}

// openBatchTx locks the open batch of an account, or makes one.
func (s *Service) openBatchTx(ctx context.Context, tx *db.Tx, by audit.Actor, from Payer) (b Batch, err error) {
	if err = tx.ForUpdate().Where("account_id = ? AND state = 'open'", from.ID).Limit(1).Find(&b).Error; err != nil || b.ID != 0 {
		return b, err
	}
	b = Batch{AccountID: from.ID, State: BatchOpen, CreatedBy: by.ID, Version: 1, CreatedAt: s.clock.Now()}
	if err = tx.Rows.Create(&b).Error; errors.Is(err, gorm.ErrDuplicatedKey) {
		return b, ErrBatchChanged // another person opened one at the same time
	} else if err != nil {
		return b, fmt.Errorf("open a batch: %w", err)
	}
	return b, audit.RecordTx(ctx, tx, audit.By(by, s.clock.Now(), "withdrawal.open_batch", "payout_batch", b.ID))
}

// saveBatchTx writes the changes of a locked batch.
func saveBatchTx(tx *db.Tx, b Batch, columns map[string]any) error {
	columns["version"] = b.Version + 1
	return db.MustAffect(tx.Rows.Model(&Batch{}).Where("id = ? AND version = ?", b.ID, b.Version).Updates(columns))
}

// TakeFromBatch takes a transfer out of its open batch. Refusals: ErrUnknown, ErrState, ErrNotClaimed, ErrChanged, ErrBatchState.
func (s *Service) TakeFromBatch(ctx context.Context, by audit.Actor, id int64, version int) (w Withdrawal, err error) {
	return s.act(ctx, by, id, version, "withdrawal.take_from_batch", func(tx *db.Tx, w *Withdrawal) (map[string]any, error) {
		if err := w.decidable(by, s.clock.Now(), Queued); err != nil {
			return nil, err
		}
		if w.BatchID == nil {
			return nil, ErrState
		}
		return s.unbatchTx(tx, *w, staff.Released(map[string]any{}), BatchOpen)
	})
}

// unbatchTx takes a transfer out of its batch, if it is in one. A release that was requested with it can't be agreed to any more. Refusal: ErrBatchState
// in other states than these.
func (s *Service) unbatchTx(tx *db.Tx, w Withdrawal, columns map[string]any, states ...BatchState) (map[string]any, error) {
	if w.BatchID == nil {
		return columns, nil
	}
	b, err := lockBatchTx(tx, *w.BatchID)
	if err != nil {
		return nil, err
	}
	if !slices.Contains(states, b.State) {
		return nil, ErrBatchState
	}
	columns["batch_id"] = nil
	return columns, saveBatchTx(tx, b, map[string]any{"count": b.Count - 1, "total": b.Total - w.Net()})
}

func lockBatchTx(tx *db.Tx, id any) (b Batch, err error) {
	if err = tx.ForUpdate().Where("id = ?", id).Limit(1).Find(&b).Error; err != nil {
		return b, fmt.Errorf("lock batch %v: %w", id, err)
	}
	if b.ID == 0 {
		err = ErrBatchUnknown
	}
	return b, err
}

// moveBatch changes a batch for a member of staff and writes the audit entry, in one transaction; then changes what depends on its new state.
func (s *Service) moveBatch(ctx context.Context, by audit.Actor, id int64, version int, action string, decide func(*db.Tx, Batch) (map[string]any, error), then ...func(*db.Tx, Batch) error) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		b, err := lockBatchTx(tx, id)
		if err != nil {
			return err
		}
		if b.Version != version {
			return ErrBatchChanged
		}
		columns, err := decide(tx, b)
		if err != nil {
			return err
		}
		if err := saveBatchTx(tx, b, columns); err != nil {
			return err
		}
		for _, f := range then {
			if err := f(tx, b); err != nil {
				return err
			}
		}
		if action == approval.InEngine {
			return nil
		}
		return audit.RecordTx(ctx, tx, audit.By(by, s.clock.Now(), action, "payout_batch", id))
	})
}

// RequestBatch asks a second person to release a batch. Refusals: ErrBatchUnknown, ErrBatchState, ErrBatchChanged, ErrBatchEmpty.
func (s *Service) RequestBatch(ctx context.Context, by audit.Actor, id int64, version int) error {
	return s.moveBatch(ctx, by, id, version, approval.InEngine, func(tx *db.Tx, b Batch) (map[string]any, error) {
		switch {
		case b.State != BatchOpen:
			return nil, ErrBatchState
		case b.Count == 0:
			return nil, ErrBatchEmpty
		}
		a, err := s.batches.RequestTx(ctx, tx, by, approval.Request{Subject: strconv.FormatInt(id, 10), Proposal: b.fields(), People: 2})
		return map[string]any{"state": BatchRequested, "approval": a.ID}, err
	})
}

// ReleaseBatch is the second person's agreement: every transfer is being sent from then on, or none is. Refusals: ErrBatchUnknown, ErrBatchState, ErrBatchPayout with
// the transfer that may not leave, those of approval.Service.ApproveTx.
func (s *Service) ReleaseBatch(ctx context.Context, by audit.Actor, b Batch) error {
	a, err := s.release(ctx, b)
	if err != nil {
		return err
	}
	_, err = s.batches.Approve(ctx, by, a.ID, a.Version, a.State, a.Facts)
	return err
}

// release reads the open request to release a batch.
func (s *Service) release(ctx context.Context, b Batch) (a approval.Approval, err error) {
	if b.State != BatchRequested || b.Approval == nil {
		return a, ErrBatchState
	}
	return s.batches.Find(ctx, *b.Approval)
}

// BatchApprovals reads the approvals of batches, by batch.
func (s *Service) BatchApprovals(ctx context.Context, list ...Batch) (map[int64]approval.Approval, error) {
	return approval.ByCase(ctx, s.batches, list, func(b Batch) *int64 { return b.Approval })
}

// DeclineBatch withdraws the person's own request, or refuses another person's: the batch is open again. Refusals: those of approval.Service.DeclineTx.
func (s *Service) DeclineBatch(ctx context.Context, by audit.Actor, b Batch, why string) error {
	a, err := s.release(ctx, b)
	if err != nil {
		return err
	}
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		_, err := s.batches.DeclineTx(ctx, tx, by, a, why)
		return err
	})
}

// releaseTx starts every transfer of a released batch.
func (s *Service) releaseTx(ctx context.Context, tx *db.Tx, by audit.Actor, a approval.Approval) error {
	b, err := lockBatchTx(tx, a.Subject)
	if err != nil {
		return err
	}
	list, err := payoutsOfTx(tx, b.ID)
	if err != nil {
		return err
	}
	for _, one := range list {
		if err := s.startTx(ctx, tx, by, one.ID, b.AccountID); err != nil {
			return err
		}
	}
	return saveBatchTx(tx, b, map[string]any{"state": BatchReleased, "released_at": s.clock.Now()})
}

// startTx starts one transfer of a batch. A refusal names it.
func (s *Service) startTx(ctx context.Context, tx *db.Tx, by audit.Actor, id int64, from int) error {
	err := s.moveMemberTx(ctx, tx, by, id, "withdrawal.begin", func(w *Withdrawal) (map[string]any, error) {
		if w.State != Queued {
			return nil, ErrState
		}
		columns, err := s.beginTx(ctx, tx, *w, from)
		if err != nil {
			return nil, err
		}
		return staff.Released(columns), nil
	})
	if refusal := errs.As(err); refusal != nil {
		return ErrBatchPayout.With("number", Withdrawal{ID: id}.Number())
	}
	return err
}

// moveMemberTx changes one transfer of a batch and writes its audit entry.
func (s *Service) moveMemberTx(ctx context.Context, tx *db.Tx, by audit.Actor, id int64, action string, decide func(*Withdrawal) (map[string]any, error)) error {
	before := ""
	w, err := s.moveTx(ctx, tx, id, 0, func(w *Withdrawal) (map[string]any, error) {
		before = summary(*w)
		if err := conflictTx(ctx, tx, by, w.TraderID, action); err != nil {
			return nil, err
		}
		return decide(w)
	})
	if err != nil {
		return err
	}
	entry := audit.By(by, s.clock.Now(), action, "withdrawal", id)
	entry.Before, entry.After = before, summary(w)
	return audit.RecordTx(ctx, tx, entry)
}

// reopenTx opens a batch again whose release was refused, withdrawn or has expired. While another batch of the account is open, it is cancelled instead.
func (s *Service) reopenTx(ctx context.Context, tx *db.Tx, by audit.Actor, a approval.Approval) error {
	b, err := lockBatchTx(tx, a.Subject)
	if err != nil {
		return err
	}
	var other int64
	if err := tx.Rows.Model(&Batch{}).Where("account_id = ? AND state = 'open'", b.AccountID).Count(&other).Error; err != nil {
		return err
	}
	if other > 0 {
		return s.cancelTx(ctx, tx, by, b)
	}
	return saveBatchTx(tx, b, map[string]any{"state": BatchOpen, "approval": nil})
}

// cancelTx ends a batch that was not released; its transfers wait for another way.
func (s *Service) cancelTx(ctx context.Context, tx *db.Tx, by audit.Actor, b Batch) error {
	list, err := payoutsOfTx(tx, b.ID)
	if err != nil {
		return err
	}
	for _, w := range list {
		before := summary(w)
		w, err := s.moveTx(ctx, tx, w.ID, 0, func(*Withdrawal) (map[string]any, error) { return map[string]any{"batch_id": nil}, nil })
		if err != nil {
			return err
		}
		entry := audit.By(by, s.clock.Now(), "withdrawal.take_from_batch", "withdrawal", w.ID)
		entry.Before, entry.After = before, summary(w)
		if err := audit.RecordTx(ctx, tx, entry); err != nil {
			return err
		}
	}
	if err := saveBatchTx(tx, b, map[string]any{"state": BatchCancelled, "ended_at": s.clock.Now(), "count": 0, "total": 0, "approval": nil}); err != nil {
		return err
	}
	return audit.RecordTx(ctx, tx, audit.By(by, s.clock.Now(), "withdrawal.cancel_batch", "payout_batch", b.ID))
}

// endBatchTx completes the batch of a transfer that has ended, if it was the last one: lines of the bank's statement may have proved them one by one.
func (s *Service) endBatchTx(ctx context.Context, tx *db.Tx, w Withdrawal) error {
	if w.BatchID == nil || !w.Ended() {
		return nil
	}
	now := s.clock.Now()
	done := tx.Rows.Model(&Batch{}).Where("id = ? AND state = 'sent' AND NOT EXISTS (SELECT 1 FROM withdrawals w WHERE w.batch_id = payout_batches.id AND w.ended_at IS NULL)", *w.BatchID).
		Updates(map[string]any{"state": BatchCompleted, "ended_at": now, "version": gorm.Expr("version + 1")})
	if done.Error != nil {
		return fmt.Errorf("end batch %d: %w", *w.BatchID, done.Error)
	}
	if done.RowsAffected == 0 {
		return nil
	}
	return audit.RecordTx(ctx, tx, audit.By(audit.Actor{Kind: audit.System, Name: "completion"}, now, "withdrawal.complete_batch", "payout_batch", *w.BatchID))
}

// CancelBatch cancels an open batch. Refusals: ErrBatchUnknown, ErrBatchState, ErrBatchChanged.
func (s *Service) CancelBatch(ctx context.Context, by audit.Actor, id int64, version int) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		b, err := lockBatchTx(tx, id)
		switch {
		case err != nil:
			return err
		case b.Version != version:
			return ErrBatchChanged
		case b.State != BatchOpen:
			return ErrBatchState
		}
		return s.cancelTx(ctx, tx, by, b)
	})
}

// BatchFile writes the pain.001 file of a released batch. It has the same transfers each time, under the same message id, and names the bank account as it is
// now. Each file is recorded. Refusals: ErrBatchUnknown, ErrBatchState, those of
// bankfile.WriteCreditTransfers.
func (s *Service) BatchFile(ctx context.Context, by audit.Actor, id int64) (file []byte, err error) {
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		b, err := lockBatchTx(tx, id)
		if err != nil {
			return err
		}
		if b.State != BatchReleased && b.State != BatchSent {
			return ErrBatchState
		}
		payer, err := s.payerTx(tx, b.AccountID)
		if err != nil {
			return err
		}
		orders, err := s.ordersTx(ctx, tx, b, payer)
		if err != nil {
			return err
		}
		file, err = bankfile.WriteCreditTransfers(bankfile.Batch{
			MessageID: "CANDOR-" + b.Number(), Created: *b.ReleasedAt, Initiator: payer.Holder, Payments: orders,
		})
		if err != nil {
			return err
		}
		return audit.RecordTx(ctx, tx, audit.By(by, s.clock.Now(), "withdrawal.file_batch", "payout_batch", id))
	})
	return file, err
}

// ordersTx are the transfers of a batch as its file has them.
func (s *Service) ordersTx(ctx context.Context, tx *db.Tx, b Batch, from Payer) (orders []bankfile.Payment, err error) {
	list, err := payoutsOfTx(tx, b.ID)
	if err != nil {
		return nil, err
	}
	on := bankfile.DateOf(*b.ReleasedAt)
	for _, w := range list {
		holder, err := s.holder(ctx, tx.Conn, w)
		if err != nil {
			return nil, err
		}
		orders = append(orders, bankfile.Payment{
			Debtor: bankfile.Debtor{Name: from.Holder, IBAN: from.IBAN, BIC: from.BIC}, ExecuteOn: on, EndToEndID: strings.ReplaceAll(w.Number(), "-", ""),
			Amount: w.Net() / cent, Currency: from.Currency, CreditorName: holder, CreditorIBAN: w.IBAN, CreditorBIC: w.BIC, Text: w.Reference(),
		})
	}
	return orders, nil
}

// SendBatch records the bank's reference of the file: every transfer that is still being sent has left.
// Refusals: fields, ErrBatchUnknown, ErrBatchState, ErrBatchChanged, ErrPayment.
func (s *Service) SendBatch(ctx context.Context, by audit.Actor, id int64, version int, payment string) error {
	reference, err := Withdrawal{Kind: ByBank}.ReadPayment(payment)
	if err != nil {
		return err
	}
	err = s.moveBatch(ctx, by, id, version, "withdrawal.send_batch", func(tx *db.Tx, b Batch) (map[string]any, error) {
		if b.State != BatchReleased {
			return nil, ErrBatchState
		}
		err := s.eachTx(ctx, tx, by, b, Processing, "withdrawal.finish", func(w *Withdrawal) (map[string]any, error) {
			columns, err := s.sendTx(ctx, tx, *w, reference+" "+strings.ReplaceAll(w.Number(), "-", ""))
			if err == nil {
				columns["sent_by"] = by.ID
			}
			return columns, err
		})
		return map[string]any{"state": BatchSent, "payment": reference, "sent_by": by.ID, "sent_at": s.clock.Now()}, err
	})
	if errors.Is(err, gorm.ErrDuplicatedKey) {
		err = ErrPayment
	}
	return err
}

// eachTx changes every transfer of a batch that is in a state.
func (s *Service) eachTx(ctx context.Context, tx *db.Tx, by audit.Actor, b Batch, state State, action string, decide func(*Withdrawal) (map[string]any, error)) error {
	list, err := payoutsOfTx(tx, b.ID)
	if err != nil {
		return err
	}
	for _, w := range list {
		if w.State != state {
			continue
		}
		if err := s.moveMemberTx(ctx, tx, by, w.ID, action, decide); err != nil {
			return err
		}
	}
	return nil
}

// BatchAtBank is a batch as a person reads it at the bank.
type BatchAtBank struct {
	Count   int
	Total   int64
	Payment string
}

// matches reports whether a batch at the bank is the one that was sent.
func (b Batch) matches(p BatchAtBank) bool {
	return b.Payment != nil && p.Count == b.Count && p.Total == b.Total && ledger.ReferenceKey(p.Payment) == ledger.ReferenceKey(*b.Payment)
}

// ConfirmBatch is another person's confirmation that the bank shows the batch that was sent: its transfers are completed. One that differs moves no money and is
// recorded. Refusals: ErrBatchUnknown, ErrBatchState, ErrBatchChanged, ErrSender, ErrBatchBank, ErrMismatchLimit.
func (s *Service) ConfirmBatch(ctx context.Context, by audit.Actor, id int64, version int, p BatchAtBank) error {
	b, err := s.Batch(ctx, id)
	if err != nil {
		return err
	}
	same := b.matches(p)
	action := "withdrawal.confirm_batch"
	if !same {
		action = "withdrawal.mismatch_batch"
	}
	err = s.moveBatch(ctx, by, id, version, action, func(tx *db.Tx, b Batch) (map[string]any, error) {
		switch {
		case b.State != BatchSent:
			return nil, ErrBatchState
		case b.SentBy != nil && *b.SentBy == by.ID:
			return nil, ErrSender
		case b.Mismatches >= maxMismatches:
			return nil, ErrMismatchLimit
		case same != b.matches(p): // read again under the lock
			return nil, ErrBatchChanged
		case !same:
			return map[string]any{"mismatches": b.Mismatches + 1}, nil
		}
		return map[string]any{"state": BatchCompleted, "confirmed_by": by.ID, "ended_at": s.clock.Now()}, nil
	}, func(tx *db.Tx, b Batch) error {
		if !same {
			return nil
		}
		return s.eachTx(ctx, tx, by, b, Sent, "withdrawal.confirm", func(*Withdrawal) (map[string]any, error) {
			return staff.Released(map[string]any{"state": Completed, "ended_at": s.clock.Now(), "confirmed_by": by.ID}), nil
		})
	})
	if err == nil && !same {
		err = ErrBatchBank
	}
	return err
}

// Batch reads a batch. It returns ErrBatchUnknown.
func (s *Service) Batch(ctx context.Context, id int64) (b Batch, err error) {
	if err = s.db.Rows(ctx).Where("id = ?", id).Limit(1).Find(&b).Error; err != nil {
		return b, fmt.Errorf("read batch %d: %w", id, err)
	}
	if b.ID == 0 {
		err = ErrBatchUnknown
	}
	return b, err
}

// Batches lists batches, the newest first, below an id (0: all): those under way, or the ended ones.
func (s *Service) Batches(ctx context.Context, ended bool, below int64, limit int) (list []Batch, err error) {
	q := s.db.Rows(ctx).Where("(ended_at IS NOT NULL) = ?", ended)
	if below != 0 {
		q = q.Where("id < ?", below)
	}
	if err = q.Order("id DESC").Limit(limit).Find(&list).Error; err != nil {
		return nil, fmt.Errorf("list batches: %w", err)
	}
	return list, nil
}

// Payouts lists the transfers of a batch.
func (s *Service) Payouts(ctx context.Context, batchID int64) (list []Withdrawal, err error) {
	if err = s.db.Rows(ctx).Where("batch_id = ?", batchID).Order("id").Find(&list).Error; err != nil {
		return nil, fmt.Errorf("list the transfers of batch %d: %w", batchID, err)
	}
	return list, nil
}

// CountBatches counts the batches under way that wait for a person, and returns since when the first one does.
func (s *Service) CountBatches(ctx context.Context) (n int64, oldest time.Time, err error) {
	var since *time.Time
	err = s.db.Pool.QueryRow(ctx, `SELECT count(*), min(created_at) FROM payout_batches WHERE ended_at IS NULL AND count > 0`).Scan(&n, &since)
	if since != nil {
		oldest = *since
	}
	return n, oldest, err
}
