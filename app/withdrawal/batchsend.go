package withdrawal

import (
	"context"
	"errors"
	"strings"

	"gorm.io/gorm"

	"candor/app/audit"
	"candor/app/ledger"
	"candor/app/platform/bankfile"
	"candor/app/platform/db"
	"candor/app/staff"
)

// A released batch goes to the bank as a file, and is confirmed there.

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
	err = s.moveBatch(ctx, by, id, version, action, func(_ *db.Tx, b Batch) (map[string]any, error) {
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
