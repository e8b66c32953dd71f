package withdrawal

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"candor/app/approval"
	"candor/app/audit"
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
	ErrBatchPayee   = errs.New(errs.Refused, "batch.payee")         // no file can name the payee's account
	ErrBatchPayout  = errs.New(errs.Refused, "batch.payout")        // one transfer may not leave now
	ErrBatchBank    = errs.Field("payment", "field.batch_mismatch") // the confirmation is not what was sent
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
