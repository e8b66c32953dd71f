package withdrawal_test

import (
	"context"
	"encoding/xml"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/approval"
	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/withdrawal"
)

// atBank is what the bank shows of a payment.
func atBank(w withdrawal.Withdrawal) withdrawal.AtBank {
	to := w.Destination()
	return withdrawal.AtBank{Amount: w.Net(), Ending: to[len(to)-4:], Payment: *w.Payment}
}

func (b *bundle) confirm(who audit.Actor, id int64, p withdrawal.AtBank) (withdrawal.Withdrawal, error) {
	b.Helper()
	return b.by(who, id, func(w withdrawal.Withdrawal) (withdrawal.Withdrawal, error) {
		return b.withdrawals.Confirm(b.Context(), who, w.ID, w.Version, p)
	})
}

// TestAnotherPersonConfirmsAtTheBank completes a payment that a second person reads at the bank as the first one sent it, and nothing else.
func TestAnotherPersonConfirmsAtTheBank(t *testing.T) {
	t.Parallel()
	t.Run("TheSame", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		w := b.in(b.owner(1, 1_000*usdt), withdrawal.Sent)
		require.Equal(t, payer, *w.BankAccountID)
		_, err := b.confirm(b.maker, w.ID, atBank(w))
		require.ErrorIs(t, err, withdrawal.ErrSender)
		_, err = b.withdrawals.Release(t.Context(), b.maker, w.ID)
		require.NoError(t, err)
		done, err := b.confirm(b.checker, w.ID, atBank(w))
		require.NoError(t, err)
		require.Equal(t, withdrawal.Completed, done.State)
		require.Equal(t, b.checker.ID, *done.ConfirmedBy)
		_, err = b.confirm(b.checker, w.ID, atBank(w))
		require.ErrorIs(t, err, withdrawal.ErrState)
	})
	t.Run("AnythingElseMovesNothing", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		w := b.in(b.owner(1, 1_000*usdt), withdrawal.Sent)
		for n, change := range []func(*withdrawal.AtBank){
			func(p *withdrawal.AtBank) { p.Amount++ },
			func(p *withdrawal.AtBank) { p.Ending = "0000" },
			func(p *withdrawal.AtBank) { p.Payment += "1" },
		} {
			p := atBank(w)
			change(&p)
			_, err := b.confirm(b.checker, w.ID, p)
			require.ErrorIs(t, err, withdrawal.ErrMismatch)
			now := b.read(w.ID)
			require.Equal(t, withdrawal.Sent, now.State)
			require.Equal(t, n+1, now.Mismatches)
		}
		require.EqualValues(t, 3, b.count(`SELECT count(*) FROM audit_entries WHERE action = 'withdrawal.mismatch' AND target_id = $1`, fmt.Sprint(w.ID)))
		_, err := b.confirm(b.checker, w.ID, atBank(w))
		require.ErrorIs(t, err, withdrawal.ErrMismatchLimit, "the right answer comes too late: the statement tells")
		b.exec(`UPDATE withdrawals SET sent_at = sent_at - interval '6 days' WHERE id = $1`, w.ID)
		n, err := b.withdrawals.Complete(t.Context())
		require.NoError(t, err)
		require.Zero(t, n, "what was contradicted is not presumed to have arrived")
	})
}

// queued are transfers that were approved.
func (b *bundle) queued(n int) (list []withdrawal.Withdrawal) {
	b.Helper()
	for range n {
		o := b.owner(1, 1_000*usdt)
		o.payee = b.payeeAt(o.TraderID, holder, "GB33BUKB20201555555555", start.Add(-25*time.Hour))
		list = append(list, b.in(o, withdrawal.Queued))
	}
	return list
}

// batched adds transfers to the open batch.
func (b *bundle) batched(list ...withdrawal.Withdrawal) withdrawal.Batch {
	b.Helper()
	var id int64
	for _, w := range list {
		moved, err := b.by(b.maker, w.ID, func(w withdrawal.Withdrawal) (withdrawal.Withdrawal, error) {
			return b.withdrawals.AddToBatch(b.Context(), b.maker, w.ID, w.Version, payer)
		})
		require.NoError(b, err)
		id = *moved.BatchID
	}
	return b.batch(id)
}

func (b *bundle) batch(id int64) withdrawal.Batch {
	b.Helper()
	batch, err := b.withdrawals.Batch(context.Background(), id)
	require.NoError(b, err)
	return batch
}

// TestABatchIsPaidByOneFile takes two transfers through a batch: released by two people, written as a file, sent, and confirmed by another person.
func TestABatchIsPaidByOneFile(t *testing.T) {
	t.Parallel()
	b := setup(t)
	list := b.queued(2)
	batch := b.batched(list...)
	require.Equal(t, 2, batch.Count)
	require.EqualValues(t, 200*usdt, batch.Total)
	_, err := b.by(b.maker, list[0].ID, func(w withdrawal.Withdrawal) (withdrawal.Withdrawal, error) {
		return b.withdrawals.Begin(t.Context(), b.maker, w.ID, w.Version, payer)
	})
	require.ErrorIs(t, err, withdrawal.ErrBatched, "it is not paid twice")
	_, err = b.withdrawals.BatchFile(t.Context(), b.maker, batch.ID)
	require.ErrorIs(t, err, withdrawal.ErrBatchState, "nobody released it")

	require.NoError(t, b.withdrawals.RequestBatch(t.Context(), b.maker, batch.ID, batch.Version))
	batch = b.batch(batch.ID)
	require.ErrorIs(t, b.withdrawals.ReleaseBatch(t.Context(), b.maker, batch), approval.ErrSamePerson)
	require.NoError(t, b.withdrawals.ReleaseBatch(t.Context(), b.checker, batch))
	require.Equal(t, withdrawal.Processing, b.read(list[1].ID).State)
	require.Equal(t, payer, *b.read(list[1].ID).BankAccountID)

	file, err := b.withdrawals.BatchFile(t.Context(), b.maker, batch.ID)
	require.NoError(t, err)
	var read struct {
		Count string `xml:"CstmrCdtTrfInitn>GrpHdr>NbOfTxs"`
		Sum   string `xml:"CstmrCdtTrfInitn>GrpHdr>CtrlSum"`
	}
	require.NoError(t, xml.Unmarshal(file, &read))
	require.Equal(t, []string{"2", "200.00"}, []string{read.Count, read.Sum})
	b.clock.Set(start.Add(time.Hour))
	again, err := b.withdrawals.BatchFile(t.Context(), b.maker, batch.ID)
	require.NoError(t, err)
	require.Equal(t, file, again, "the file is the same each time")

	batch = b.batch(batch.ID)
	require.NoError(t, b.withdrawals.SendBatch(t.Context(), b.maker, batch.ID, batch.Version, "spx-118"))
	sent := b.read(list[0].ID)
	require.Equal(t, withdrawal.Sent, sent.State)
	require.Equal(t, fmt.Sprint("SPX-118 WD", sent.ID), *sent.Payment)

	batch = b.batch(batch.ID)
	right := withdrawal.BatchAtBank{Count: 2, Total: 200 * usdt, Payment: "SPX-118"}
	require.ErrorIs(t, b.withdrawals.ConfirmBatch(t.Context(), b.maker, batch.ID, batch.Version, right), withdrawal.ErrSender)
	wrong := right
	wrong.Total++
	require.ErrorIs(t, b.withdrawals.ConfirmBatch(t.Context(), b.checker, batch.ID, batch.Version, wrong), withdrawal.ErrBatchBank)
	require.Equal(t, withdrawal.Sent, b.read(list[0].ID).State)
	batch = b.batch(batch.ID)
	require.Equal(t, 1, batch.Mismatches)
	require.NoError(t, b.withdrawals.ConfirmBatch(t.Context(), b.checker, batch.ID, batch.Version, right))
	require.Equal(t, withdrawal.Completed, b.read(list[0].ID).State)
	require.Equal(t, withdrawal.Completed, b.read(list[1].ID).State)
	require.Equal(t, withdrawal.BatchCompleted, b.batch(batch.ID).State)
	b.requireProved()
}

// TestABatchIsOfExactlyWhatWasRequested freezes a transfer after the release was requested: the batch can't be released as it was.
func TestABatchIsOfExactlyWhatWasRequested(t *testing.T) {
	t.Parallel()
	b := setup(t)
	list := b.queued(2)
	batch := b.batched(list...)
	require.NoError(t, b.withdrawals.RequestBatch(t.Context(), b.maker, batch.ID, batch.Version))
	frozen := b.read(list[0].ID)
	_, err := b.withdrawals.Freeze(t.Context(), b.lead, frozen.ID, frozen.Version, "under_examination", "")
	require.NoError(t, err)
	batch = b.batch(batch.ID)
	require.Equal(t, 1, batch.Count)
	require.ErrorIs(t, b.withdrawals.ReleaseBatch(t.Context(), b.checker, batch), approval.ErrChanged)
	require.Equal(t, withdrawal.Queued, b.read(list[1].ID).State)
	require.NoError(t, b.withdrawals.DeclineBatch(t.Context(), b.checker, batch, "one was frozen"))
	batch = b.batch(batch.ID)
	require.Equal(t, withdrawal.BatchOpen, batch.State)
	require.NoError(t, b.withdrawals.CancelBatch(t.Context(), b.maker, batch.ID, batch.Version))
	require.Nil(t, b.read(list[1].ID).BatchID)
	_, err = b.by(b.maker, list[1].ID, func(w withdrawal.Withdrawal) (withdrawal.Withdrawal, error) {
		return b.withdrawals.Begin(t.Context(), b.maker, w.ID, w.Version, payer)
	})
	require.NoError(t, err)
}

// TestOneTransferThatMayNotLeaveStopsItsBatch halts withdrawals between the request and the release.
func TestOneTransferThatMayNotLeaveStopsItsBatch(t *testing.T) {
	t.Parallel()
	b := setup(t)
	batch := b.batched(b.queued(1)...)
	require.NoError(t, b.withdrawals.RequestBatch(t.Context(), b.maker, batch.ID, batch.Version))
	b.halted = errHalted
	require.ErrorIs(t, b.withdrawals.ReleaseBatch(t.Context(), b.checker, b.batch(batch.ID)), withdrawal.ErrBatchPayout)
	b.halted = nil
	require.NoError(t, b.withdrawals.ReleaseBatch(t.Context(), b.checker, b.batch(batch.ID)))
}

// TestABankTransferNeedsAnAccountOfOurs refuses to start a transfer from no account, and from another than those that pay.
func TestABankTransferNeedsAnAccountOfOurs(t *testing.T) {
	t.Parallel()
	b := setup(t)
	w := b.in(b.owner(1, 1_000*usdt), withdrawal.Queued)
	for _, from := range []int{0, payer + 1} {
		_, err := b.by(b.maker, w.ID, func(w withdrawal.Withdrawal) (withdrawal.Withdrawal, error) {
			return b.withdrawals.Begin(t.Context(), b.maker, w.ID, w.Version, from)
		})
		require.ErrorIs(t, err, withdrawal.ErrPayer)
	}
	require.Equal(t, withdrawal.Queued, b.read(w.ID).State)
}

// TestABatchEndsWithItsLastTransfer follows a batch whose bank nobody could confirm: lines of the statement complete its transfers one by one.
func TestABatchEndsWithItsLastTransfer(t *testing.T) {
	t.Parallel()
	b := setup(t)
	list := b.queued(2)
	batch := b.batched(list...)
	require.NoError(t, b.withdrawals.RequestBatch(t.Context(), b.maker, batch.ID, batch.Version))
	require.NoError(t, b.withdrawals.ReleaseBatch(t.Context(), b.checker, b.batch(batch.ID)))
	_, err := b.by(b.maker, list[0].ID, func(w withdrawal.Withdrawal) (withdrawal.Withdrawal, error) {
		return b.withdrawals.Finish(t.Context(), b.maker, w.ID, w.Version, "BY-HAND-1", true)
	})
	require.ErrorIs(t, err, withdrawal.ErrBatched, "the file pays it")
	require.Equal(t, withdrawal.Processing, b.read(list[0].ID).State)
	_, err = b.withdrawals.Release(t.Context(), b.maker, list[0].ID)
	require.NoError(t, err)

	require.NoError(t, b.withdrawals.SendBatch(t.Context(), b.maker, batch.ID, b.batch(batch.ID).Version, "FILE-1"))
	sent := b.batch(batch.ID)
	require.ErrorIs(t, b.withdrawals.ConfirmBatch(t.Context(), b.checker, batch.ID, sent.Version, withdrawal.BatchAtBank{Count: 3, Total: sent.Total, Payment: "FILE-1"}), withdrawal.ErrBatchBank)
	b.exec(`UPDATE withdrawals SET sent_at = sent_at - interval '6 days' WHERE batch_id = $1`, batch.ID)
	n, err := b.withdrawals.Complete(t.Context())
	require.NoError(t, err)
	require.Zero(t, n, "the batch was contradicted")

	for i, w := range list {
		require.Equal(t, withdrawal.BatchSent, b.batch(batch.ID).State, "transfer %d is still on its way", i)
		require.NoError(t, b.db.InTx(t.Context(), func(tx *db.Tx) error {
			_, err := b.withdrawals.CompleteFromLineTx(t.Context(), tx, b.checker, w.ID)
			return err
		}))
	}
	done := b.batch(batch.ID)
	require.Equal(t, withdrawal.BatchCompleted, done.State)
	require.NotNil(t, done.EndedAt)
	require.EqualValues(t, 1, b.count(`SELECT count(*) FROM audit_entries WHERE action = 'withdrawal.complete_batch' AND target_id = $1`, fmt.Sprint(batch.ID)))
}

// TestACancelledBatchIsAuditedWithEachTransfer cancels a batch, and one whose release is refused while another one is open.
func TestACancelledBatchIsAuditedWithEachTransfer(t *testing.T) {
	t.Parallel()
	b := setup(t)
	list := b.queued(3)
	refused := b.batched(list[:2]...)
	require.NoError(t, b.withdrawals.RequestBatch(t.Context(), b.maker, refused.ID, refused.Version))
	open := b.batched(list[2])
	require.NoError(t, b.withdrawals.DeclineBatch(t.Context(), b.checker, b.batch(refused.ID), "Not by this account, please"))
	require.NoError(t, b.withdrawals.CancelBatch(t.Context(), b.maker, open.ID, open.Version))
	for _, id := range []int64{refused.ID, open.ID} {
		require.Equal(t, withdrawal.BatchCancelled, b.batch(id).State)
		require.EqualValues(t, 1, b.count(`SELECT count(*) FROM audit_entries WHERE action = 'withdrawal.cancel_batch' AND target_id = $1`, fmt.Sprint(id)))
	}
	for _, w := range list {
		require.Nil(t, b.read(w.ID).BatchID)
		require.EqualValues(t, 1, b.count(`SELECT count(*) FROM audit_entries WHERE action = 'withdrawal.take_from_batch' AND target_id = $1`, fmt.Sprint(w.ID)))
	}
}
